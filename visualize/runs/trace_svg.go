package runs

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// picture draws the calls as ladders: a rung for each key that a call went through, inner calls beneath the rung that
// made them.
func (t *Trace) picture() *draw.Canvas {
	if t.outlined() {
		return t.outlinePicture()
	}
	c := new(draw.Canvas)
	w := traceSVG{c: c, y: 8}
	w.calls(t.Calls, 8)
	if left := w.left + t.More; left > 0 {
		c.Text(8, w.y+14, "start", "… "+draw.Counted(left, "more call"), "")
		w.y += draw.LineHeight
	}
	if t.unsaid() {
		w.y = c.Warn(8, w.y+14, "✗ "+draw.Clip(t.Error, 200)) - 14 + draw.LineHeight
	}
	if w.y == 8 {
		c.Text(8, 16, "start", "no operator was called", "")
	}
	return c
}

// SVG draws the calls as ladders, complete in itself.
func (t *Trace) SVG() string { return t.picture().Alone("dispatch trace") }

type traceSVG struct {
	c    *draw.Canvas
	y    float64
	left int
}

const (
	rung      = 20.0
	traceHigh = 1080.0 // beyond, calls are counted
)

// full reports whether the picture has room for no more calls.
func (w *traceSVG) full() bool { return w.c.Elements.Len() > draw.MaxPicture || w.y > traceHigh }

func (w *traceSVG) calls(calls []*TracedCall, x float64) {
	for _, f := range folded(calls) {
		switch {
		case w.full() || x > 400:
			w.left += f.count()
		case len(f.calls) == 1:
			w.call(f.calls[0], f, x)
		default:
			w.c.Text(x, w.y+14, "start", "⟳ "+f.says(), draw.Strong)
			w.y += rung + 2
			begin := w.y
			for _, c := range f.calls {
				if w.full() {
					w.left += (&Trace{Calls: []*TracedCall{c}}).Count()
					continue
				}
				w.call(c, once(c), x+16)
			}
			w.c.Path(fmt.Sprintf("M%s %sV%sh5", draw.Num(x+4), draw.Num(begin-4), draw.Num(w.y-6)), "currentColor",
				draw.Thin+` stroke-width="2"`)
		}
	}
}

// once is a call that is not repeated.
func once(c *TracedCall) rounds { return rounds{[]*TracedCall{c}, []*TracedCall{c}, 1} }

func (w *traceSVG) call(e *TracedCall, f rounds, x float64) {
	c := w.c
	end := c.Marked(e.Site())
	lines := draw.Wrap(draw.Clip(e.call(), 84), c.Columns(x))
	for k, line := range lines {
		if k > 0 {
			w.y += rung - 4
		}
		c.Text(x, w.y+14, "start", line, draw.Strong)
	}
	head := lines[len(lines)-1]
	at := x + float64(draw.Width(head)+2)*draw.CharWidth*1.02
	if f.times > 1 {
		times := fmt.Sprintf("× %d", f.times)
		c.Text(at, w.y+14, "start", times, "")
		at += float64(draw.Width(times)+2) * draw.CharWidth
	}
	c.Text(at, w.y+14, "start", e.Site(), draw.Faint)
	at += float64(draw.Width(e.Site())+2) * draw.CharWidth
	if e.Site() == "" {
		at -= 2 * draw.CharWidth
	}
	c.Text(at, w.y+14, "start", spaced(e.states()), draw.Faint)
	w.y += rung + 2
	pill := 0
	for _, s := range e.Steps {
		pill = max(pill, draw.Width(s.Key))
	}
	pw := float64(pill)*draw.CharWidth + 14
	rail := x + 8
	top := w.y - 2
	for i, s := range e.Steps {
		last := i == len(e.Steps)-1
		mid := w.y + rung/2 - 1
		c.Path(fmt.Sprintf("M%.1f %.1fV%.1fH%.1f", rail, top, mid, rail+10), "currentColor", draw.Thin)
		c.Rect(rail+10, w.y, pw, rung-3, draw.Hue(keyHue(s.Key)), 0.25, s.Kind)
		c.Text(rail+10+pw/2, w.y+12.5, "middle", s.Key, "")
		left := rail + 18 + pw
		columns, end := c.Columns(left), 0
		for k, line := range draw.Wrap(draw.Clip(spaced(s.says()), 74), columns) {
			if k > 0 {
				w.y += rung - 4
			}
			c.Text(left, w.y+12.5, "start", line, "")
			end = draw.Width(line) + 2
		}
		if out := e.outcome(f); last {
			if end > 2 && end+draw.Width(out) > columns {
				w.y, end = w.y+rung-4, 0
			}
			c.Text(left+float64(end)*draw.CharWidth, w.y+12.5, "start", out, draw.Faint)
		}
		w.y += rung
	}
	if e.failure() != "" {
		w.y = c.Warn(rail+10, w.y+12, "✗ "+draw.Clip(e.Error, 200)) - 12 + rung
	}
	end()
	w.y += 2
	if len(e.Inner) > 0 {
		begin := w.y
		w.calls(e.Inner, x+36)
		c.Path(fmt.Sprintf("M%.1f %.1fV%.1f", x+24, begin, w.y-6), "currentColor", draw.Thin+` stroke-dasharray="2 3"`)
	}
	w.y += 4
}

