package visualize

import (
	"fmt"
	"strings"
)

// Limits of a trace's picture.
const maxTraceRows = 120

// SVG draws the calls as rows: a box for each key that a call went through, inner calls indented beneath.
func (t *Trace) SVG() string {
	c := new(canvas)
	y, rows, left := 6.0, 0, 0
	var draw func(calls []*TracedCall, x float64)
	draw = func(calls []*TracedCall, x float64) {
		for _, g := range folded(calls) {
			if rows++; rows > maxTraceRows {
				left += len(g)
				continue
			}
			y = drawCall(c, g, x, y)
			draw(g[0].Inner, x+28)
		}
	}
	draw(t.Calls, 6)
	if left > 0 {
		c.text(6, y+14, "start", fmt.Sprintf("… %d more calls", left), "")
		y += lineHeight
	}
	if t.Error != "" {
		c.text(6, y+14, "start", "✗ "+clip(t.Error, 110), `fill="`+red+`"`)
	}
	return c.svg("dispatch trace")
}

func drawCall(c *canvas, g []*TracedCall, x, y float64) float64 {
	e := g[0]
	head := fmt.Sprintf("%s(%s)", e.Op, strings.Join(e.Args, ", "))
	if len(g) > 1 {
		head += fmt.Sprintf("  × %d", len(g))
	}
	c.text(x, y+14, "start", clip(head, 90), `font-weight="bold"`)
	if e.Site != "" {
		c.text(x+float64(width(clip(head, 90))+2)*charWidth*1.05, y+14, "start", e.Site, `opacity="0.75"`)
	}
	y += lineHeight
	at := x + 10
	for i, s := range e.Steps {
		label := s.Key
		if s.Kind == "fallthrough" {
			label += " ↓"
		}
		w := float64(width(label))*charWidth + 12
		c.rect(at, y, w, lineHeight-2, hue(keyHue(s.Key)), 0.25, s.Kind+": "+s.What)
		c.text(at+w/2, y+13, "middle", label, "")
		at += w
		what := s.What
		if what == "" {
			what = s.Kind
		}
		c.text(at+6, y+13, "start", what, `opacity="0.85"`)
		at += float64(width(what))*charWidth + 14
		if i < len(e.Steps)-1 {
			c.text(at, y+13, "start", "→", "")
			at += 18
		}
	}
	tail := nanosText(e.Nanos)
	if e.Bytes > 0 {
		tail = bytesText(e.Bytes) + "  " + tail
	}
	c.text(at+4, y+13, "start", tail, `opacity="0.75"`)
	y += lineHeight
	if e.Error != "" {
		c.text(x+10, y+12, "start", "✗ "+clip(e.Error, 110), `style="fill:`+red+`"`)
		y += lineHeight
	}
	return y + 4
}

// HTML is the tree, each call with its inner calls unfolding, no script.
func (t *Trace) HTML() string {
	var b strings.Builder
	rows := 0
	var write func(calls []*TracedCall)
	write = func(calls []*TracedCall) {
		for _, g := range folded(calls) {
			if rows++; rows > 4*maxTraceRows {
				return
			}
			e := g[0]
			times := ""
			if len(g) > 1 {
				times = fmt.Sprintf(" <b>× %d</b>", len(g))
			}
			summary := fmt.Sprintf(`<b>%s</b>(%s)%s <span style="opacity:0.75">%s %s</span>`, esc(e.Op), esc(strings.Join(e.Args, ", ")), times, esc(e.Site), nanosText(e.Nanos))
			b.WriteString(`<details open style="margin-left:1em"><summary style="cursor:pointer">` + summary + `</summary><div style="margin-left:1.2em">`)
			for _, s := range e.Steps {
				what := s.What
				if what == "" {
					what = s.Kind
				}
				h := hue(keyHue(s.Key))
				b.WriteString(fmt.Sprintf(`<div><span style="border:1px solid %s;border-left:5px solid %s;border-radius:3px;padding:0 5px">%s</span> %s</div>`, h, h, esc(s.Key), esc(what)))
			}
			if len(e.Result) > 0 {
				b.WriteString(`<div style="opacity:0.75">→ ` + esc(clip(strings.Join(e.Result, ", "), 90)))
				if e.Bytes > 0 {
					b.WriteString("  " + bytesText(e.Bytes))
				}
				b.WriteString(`</div>`)
			}
			if e.Error != "" {
				b.WriteString(`<div style="color:` + red + `">✗ ` + esc(e.Error) + `</div>`)
			}
			b.WriteString(`</div>`)
			write(e.Inner)
			b.WriteString(`</details>`)
		}
	}
	write(t.Calls)
	if rows > 4*maxTraceRows {
		b.WriteString(fmt.Sprintf(`<div>… %d calls in all</div>`, t.Count()))
	}
	if t.Error != "" {
		b.WriteString(`<div style="color:` + red + `">✗ ` + esc(t.Error) + `</div>`)
	}
	if rows == 0 {
		b.WriteString("no operator was called")
	}
	return frame(b.String())
}

// MIMEBundle is the trace in all forms.
func (t *Trace) MIMEBundle() map[string]any { return bundle(t) }
