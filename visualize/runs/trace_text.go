package runs

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// maxTraceLines is how many lines the text of a trace has.
const maxTraceLines = 600

// Text draws the tree of calls. Calls that are alike and follow each other are written once, with their number.
//
// A trace of more than a screen is an outline by module and function, unless All is set.
func (t *Trace) Text(color bool) string {
	if t.outlined() {
		return t.outlineText(color)
	}
	w := traceText{color: color, most: maxTraceLines}
	w.calls(t.Calls, "")
	if left := w.left + t.More; left > 0 {
		w.line("… " + draw.Counted(left, "more call"))
	}
	if t.unsaid() {
		w.line(draw.Paint(color, 5, "✗ "+t.Error))
	}
	if len(w.lines) == 0 {
		return "no operator was called"
	}
	return strings.Join(w.lines, "\n")
}

// String is the text without colour.
func (t *Trace) String() string { return t.Text(false) }

type traceText struct {
	color bool
	lines []string
	most  int
	left  int // calls that did not fit
}

func (w *traceText) line(s string) { w.lines = append(w.lines, s) }

func (w *traceText) calls(calls []*TracedCall, indent string) {
	for _, f := range folded(calls) {
		switch {
		case len(w.lines) >= w.most || draw.Width(indent) > 60:
			w.left += f.count()
		case len(f.calls) == 1:
			w.call(f.calls[0], f, indent)
		default:
			w.line(indent + "┌ " + draw.Bold(w.color, f.says()))
			for _, c := range f.calls {
				w.call(c, once(c), indent+"│ ")
			}
			w.line(indent + "└ × " + fmt.Sprint(f.times))
		}
	}
}

func (w *traceText) call(c *TracedCall, f rounds, indent string) {
	head := draw.Bold(w.color, draw.Clip(c.call(), 100))
	if f.times > 1 {
		head += fmt.Sprintf("   × %d", f.times)
	}
	if c.Site() != "" {
		head += "   " + c.Site()
	}
	w.line(indent + head + draw.Dim(w.color, "   "+c.states()))
	lines := c.lines(w.color, f)
	for i, l := range lines {
		branch, below := "├─ ", "│  "
		if i == len(lines)-1 {
			branch, below = "└─ ", "   "
		}
		w.line(indent + branch + l.text)
		if l.inner {
			w.calls(c.Inner, indent+below)
		}
	}
}

// call is the call as one would type it.
func (c *TracedCall) call() string { return c.Op + "(" + strings.Join(c.Args, ", ") + ")" }

type traceLine struct {
	text  string
	inner bool // the inner calls belong beneath
}

// lines are one for each key, the last with what came of it.
func (c *TracedCall) lines(color bool, f rounds) []traceLine {
	keyWidth := 0
	for _, s := range c.Steps {
		keyWidth = max(keyWidth, draw.Width(s.Key))
	}
	var out []traceLine
	for i, s := range c.Steps {
		text := draw.Paint(color, keyHue(s.Key), draw.PadRight(s.Key, keyWidth)) + "  "
		if s.What == "" && s.Left == "" {
			text += draw.Dim(color, s.says())
		} else {
			text += s.says()
		}
		last := i == len(c.Steps)-1
		if last {
			text += "   " + c.outcome(f)
		}
		out = append(out, traceLine{text, last && len(c.Inner) > 0})
	}
	if c.failure() != "" {
		out = append(out, traceLine{draw.Paint(color, 5, "✗ "+c.Error), len(out) == 0 && len(c.Inner) > 0})
	}
	return out
}

// outcome is what came of a call, or of a call that is repeated: bytes, time, results.
func (c *TracedCall) outcome(f rounds) string {
	var parts []string
	if c.Bytes > 0 {
		parts = append(parts, bytesize.Text(c.Bytes))
	}
	if n := f.nanos(); f.times > 1 {
		parts = append(parts, nanosText(n/int64(f.times))+" each, "+nanosText(n)+" in all")
	} else {
		parts = append(parts, nanosText(n))
	}
	if len(c.Result) > 0 {
		parts = append(parts, "→ "+draw.Clip(strings.Join(c.Result, ", "), 60))
	}
	return strings.Join(parts, "   ")
}

// keyHue is the hue of a key; the key is always written beside it.
func keyHue(key string) int {
	for i, k := range []string{"CPU", "Autograd", "Meta", "Batched", "Profile", "Private"} {
		if k == key {
			return i
		}
	}
	return 6
}
