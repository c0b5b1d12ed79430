package memory

import (
	"fmt"
	"math"
	"strings"

	"gotorch/visualize/draw"
)

// Note: the picture of a number. One box for each bit, coloured by its field, with the field's name and meaning
// above; beneath, the exact value and the number line with the neighbours. Long values are cut as in the text.

const (
	widestBit = 11.0
	bitHeight = 20.0
	fieldGap  = 6.0
)

// SVG draws the number.
func (n *NumberBits) SVG() string { return n.draw().Alone(n.label()) }

// HTML is the picture, with the text beneath it.
func (n *NumberBits) HTML() string { return draw.Pictured(n.draw(), n.label(), n.Text(false)) }

func (n *NumberBits) label() string {
	names := make([]string, len(n.Words))
	for i := range n.Words {
		names[i] = n.Words[i].Dtype
	}
	return "the bits of " + draw.Clip(n.Typed, 60) + " as " + strings.Join(names, ", ")
}

func (n *NumberBits) draw() *draw.Canvas {
	c := new(draw.Canvas)
	y := 18.0
	for i := range n.Words {
		y = n.drawWord(c, &n.Words[i], y) + 22
	}
	return c
}

// drawWord draws one word from y down, and returns where it ends.
func (n *NumberBits) drawWord(c *draw.Canvas, w *BitsWord, y float64) float64 {
	c.Text(8, y, "start", n.title(w), draw.Strong)
	c.Text(8+float64(draw.Width(n.title(w))+2)*draw.CharWidth, y, "start", w.Kind+", "+w.Hex, draw.Faint)
	y += 10
	x, bits := 8.0, 0
	for _, f := range w.Fields {
		bits += len(f.Bits)
	}
	bitWidth := min(widestBit, math.Floor((draw.NarrowWidth-24-fieldGap*float64(len(w.Fields)))/float64(bits)))
	ends := make([]float64, len(w.Fields))
	for k, f := range w.Fields {
		c.Group(draw.Filled(draw.Hue(hueOf(f.Name)), 0.28))
		for range f.Bits {
			c.Box(x, y, bitWidth, bitHeight, "", "")
			x += bitWidth
		}
		c.End()
		x -= float64(len(f.Bits)) * bitWidth
		ends[k] = x + bitWidth/2
		for _, bit := range f.Bits {
			c.Text(x+bitWidth/2, y+14, "middle", string(bit), "")
			x += bitWidth
		}
		x += fieldGap
	}
	y += bitHeight
	// The meanings hang under their fields, the last highest, so that no line crosses a word.
	for k := len(w.Fields) - 1; k >= 0; k-- {
		row := y + 16*float64(len(w.Fields)-k)
		c.Path(fmt.Sprintf("M%s %sV%sh6", draw.Num(ends[k]), draw.Num(y), draw.Num(row-4)),
			draw.Hue(hueOf(w.Fields[k].Name)), `stroke-width="1.5"`)
		c.Text(ends[k]+9, row, "start", w.Fields[k].Name+" "+w.Fields[k].Means, "")
	}
	y += 16*float64(len(w.Fields)) + 6
	for _, r := range w.rows() {
		y += 18
		c.Text(8, y, "start", r[0], draw.Faint)
		if r[0] == "note" {
			y = c.Warn(56, y, r[1])
		} else {
			y = c.Sentence(56, y, r[1], "")
		}
	}
	if w.At == nil || w.Below == "" || w.Above == "" {
		return y
	}
	return w.drawLine(c, y+34)
}

// drawLine draws the number line: ticks at the three numbers, a triangle where what was typed lies.
func (w *BitsWord) drawLine(c *draw.Canvas, y float64) float64 {
	const left, half = 56.0, 190.0
	middle := left + half
	c.Path(fmt.Sprintf("M%s %sH%s", draw.Num(left), draw.Num(y), draw.Num(left+2*half)), "currentColor", draw.Thin)
	for i, name := range []string{"below", "value", "above"} {
		x := left + float64(i)*half
		c.Path(fmt.Sprintf("M%s %sv14", draw.Num(x), draw.Num(y-7)), "currentColor", "")
		c.Text(x, y-12, "middle", name, draw.Faint)
	}
	gap := func(x float64, s string) {
		if s != "" {
			c.Text(x, y-6, "middle", s, draw.Small)
		}
	}
	gap(left+half/2, w.Down)
	gap(middle+half/2, w.Up)
	at := middle + *w.At*half
	c.Path(fmt.Sprintf("M%s %sl-5 9h10z", draw.Num(at), draw.Num(y+3)), draw.Red,
		`stroke-width="1.5" style="fill:`+draw.Red+`"`)
	typed := "typed"
	if *w.At == 0 {
		typed = "typed: exactly the value"
	}
	c.Text(at, y+25, "middle", typed, "")
	c.Grow(left+2*half+30, y+28)
	return y + 25
}
