package visualize

import (
	"fmt"
	"html"
	"strings"

	"gotorch/internal/lazyre"
)

const (
	maxFrames   = 24 // that a page has
	pictureRows = 30
	rowHigh     = 38.0
	rowGap      = 8.0
	frameBudget = 70 << 10 // of HTML for frames
)

// picture draws the pass as it is in the end: each line of the forward pass in blue, read downwards, and beside it in red the line of its
// gradient, read upwards, with the number of the step that completed it.
func (b *BackwardRun) picture() *canvas {
	c := new(canvas)
	c.text(8, 16, "start", b.summary(), faint)
	grads := b.gradientLines(len(b.Pass) - 1)
	values, steps := b.complete()
	var rows []int
	for i := range b.Lines {
		if n := len(b.Lines); n <= pictureRows || i < pictureRows/2 || i >= n-pictureRows/2 {
			rows = append(rows, i)
		}
	}
	left, right := width("forward pass, downwards"), width("gradients, upwards")
	for _, i := range rows {
		l := &b.Lines[i]
		left = max(left, width(clip(l.Text, leftColumn)), min(leftColumn, width(l.below())*5/6))
		right = max(right, min(rightColumn, width(grads[i])), min(rightColumn, width(values[i])*5/6))
	}
	x1, w1 := 40.0, float64(left)*charWidth+16
	x2, w2 := x1+w1+34, float64(right)*charWidth+16
	c.text(x1, 40, "start", "forward pass, downwards", bar)
	c.text(x2, 40, "start", "gradients, upwards", bar)
	y := 50.0
	top := y
	for k, i := range rows {
		left := b.Lines[i].At
		if k > 0 {
			left -= b.Lines[rows[k-1]].At + 1
		}
		if left > 0 {
			c.text(x1, y+10, "start", "⋮ "+counted(left, "more line"), faint)
			y += 22
		}
		l := &b.Lines[i]
		look, fill := forwardHue, 0.16
		if l.Leaf {
			look, fill = 2, 0.2
		}
		c.rect(x1, y, w1, rowHigh, hue(look), fill, l.Text+"\n"+l.Shape+" "+l.Value+"\n"+l.Site)
		c.text(x1+8, y+16, "start", clip(l.Text, leftColumn), "")
		c.text(x1+8, y+31, "start", clip(l.below(), leftColumn*6/5), small)
		if grads[i] != "" {
			c.rect(x2, y, w2, rowHigh, red, 0.14, grads[i]+"\n"+values[i])
			c.text(x2+8, y+16, "start", clip(grads[i], rightColumn), "")
			c.text(x2+8, y+31, "start", clip(values[i], rightColumn*6/5), small)
			c.path(fmt.Sprintf("M%s %sH%s", num(x1+w1), num(y+rowHigh/2), num(x2)), "currentColor", `stroke-dasharray="2 3" `+thin)
			if steps[i] != "" {
				c.text(x2+w2+6, y+23, "start", steps[i], small)
			}
		}
		y += rowHigh + rowGap
	}
	arrow := func(x, from, to float64, stroke string) {
		tip := 7.0
		if to < from {
			tip = -7
		}
		c.path(fmt.Sprintf("M%s %sV%s", num(x), num(from), num(to)), stroke, `stroke-width="2"`)
		fmt.Fprintf(&c.b, `<path d="M%s %sl-5 %sh10z" fill="%s"/>`, num(x), num(to+tip/2), num(-tip), stroke)
	}
	arrow(22, top, y-rowGap, hue(forwardHue))
	arrow(x1+w1+17, y-rowGap, top, red)
	return c
}

// below is what stands under a line of the forward pass: its shape, value and place.
func (l *BackwardLine) below() string {
	t := l.Shape
	if l.Leaf {
		t = "leaf  " + t
	}
	if l.Site != "" {
		t += "  @ " + l.Site
	}
	if l.Value != "" {
		t += "  " + l.Value
	}
	return t
}

// complete gives of each line its whole gradient, and at which step it was so far.
func (b *BackwardRun) complete() (values, steps []string) {
	values, steps = make([]string, len(b.Lines)), make([]string, len(b.Lines))
	for _, s := range b.Pass {
		for _, f := range s.Flows {
			if values[f.To] = f.Grad; f.Sum != "" {
				values[f.To] = f.Sum
			}
			if f.Left == 0 && s.Number > 0 {
				steps[f.To] = fmt.Sprintf("by step %d", s.Number)
			}
		}
		for _, g := range append(s.Grads, s.Leaves...) {
			if v := values[g.Line]; v != "" && v != g.Text {
				steps[g.Line] = strings.TrimSpace(steps[g.Line] + "  changed by a hook")
			}
			values[g.Line] = g.Text // with what hooks made of it
		}
	}
	return values, steps
}

// SVG draws the pass as it is in the end, complete in itself.
func (b *BackwardRun) SVG() string { return b.picture().alone("backward pass") }

// HTML is the picture, and the steps to click through.
func (b *BackwardRun) HTML() string {
	page := b.picture().image("backward pass")
	list, left := b.listed(maxFrames)
	var labels, frames []string
	size := 0
	for k, i := range list {
		f := `<pre style="margin:4px 0;padding:6px;border:1px solid currentColor;border-radius:4px;white-space:pre;overflow-x:auto;box-sizing:border-box;max-width:100%">` + colored(b.Step(i, true)) + "</pre>"
		if size += len(f); size > frameBudget {
			left += len(list) - k
			break
		}
		label := fmt.Sprint(b.Pass[i].Number)
		if b.Pass[i].Line == -1 {
			label = "start"
		}
		if k > 0 && list[k-1] != i-1 || b.Pass[i].Skip > 0 {
			label = "… " + label
		}
		labels, frames = append(labels, label), append(frames, f)
	}
	page += `<div>steps:</div>` + scrub(labels, frames, 0)
	if left > 0 {
		page += "<div>… " + counted(left, "more step") + " not on this page</div>"
	}
	return withText(page, b.Text(false))
}

// MIMEBundle is the pass in all forms.
func (b *BackwardRun) MIMEBundle() map[string]any { return bundle(b) }

var ansiCode = lazyre.New("\x1b\\[([0-9;]*)m")

// inks are the hues for text on a page whose background is not known: as far from white as from black.
var inks = []string{"#2280c0", "#a06c00", "#00875f", "#b0618b", "#2f83ad", "#c95700", "#7c7c2a"}

// colored turns text for a terminal into HTML.
func colored(s string) string {
	var out strings.Builder
	open := false
	for s != "" {
		at := ansiCode.Re().FindStringSubmatchIndex(s)
		if at == nil {
			break
		}
		out.WriteString(esc(s[:at[0]]))
		code := s[at[2]:at[3]]
		if open {
			out.WriteString("</span>")
			open = false
		}
		style := ""
		switch {
		case code == "1":
			style = "font-weight:bold"
		case code == "2":
			style = "opacity:0.7"
		default:
			for i, a := range ansi {
				if code == fmt.Sprintf("38;5;%d", a) {
					style = "color:" + inks[i]
				}
			}
		}
		if style != "" {
			out.WriteString(`<span style="` + html.EscapeString(style) + `">`)
			open = true
		}
		s = s[at[1]:]
	}
	out.WriteString(esc(s))
	if open {
		out.WriteString("</span>")
	}
	return out.String()
}