// spaced writes the columns of a line for a page, where spaces run together.
func spaced(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "   →", " →"), "   ", " · ")
}

// unbroken escapes a line for a page that may be narrow: it is not broken between a number and its unit, within a
// shape or a key set, or after a sign that belongs to the next word.
func unbroken(s string) string {
	var b strings.Builder
	depth := 0
	words := strings.Split(s, " ")
	for i, w := range words {
		b.WriteString(draw.Escape(w))
		depth = max(0, depth+strings.Count(w, "[")+strings.Count(w, "{")-strings.Count(w, "]")-strings.Count(w, "}"))
		if i == len(words)-1 {
			break
		}
		tied := depth > 0 && depth < 3 || w == "↻" || w == "→" || w == "keys" || draw.IsUnit(words[i+1])
		if tied {
			b.WriteString("&#160;")
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// HTML is the tree, each call with its inner calls unfolding, no script.
func (t *Trace) HTML() string {
	if t.outlined() {
		return t.outlineHTML()
	}
	w := new(traceHTML)
	w.calls(t.Calls, 0)
	if left := w.left + t.More; left > 0 {
		w.b.WriteString("<div>… " + draw.Counted(left, "more call") + "</div>")
	}
	if t.unsaid() {
		w.b.WriteString(draw.Warning("✗ " + t.Error))
	}
	if w.b.Len() == 0 {
		w.b.WriteString("no operator was called")
	}
	return draw.WithText(w.b.String(), t.Text(false))
}

type traceHTML struct {
	b    strings.Builder
	left int
}

func (w *traceHTML) calls(calls []*TracedCall, depth int) {
	for _, f := range folded(calls) {
		switch {
		case w.b.Len() > draw.MaxPicture || depth > 40:
			w.left += f.count()
		case len(f.calls) == 1:
			w.call(f.calls[0], f, depth)
		default:
			w.b.WriteString(
				`<details open="open" style="margin:2px 0 6px 0"><summary style="cursor:pointer;display:list-item"><b>⟳ ` +
					draw.Escape(spaced(f.says())) +
					`</b></summary><div style="border-left:2px dashed;margin-left:5px;padding-left:10px">`)
			for _, c := range f.calls {
				if w.b.Len() > draw.MaxPicture {
					w.left += (&Trace{Calls: []*TracedCall{c}}).Count()
					continue
				}
				w.call(c, once(c), depth)
			}
			w.b.WriteString(`</div></details>`)
		}
	}
}

func (w *traceHTML) call(e *TracedCall, f rounds, depth int) {
	b := &w.b
	open := ` open="open"`
	if depth >= 3 {
		open = ""
	}
	times := ""
	if f.times > 1 {
		times = fmt.Sprintf(" <b>× %d</b>", f.times)
	}
	fmt.Fprintf(b,
		`<details%s style="margin:2px 0 6px 0"><summary style="cursor:pointer;display:list-item"%s><b>%s</b>(%s)%s <span style="opacity:0.75">%s · %s · %s</span></summary>`,
		open, draw.MarkLine(e.Site()), draw.Escape(e.Op), unbroken(strings.Join(e.Args, ", ")), times, draw.Escape(e.Site()),
		unbroken(spaced(e.states())), unbroken(nanosText(f.nanos())))
	w.body(e, f, depth)
	b.WriteString(`</details>`)
}

// body is what a call has beneath it: its keys, and what it called.
func (w *traceHTML) body(e *TracedCall, f rounds, depth int) {
	b := &w.b
	b.WriteString(`<div style="border-left:1px solid;margin-left:5px;padding-left:10px">`)
	for i, s := range e.Steps {
		what := spaced(s.says())
		h := draw.Hue(keyHue(s.Key))
		fmt.Fprintf(b,
			`<div style="margin:2px 0"><span style="display:inline-block;min-width:5.5em;text-align:center;border:1px solid %s;border-left:6px solid %s;border-radius:3px;padding:0 5px">%s</span>&#160; %s`, h, h, draw.Escape(s.Key), unbroken(what))
		if i == len(e.Steps)-1 {
			b.WriteString(`&#160; <span style="opacity:0.75">` + unbroken(spaced(e.outcome(f))) + `</span>`)
		}
		b.WriteString(`</div>`)
	}
	if e.failure() != "" {
		b.WriteString(draw.Warning("✗ " + e.Error))
	}
	w.calls(e.Inner, depth+1)
	b.WriteString(`</div>`)
}

// MIMEBundle is the trace in all forms.
func (t *Trace) MIMEBundle() map[string]any { return draw.Bundle(t) }
