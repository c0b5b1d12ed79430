package operators

import (
	"strings"

	"gotorch/visualize/draw"
)

// kindHues are hues for what stands in a table; the word is always written.
var kindHues = map[string]int{"kernel": 0, "body": 2, "shapes": 4, "view": 4, "fallback": 1}

// head are the lines above the keys.
func (t *OpTable) head() []string {
	out := []string{draw.Clip(t.Schema, 150)}
	if t.Doc != "" {
		out = append(out, draw.Clip(t.Doc, 150))
	}
	return append(out, t.Class+":   "+strings.Join(t.Usages, "   "))
}

func (t *OpTable) grid() *draw.Tabular {
	g := &draw.Tabular{Head: append(append([]string{"key"}, t.Forms...), "")}
	for _, k := range t.Keys {
		g.Rows = append(g.Rows, append(append([]string{k.Key}, k.Kinds...), k.What))
		h, ok := kindHues[k.Kinds[0]]
		if !ok {
			h = -1
		}
		g.Hues = append(g.Hues, h)
	}
	return g
}

// Text writes the tables, with the formulas beneath.
func (t *DispatchTable) Text(color bool) string {
	var out []string
	for i := range t.Ops {
		o := &t.Ops[i]
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, draw.Bold(color, o.Name))
		for _, l := range o.head() {
			out = append(out, "  "+l)
		}
		out = append(out, o.grid().Text("  ", color)...)
		if o.Formula != "" {
			out = append(out, "  derivative, "+o.At)
			for _, l := range strings.Split(o.Formula, "\n") {
				out = append(out, strings.TrimRight("    "+l, " "))
			}
		}
	}
	if t.More > 0 {
		out = append(out, "… "+draw.Counted(t.More, "more operator"))
	}
	if len(out) == 0 {
		return "no operators"
	}
	return strings.Join(out, "\n")
}

// String is the text without colour.
func (t *DispatchTable) String() string { return t.Text(false) }

// SVG draws the tables.
func (t *DispatchTable) SVG() string { return t.picture().Alone("dispatch table") }

// HTML is the picture, with its text beneath.
func (t *DispatchTable) HTML() string {
	return draw.Pictured(t.picture(), "dispatch table", t.Text(false))
}

// MIMEBundle is the view in all forms.
func (t *DispatchTable) MIMEBundle() map[string]any { return draw.Bundle(t) }

func (t *DispatchTable) picture() *draw.Canvas {
	c := new(draw.Canvas)
	y := 18.0
	if len(t.Ops) == 0 {
		c.Text(6, y, "start", "no operators", "")
	}
	for i := range t.Ops {
		o := &t.Ops[i]
		c.Text(6, y, "start", o.Name, draw.Strong)
		for _, l := range o.head() {
			y = c.Lines(22, y+17, l, "") - 17
		}
		y = o.drawKeys(c, y+12) + 16
		if o.Formula != "" {
			c.Text(22, y, "start", "derivative, "+o.At, draw.Faint)
			for _, l := range strings.Split(o.Formula, "\n") {
				y = c.Lines(36, y+16, l, "") - 17
			}
			y += 16
		}
		y += 20
	}
	if t.More > 0 {
		c.Text(6, y, "start", "… "+draw.Counted(t.More, "more operator"), "")
	}
	return c
}

// drawKeys draws the keys one beneath the other, with a box for each form. An arrow goes past the keys that fall
// through.
func (t *OpTable) drawKeys(c *draw.Canvas, y float64) float64 {
	const boxWide, boxHigh, x0 = 106.0, 20.0, 100.0
	for i, f := range t.Forms {
		f = f[strings.LastIndexByte(f, '.')+1:] // linear of nn.functional.linear
		c.Text(x0+float64(i)*(boxWide+8)+boxWide/2, y+12, "middle", draw.Clip(f, 14), draw.Faint)
	}
	y += 18
	for _, k := range t.Keys {
		c.Text(x0-12, y+14, "end", k.Key, "")
		for i, kind := range k.Kinds {
			x := x0 + float64(i)*(boxWide+8)
			switch h, known := kindHues[kind]; {
			case known:
				c.Rect(x, y, boxWide, boxHigh, draw.Hue(h), 0.25, "")
				c.Text(x+boxWide/2, y+14, "middle", kind, "")
			case kind == "falls through":
				c.Text(x+boxWide/2, y+14, "middle", "↓ "+kind, draw.Faint)
			default:
				c.Box(x, y, boxWide, boxHigh, `fill="none" stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="3 3"`, "")
				c.Text(x+boxWide/2, y+14, "middle", kind, "")
			}
		}
		y = max(y+boxHigh+4, c.Lines(x0+float64(len(k.Kinds))*(boxWide+8)+8, y+14, k.What, "")-8)
	}
	return y
}
