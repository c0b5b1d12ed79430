package plot

import (
	"math"
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

// TestSample: a sample of a million values has their percentiles, of values in any order, and of those that repeat.
func TestSample(t *testing.T) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(3, 4))
	for name, f := range map[string]func(i int) float64{
		"random":   func(int) float64 { return r.Float64() },
		"rising":   func(i int) float64 { return float64(i) / n },
		"falling":  func(i int) float64 { return 1 - float64(i)/n },
		"repeated": func(i int) float64 { return float64(i%10)/10 + 0.05 },
	} {
		values := make([]float64, n)
		for i := range values {
			values[i] = f(i)
		}
		some := sample([]numbers{{values: values}})
		if len(some) < sampled || len(some) > 2*sampled {
			t.Errorf("%s: %d values", name, len(some))
		}
		for _, part := range []float64{0.01, 0.25, 0.75, 0.99} {
			if got := nth(some, int(part*float64(len(some)))); got < part-0.06 || got > part+0.06 {
				t.Errorf("%s: %v of the sample is below %v", name, part, got)
			}
		}
	}
}

// TestBinOf compares with a search: every value lies between the ends of its bin, also next to an edge.
func TestBinOf(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		lo := r.NormFloat64() * math.Pow(10, float64(r.IntN(20)-10))
		hi := lo + math.Abs(r.NormFloat64())*math.Pow(10, float64(r.IntN(20)-10)) + math.Abs(lo)*1e-9
		n := 1 + r.IntN(64)
		edges := make([]float64, n+1)
		for i := range edges {
			f := float64(i) / float64(n)
			edges[i] = lo*(1-f) + hi*f
		}
		edges[0], edges[n] = lo, hi
		for range 50 {
			v := lo + r.Float64()*(hi-lo)
			if r.IntN(2) == 0 {
				v = edges[r.IntN(n+1)]
				v = []float64{v, math.Nextafter(v, lo), math.Nextafter(v, hi)}[r.IntN(3)]
			}
			v = min(max(v, lo), hi)
			want, exact := slices.BinarySearch(edges, v)
			if !exact || v == hi {
				want--
			}
			if got := binOf(edges, v); got != want {
				t.Fatalf("%v of %v to %v in %d bins: bin %d, want %d", v, lo, hi, n, got, want)
			}
		}
	}
}
