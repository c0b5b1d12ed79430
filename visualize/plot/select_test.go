package plot

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNth compares selection with sorting: random values, few different ones, sorted ones and such that rise and fall.
func TestNth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	of := map[string]func(i, n int) float64{
		"random":   func(int, int) float64 { return r.NormFloat64() },
		"repeated": func(int, int) float64 { return float64(r.IntN(3)) },
		"equal":    func(int, int) float64 { return 7 },
		"rising":   func(i, _ int) float64 { return float64(i) },
		"falling":  func(i, n int) float64 { return float64(n - i) },
		"organ":    func(i, n int) float64 { return float64(min(i, n-i)) },
	}
	for name, f := range of {
		for _, n := range []int{1, 2, 3, 10, 101, 1000} {
			values := make([]float64, n)
			for i := range values {
				values[i] = f(i, n)
			}
			sorted := slices.Sorted(slices.Values(values))
			for _, k := range []int{0, n / 100, n / 2, n - 1 - n/100, n - 1} {
				if got := nth(slices.Clone(values), k); got != sorted[k] {
					t.Errorf("%s: value %d of %d is %v, sorted it is %v", name, k, n, got, sorted[k])
				}
			}
		}
	}
}
