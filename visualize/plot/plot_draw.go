package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"gotorch/visualize/draw"
)

// Size of the part of a picture that gonum lays out.
const (
	plotWidth  = 560
	plotHeight = 300
)

// dashes tell lines apart where colours do not.
var dashes = [][]float64{nil, {8, 4}, {2, 3}, {10, 3, 2, 3}, {14, 4}, {4, 2, 1, 2, 1, 2}, {5, 5}}

// marks are the marks of series: in pictures, around 0 0, and in terminals.
var marks = []struct {
	d    string // a path, relative to its centre
	char string
}{
	{"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", "●"},
	{"m-3-3h6v6h-6z", "■"},
	{"m0-4l4 7h-8z", "▲"},
	{"m0-4l4 4l-4 4l-4-4z", "◆"},
	{"m-3-3l6 6m0-6l-6 6", "×"},
	{"m-4 0h8m-4-4v8", "+"},
	{"m0 4l4-7h-8z", "▼"},
}

// strength is the strength of the marks of scatter plots, which overlap.
const strength = 0.75

func plotFont(size float64) vgfont.Font {
	return vgfont.Font{Typeface: "Liberation", Variant: "Mono", Size: vgfont.Length(size)}
}

// SVG is the plot as a picture.
func (c *Chart) SVG() string { return c.draw().Alone(c.label()) }

// HTML is the plot as a picture with its text beneath.
func (c *Chart) HTML() string { return draw.Pictured(c.draw(), c.label(), c.Text(false)) }

// MIMEBundle is the plot in all forms.
func (c *Chart) MIMEBundle() map[string]any { return draw.Bundle(c) }

// String is the plot as text.
func (c *Chart) String() string { return c.Text(false) }

// label is a line about the plot, for those who do not see it.
func (c *Chart) label() string {
	var names []string
	for _, s := range c.Series {
		if s.Name != "" {
			names = append(names, s.Name)
		}
	}
	t := c.Kind + " plot"
	if c.Kind == "histogram" {
		t = c.Kind
	}
	if c.Title != "" {
		t += ", " + c.Title
	}
	return draw.Clip(t+": "+strings.Join(names, ", "), 200)
}

// draw lays the plot out.
func (c *Chart) draw() *draw.Canvas {
	out := new(draw.Canvas)
	y := 4.0
	if c.Title != "" {
		y += 16
		out.Text(8, y, "start", draw.Clip(draw.OneLine(c.Title, 76), 76), draw.Strong)
	}
	if c.Legend {
		y = c.drawLegend(out, y)
	}
	part := new(draw.Canvas)
	v := newVG(part, plotHeight)
	c.layout(v).Draw(vgdraw.NewCanvas(v, plotWidth, plotHeight))
	out.Elements.WriteString(fmt.Sprintf(`<g transform="translate(4 %s)">`, draw.Num(y+10)) + part.Elements.String() + "</g>")
	out.Grow(plotWidth+8, y+10+plotHeight)
	y += plotHeight + 12
	for _, n := range c.Notes {
		for _, l := range wrapped(n, 76) {
			y += 16
			out.Text(8, y, "start", l, draw.Faint)
		}
	}
	return out
}

// drawLegend lists the series in lines, from y on, and gives where the last stands.
func (c *Chart) drawLegend(out *draw.Canvas, y float64) float64 {
	x := 8.0
	y += 18
	for i, s := range c.Series {
		name := draw.Clip(draw.OneLine(s.Name, draw.MaxName), draw.MaxName)
		if w := 40 + float64(draw.Width(name))*draw.CharWidth + 14; x+w > plotWidth && x > 8 {
			x, y = 8, y+18
		}
		if c.Kind != "scatter" {
			out.Path(fmt.Sprintf("M%s %sh32", draw.Num(x), draw.Num(y-4)), draw.Hue(i), lineAttributes(i))
		}
		if c.Kind != "histogram" {
			drawMarks(out, i, []vg.Point{{X: vg.Length(x + 16), Y: vg.Length(y - 4)}}, 1)
		}
		out.Text(x+38, y, "start", name, "")
		x += 40 + float64(draw.Width(name))*draw.CharWidth + 14
	}
	return y
}

func lineAttributes(i int) string {
	t := `stroke-width="1.6" stroke-linejoin="round"`
	if d := dashes[i%len(dashes)]; d != nil {
		var n []string
		for _, l := range d {
			n = append(n, draw.Num(l))
		}
		t += ` stroke-dasharray="` + strings.Join(n, " ") + `"`
	}
	return t
}

