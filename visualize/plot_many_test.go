package visualize_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"gotorch/tensor"
	"gotorch/visualize"
)

// TestPlotOfMany: the mean, the least and the greatest of each run of a long line are those of the numbers, whether
// they are read where they lie or copied, with NaN among them.
func TestPlotOfMany(t *testing.T) {
	x := tensor.Randn(150_007)
	x.Narrow(0, 70_133, 301).Fill_(math.NaN())
	x.Narrow(0, 9, 1).Fill_(math.Inf(1))
	for name, y := range map[string]*tensor.Tensor{
		"lent": x, "copied": x.To(tensor.Float64), "strided": x.Flip(0).Flip(0),
	} {
		c := visualize.Plot(y, "loss")
		s := c.Series[0]
		const left = "302 left out: NaN, infinite or beyond 1e300"
		if s.Name != "loss" || s.Count != 150_007 || !slices.Contains(c.Notes, left) {
			t.Errorf("%s: %q %d %q", name, s.Name, s.Count, c.Notes)
		}
		data := tensor.Data[float64](y.To(tensor.Float64).Contiguous())
		const run = 301 // of 150,007 numbers for 500 points
		points := 0
		for i := 0; i < len(data); i += run {
			part := data[i:min(len(data), i+run)]
			sum, n, lo, hi := 0.0, 0.0, math.Inf(1), math.Inf(-1)
			for _, v := range part {
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					sum, n, lo, hi = sum+v, n+1, min(lo, v), max(hi, v)
				}
			}
			if n == 0 {
				continue
			}
			if s.X[points] != float64(i)+float64(len(part)-1)/2 || math.Abs(s.Y[points]-sum/n) > 1e-12 ||
				s.Low[points] != lo || s.High[points] != hi {
				t.Fatalf("%s: run %d: %v %v %v %v", name, i, s.X[points], s.Y[points], s.Low[points], s.High[points])
			}
			points++
		}
		if points != len(s.X) || points >= 499 {
			t.Errorf("%s: %d points of %d", name, points, len(s.X))
		}
	}
}

// TestManyInTime: plots of ten million numbers come while one waits for them.
func TestManyInTime(t *testing.T) {
	x := tensor.Rand(10_000_000)
	for name, draw := range map[string]func() visualize.View{
		"plot": func() visualize.View { return visualize.Plot(x) },
		"hist": func() visualize.View { return visualize.Hist(x) },
	} {
		best := time.Hour
		for range 5 {
			start := time.Now()
			draw().MIMEBundle()
			best = min(best, time.Since(start))
		}
		t.Logf("%s takes %v", name, best)
		if best > 300*time.Millisecond {
			t.Errorf("%s takes %v", name, best)
		}
	}
}
