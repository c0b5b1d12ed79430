package grad

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/visualize/draw"
)

const (
	maxFrames    = 24 // that a page has
	pictureRows  = 22
	pictureLeft  = 46 // columns of the forward pass at most
	pictureRight = 54
	leastLeft    = 30 // where lines of both sides are long
	rowHigh      = 38.0
	rowGap       = 8.0
	frameBudget  = 70 << 10 // of HTML for frames
)

// picture draws the pass as it is in the end: each line of the forward pass in blue, read downwards, and beside it in
// red the line of its gradient, read upwards, with the number of the step that completed it.
func (b *BackwardRun) picture() *draw.Canvas {
	if len(b.Outline) > 0 {
		return b.outlinePicture()
	}
	c := new(draw.Canvas)
	grads := b.gradientLines(len(b.Pass) - 1)
	values, steps := b.complete()
	var rows []int
	for i := range b.Lines {
		if n := len(b.Lines); n <= pictureRows || i < pictureRows/2 || i >= n-pictureRows/2 {
			rows = append(rows, i)
		}
	}
	left, right, by := draw.Width("forward pass, downwards"), draw.Width("gradients, upwards"), 0
	for _, i := range rows {
		l := &b.Lines[i]
		left = max(left, draw.Width(draw.Clip(l.Text, pictureLeft)), min(pictureLeft, draw.Width(l.below())*5/6))
		right = max(right, min(pictureRight, draw.Width(grads[i])), min(pictureRight, draw.Width(values[i])*5/6))
		by = max(by, draw.Width(steps[i])*5/6+1)
	}
	room := 78 - by // beside the arrows and the margins
	left = min(left, max(leastLeft, room-right))
	right = min(right, room-left)
	x1, w1 := 40.0, float64(left)*draw.CharWidth+16
	x2, w2 := x1+w1+34, float64(right)*draw.CharWidth+16
	c.Wide = x2 + w2
	y := c.Lines(8, 16, b.summary(), draw.Faint) + 7
	c.Text(x1, y, "start", "forward pass, downwards", draw.Strong)
	c.Text(x2, y, "start", "gradients, upwards", draw.Strong)
	y += 10
	top := y
	for k, i := range rows {
		skipped := b.Lines[i].At
		if k > 0 {
			skipped -= b.Lines[rows[k-1]].At + 1
		}
		if skipped > 0 {
			c.Text(x1, y+10, "start", "⋮ "+draw.Counted(skipped, "more line"), draw.Faint)
			y += 22
		}
		l := &b.Lines[i]
		look, fill := forwardHue, 0.16
		if l.Leaf {
			look, fill = 2, 0.2
		}
		end := c.Marked(l.Site)
		c.Rect(x1, y, w1, rowHigh, draw.Hue(look), fill, l.Text+"\n"+l.Shape+" "+l.Value+"\n"+l.Site)
		c.Text(x1+8, y+16, "start", draw.Clip(l.Text, left), "")
		c.Text(x1+8, y+31, "start", draw.Clip(l.below(), left*6/5), draw.Small)
		if grads[i] != "" {
			c.Rect(x2, y, w2, rowHigh, draw.Red, 0.14, grads[i]+"\n"+values[i])
			c.Text(x2+8, y+16, "start", draw.Clip(grads[i], right), "")
			c.Text(x2+8, y+31, "start", draw.Clip(values[i], right*6/5), draw.Small)
			c.Path(fmt.Sprintf("M%s %sH%s", draw.Num(x1+w1), draw.Num(y+rowHigh/2), draw.Num(x2)), "currentColor",
				`stroke-dasharray="2 3" `+draw.Thin)
			if steps[i] != "" {
				c.Text(x2+w2+6, y+23, "start", steps[i], draw.Small)
			}
		}
		end()
		y += rowHigh + rowGap
	}
	arrow := func(x, from, to float64, stroke string) {
		tip := 7.0
		if to < from {
			tip = -7
		}
		c.Path(fmt.Sprintf("M%s %sV%s", draw.Num(x), draw.Num(from), draw.Num(to)), stroke, `stroke-width="2"`)
		fmt.Fprintf(&c.Elements, `<path d="M%s %sl-5 %sh10z" fill="%s"/>`, draw.Num(x), draw.Num(to+tip/2),
			draw.Num(-tip), stroke)
	}
	arrow(22, top, y-rowGap, draw.Hue(forwardHue))
	arrow(x1+w1+17, y-rowGap, top, draw.Red)
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

// complete returns each line's whole gradient and the step at which it was complete.
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
func (b *BackwardRun) SVG() string { return b.picture().Alone("backward pass") }

// HTML is the picture, and the steps to click through.
func (b *BackwardRun) HTML() string {
	if len(b.Outline) > 0 {
		return b.outlineHTML()
	}
	page := b.picture().Image("backward pass")
	list, left := b.listed(maxFrames)
	var labels, frames []string
	size := 0
	for k, i := range list {
		f := `<pre style="margin:4px 0;padding:6px;border:1px solid currentColor;border-radius:4px;` +
			`white-space:pre-wrap;overflow-wrap:anywhere;box-sizing:border-box;max-width:100%">` +
			colored(b.Step(i, true)) + "</pre>"
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
	page += `<div>steps:</div>` + draw.Frames(labels, frames, 0)
	if left > 0 {
		page += "<div>… " + draw.Counted(left, "more step") + " not on this page</div>"
	}
	return draw.WithText(page, b.Text(false))
}

// MIMEBundle is the pass in all forms.
func (b *BackwardRun) MIMEBundle() map[string]any { return draw.Bundle(b) }

var ansiCode = lazyre.New("\x1b\\[([0-9;]*)m")

// colored turns text for a terminal into HTML.
func colored(s string) string {
	var out strings.Builder
	code := ""
	put := func(part string) {
		if part == "" {
			return
		}
		hue := -1
		if n, ok := strings.CutPrefix(code, "38;5;"); ok {
			hue = slices.IndexFunc(draw.Ansi, func(a int) bool { return n == strconv.Itoa(a) })
		}
		switch {
		case hue >= 0:
			out.WriteString(draw.Inked(hue, part))
		case code == "1":
			out.WriteString(`<span style="font-weight:bold">` + draw.Escape(part) + "</span>")
		case code == "2":
			out.WriteString(`<span style="opacity:0.7">` + draw.Escape(part) + "</span>")
		default:
			out.WriteString(draw.Escape(part))
		}
	}
	for s != "" {
		at := ansiCode.Re().FindStringSubmatchIndex(s)
		if at == nil {
			break
		}
		put(s[:at[0]])
		code, s = s[at[2]:at[3]], s[at[1]:]
	}
	put(s)
	return out.String()
}
