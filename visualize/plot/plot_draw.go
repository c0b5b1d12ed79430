package plot

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"

	"gotorch/visualize/draw"
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
	f := c.frame()
	c.drawAxes(part, f)
	for i := range c.Series {
		c.drawSeries(part, i, f)
	}
	out.Elements.WriteString(fmt.Sprintf(`<g transform="translate(4 %s)">`, draw.Num(y+10)) +
		part.Elements.String() + "</g>")
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

// drawLegend lists the series in lines, from y on, and returns where the last stands.
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
			drawMarks(out, i, []point{{x + 16, y - 4}}, 1)
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

// drawMarks draws the mark of series i at points of the picture, filled as strongly as opacity says.
func drawMarks(out *draw.Canvas, i int, at []point, opacity float64) {
	if len(at) == 0 {
		return
	}
	m := marks[i%len(marks)]
	var b strings.Builder
	for _, p := range at {
		b.WriteString("M" + draw.Num(p.x) + " " + draw.Num(p.y) + m.d)
	}
	fill := draw.Hue(i)
	if strings.HasSuffix(m.d, "6") || strings.HasSuffix(m.d, "8") { // strokes alone
		fill = "none"
	}
	fmt.Fprintf(&out.Elements, `<path d="%s" fill="%s" fill-opacity="%s" stroke="%s" stroke-width="1.2"/>`, b.String(),
		fill, draw.Num2(opacity), draw.Hue(i))
}

// drawSeries draws series i between the axes.
func (c *Chart) drawSeries(out *draw.Canvas, i int, f frame) {
	s, one := seriesPlotter{c, i, out, f}, &c.Series[i]
	switch {
	case one.Cloud != nil:
		addImage(out, f.left, f.top, f.right-f.left, f.bottom-f.top, one.Cloud.image(i), "pixelated")
	case c.Kind == "scatter":
		drawMarks(out, i, s.inside(1), strength)
	case c.Kind == "histogram":
		s.bars()
	default:
		s.band()
		s.line()
	}
}

// seriesPlotter draws one series between the axes.
type seriesPlotter struct {
	c   *Chart
	i   int
	out *draw.Canvas
	frame
}

// inside are every step-th of the points that lie between the axes' ends.
func (s seriesPlotter) inside(step int) (out []point) {
	one := &s.c.Series[s.i]
	for k := step / 2; k < len(one.X); k += step {
		if x, y := s.c.X.place(one.X[k]), s.c.Y.place(one.Y[k]); x >= 0 && x <= 1 && y >= 0 && y <= 1 {
			out = append(out, s.at(x, y))
		}
	}
	return out
}

// line draws the line, with marks where there are few points or several series.
func (s seriesPlotter) line() {
	var b strings.Builder
	var last point
	s.c.segments(s.i, func(x0, y0, x1, y1 float64) {
		p, q := s.at(x0, y0), s.at(x1, y1)
		if b.Len() == 0 || math.Abs(p.x-last.x) > 0.05 || math.Abs(p.y-last.y) > 0.05 {
			b.WriteString("M" + draw.Num(p.x) + " " + draw.Num(p.y) + "L")
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(draw.Num(q.x) + " " + draw.Num(q.y))
		last = q
	})
	if b.Len() > 0 {
		s.out.Path(b.String(), draw.Hue(s.i), lineAttributes(s.i))
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
		drawMarks(s.out, s.i, s.inside(step), 1)
	default: // points between two gaps have no line
		var alone []point
		for _, k := range one.alone() {
			if x, y := s.c.X.place(one.X[k]), s.c.Y.place(one.Y[k]); x >= 0 && x <= 1 && y >= 0 && y <= 1 {
				alone = append(alone, s.at(x, y))
			}
		}
		drawMarks(s.out, s.i, alone, 1)
	}
}

// bars draws a histogram as one outline, filled.
func (s seriesPlotter) bars() {
	one := &s.c.Series[s.i]
	var b strings.Builder
	floor := s.at(0, 0).y
	for k, n := range one.Y {
		x0, x1 := max(0, min(1, s.c.X.place(one.X[k]))), max(0, min(1, s.c.X.place(one.X[k+1])))
		y := 0.0
		if n > 0 {
			y = max(0, min(1, s.c.Y.place(n)))
		}
		p, q := s.at(x0, y), s.at(x1, y)
		if k == 0 {
			b.WriteString("M" + draw.Num(p.x) + " " + draw.Num(floor))
		}
		b.WriteString("V" + draw.Num(p.y) + "H" + draw.Num(q.x))
	}
	b.WriteString("V" + draw.Num(floor) + "Z")
	fmt.Fprintf(&s.out.Elements, `<path d="%s" fill="%s" fill-opacity="0.25" stroke="%s" %s/>`, b.String(), draw.Hue(s.i),
		draw.Hue(s.i), lineAttributes(s.i))
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

// addImage puts an image into a picture.
func addImage(c *draw.Canvas, x, y, w, h float64, img image.Image, rendering string) {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
		return
	}
	addPNG(c, x, y, w, h, b.Bytes(), rendering)
}

// addPNG puts a PNG file there.
func addPNG(c *draw.Canvas, x, y, w, h float64, file []byte, rendering string) {
	c.Grow(x+w, y+h)
	fmt.Fprintf(&c.Elements,
		`<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:%s" href="data:image/png;base64,%s"/>`,
		draw.Num(x), draw.Num(y), draw.Num(w), draw.Num(h), rendering, base64.StdEncoding.EncodeToString(file))
}
