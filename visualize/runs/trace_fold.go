package runs

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/fold"
)

// Note: a trace of a model. Each call with its keys is hundreds of lines. A trace that would have more than a screen
// of them is written as an outline, like the graph of a model: outermost calls by module and function, what repeats
// once, with how many calls there are, what they made, and how long they took. Those of a backward pass stand under
// that title, each in the module whose derivative it is part of.

// mostWhole is how many lines the text of a trace may have that is shown whole.
const mostWhole = 60

// backwardTitle is above the calls of a backward pass.
const backwardTitle = "backward"

// outlined reports whether the trace is shown as an outline.
func (t *Trace) outlined() bool {
	if t.All || len(t.Calls) < 3 {
		return false
	}
	w := traceText{most: mostWhole + 1}
	w.calls(t.Calls, "")
	return len(w.lines) > mostWhole
}

// view reports whether a call moved no number.
func (c *TracedCall) view() bool {
	if c.Bytes > 0 || c.Moved > 0 || c.Kernel > 0 && len(c.Inner) == 0 && !c.headerOnly() {
		return false
	}
	for _, in := range c.Inner {
		if !in.view() {
			return false
		}
	}
	return len(c.Inner) > 0 || c.headerOnly()
}

// headerOnly reports whether a kernel says that it made a view.
func (c *TracedCall) headerOnly() bool {
	return len(c.Steps) > 0 && c.Steps[len(c.Steps)-1].What == viewText
}

func (c *TracedCall) backward() bool {
	return slices.Contains(c.Modes, "Backward")
}

// foldable are the outermost calls as they are folded.
func (t *Trace) foldable() []fold.Call {
	out := make([]fold.Call, len(t.Calls))
	modules := slices.ContainsFunc(t.Calls, func(c *TracedCall) bool { return len(c.Modules) > 0 })
	for i, c := range t.Calls {
		f := fold.Call{Op: c.Op,
			Exact: fmt.Sprint(c.Op, c.Outputs, c.Cell, c.Line, c.Of, c.Error), Func: c.Func, Path: c.Modules}
		if f.Func == "" {
			f.Func = c.Site()
		}
		if !c.view() {
			f.Like = c.Op + fmt.Sprint(c.Outputs)
		}
		if c.backward() {
			if modules {
				f.Path = append([]string{backwardTitle}, f.Path...)
			}
			if c.Func == "" && c.Of != "" {
				f.Func = c.Of
			}
			if f.Func != "" {
				f.Func = backwardTitle + " of " + f.Func
			}
		}
		out[i] = f
	}
	return out
}

// places reports whether calls stand at several places.
func (t *Trace) places() bool {
	for _, c := range t.Calls {
		if c.Site() != t.Calls[0].Site() {
			return true
		}
	}
	return false
}

// outline is the trace as an outline; page writes what a call has beneath it on a page, nil for none.
func (t *Trace) outline(page func(*TracedCall) string) []fold.Step {
	several := t.places()
	var steps func(groups []fold.Group) []fold.Step
	steps = func(groups []fold.Group) (out []fold.Step) {
		for i := range groups {
			g := &groups[i]
			if g.One() {
				c := t.Calls[g.Lo]
				s := fold.Step{Head: c.brief(several), Right: c.costs(), Alarm: c.Error != "", Site: c.Site(),
					Details: c.details()}
				if page != nil {
					s.Page = page(c)
				}
				out = append(out, s)
				continue
			}
			head := g.Title
			if g.Closed {
				c := t.Calls[g.Only]
				head += "  " + shortName(c.Op)
				if len(c.Outputs) > 0 {
					head += "  " + c.Outputs[0].Dtype + fmt.Sprint(c.Outputs[0].Shape)
				}
			}
			n := g.Hi - g.Lo
			if g.Times > 0 {
				n = g.Period
				head += fmt.Sprintf(" × %d", g.Times)
			}
			if !g.Closed && g.Times == 0 || n > 1 {
				head += "  " + draw.Counted(n, "call")
			}
			if g.Times > 0 && n > 1 {
				head += fmt.Sprintf(" each, %d in all", g.Hi-g.Lo)
			}
			if g.Same {
				head += ", the same as above"
			}
			s := fold.Step{Head: head, Right: costs(t.Calls[g.Lo:g.Hi]), Group: true, Closed: g.Closed, Steps: steps(g.Inner)}
			if len(g.Inner) == 0 && !g.Same { // one call, times its number
				if s.Details = t.Calls[g.Lo].details(); page != nil {
					s.Page = page(t.Calls[g.Lo])
				}
			}
			for _, c := range t.Calls[g.Lo:g.Hi] {
				s.Alarm = s.Alarm || c.Error != ""
			}
			out = append(out, s)
		}
		return out
	}
	return steps(fold.Tree(t.foldable()))
}