// drawMarks draws the mark of series i at points of the picture.
func drawMarks(out *draw.Canvas, i int, at []vg.Point, opacity float64) {
	if len(at) == 0 {
		return
	}
	m := marks[i%len(marks)]
	var b strings.Builder
	for _, p := range at {
		b.WriteString("M" + draw.Num(float64(p.X)) + " " + draw.Num(float64(p.Y)) + m.d)
	}
	fill := draw.Hue(i)
	if strings.HasSuffix(m.d, "6") || strings.HasSuffix(m.d, "8") { // strokes alone
		fill = "none"
	}
	look := ""
	if opacity < 1 { // on a dark page faint marks would hardly be seen
		out.Elements.WriteString(`<style>@media(prefers-color-scheme:dark){.gotorch .marks{opacity:1}}</style>`)
		look = ` class="marks"`
	}
	fmt.Fprintf(&out.Elements, `<path d="%s" fill="%s" stroke="%s" stroke-width="1.2" opacity="%s"%s/>`, b.String(), fill, draw.Hue(i), draw.Num2(opacity), look)
}

// layout is the plot for gonum.
func (c *Chart) layout(v *vgCanvas) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []struct {
		to   *plot.Axis
		from Axis
		most int
	}{{&p.X, c.X, 7}, {&p.Y, c.Y, 6}} {
		a.to.Min, a.to.Max = a.from.Min, a.from.Max
		a.to.Label.Text, a.to.Label.TextStyle.Font, a.to.Label.Padding = a.from.Label, plotFont(draw.FontSize), 4
		a.to.Tick.Label.Font, a.to.Tick.Length, a.to.Padding = plotFont(draw.FontSize), 4, 0
		a.to.Tick.Marker = ticker{a.from.Log, a.most}
		a.to.Color, a.to.Tick.Color = ink{"currentColor", 0.75}, ink{"currentColor", 0.75}
		a.to.Width, a.to.Tick.Width = 1, 1
		a.to.Scale = a.from
		for _, s := range []*text.Style{&a.to.Label.TextStyle, &a.to.Tick.Label} {
			s.Color = plain1
		}
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = ink{"currentColor", 0.12}, ink{"currentColor", 0.12}
	grid.Vertical.Width, grid.Horizontal.Width = 1, 1
	p.Add(grid)
	for i := range c.Series {
		p.Add(seriesPlotter{c, i, v})
	}
	return p
}

// seriesPlotter draws one series for gonum.
type seriesPlotter struct {
	c *Chart
	i int
	v *vgCanvas
}

// Plot draws the series.
func (s seriesPlotter) Plot(area vgdraw.Canvas, _ *plot.Plot) {
	v := s.v
	one := &s.c.Series[s.i]
	at := func(x, y float64) vg.Point { // from parts of the axes to the picture
		px, py := v.at(vg.Point{X: area.X(x), Y: area.Y(y)})
		return vg.Point{X: vg.Length(px), Y: vg.Length(py)}
	}
	switch {
	case one.Cloud != nil:
		v.DrawImage(area.Rectangle, one.Cloud.image(s.i))
	case s.c.Kind == "scatter":
		drawMarks(v.Canvas, s.i, s.inside(at, 1), strength)
	case s.c.Kind == "histogram":
		s.bars(v, at)
	default:
		s.line(v, at)
	}
}

// inside are every step-th of the points that lie between the axes' ends.
func (s seriesPlotter) inside(at func(x, y float64) vg.Point, step int) (out []vg.Point) {
	one := &s.c.Series[s.i]
	for k := step / 2; k < len(one.X); k += step {
		if x, y := s.c.X.place(one.X[k]), s.c.Y.place(one.Y[k]); x >= 0 && x <= 1 && y >= 0 && y <= 1 {
			out = append(out, at(x, y))
		}
	}
	return out
}

