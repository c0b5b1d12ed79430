package shapes

import (
	"strings"

	"gotorch/visualize/draw"
)

// maxCallWidth is how many columns a call gets.
const maxCallWidth = 64

const nothingCalled = "no operator was called: write the call, as in %shapes net(x)"

// Text is a table: place, name, call, result, bytes and flops.
func (v *ShapeRun) Text(color bool) string {
	rows := v.rows()
	var w [6]int
	for _, r := range rows {
		for i, s := range []string{r.place, r.name, draw.Clip(r.call, maxCallWidth), r.result, r.bytes, r.flops} {
			if i == 3 && r.failed {
				continue
			}
			w[i] = max(w[i], draw.Width(s))
		}
	}
	var b strings.Builder
	if len(rows) == 0 {
		b.WriteString("  " + nothingCalled + "\n")
	}
	for _, r := range rows {
		if r.remark != "" {
			b.WriteString("  " + draw.PadRight("", w[0]) + "  " + draw.Dim(color, r.remark) + "\n")
			continue
		}
		name := r.name
		if strings.HasPrefix(name, "#") {
			name = draw.Dim(color, name)
		} else {
			name = draw.Paint(color, 0, name)
		}
		line := "  " + draw.Dim(color, r.place) + draw.PadRight("", w[0]-draw.Width(r.place)) + "  " + name +
			draw.PadRight("", w[1]-draw.Width(r.name)) + "  " + draw.Clip(r.call, maxCallWidth)
		if r.failed {
			b.WriteString(line + "  " + draw.Bold(color, draw.Paint(color, 5, r.result)) + "\n")
			continue
		}
		rest := draw.PadRight("", w[2]-draw.Width(draw.Clip(r.call, maxCallWidth))) + "  → " +
			draw.PadRight(r.result, w[3]) + "  " + draw.PadLeft(r.bytes, w[4]) + "  " + draw.PadLeft(r.flops, w[5])
		b.WriteString(line + strings.TrimRight(rest, " ") + "\n")
	}
	if v.Error != "" {
		b.WriteString("  " + draw.Paint(color, 5, "✗ "+v.ending()) + "\n")
		if p := v.picture(); p != nil {
			b.WriteString("\n" + p.Text(color) + "\n\n")
		}
	}
	b.WriteString("  " + draw.Dim(color, v.total()))
	return b.String()
}

// String is the text without colour.
func (v *ShapeRun) String() string { return v.Text(false) }

// SVG is the table with a box for each result, as long as its dimensions say.
func (v *ShapeRun) SVG() string { return v.draw().Alone(v.label()) }

// HTML is the picture, with that of the error, and the text beneath.
func (v *ShapeRun) HTML() string {
	c := v.draw()
	out := c.Image(v.label())
	if p := v.picture(); p != nil {
		if d, ok := p.(interface{ draw() *draw.Canvas }); ok {
			out += `<div style="margin-top:8px">` + d.draw().Image(v.ending()) + `</div>`
		}
	}
	if d := draw.Details("as text", v.Text(false)); len(out)+len(d) < draw.MaxHTML-1000 {
		out += d
	}
	return draw.Frame(out)
}

// MIMEBundle is the view in all forms.
func (v *ShapeRun) MIMEBundle() map[string]any { return draw.Bundle(v) }

func (v *ShapeRun) label() string {
	text := "shapes: " + v.total()
	if v.Error != "" {
		text += "; ended by " + v.ending()
	}
	return draw.Clip(text, 300)
}
