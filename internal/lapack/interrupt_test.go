package lapack

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"gotorch/tensor"
)

// counted is a context that counts how often it is asked whether it is done, which it is from a number of times on.
type counted struct {
	context.Context
	asked, until atomic.Int64
}

func (c *counted) Err() error {
	if n, until := c.asked.Add(1), c.until.Load(); until > 0 && n > until {
		return context.Canceled
	}
	return nil
}

// TestInterrupt: factorizations of large matrices look for an interruption at least once in 20 ms of work, which is
// counted in operations here, 2.5 of them in a nanosecond, and end when there is one, wherever they are.
func TestInterrupt(t *testing.T) {
	const n, between = 500, 5e7
	const cube = float64(n) * n * n
	rng := rand.New(rand.NewPCG(1, 2))
	a := random[float64](rng, n, n, n)
	x, y, z, w := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n)
	values, vectors := make([]complex128, n), make([]complex128, n*n)
	pivots := make([]int, n)
	for _, c := range []struct {
		name string
		work float64
		f    func()
	}{
		{"LU", 2 * cube / 3, func() { LU(x, n, n, pivots) }},
		{"QR", 8 * cube / 3, func() { QR(x, n, n, w); Q(x, n, n, n, w) }},
		{"eigh", 9 * cube, func() { EigH(x, n, false, true, w) }},
		{"eigvalsh", 4 * cube / 3, func() { EigH(x, n, false, false, w) }},
		{"svd", 20 * cube, func() { SVD(x, n, n, false, w, y, z) }},
		{"svdvals", 8 * cube / 3, func() { SVD(x, n, n, false, w, nil, nil) }},
		{"eig", 25 * cube, func() { Eig(x, n, values, vectors) }},
		{"eigvals", 10 * cube, func() { Eig(x, n, values, nil) }},
	} {
		run := func(until int64) (asked int64, ended any) {
			ctx := &counted{Context: context.Background()}
			ctx.until.Store(until)
			copy(x, a)
			defer func() { asked, ended = ctx.asked.Load(), recover() }()
			tensor.WithContext(ctx, c.f)
			return
		}
		all, ended := run(0)
		if ended != nil {
			t.Fatalf("%s: %v", c.name, ended)
		}
		if want := int64(c.work / between); all < want {
			t.Errorf("%s looks for an interruption %d times, want %d", c.name, all, want)
		}
		for part := range int64(3) {
			until := 1 + part*(all-2)/3
			asked, ended := run(until)
			if err, ok := ended.(error); !ok || !strings.Contains(err.Error(), "interrupted") {
				t.Errorf("%s: an interruption after %d of %d looks ended with %v", c.name, until, all, ended)
			} else if asked > until+50 {
				t.Errorf("%s: an interruption after %d looks was seen after %d", c.name, until, asked)
			}
		}
	}
}
