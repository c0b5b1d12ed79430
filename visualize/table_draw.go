package visualize

import "strings"

// kindHues are hues for what stands in a table; the word is always written.
var kindHues = map[string]int{"kernel": 0, "body": 2, "shapes": 4, "view": 4, "fallback": 1}

// head are the lines above the keys.
func (t *OpTable) head() []string {
	out := []string{clip(t.Schema, 150)}
	if t.Doc != "" {
		out = append(out, clip(t.Doc, 150))
	}
	return append(out, t.Class+":   "+strings.Join(t.Usages, "   "))
}

func (t *OpTable) grid() *tabular {
	g := &tabular{head: append(append([]string{"key"}, t.Forms...), "")}
	for _, k := range t.Keys {
		g.rows = append(g.rows, append(append([]string{k.Key}, k.Kinds...), k.What))
		h, ok := kindHues[k.Kinds[0]]
		if !ok {
			h = -1
		}
		g.hues = append(g.hues, h)
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
		out = append(out, bold(color, o.Name))
		for _, l := range o.head() {
			out = append(out, "  "+l)
		}
		out = append(out, o.grid().text("  ", color)...)
		if o.Formula != "" {
			out = append(out, "  derivative, "+o.At)
			for _, l := range strings.Split(o.Formula, "\n") {
				out = append(out, strings.TrimRight("    "+l, " "))
			}
		}
	}
	if t.More > 0 {
		out = append(out, "… "+counted(t.More, "more operator"))
	}
	if len(out) == 0 {
		return "no operators"
	}
	return strings.Join(out, "\n")
}

// String is the text without colour.
func (t *DispatchTable) String() string { return t.Text(false) }

// SVG draws the tables.
func (t *DispatchTable) SVG() string { return t.picture().alone("dispatch table") }

// HTML is the picture, with its text beneath.
func (t *DispatchTable) HTML() string { return pictured(t.picture(), "dispatch table", t.Text(false)) }

// MIMEBundle is the view in all forms.
func (t *DispatchTable) MIMEBundle() map[string]any { return bundle(t) }

func (t *DispatchTable) picture() *canvas {
	c := new(canvas)
	y := 18.0
	if len(t.Ops) == 0 {
		c.text(6, y, "start", "no operators", "")
	}
	for i := range t.Ops {
		o := &t.Ops[i]
		c.text(6, y, "start", o.Name, bar)
		for _, l := range o.head() {
			y += 17
			c.text(22, y, "start", l, "")
		}
		y = o.drawKeys(c, y+12) + 16
		if o.Formula != "" {
			c.text(22, y, "start", "derivative, "+o.At, faint)
			for _, l := range strings.Split(o.Formula, "\n") {
				y += 16
				c.text(36, y, "start", l, "")
			}
			y += 16
		}
		y += 20
	}
	if t.More > 0 {
		c.text(6, y, "start", "… "+counted(t.More, "more operator"), "")
	}
	return c
}

// drawKeys draws the keys one beneath the other, with a box for each form. An arrow goes past the keys that fall through.
func (t *OpTable) drawKeys(c *canvas, y float64) float64 {
	const boxWide, boxHigh, x0 = 118.0, 20.0, 100.0
	for i, f := range t.Forms {
		f = f[strings.LastIndexByte(f, '.')+1:] // linear of nn.functional.linear
		c.text(x0+float64(i)*(boxWide+8)+boxWide/2, y+12, "middle", clip(f, 16), faint)
	}
	y += 18
	for _, k := range t.Keys {
		c.text(x0-12, y+14, "end", k.Key, "")
		for i, kind := range k.Kinds {
			x := x0 + float64(i)*(boxWide+8)
			switch h, known := kindHues[kind]; {
			case known:
				c.rect(x, y, boxWide, boxHigh, hue(h), 0.25, "")
				c.text(x+boxWide/2, y+14, "middle", kind, "")
			case kind == "falls through":
				c.text(x+boxWide/2, y+14, "middle", "↓ "+kind, faint)
			default:
				c.box(x, y, boxWide, boxHigh, `fill="none" stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="3 3"`, "")
				c.text(x+boxWide/2, y+14, "middle", kind, "")
			}
		}
		c.text(x0+float64(len(k.Kinds))*(boxWide+8)+8, y+14, "start", k.What, "")
		y += boxHigh + 4
	}
	return y
}
