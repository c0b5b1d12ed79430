package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRotate holds rotations of rows in both directions against those of one element after the other.
func TestRotate(t *testing.T) {
	eachLevel(t, func(t *testing.T, _ Level) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{0, 1, 2, 3, 17} {
			for _, step := range []int{RotateLanes, RotateLanes + 5, -RotateLanes} {
				for _, end := range []bool{false, true} {
					size := max(step, -step)*n + RotateLanes
					x := guarded[float64](t, size, end)
					at := 0
					if step < 0 {
						at = -step * n
					}
					for i := range x {
						x[i] = rng.NormFloat64()
					}
					cs := guarded[float64](t, 2*n, end)
					for i := 0; i < n; i++ {
						a := rng.Float64() * 7
						cs[2*i], cs[2*i+1] = math.Cos(a), math.Sin(a)
					}
					want := append([]float64(nil), x...)
					for i := range n {
						for j := range RotateLanes {
							p, q := &want[at+i*step+j], &want[at+(i+1)*step+j]
							c, s := cs[2*i], cs[2*i+1]
							*p, *q = c**p+s**q, c**q-s**p
						}
					}
					RotateFloat64(x, at, step, cs)
					for i := range x {
						if d := math.Abs(x[i] - want[i]); !(d < 1e-14) {
							t.Fatalf("%d rotations, step %d: element %d is %v, want %v", n, step, i, x[i], want[i])
						}
					}
				}
			}
		}
	})
}
