package shapes

import (
	"fmt"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// IndexAxis shows the places of a dimension, or the dimensions of a tensor, counted from both ends, and where an
// index fell.
type IndexAxis struct {
	What  string `json:"what"`  // the line above: what has the places
	Unit  string `json:"unit"`  // index or dim
	Size  int    `json:"size"`  // the places are 0 to Size-1
	Index int    `json:"index"` // where it fell
	Wraps bool   `json:"wraps"` // -1 is the last
	Hint  string `json:"hint,omitempty"`
}

func init() {
	Explains(func(e *tensor.Error, f tensor.IndexDetails) draw.View {
		a := &IndexAxis{Unit: "index", Size: f.Size, Index: f.Index, Wraps: f.Wraps}
		of := "the tensor"
		if x := f.Operand.Value(); x != nil {
			if n := draw.LiveNames()[x]; n != "" {
				of = draw.Clip(n, draw.MaxName)
			}
		}
		a.What = fmt.Sprintf("dim %d of %s has size %d", f.Dim, of, f.Size)
		if len(f.Shape) > 1 {
			a.What += ", of shape " + marked(f.Shape, f.Dim)
		}
		switch {
		case f.Size == 0:
			a.Hint = "a dimension of size 0 has no index at all"
		case f.Index == f.Size:
			a.Hint = fmt.Sprintf("indices count from 0: the last is %d", f.Size-1)
			if f.Wraps {
				a.Hint += ", or -1"
			}
		case f.Index < 0 && !f.Wraps:
			a.Hint = "negative indices are not allowed here"
		case f.Shape != nil:
			for d, n := range f.Shape {
				if d != f.Dim && f.Index >= 0 && f.Index < n {
					a.Hint = fmt.Sprintf("dim %d has size %d: is it the one that was meant?", d, n)
					break
				}
			}
		}
		return a
	})
	Explains(func(e *tensor.Error, f tensor.DimDetails) draw.View {
		a := &IndexAxis{Unit: "dim", Size: f.Dims, Index: f.Dim, Wraps: true, What: "the tensor has " +
			draw.Counted(f.Dims, "dimension")}
		if f.Dim == f.Dims && f.Dims > 0 {
			a.Hint = fmt.Sprintf("dimensions count from 0: the last is %d, or -1", f.Dims-1)
		}
		if f.Dims == 0 {
			a.Size = 1
			a.Hint = "a tensor of no dimensions takes 0 and -1"
		}
		return a
	})
}

// marked is a shape with one of its sizes between marks: [2 ›3‹ 4].
func marked(shape []int, dim int) string {
	parts := make([]string, len(shape))
	for d, n := range shape {
		if parts[d] = fmt.Sprint(n); d == dim && len(shape) > 1 {
			parts[d] = "›" + parts[d] + "‹"
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// axisPlace is one column: a place, or … where some are left out.
type axisPlace struct {
	at   int
	gap  bool
	hit  bool // the index
	real bool // within the dimension
}

// places lists the columns: the ends of the dimension, and the index where it fell, to the right or to the left.
func (a *IndexAxis) places() (ps []axisPlace) {
	const ends = 4
	gap := axisPlace{gap: true}
	low := 0
	if a.Index < 0 && a.Wraps {
		low = -a.Size
	}
	place := func(i int) axisPlace { return axisPlace{at: i, real: i >= low && i < low+a.Size} }
	if a.Index < low {
		ps = append(ps, axisPlace{at: a.Index, hit: true})
		if a.Index < low-1 {
			if a.Index < low-2 {
				ps = append(ps, gap)
			} else {
				ps = append(ps, place(low-1))
			}
		}
	}
	for i := low; i < low+a.Size; i++ {
		if a.Size > 2*ends+1 && i == low+ends {
			ps = append(ps, gap)
			i = low + a.Size - ends
		}
		ps = append(ps, place(i))
	}
	if a.Index >= low+a.Size {
		if a.Index > low+a.Size {
			if a.Index > low+a.Size+1 {
				ps = append(ps, gap)
			} else {
				ps = append(ps, place(low+a.Size))
			}
		}
		ps = append(ps, axisPlace{at: a.Index, hit: true})
	}
	return ps
}

// other is the other name of a place: -1 for the last, 2 for -1 of 3.
func (a *IndexAxis) other(p axisPlace) string {
	if !p.real || !a.Wraps {
		return ""
	}
	if p.at < 0 {
		return fmt.Sprint(p.at + a.Size)
	}
	return fmt.Sprint(p.at - a.Size)
}

// verdict says what is allowed.
func (a *IndexAxis) verdict() string {
	if a.Size == 0 {
		return fmt.Sprintf("✗ %s %d: there is none", a.Unit, a.Index)
	}
	text := fmt.Sprintf("✗ %s %d: allowed are 0 to %d", a.Unit, a.Index, a.Size-1)
	if a.Wraps {
		text += fmt.Sprintf(", or -%d to -1 from the end", a.Size)
	}
	return text
}

// Text is the axis in three lines: places, boxes, the same places counted from the other end.
func (a *IndexAxis) Text(color bool) string {
	var at, boxes, other strings.Builder
	for _, p := range a.places() {
		word, o := fmt.Sprint(p.at), a.other(p)
		w := max(draw.Width(word), draw.Width(o), 3)
		switch {
		case p.gap:
			at.WriteString(draw.PadLeft("…", w+1))
			boxes.WriteString(draw.PadLeft("", w+1))
			other.WriteString(draw.PadLeft("", w+1))
			continue
		case p.hit:
			at.WriteString(" " + draw.Bold(color, draw.Paint(color, 5, draw.PadLeft(word, w))))
			boxes.WriteString(" " + draw.Bold(color, draw.Paint(color, 5, draw.PadLeft("✗", w))))
		case p.real:
			at.WriteString(" " + draw.PadLeft(word, w))
			boxes.WriteString(" " + draw.Paint(color, 0, draw.PadLeft("■", w)))
		default:
			at.WriteString(" " + draw.Dim(color, draw.PadLeft(word, w)))
			boxes.WriteString(" " + draw.Dim(color, draw.PadLeft("·", w)))
		}
		other.WriteString(" " + draw.PadLeft(o, w))
	}
	lines := []string{a.What, " " + at.String(), " " + boxes.String()}
	if o := strings.TrimRight(other.String(), " "); o != "" {
		lines = append(lines, draw.Dim(color, " "+o))
	}
	lines = append(lines, draw.Paint(color, 5, a.verdict()))
	if a.Hint != "" {
		lines = append(lines, a.Hint)
	}
	return "  " + strings.Join(lines, "\n  ")
}

// String is the text without colour.
func (a *IndexAxis) String() string { return a.Text(false) }

// SVG is the axis as boxes.
func (a *IndexAxis) SVG() string { return a.draw().Alone(a.verdict()) }

// HTML is the picture with the text beneath.
func (a *IndexAxis) HTML() string { return draw.Pictured(a.draw(), a.verdict(), a.Text(false)) }

// MIMEBundle is the view in all forms.
func (a *IndexAxis) MIMEBundle() map[string]any { return draw.Bundle(a) }

func (a *IndexAxis) draw() *draw.Canvas {
	c := new(draw.Canvas)
	c.Text(8, 18, "start", a.What, "")
	x, y := 8.0, 44.0
	for _, p := range a.places() {
		w := max(float64(max(draw.Width(fmt.Sprint(p.at)), draw.Width(a.other(p))))*draw.CharWidth+10, 32)
		if p.gap {
			c.Text(x+16, y+19, "middle", "…", "")
			x += 32
			continue
		}
		switch {
		case p.hit:
			c.Box(x, y, w-4, 28, `fill="none" stroke="`+draw.Red+`" stroke-width="2" stroke-dasharray="4 3"`, "")
			c.Text(x+w/2-2, y+19, "middle", "✗", `font-weight="bold" `+draw.RedText)
			c.Text(x+w/2-2, y-6, "middle", fmt.Sprint(p.at), `font-weight="bold" `+draw.RedText)
		case p.real:
			c.Rect(x, y, w-4, 28, draw.Hue(0), 0.25, "")
			c.Text(x+w/2-2, y-6, "middle", fmt.Sprint(p.at), "")
			c.Text(x+w/2-2, y+42, "middle", a.other(p), draw.Small)
		default:
			c.Box(x, y, w-4, 28, `fill="none" stroke="currentColor" stroke-opacity="0.4" stroke-dasharray="2 3"`, "")
			c.Text(x+w/2-2, y-6, "middle", fmt.Sprint(p.at), draw.Small)
		}
		x += w
	}
	y += 46
	y += draw.LineHeight
	y = c.Warn(8, y, a.verdict())
	if a.Hint != "" {
		y += draw.LineHeight
		c.Lines(8, y, a.Hint, "")
	}
	return c
}
