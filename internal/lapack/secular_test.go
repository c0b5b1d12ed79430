package lapack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestSecularRoots: the roots of equations lie between their poles, f changes its sign there, and the refitted z has
// them for roots, also where poles are next to each other and elements of z are tiny.
func TestSecularRoots(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 70; n += 1 + n/5 {
		for kind := range 4 {
			for _, squares := range []bool{false, true} {
				what := fmt.Sprintf("%d poles, kind %d, squares %v", n, kind, squares)
				eq := secular{squares: squares, inverse: 0.3, d: make([]float64, n), z: make([]float64, n),
					squared: make([]float64, n), ascending: make([]int, n)}
				x := 0.0
				for i := range n {
					at := (i*7 + 3) % n
					if n%7 == 0 {
						at = n - 1 - i
					}
					eq.ascending[i], eq.d[at], eq.z[at] = at, x, rng.NormFloat64()
					step := rng.Float64()
					switch kind {
					case 1:
						step *= 1e-13 // poles that are almost the same
					case 2:
						eq.z[at] *= math.Pow(10, -12*rng.Float64())
					case 3:
						step = math.Pow(10, -14*rng.Float64())
						eq.z[at] = math.Pow(10, -14*rng.Float64())
					}
					eq.squared[at] = eq.z[at] * eq.z[at]
					x += step + 1e-15
				}
				gaps, roots := make([]float64, n*n), make([]float64, n)
				for i, at := range eq.ascending {
					gap := gaps[i*n:][:n]
					roots[i] = eq.root(i, gap, &eq.point)
					for j, below := range eq.ascending {
						if g := gap[below]; (g < 0) != (j <= i) || g == 0 || math.IsNaN(g) {
							t.Fatalf("%s: the gap of root %d to pole %d is %v", what, i, j, g)
						}
					}
					f, all := eq.inverse, eq.inverse
					for j, g := range gap {
						f += eq.squared[j] / g
						all += eq.squared[j] / math.Abs(g)
					}
					if !(math.Abs(f) <= 1e-11*all) {
						t.Errorf("%s: root %d right of %v has %v, of %v", what, i, eq.d[at], f, all)
					}
				}
				was := append([]float64(nil), eq.z...)
				eq.refit(gaps)
				for j, z := range eq.z { // the equation of what is refitted has rho 1
					if want := was[j] / math.Sqrt(eq.inverse); !(math.Abs(z-want) <= 1e-9*math.Abs(want)) {
						t.Errorf("%s: element %d of z is %v, was %v", what, j, z, want)
					}
				}
			}
		}
	}
}