// shortName is the name of an operator without that of its module.
func shortName(op string) string { return strings.TrimPrefix(op, "nn.functional.") }

// brief is a call in a line of an outline; one of no module with its place, where there are several.
func (c *TracedCall) brief(place bool) string {
	s := draw.Clip(shortName(c.call()), 60)
	if len(c.Outputs) > 0 {
		s = shortName(c.Op) + " → " + draw.Clip(strings.Join(c.Result, ", "), 40)
	}
	switch at := c.Site(); {
	case len(c.Modules) > 0:
	case c.Of != "":
		s += "  of " + c.Of
	case at != "" && place:
		s += "  @ " + at
	}
	return s
}

// details are the call's arguments, keys and steps.
func (c *TracedCall) details() string {
	lines := []string{draw.Clip(c.call(), 200), c.states()}
	for _, s := range c.Steps {
		lines = append(lines, s.Key+"  "+s.says())
	}
	if c.Error != "" {
		lines = append(lines, "✗ "+draw.Clip(c.Error, 200))
	}
	return strings.Join(lines, "\n")
}

// costs is what a call made, and how long it took.
func (c *TracedCall) costs() string { return costs([]*TracedCall{c}) }

// costs is what calls made in bytes, and how long they took.
func costs(calls []*TracedCall) string {
	bytes, nanos, failed := 0, int64(0), false
	for _, c := range calls {
		bytes, nanos, failed = bytes+c.Bytes, nanos+c.Nanos, failed || c.Error != ""
	}
	text := nanosText(nanos)
	if bytes > 0 {
		text = bytesize.Text(bytes) + "  " + text
	}
	if failed {
		text = "✗ " + text
	}
	return text
}

// head sums the trace up.
func (t *Trace) head() string {
	s := fmt.Sprintf("trace: %s, with what they call %d", draw.Counted(len(t.Calls), "call"), t.Count())
	return s + ", " + strings.Replace(costs(t.Calls), "  ", " of results, ", 1)
}

// hint says how all of it is shown.
const hint = "%trace --all EXPRESSION shows each call with its keys"

// outlineText is the outline as a text.
func (t *Trace) outlineText(color bool) string {
	var b strings.Builder
	b.WriteString(draw.Dim(color, t.head()) + "\n" + fold.Text(t.outline(nil), mostWhole, true, color))
	if t.More > 0 {
		b.WriteString("… " + draw.Counted(t.More, "more call") + "\n")
	}
	if t.unsaid() {
		b.WriteString(draw.Paint(color, 5, "✗ "+t.Error) + "\n")
	}
	return b.String() + draw.Dim(color, hint)
}

// outlinePicture draws the outline.
func (t *Trace) outlinePicture() *draw.Canvas {
	c := &draw.Canvas{Wide: fold.Wide}
	y := fold.Picture(c, c.Lines(8, 16, t.head(), draw.Faint)-7, t.outline(nil))
	if t.More > 0 {
		c.Text(8, y+14, "start", "… "+draw.Counted(t.More, "more call"), "")
		y += draw.LineHeight
	}
	if t.unsaid() {
		c.Warn(8, y+14, "✗ "+draw.Clip(t.Error, 200))
	}
	return c
}

// outlineHTML is the outline for a page: a call unfolds to its keys and what it called.
func (t *Trace) outlineHTML() string {
	room := draw.MaxHTML / 3 // for calls; what is beyond it has its details where the pointer rests
	page := fold.Page(t.outline(func(c *TracedCall) string {
		if room <= 0 {
			return ""
		}
		w := new(traceHTML)
		w.body(c, once(c), 3)
		room -= w.b.Len()
		return w.b.String()
	}), draw.MaxHTML*3/4)
	s := `<div style="opacity:0.75">` + draw.KeepUnits(draw.Escape(t.head())) + `</div>` + page
	if t.More > 0 {
		s += "<div>… " + draw.Counted(t.More, "more call") + "</div>"
	}
	if t.unsaid() {
		s += draw.Warning("✗ " + t.Error)
	}
	return draw.WithText(s, t.Text(false))
}
