package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestIntegers: sums, extremes and counts are those of the Go forms.
func TestIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range lengths() {
			x, y := guarded[int64](t, n, i%2 == 0), guarded[int32](t, n, i%2 == 1)
			f, g := guarded[float32](t, n, i%2 == 0), guarded[float64](t, n, i%2 == 1)
			for j := range x {
				x[j], y[j] = int64(r.Uint64())>>r.IntN(64), int32(r.Uint32())>>r.IntN(32)
				if j%17 == 5 {
					x[j], y[j] = math.MinInt64, math.MaxInt32
				}
			}
			fill32(f, 2, uint64(i))
			fill64(g, 2, uint64(i))
			if got, want := SumInt64(x), sumInts(x); got != want {
				t.Fatalf("sum of %d: %d, want %d", n, got, want)
			}
			if got, want := CountNonzeroFloat32(f), countNonzero(f); got != want {
				t.Fatalf("count of %d float32: %d, want %d", n, got, want)
			}
			if got, want := CountNonzeroFloat64(g), countNonzero(g); got != want {
				t.Fatalf("count of %d float64: %d, want %d", n, got, want)
			}
			if n == 0 {
				continue
			}
			for name, p := range map[string][4]int64{
				"int32": {int64(MaxInt32(y)), int64(maxInts(y)), int64(MinInt32(y)), int64(minInts(y))},
				"int64": {MaxInt64(x), maxInts(x), MinInt64(x), minInts(x)},
			} {
				if p[0] != p[1] || p[2] != p[3] {
					t.Fatalf("greatest and least of %d %s: %d and %d, want %d and %d", n, name, p[0], p[2], p[1], p[3])
				}
			}
		}
	})
}
