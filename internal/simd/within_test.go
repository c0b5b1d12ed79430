package simd

import (
	"math"
	"testing"
)

func TestWithin(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range lengths() {
			a := guarded[int64](t, n, i%2 == 1)
			for j := range a {
				a[j] = int64(j%10) - 3
			}
			if !WithinInt64(a, -3, 6) {
				t.Fatalf("%d numbers are said to be outside", n)
			}
			for j := range a {
				was := a[j]
				for _, v := range []int64{-4, 7, math.MinInt64, math.MaxInt64} {
					if a[j] = v; WithinInt64(a, -3, 6) {
						t.Fatalf("number %d of %d, %d, is not seen", j, n, v)
					}
				}
				a[j] = was
				if n > 1000 {
					break
				}
			}
		}
	})
}
