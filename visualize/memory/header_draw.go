package memory

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// grid is the fields of an object as a table.
func (o *HeaderObject) grid() *draw.Tabular {
	g := &draw.Tabular{Head: []string{"at", "bytes", "field", "value", "PyTorch", ""}}
	for _, f := range o.Fields {
		bytes := ""
		if f.TorchBytes > 0 {
			bytes = fmt.Sprint(f.TorchBytes)
		}
		g.Rows = append(g.Rows, []string{fmt.Sprint(f.Offset), fmt.Sprint(f.Bytes), f.Name, f.Value, f.Torch, bytes})
	}
	return g
}

func (o *HeaderObject) title() string { return fmt.Sprintf("%s: %s, %d B", o.Title, o.Type, o.Bytes) }

func (v *HeaderView) title() string { return strings.TrimSpace(v.Name + "  " + v.What) }

// others are the fields of PyTorch's header that have no counterpart here.
func (v *HeaderView) others() string {
	var list []string
	for _, f := range torchOthers {
		list = append(list, fmt.Sprintf("%s %d", f.name, f.bytes))
	}
	return "only in PyTorch's TensorImpl (bytes): " + strings.Join(list, ", ")
}

// Text writes a table for each object.
func (v *HeaderView) Text(color bool) string {
	out := []string{draw.Bold(color, v.title())}
	for i := range v.Objects {
		o := &v.Objects[i]
		out = append(out, draw.Paint(color, i, o.title()))
		out = append(out, o.grid().Text("  ", color)...)
	}
	out = append(out, v.Notes...)
	return strings.Join(append(out, v.others()), "\n")
}

// String is the text without colour.
func (v *HeaderView) String() string { return v.Text(false) }

// SVG draws the objects as bars of their bytes, with the tables beside.
func (v *HeaderView) SVG() string { return v.picture().Alone("tensor header") }

// HTML is the picture, with its text beneath.
func (v *HeaderView) HTML() string { return draw.Pictured(v.picture(), "tensor header", v.Text(false)) }

// MIMEBundle is the view in all forms.
func (v *HeaderView) MIMEBundle() map[string]any { return draw.Bundle(v) }

// wordHigh is the height of eight bytes in the picture.
const wordHigh = 15.0

func (v *HeaderView) picture() *draw.Canvas {
	c := new(draw.Canvas)
	y := c.Sentence(6, 18, v.title(), draw.Strong) + 12
	for i := range v.Objects {
		y = v.Objects[i].draw(c, y, i) + 12
	}
	for _, n := range append(v.Notes, v.others()) {
		y = c.Lines(6, y+8, n, "") - 8
	}
	return c
}

// draw draws an object: every field is as high as it is long, and PyTorch's beside it.
func (o *HeaderObject) draw(c *draw.Canvas, y float64, hue int) float64 {
	const x0, wide, x1, edge = 44.0, 290.0, 342.0, 530.0 // letters stay legible where a narrow page shrinks it
	inside, beside := (wide-10)/draw.CharWidth, (edge-x1)/draw.CharWidth
	c.Text(6, y+12, "start", o.title(), draw.Faint)
	y += 20
	top := y
	for i, f := range o.Fields {
		at := max(y, top+float64(f.Offset)/8*wordHigh)
		high := max(wordHigh, float64(f.Bytes)/8*wordHigh)
		c.Text(x0-8, at+11, "end", fmt.Sprint(f.Offset), draw.Faint)
		c.Rect(x0, at, wide, high-1, draw.Hue(hue), 0.15+0.1*float64(i%2),
			fmt.Sprintf("%s: %d bytes  %s", f.Name, f.Bytes, f.Value))
		c.Text(x0+6, at+11, "start", draw.Clip(fmt.Sprintf("%s  %d B  %s", f.Name, f.Bytes, f.Value), int(inside)), "")
		if f.Torch != "" {
			text := f.Torch
			if f.TorchBytes > 0 {
				text = fmt.Sprintf("%s  %d B", f.Torch, f.TorchBytes)
			}
			c.Text(x1, at+11, "start", draw.Clip(text, int(beside)), draw.Faint)
		}
		y = at + high
	}
	return y
}

// field is the value of a field of an object, "" where there is none.
func (v *HeaderView) field(object int, name string) string {
	if object >= len(v.Objects) {
		return ""
	}
	for _, f := range v.Objects[object].Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Caption says what the header has to say about its elements.
func (v *HeaderView) Caption() string {
	if len(v.Objects) < 2 {
		return ""
	}
	return fmt.Sprintf("%s is a header of %s that describes %s bytes of elements: the shape %s, the strides %s and "+
		"the offset %s are all that it takes to find one.", v.Name, draw.Counted(v.Objects[0].Bytes, "byte"), v.field(1,
		"bytes"),
		v.field(0, "shape"), v.field(0, "stride"), v.field(0, "offset"))
}
