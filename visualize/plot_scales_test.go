package visualize

import (
	"math"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

// TestManySeries: of more series than hues tell apart a plot draws the mean with a band, and says so; the mean and the
// deviation are those of the tensor.
func TestManySeries(t *testing.T) {
	x := tensor.Randn(20, 1000)
	c := Plot(x)
	viewtest.CheckForms(t, c)
	if len(c.Series) != 1 || len(c.Series[0].Y) != 20 {
		t.Fatalf("%d series", len(c.Series))
	}
	wide := x.To(tensor.Float64)
	mean := tensor.Data[float64](wide.Mean(opt.Dim(1)))
	std := wide.Sub(wide.Mean(opt.Dim(1)).Unsqueeze(1)).Square().Mean(opt.Dim(1)).Sqrt()
	for i, want := range mean {
		s, d := c.Series[0], tensor.Data[float64](std)[i]
		if math.Abs(s.Y[i]-want) > 1e-9 || math.Abs(s.High[i]-want-d) > 1e-9 || math.Abs(s.Low[i]-want+d) > 1e-9 {
			t.Errorf("point %d: %v from %v to %v, want %v and %v", i, s.Y[i], s.Low[i], s.High[i], want, d)
		}
	}
	if text := c.String(); !strings.Contains(text, "mean of 1,000 series") || !strings.Contains(text, "one standard") {
		t.Error(text)
	}
	if n := len(Plot(tensor.Randn(100, 16)).Series); n != 16 {
		t.Errorf("%d series of 16 columns", n)
	}
	x.Narrow(0, 3, 1).Fill_(math.NaN()) // a row without a number is a gap
	c = Plot(x)
	if s := c.Series[0]; len(s.Y) != 19 || len(s.Breaks) != 1 || !strings.Contains(c.String(), "1,000 left out") {
		t.Errorf("%d points, breaks %v: %s", len(s.Y), s.Breaks, c)
	}
	viewtest.CheckForms(t, c)
}

// TestLongLine: a line of very many points is a mean with a band that holds its extremes.
func TestLongLine(t *testing.T) {
	x := tensor.Randn(1_000_000)
	x.Narrow(0, 777_777, 1).Fill_(30)
	c := Plot(x)
	viewtest.CheckForms(t, c)
	top := 0.0
	for _, v := range c.Series[0].High {
		top = max(top, v)
	}
	if top != 30 || c.Y.Max < 30 || len(c.Series[0].X) > 500 {
		t.Errorf("the band ends at %v, the axis at %v, %d points", top, c.Y.Max, len(c.Series[0].X))
	}
	if text := c.String(); !strings.Contains(text, "1,000,000 points: the mean of each 2,000") {
		t.Error(text)
	}
	if len(c.SVG()) > 60<<10 {
		t.Errorf("%d bytes", len(c.SVG()))
	}
}

// TestTicks: large numbers on axes are written in thousands and millions.
func TestTicks(t *testing.T) {
	for n, want := range map[int][]string{400_000: {"100k", "400k"}, 10_000_000: {"2M", "10M"},
		1_100_000: {"800k", "1M"}, 3_000_000_000: {"500M", "1G", "2.5G"}} {
		text := Scatter([]float64{0, float64(n)}, []float64{0, 1}).SVG()
		for _, w := range want {
			if !strings.Contains(text, ">"+w+"<") {
				t.Errorf("no %s up to %d", w, n)
			}
		}
		if strings.Contains(text, "e+") {
			t.Errorf("powers of ten up to %d", n)
		}
	}
	text := Plot([]float64{1, 1e6}, LogY()).SVG()
	if !strings.Contains(text, ">10k<") || !strings.Contains(text, ">1M<") {
		t.Error("no 10k and 1M on a logarithmic axis")
	}
}

// TestOutliers: a few numbers far from the others neither take the colours of a heat map nor the bins of a histogram,
// and are named.
func TestOutliers(t *testing.T) {
	x := tensor.Rand(40, 40)
	x.Narrow(0, 3, 1).Narrow(1, 5, 1).Fill_(1e6)
	h := Heatmap(x)
	if h.Max > 1 || !strings.Contains(h.String(), "99th percentile") || !strings.Contains(h.String(), "1e+06") {
		t.Errorf("colours up to %v: %s", h.Max, h)
	}
	c := Hist(x)
	if c.X.Max > 2 || !strings.Contains(c.String(), "outside of the range") || !strings.Contains(c.String(), "1e+06") {
		t.Errorf("bins up to %v: %s", c.X.Max, c)
	}
	total := 0.0
	for _, n := range c.Series[0].Y {
		total += n
	}
	if total != 1599 {
		t.Errorf("%v numbers in bins", total)
	}
	if h := Heatmap(tensor.Rand(40, 40)); len(h.Notes) > 0 {
		t.Error(h.Notes)
	}
	means := Heatmap(tensor.Randn(128, 768)) // a cell is the mean of six elements: the colours are those of the means
	if means.Max > 2.5 {
		t.Errorf("colours up to %v", means.Max)
	}
}
