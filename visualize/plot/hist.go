package plot

import (
	"fmt"
	"math"
	"slices"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

const (
	maxBins = 512
	minBins = 5
)

// Hist draws how often numbers occur. It takes numbers of any shape, several of them one after the other, and a name
// after each:
//
//	visualize.Hist(tensor.Randn(1000))
//	visualize.Hist(before, "before", after, "after", visualize.Bins(40))
//
// NaN and infinities are counted beside. The options are Bins, Range, LogY, Title, XLabel, YLabel, YRange, Labels and
// Legend.
func Hist(args ...any) *Chart {
	const op = "hist"
	data, opts := readArguments(op, "Hist", true, args)
	s := settle(op, opts, "Bins", "Range", "LogY", "Title", "XLabel", "YLabel", "YRange", "Labels", "Legend")
	if s.bins > maxBins {
		panic(tensor.Errorf(op, "%d bins are more than a picture shows (%d)", s.bins, maxBins))
	}
	var names []string
	var list []numbers
	for _, a := range data {
		switch {
		case !a.isStr:
			if a.count() == 0 {
				panic(tensor.Errorf(op, "%s is empty (shape %v): there are no numbers to count", orText(a.text, "x"), a.shape))
			}
			names, list = append(names, a.text), append(list, a.numbers)
		case len(list) == 0:
			panic(tensor.Errorf(op, "the name %q stands before what it names", a.label).WithHint(`visualize.Hist(x, "name")`))
		default:
			names[len(names)-1] = a.label
		}
	}
	var c *Chart
	lend(list, func() { c = histogram(op, s, list, names) })
	return c
}

// histogram counts the numbers of each of list.
func histogram(op string, s *settings, list []numbers, names []string) *Chart {
	xs := span{}
	for i := range list {
		list[i].extent(&xs)
	}
	notes := xs.notes("the numbers")
	if !xs.some {
		panic(tensor.Errorf(op, "there is no finite number: %v", notes))
	}
	some := sample(list)
	if len(some) == 0 { // none of those that were taken can be drawn
		some = []float64{xs.lo, xs.hi}
	}
	if s.zones == nil {
		if lo, hi, few := bulk(some, xs.lo, xs.hi); few {
			room := (hi - lo) / 4
			lo, hi = max(xs.lo, lo-room), min(xs.hi, hi+room)
			notes = append(notes, fmt.Sprintf("bins around the 1st to the 99th percentile; all numbers are from %s to %s",
				draw.ShortValue(xs.lo), draw.ShortValue(xs.hi)))
			narrow := *s
			narrow.zones = []float64{lo, hi}
			s = &narrow
		}
	}
	edges := edgesOf(s, xs, list, some)
	counts := make([]pair, len(list))
	outside, most := 0, 0.0
	for i := range list {
		n, beyond := list[i].binned(edges)
		outside += beyond
		counts[i] = pair{name: names[i], x: edges[:len(n)], y: n}
		most = max(most, slices.Max(n))
	}
	if outside > 0 {
		notes = append(notes, grouping(outside)+" outside of the range")
	}
	c := newChart(op, "histogram", counts, &settings{title: s.title, xLabel: s.xLabel, yLabel: orText(s.yLabel, "count"),
		labels: s.labels, legend: s.legend})
	c.Notes = append(c.Notes, notes...)
	for i := range c.Series {
		c.Series[i].X, c.Series[i].Count = edges, list[i].count()
	}
	if c.X.Label == "" && len(list) == 1 {
		c.X.Label = draw.Clip(draw.OneLine(c.Series[0].Name, 60), 60)
	}
	c.X.Min, c.X.Max = edges[0], edges[len(edges)-1]
	c.Y = axisOver(c.Y.Label, 0, max(most, 1), false, s.yRange, 0)
	if s.yRange == nil {
		c.Y.Max *= 1.05
	}
	if c.Y.Log = s.logY; s.logY && s.yRange == nil {
		c.Y.Min, c.Y.Max = 0.5, c.Y.Max*1.5
	}
	return c
}

// edgesOf are the edges of the bins: as many as were asked for, else by the rule of Freedman and Diaconis. Where all
// are whole numbers and few, each has a bin of its own.
func edgesOf(s *settings, xs span, list []numbers, some []float64) []float64 {
	lo, hi := xs.lo, xs.hi
	if s.zones != nil {
		lo, hi = s.zones[0], s.zones[1]
	}
	n := s.bins
	if n == 0 && s.zones == nil && hi-lo <= 60 && math.Abs(lo) < 1e9 && whole(some) && wholeAll(list) {
		lo, hi = lo-0.5, hi+0.5
		n = int(hi - lo)
	}
	if lo == hi {
		half := max(math.Abs(lo)*1e-3, 1e-280)
		if lo == 0 {
			half = 0.5
		}
		lo, hi = lo-half, hi+half
	}
	if n == 0 {
		w := 2 * (nth(some, len(some)*3/4) - nth(some, len(some)/4)) / math.Cbrt(float64(xs.count))
		n = 64
		if w > 0 {
			n = int(max(minBins, min(math.Ceil((hi-lo)/w), 64)))
		}
	}
	edges := make([]float64, n+1)
	for i := range edges {
		f := float64(i) / float64(n)
		edges[i] = lo*(1-f) + hi*f
	}
	edges[0], edges[n] = lo, hi
	return edges
}

// binOf is the bin of a value between the first and the last of equally distant edges. A bin has its lower end, the
// last one has both.
func binOf(edges []float64, v float64) int {
	n := len(edges) - 1
	k := 0
	if f := (v - edges[0]) / (edges[n] - edges[0]) * float64(n); f > 0 {
		k = int(min(f, float64(n-1)))
	}
	for k > 0 && v < edges[k] { // the division was rounded
		k--
	}
	for k < n-1 && v >= edges[k+1] {
		k++
	}
	return k
}
