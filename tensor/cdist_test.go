package tensor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestCdistModes holds the two ways of finding distances, and blocks of rows, against plain loops.
func TestCdistModes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []struct{ batch, r1, r2, k int }{{1, 3, 4, 2}, {2, 30, 7, 5}, {3, 5, 40, 1}, {1, 90, 80, 30},
		{2, 1, 1, 3}} {
		a, b := randomRows(r, n.batch, n.r1, n.k), randomRows(r, n.batch, n.r2, n.k)
		for _, p := range []float64{0, 0.5, 1, 2, 3, math.Inf(1)} {
			for _, mode := range []string{"use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
				"donot_use_mm_for_euclid_dist"} {
				d := tensor.Cdist(a, b, opt.P(p), opt.ComputeMode(mode))
				for range 20 {
					i, j, k := r.IntN(n.batch), r.IntN(n.r1), r.IntN(n.r2)
					want := 0.0
					for c := range n.k {
						x := math.Abs(a.Index(i, j, c).Item() - b.Index(i, k, c).Item())
						switch {
						case math.IsInf(p, 1):
							want = max(want, x)
						case p == 0 && x != 0:
							want++
						case p != 0:
							want += math.Pow(x, p)
						}
					}
					if p != 0 && !math.IsInf(p, 1) {
						want = math.Pow(want, 1/p)
					}
					if got := d.Index(i, j, k).Item(); math.Abs(got-want) > 1e-9*(1+want) {
						t.Fatalf("%+v, p %v, %s: the distance of rows %d and %d is %v, want %v", n, p, mode, j, k, got, want)
					}
				}
			}
		}
	}
}

func randomRows(r *rand.Rand, batch, rows, cols int) *tensor.Tensor {
	xs := make([]float64, batch*rows*cols)
	for i := range xs {
		xs[i] = r.NormFloat64()
	}
	return tensor.FromSlice(xs, batch, rows, cols)
}
