package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSecular compares sums, weights and vectors with those of the portable loops, for all lengths of tails, and both
// kinds of equations.
func TestSecular(t *testing.T) {
	eachLevel(t, func(t *testing.T, _ Level) {
		rng := rand.New(rand.NewPCG(1, 2))
		near := func(what string, n, i int, got, want float64) {
			if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
				t.Fatalf("%d poles: %s %d is %v, want %v", n, what, i, got, want)
			}
		}
		for n := range 131 {
			for scale := range 2 {
				row := func() []float64 {
					x := guarded[float64](t, n, n%2 == 0)
					for i := range x {
						x[i] = 0.1 + rng.Float64()
					}
					return x
				}
				d, z, gap, w, x, y := row(), row(), row(), row(), row(), row()
				for i := range d {
					d[i] += 2 * float64(i)
				}
				p := SecularPoint{Origin: float64(n), Offset: 0.05, Shift: 1}
				if scale == 1 {
					p.Scale, p.Shift = 1, float64(n)+0.05
				}
				want, gaps := p, make([]float64, n)
				secularSumsGo(gaps, d, z, &want)
				SecularSums(gap, d, z, &p)
				for i := range gap {
					near("gap", n, i, gap[i], gaps[i])
				}
				for i, s := range [][2]float64{{p.Below, want.Below}, {p.BelowSlope, want.BelowSlope},
					{p.Above, want.Above}, {p.AboveSlope, want.AboveSlope}} {
					near("sum", n, i, s[0], s[1])
				}
				p.Origin = -0.5
				weights := append([]float64(nil), w...)
				secularWeightsGo(weights, gap, d, &p)
				SecularWeights(w, gap, d, &p)
				xs, ys := make([]float64, n), make([]float64, n)
				xx, yy := secularVectorGo(xs, ys, z, gap, d)
				gotX, gotY := SecularVector(x, y, z, gap, d)
				for i := range w {
					near("weight", n, i, w[i], weights[i])
					near("element of x", n, i, x[i], xs[i])
					near("element of y", n, i, y[i], ys[i])
				}
				near("square", n, 0, gotX, xx)
				near("square", n, 1, gotY, yy)
			}
		}
	})
}
