package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestReflect compares reflections of three rows with the portable ones, for all lengths of tails.
func TestReflect(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		rng := rand.New(rand.NewPCG(1, 2))
		for n := range 131 {
			var rows, want [3][]float64
			for i := range rows {
				rows[i] = guarded[float64](t, n, false)
				for j := range rows[i] {
					rows[i][j] = rng.NormFloat64()
				}
				want[i] = append([]float64(nil), rows[i]...)
			}
			tau, v1, v2 := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
			ReflectFloat64(rows[0], rows[1], rows[2], &Reflector{v1, v2, tau, tau * v1, tau * v2})
			for j := range n {
				sum := want[0][j] + v1*want[1][j] + v2*want[2][j]
				for i, f := range [3]float64{1, v1, v2} {
					if w := want[i][j] - tau*f*sum; !(math.Abs(rows[i][j]-w) <= 1e-14*(1+math.Abs(tau*f*sum))) {
						t.Fatalf("%d elements: element %d of row %d is %v, want %v", n, j, i, rows[i][j], w)
					}
				}
			}
		}
	})
}
