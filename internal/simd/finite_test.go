package simd

import (
	"math"
	"testing"
)

func TestFinite(t *testing.T) {
	eachLevel(t, func(t *testing.T, _ Level) {
		testFinite(t, specials32, func(x []float32) bool { return FiniteFloat32(x) })
		testFinite(t, specials64, func(x []float64) bool { return FiniteFloat64(x) })
	})
}

func testFinite[T float](t *testing.T, specials []T, f func(x []T) bool) {
	t.Helper()
	for i, n := range lengths() {
		x := guarded[T](t, n, i%2 == 1)
		for j := range x {
			x[j] = T(j%100)*(math.MaxFloat32/100) - 1
		}
		if !f(x) {
			t.Fatalf("%d numbers are said not to be finite", n)
		}
		for j := range x {
			was := x[j]
			for _, v := range specials {
				if x[j] = v; f(x) != (v-v == 0) {
					t.Fatalf("number %d of %d, %v, is taken for finite: %v", j, n, v, f(x))
				}
			}
			x[j] = was
			if n > 1000 {
				break
			}
		}
	}
}
