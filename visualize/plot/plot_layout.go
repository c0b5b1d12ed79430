package plot

import (
	"fmt"
	"math"

	"gotorch/visualize/draw"
)

// Size of the part of a picture that has the axes and what lies between them.
const (
	plotWidth  = 560
	plotHeight = 300
)

// Measures of an axis: its marks, what stands beside them, and the room between these.
const (
	markLength  = 4.0
	labelHeight = 13.6 // of a line of text
	labelBase   = 5.6  // from a line's lower edge to where its letters stand
	axisGap     = 4.0
)

// Most numbers beside an axis.
const (
	ticksX = 7
	ticksY = 6
)

// point is a point of the picture.
type point struct{ x, y float64 }

// frame is what lies between the axes.
type frame struct{ left, top, right, bottom float64 }

// at is the point at parts of the axes, which go from 0 to 1.
func (f frame) at(x, y float64) point {
	return point{f.left + x*(f.right-f.left), f.bottom - y*(f.bottom-f.top)}
}

// textWidth is how wide a text is.
func textWidth(s string) float64 { return float64(draw.Width(s)) * draw.CharWidth }

// frame finds the room between the axes: beside them stand their numbers, and beneath these their labels. The last
// number of an axis stands in the picture as a whole.
func (c *Chart) frame() frame {
	f := frame{left: 0.5, top: 0, right: plotWidth, bottom: plotHeight - 0.5}
	if c.Y.Label != "" {
		f.left += labelHeight + axisGap + labelBase - 2
	}
	if c.X.Label != "" {
		f.bottom -= labelHeight + axisGap
	}
	if marks := c.Y.marks(ticksY); len(marks) > 0 {
		f.left += markLength + widest(marks)
		if widest(marks) > 0 {
			f.left += draw.CharWidth
		}
	}
	if marks := c.xMarks(); len(marks) > 0 {
		f.bottom -= markLength
		if widest(marks) > 0 {
			f.bottom -= labelHeight
		}
	}
	right, top := f.right, f.top
	for _, m := range numbered(c.xMarks()) {
		if at := c.X.place(m.Value); at > 0 && at <= 1 {
			right = min(right, f.left+(plotWidth-textWidth(m.Label)/2-f.left)/at)
		}
	}
	for _, m := range numbered(c.Y.marks(ticksY)) {
		if at := c.Y.place(m.Value); at > 0 && at <= 1 {
			top = max(top, f.bottom-(f.bottom-labelHeight/2)/at)
		}
	}
	f.right, f.top = right, top
	return f
}

// xMarks are the marks of the horizontal axis: as many as have room beside one another.
func (c *Chart) xMarks() []mark {
	const wide = plotWidth - 80 // what the numbers of the other axis leave, about
	for most := ticksX; ; most-- {
		marks := c.X.marks(most)
		end, room := math.Inf(-1), true
		for _, m := range numbered(marks) {
			at, half := c.X.place(m.Value)*wide, textWidth(m.Label)/2
			room = room && at-half >= end+draw.CharWidth/2
			end = at + half
		}
		if room || most <= 2 {
			return marks
		}
	}
}

// widest is the width of the widest number of some marks.
func widest(marks []mark) (w float64) {
	for _, m := range marks {
		w = max(w, textWidth(m.Label))
	}
	return w
}

// drawAxes draws the axes of a plot, and the lines of its grid.
func (c *Chart) drawAxes(out *draw.Canvas, f frame) {
	var grid []string
	middle := f.at(0.5, 0.5)
	out.Text(middle.x, plotHeight-labelBase, "middle", c.X.Label, "")
	for _, m := range c.xMarks() {
		at := c.X.place(m.Value)
		if at < -1e-9 || at > 1+1e-9 {
			continue
		}
		p := f.at(at, 0)
		length := markLength
		if m.Label == "" {
			length /= 2
		} else {
			out.Text(p.x, f.bottom+markLength+labelHeight-labelBase+axisGap/2, "middle", m.Label, "")
			grid = append(grid, line(p.x, f.bottom, p.x, f.top))
		}
		out.Path(line(p.x, f.bottom, p.x, f.bottom+length), "currentColor", axisLook)
	}
	out.Path(line(f.left, f.bottom, f.right, f.bottom), "currentColor", axisLook)
	if c.Y.Label != "" {
		x, y := labelHeight-labelBase+2, middle.y
		out.Text(x, y, "middle", c.Y.Label, fmt.Sprintf(`transform="rotate(-90 %s %s)"`, draw.Num(x), draw.Num(y)))
	}
	for _, m := range c.Y.marks(ticksY) {
		at := c.Y.place(m.Value)
		if at < -1e-9 || at > 1+1e-9 {
			continue
		}
		p := f.at(0, at)
		length := markLength
		if m.Label == "" {
			length /= 2
		} else {
			out.Text(f.left-markLength-draw.CharWidth/2, p.y+axisGap, "end", m.Label, "")
			grid = append(grid, line(f.left, p.y, f.right, p.y))
		}
		out.Path(line(f.left-length, p.y, f.left, p.y), "currentColor", axisLook)
	}
	out.Path(line(f.left, f.top, f.left, f.bottom), "currentColor", axisLook)
	for _, l := range grid {
		out.Path(l, "currentColor", gridLook)
	}
}

const (
	axisLook = `stroke-opacity="0.75"`
	gridLook = `stroke-opacity="0.12"`
)

// line is a line as SVG writes it.
func line(x0, y0, x1, y1 float64) string {
	return "M" + draw.Num(x0) + " " + draw.Num(y0) + "L" + draw.Num(x1) + " " + draw.Num(y1)
}