// line draws the line, with marks where there are few points or several series.
func (s seriesPlotter) line(v *vgCanvas, at func(x, y float64) vg.Point) {
	var b strings.Builder
	var last vg.Point
	s.c.segments(s.i, func(x0, y0, x1, y1 float64) {
		p, q := at(x0, y0), at(x1, y1)
		if b.Len() == 0 || math.Abs(float64(p.X-last.X)) > 0.05 || math.Abs(float64(p.Y-last.Y)) > 0.05 {
			b.WriteString("M" + draw.Num(float64(p.X)) + " " + draw.Num(float64(p.Y)) + "L")
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(draw.Num(float64(q.X)) + " " + draw.Num(float64(q.Y)))
		last = q
	})
	if b.Len() > 0 {
		v.Path(b.String(), draw.Hue(s.i), lineAttributes(s.i))
	}
	one := &s.c.Series[s.i]
	step := 1
	switch {
	case len(one.X) <= 30:
	case len(s.c.Series) > 1:
		step = len(one.X)/7 + s.i
	default:
		step = 0
	}
	switch {
	case step > 0:
		drawMarks(v.Canvas, s.i, s.inside(at, step), 1)
	default: // points between two gaps have no line
		var alone []vg.Point
		for _, k := range one.alone() {
			if x, y := s.c.X.place(one.X[k]), s.c.Y.place(one.Y[k]); x >= 0 && x <= 1 && y >= 0 && y <= 1 {
				alone = append(alone, at(x, y))
			}
		}
		drawMarks(v.Canvas, s.i, alone, 1)
	}
}

// bars draws a histogram as one outline, filled.
func (s seriesPlotter) bars(v *vgCanvas, at func(x, y float64) vg.Point) {
	one := &s.c.Series[s.i]
	var b strings.Builder
	floor := at(0, 0).Y
	for k, n := range one.Y {
		x0, x1 := max(0, min(1, s.c.X.place(one.X[k]))), max(0, min(1, s.c.X.place(one.X[k+1])))
		y := 0.0
		if n > 0 {
			y = max(0, min(1, s.c.Y.place(n)))
		}
		p, q := at(x0, y), at(x1, y)
		if k == 0 {
			b.WriteString("M" + draw.Num(float64(p.X)) + " " + draw.Num(float64(floor)))
		}
		b.WriteString("V" + draw.Num(float64(p.Y)) + "H" + draw.Num(float64(q.X)))
	}
	b.WriteString("V" + draw.Num(float64(floor)) + "Z")
	fmt.Fprintf(&v.Elements, `<path d="%s" fill="%s" fill-opacity="0.25" stroke="%s" %s/>`, b.String(), draw.Hue(s.i), draw.Hue(s.i), lineAttributes(s.i))
}

// image is a cloud as pixels: the more points, the stronger.
func (g *Cloud) image(i int) image.Image {
	var r, gr, b uint8
	if n, err := strconv.ParseUint(draw.Hue(i)[1:], 16, 32); err == nil {
		r, gr, b = uint8(n>>16), uint8(n>>8), uint8(n)
	}
	most := 1
	for _, n := range g.Counts {
		most = max(most, n)
	}
	img := image.NewNRGBA(image.Rect(0, 0, g.Columns, g.Rows))
	for k, n := range g.Counts {
		if n > 0 {
			a := 0.3 + 0.7*math.Log(float64(n))/math.Log(float64(max(most, 2)))
			img.SetNRGBA(k%g.Columns, g.Rows-1-k/g.Columns, color.NRGBA{r, gr, b, uint8(math.Round(a*15) * 17)})
		}
	}
	return img
}

// segments calls f with every piece of a line that lies between the axes' ends, in parts of the axes.
func (c *Chart) segments(i int, f func(x0, y0, x1, y1 float64)) {
	s := &c.Series[i]
	breaks := s.Breaks
	var px, py float64
	for k, x := range s.X {
		qx, qy := c.X.place(x), c.Y.place(s.Y[k])
		begins := k == 0
		if len(breaks) > 0 && breaks[0] == k {
			begins, breaks = true, breaks[1:]
		}
		if !begins {
			if x0, y0, x1, y1, some := cut(px, py, qx, qy); some {
				f(x0, y0, x1, y1)
			}
		}
		px, py = qx, qy
	}
}

// alone are the points of a line that have no neighbour.
func (s *Series) alone() (out []int) {
	ends := append(append([]int{0}, s.Breaks...), len(s.X))
	for i, b := range ends[:len(ends)-1] {
		if ends[i+1] == b+1 {
			out = append(out, b)
		}
	}
	return out
}

// cut is the part of a segment that lies in the square from 0 to 1.
func cut(x0, y0, x1, y1 float64) (a, b, c, d float64, some bool) {
	from, to := 0.0, 1.0
	for _, e := range [][2]float64{{x0 - x1, x0}, {x1 - x0, 1 - x0}, {y0 - y1, y0}, {y1 - y0, 1 - y0}} {
		p, q := e[0], e[1]
		switch {
		case p == 0 && q < 0:
			return 0, 0, 0, 0, false
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		}
	}
	if !(from <= to) {
		return 0, 0, 0, 0, false
	}
	return x0 + from*(x1-x0), y0 + from*(y1-y0), x0 + to*(x1-x0), y0 + to*(y1-y0), true
}

// wrapped breaks a text into lines of at most n columns.
func wrapped(s string, n int) (lines []string) {
	line := ""
	for _, w := range strings.Fields(s) {
		switch {
		case line == "":
			line = w
		case draw.Width(line)+1+draw.Width(w) > n:
			lines = append(lines, line)
			line = w
		default:
			line += " " + w
		}
	}
	return append(lines, line)
}
