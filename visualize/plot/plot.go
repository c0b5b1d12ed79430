package plot

import (
	"fmt"
	"math"
	"slices"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: plots. A plot is data, as every view is: what is drawn is picked out of what was given when the plot is made,
// so that a plot of a million points is small. It is drawn (plot_layout.go, plot_draw.go) in the hues, letters and
// lines of the other views; terminals have dots of braille (plot_text.go). Series differ in hue, in dashes, and in the
// marks on them.

// Chart is a plot of lines, of points, or of how often numbers occur.
type Chart struct {
	Kind   string   `json:"kind"` // line, scatter or histogram
	Title  string   `json:"title,omitempty"`
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Series []Series `json:"series"`
	Legend bool     `json:"legend,omitempty"`
	Notes  []string `json:"notes,omitempty"` // what was left out, and how points were picked
}

// Series is one line, one cloud of points, or one histogram, of what can be drawn.
type Series struct {
	Name   string    `json:"name,omitempty"`
	Count  int       `json:"count"` // of the points that were given
	X      []float64 `json:"x"`     // of a histogram, the edges of the bins: one more than Y
	Y      []float64 `json:"y"`
	Breaks []int     `json:"breaks,omitempty"` // where a line begins again, after points that cannot be drawn
	Low    []float64 `json:"low,omitempty"`    // the edges of a band around the line
	High   []float64 `json:"high,omitempty"`
	Cloud  *Cloud    `json:"cloud,omitempty"` // instead of X and Y, where there are very many points
}

// Cloud counts the points of a scatter plot cell by cell, from the lower left corner of the axes along the rows.
type Cloud struct {
	Columns int   `json:"columns"`
	Rows    int   `json:"rows"`
	Counts  []int `json:"counts"`
}

var plotOptions = []string{"Title", "XLabel", "YLabel", "LogX", "LogY", "XRange", "YRange", "Labels", "Legend"}

// Plot draws lines. Its arguments are numbers, names and options: y alone, x and y, or several of them; a string
// names the series before it. Numbers are tensors of one dimension, or of two with a series in every column,
// []float64, []int and their like, or slices of tensors of one element.
//
//	visualize.Plot(losses)
//	visualize.Plot(x, x.Sin(), visualize.Title("a wave"))
//	visualize.Plot(train, "training", test, "validation", visualize.LogY())
//
// NaN and infinities interrupt a line and are counted. Of many points, the first, least, greatest and last in every
// column of the picture are drawn. More than 16 columns are drawn as their mean with a band of one standard deviation,
// and a line of more than 100,000 points as the means of runs of them, with a band from the least to the greatest; the
// plot says so. Complex numbers, empty lists and x and y of different lengths panic with a
// *tensor.Error. The options are Title, XLabel, YLabel, LogX, LogY, XRange, YRange, Labels and Legend.
func Plot(args ...any) *Chart {
	const op = "plot"
	data, opts := readArguments(op, "Plot", true, args)
	s := settle(op, opts, plotOptions...)
	if len(s.labels) > 0 || !isLong(data) && !isMany(data) {
		copied(op, data)
	}
	if b := bandOf(data, s); b != nil {
		name := ""
		if len(data) > 1 {
			name = data[1].label
		}
		return b.chart(op, name, data[0], s)
	}
	c := newChart(op, "line", pairs(op, "Plot", data), s)
	c.thinLines()
	return c
}

// Scatter draws points: x and y, or a tensor of shape [N 2]; more of them as [Plot] takes them. The option Groups
// divides them by class.
//
//	visualize.Scatter(x, y)
//	visualize.Scatter(points, visualize.Groups(labels))
//
// Very many points are counted cell by cell, and a cell is the darker the more there are.
func Scatter(args ...any) *Chart {
	const op = "scatter"
	data, opts := readArguments(op, "Scatter", false, args)
	s := settle(op, opts, append([]string{"Groups"}, plotOptions...)...)
	var flat []argument
	for i, a := range data {
		alone := (i == 0 || data[i-1].isStr) && (i+1 == len(data) || data[i+1].isStr)
		if alone && len(a.shape) == 2 && a.shape[1] == 2 && a.shape[0] > 0 {
			var x, y argument
			for k := 0; k < len(a.values); k += 2 {
				x.values, y.values = append(x.values, a.values[k]), append(y.values, a.values[k+1])
			}
			x.shape, y.shape = []int{len(x.values)}, []int{len(y.values)}
			if a.text != "" {
				x.text, y.text = a.text+"[:, 0]", a.text+"[:, 1]"
			}
			flat = append(flat, x, y)
			continue
		}
		flat = append(flat, a)
	}
	list := pairs(op, "Scatter", flat)
	if s.groups != nil {
		list = grouped(op, list, toNumbers(op, "Groups", s.groups), s)
	}
	c := newChart(op, "scatter", list, s)
	for i := range c.Series {
		c.cloud(&c.Series[i], maxDots/len(c.Series))
	}
	return c
}

// grouped divides a series by the class of each point. Labels then name the classes.
func grouped(op string, list []pair, g numbers, s *settings) (out []pair) {
	if len(list) != 1 {
		panic(tensor.Errorf(op, "Groups divides one series, not %d", len(list)))
	}
	p := list[0]
	if len(g.values) != len(p.y) {
		panic(tensor.Errorf(op, "Groups has %d elements for %d points", len(g.values), len(p.y)))
	}
	classes := slices.Clone(g.values)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	if len(classes) > maxSeries || classes[0] != math.Trunc(classes[0]) {
		panic(tensor.Errorf(op, "Groups has %d different values, at most %d whole numbers can be told apart", len(classes),
			maxSeries).WithHint("Groups takes a class for each point"))
	}
	for _, class := range classes {
		one := pair{name: fmt.Sprint(class), xText: p.xText, yText: p.yText}
		for i, v := range g.values {
			if v != class {
				continue
			}
			if one.y = append(one.y, p.y[i]); p.x != nil {
				one.x = append(one.x, p.x[i])
			} else {
				one.x = append(one.x, float64(i))
			}
		}
		out = append(out, one)
	}
	return out
}

// newChart makes the axes of series, and leaves out what cannot be drawn.
func newChart(op, kind string, list []pair, s *settings) *Chart {
	c := &Chart{Kind: kind, Title: s.title}
	if n := len(list) - maxSeries; n > 0 {
		list = list[:maxSeries]
		c.Notes = append(c.Notes, draw.Counted(n, "more series")+" left out")
	}
	if len(s.labels) > len(list) {
		panic(tensor.Errorf(op, "there are %d labels for %d series", len(s.labels), len(list)))
	}
	differ := func(text func(p pair) string) bool {
		return slices.ContainsFunc(list, func(p pair) bool { return text(p) != text(list[0]) })
	}
	xLabel, yLabel := s.xLabel, s.yLabel
	if xText := func(p pair) string { return p.xText }; xLabel == "" && !differ(xText) {
		xLabel = list[0].xText
	}
	if yText := func(p pair) string { return p.yText }; yLabel == "" && len(list) > 1 && !differ(yText) {
		yLabel = list[0].yText
	}
	xs, ys := span{log: s.logX}, span{log: s.logY}
	for i := range list {
		p := &list[i]
		if i < len(s.labels) {
			p.name = s.labels[i]
		}
		switch {
		case len(list) == 1 && yLabel == "":
			yLabel = orText(p.name, p.yText)
		case p.name == "" && len(list) > 1:
			p.name = orText(p.yText, "series "+fmt.Sprint(i+1))
		}
		if p.x == nil {
			p.x = make([]float64, len(p.y))
			for k := range p.x {
				p.x[k] = float64(k)
			}
		}
		one := Series{Name: p.name, Count: len(p.y)}
		dropped := false
		for k, y := range p.y {
			x := p.x[k]
			okX, okY := xs.take(x), ys.take(y)
			if !okX || !okY {
				dropped = true
				continue
			}
			xs.add(x)
			ys.add(y)
			if dropped && len(one.X) > 0 {
				one.Breaks = append(one.Breaks, len(one.X))
			}
			dropped = false
			one.X, one.Y = append(one.X, x), append(one.Y, y)
		}
		c.Series = append(c.Series, one)
	}
	if c.Legend = len(list) > 1; s.legend != nil {
		c.Legend = *s.legend
	}
	c.Notes = append(c.Notes, xs.notes("x")...)
	c.Notes = append(c.Notes, ys.notes("y")...)
	if !xs.some {
		panic(tensor.Errorf(op, "there is no point that can be drawn: %s", fmt.Sprint(c.Notes)).
			WithHint("LogX and LogY draw only what is above 0"))
	}
	room := 0.02
	if kind == "scatter" {
		room = 0.05
	}
	c.X = axisOver(draw.Clip(draw.OneLine(xLabel, 60), 60), xs.lo, xs.hi, s.logX, s.xRange, room)
	c.Y = axisOver(draw.Clip(draw.OneLine(yLabel, 40), 40), ys.lo, ys.hi, s.logY, s.yRange, 0.05)
	return c
}

// span is the range of one coordinate, and what of it cannot be drawn.
type span struct {
	log, some          bool
	lo, hi             float64
	nan, inf, negative int
	count              int // of those that can be drawn, where [numbers.extent] has counted
}

// take reports whether v can be drawn, and counts it where it cannot.
func (s *span) take(v float64) bool {
	switch {
	case v != v:
		s.nan++
	case !drawable(v):
		s.inf++
	case s.log && v < smallest:
		s.negative++
	default:
		return true
	}
	return false
}

func (s *span) add(v float64) {
	if !s.some {
		s.lo, s.hi, s.some = v, v, true
	}
	s.lo, s.hi = min(s.lo, v), max(s.hi, v)
}

func (s *span) notes(axis string) (out []string) {
	for _, n := range []struct {
		n    int
		what string
	}{{s.nan, "NaN"}, {s.inf, "infinite or beyond 1e300"},
		{s.negative, "not above 0, and so not on a logarithmic axis"}} {
		if n.n > 0 {
			out = append(out, fmt.Sprintf("%d of %s left out: %s", n.n, axis, n.what))
		}
	}
	return out
}
