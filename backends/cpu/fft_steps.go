package cpu

import (
	"math"
	"reflect"
	"slices"
	"sync"

	"gotorch/internal/simd"
)

// Note: the transform of a line whose length has small prime factors is Stockham's: every step splits it into
// sub-transforms of one factor less, reading one array and writing the other, and leaves its results in order, so that
// nothing is permuted (P. N. Swarztrauber, "FFT algorithms for vector computers", Parallel Computing 1, 1984). Steps
// are kernels of package simd: they work on vectors whose lanes are lines. The time is in proportion to the length and
// its largest prime factor.

// fftSteps are the steps for lines of n numbers.
type fftSteps[R float] struct {
	n     int
	steps []fftStep[R]
}

// fftStep makes m·s transforms of radix numbers each; twiddles and roots are as simd.Fourier's Step wants them.
type fftStep[R float] struct {
	radix, m, s     int
	twiddles, roots []R
}

func newSteps[R float](n int) *fftSteps[R] {
	p := &fftSteps[R]{n: n}
	rest, s := n, 1
	for _, r := range radices(n) {
		m := rest / r
		step := fftStep[R]{radix: r, m: m, s: s}
		for k := range m {
			for j := 1; j < r; j++ {
				step.twiddles = appendRoot(step.twiddles, j*k, rest)
			}
		}
		for k := 1; r > 5 && k <= r/2; k++ {
			for j := 1; j <= r/2; j++ {
				w := rootOfOne(j*k, r)
				step.roots = append(step.roots, R(real(w)), R(-imag(w)))
			}
		}
		p.steps = append(p.steps, step)
		rest, s = m, s*r
	}
	return p
}

// stepsFor are the steps for n, made once.
func stepsFor[R float](n int) *fftSteps[R] {
	return fftTable("steps", n, func() (*fftSteps[R], int) { return newSteps[R](n), 2 * n })
}

// run transforms rows of groups in a, with room in b; it returns the one of both that has the results.
func (p *fftSteps[R]) run(f *simd.Fourier[R], a, b []R, groups int, inverse bool) []R {
	for i := range p.steps {
		s := &p.steps[i]
		f.Step(b, a, s.twiddles, s.roots, s.radix, s.m, s.s*groups, inverse)
		a, b = b, a
	}
	return a
}

// largePrime is the prime factor from which there is no step.
const largePrime = 64

// largestPrime is the largest prime factor of n.
func largestPrime(n int) int {
	most := 1
	for f := 2; f*f <= n; f++ {
		for n%f == 0 {
			n, most = n/f, f
		}
	}
	return max(most, n)
}

// radices are the factors of the steps for n: primes, the largest first, and as many fours as there are.
func radices(n int) (factors []int) {
	twos := 0
	for ; n%2 == 0; n /= 2 {
		twos++
	}
	for f := 3; n > 1; f += 2 {
		for n%f == 0 {
			factors, n = append(factors, f), n/f
		}
	}
	slices.Reverse(factors)
	for range twos / 2 {
		factors = append(factors, 4)
	}
	if twos%2 == 1 {
		factors = append(factors, 2)
	}
	return factors
}

// fftCost is about how long the transform of a line takes beside others.
func fftCost(n int) float64 {
	cost := 8.0 // to gather and scatter
	for _, r := range radices(n) {
		switch r {
		case 2, 4:
			cost += 5
		default:
			cost += 2 + 1.5*float64(r)
		}
	}
	return cost * float64(n)
}

// rootOfOne is exp(-2πi k/n), computed from the nearest axis.
func rootOfOne(k, n int) complex128 {
	axis := (8*(k%n) + n) / (2 * n)
	sin, cos := math.Sincos(math.Pi / 2 * float64(4*(k%n)-n*axis) / float64(n))
	switch axis % 4 {
	case 1:
		sin, cos = cos, -sin
	case 2:
		sin, cos = -sin, -cos
	case 3:
		sin, cos = -cos, sin
	}
	return complex(cos, -sin)
}

func appendRoot[R float](to []R, k, n int) []R {
	w := rootOfOne(k, n)
	return append(to, R(real(w)), R(imag(w)))
}

// fftTables has what transforms read, by its type and length, as making it takes as long as a transform. All are
// dropped where they would be more than mostTables numbers, and a greater one is not kept.
var fftTables struct {
	sync.Mutex
	of   map[fftTableKey]any
	size int
}

const mostTables = 4 << 20

type fftTableKey struct {
	kind string
	of   reflect.Type
	n    int
}

// fftTable is the table for n; create makes it and says how many numbers it has.
func fftTable[T any](kind string, n int, create func() (T, int)) T {
	key := fftTableKey{kind, reflect.TypeFor[T](), n}
	t := &fftTables
	t.Lock()
	have, ok := t.of[key]
	t.Unlock()
	if ok {
		return have.(T)
	}
	made, size := create()
	if size > mostTables {
		return made
	}
	t.Lock()
	defer t.Unlock()
	if t.size += size; t.of == nil || t.size > mostTables {
		t.of, t.size = map[fftTableKey]any{}, size
	}
	t.of[key] = made
	return made
}
