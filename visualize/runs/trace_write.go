package runs

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// write makes the trace of what was noted.
func (r *recorder) write() *Trace {
	w := writer{recorder: r, after: draw.LiveNames()}
	t := &Trace{More: r.more, Nanos: r.total.Nanoseconds(), Recording: r.spent.Nanoseconds()}
	for _, s := range r.spans {
		t.Spans = append(t.Spans, Span{Worker: s.worker, Start: s.start.Nanoseconds(), Nanos: s.took.Nanoseconds(),
			Chunks: s.chunks, Call: s.call})
	}
	calls := make([]*TracedCall, r.events.n)
	for i := range calls {
		e := r.events.at(i)
		calls[i] = w.call(e)
		if e.parent < 0 {
			t.Calls = append(t.Calls, calls[i])
		} else {
			p := calls[e.parent]
			p.Inner = append(p.Inner, calls[i])
		}
	}
	w.places(calls)
	for i := len(calls) - 1; i >= 0; i-- { // inner calls come after those around them
		calls[i].likeness()
	}
	r.before = nil
	return t
}

// writer puts what was noted into words.
type writer struct {
	*recorder
	after map[*tensor.Tensor]string
}

func (w *writer) call(e *event) *TracedCall {
	c := &TracedCall{Op: e.op.Name, Cell: draw.Tidy(e.site.Cell), Line: e.site.Line, Start: e.start.Nanoseconds(),
		Nanos:  e.took.Nanoseconds(),
		Kernel: e.kernel.Nanoseconds(), Note: e.note, Error: e.err, Flops: e.flops}
	if e.variant == tensor.InPlace {
		c.Op += "_"
	}
	for _, k := range tensor.Keys() {
		if e.keys.Has(k) {
			c.Keys = append(c.Keys, k.String())
		}
	}
	if e.modes&noGradMode != 0 {
		c.Modes = append(c.Modes, "NoGrad")
	}
	if e.modes&backwardMode != 0 {
		c.Modes = append(c.Modes, "Backward")
	}
	if e.modes&transformMode != 0 {
		c.Modes = append(c.Modes, "transform")
	}
	if len(e.users) > 0 {
		c.Modes = append(c.Modes, "modes "+strings.Join(e.users, " › "))
	}
	c.Args = w.arguments(e)
	args, results := e.args, e.results
	for i, a := range args {
		if a.kind != tensorArg {
			continue
		}
		c.Inputs = append(c.Inputs, w.sized(a))
		if !slices.ContainsFunc(args[:i], func(b arg) bool { return b.kind == tensorArg && b.tensor == a.tensor }) {
			c.Moved += a.once * a.dtype.Size()
		}
	}
	for _, a := range results {
		text := w.tensor(a)
		if a.more > 0 {
			text += fmt.Sprintf(", … %d more", a.more)
		}
		c.Result = append(c.Result, text)
		c.Outputs = append(c.Outputs, w.sized(a))
		n := int(w.sized(a).numel()) * a.dtype.Size()
		c.Moved += n
		if !e.view && e.variant == tensor.Functional {
			c.Bytes += n
		}
	}
	if e.view || e.kernel == 0 {
		c.Moved = 0
	}
	c.Steps = w.steps(e)
	return c
}

func (w *writer) sized(a arg) Sized {
	return Sized{a.dtype.String(), slices.Clone(a.dims)}
}

// tensor is a tensor in few characters: its name if it has one, dtype and shape.
func (w *writer) tensor(a arg) string {
	t := fmt.Sprintf("%s%v", a.dtype, a.dims)
	if x := a.tensor.Value(); x != nil {
		n := w.before[x]
		if n == "" {
			n = w.after[x]
		}
		if n != "" {
			return draw.Clip(n, draw.MaxName) + " " + t
		}
	}
	return t
}

// arguments writes the arguments that were given; options by name.
func (w *writer) arguments(e *event) []string {
	var out []string
	args := e.args
	for i := 0; i < len(args); i++ {
		a := args[i]
		p := &e.op.Params[a.param]
		text := ""
		switch a.kind {
		case tensorArg:
			if !p.IsList("Tensor") {
				out = append(out, w.tensor(a))
				continue
			}
			var list []string
			for ; i < len(args) && args[i].param == a.param; i++ {
				list = append(list, w.tensor(args[i]))
				if args[i].more > 0 {
					list = append(list, fmt.Sprintf("… %d more", args[i].more))
				}
			}
			i--
			out = append(out, "["+strings.Join(list, ", ")+"]")
			continue
		case intsArg:
			text = fmt.Sprint(a.dims)
			if a.more > 0 {
				text = strings.TrimSuffix(text, "]") + fmt.Sprintf(" … %d more]", a.more)
			}
		case noneArg:
			text = "None"
		default:
			text = draw.Clip(draw.OneLine(fmt.Sprint(a.value), 60), 60)
		}
		if p.HasDef || p.KwOnly {
			text = p.Name + "=" + text
		}
		out = append(out, text)
	}
	return out
}

// steps tells what happened at each key, down to the last that ran.
func (w *writer) steps(e *event) []Step {
	var out []Step
	for _, k := range tensor.Keys() {
		if !e.keys.Has(k) {
			continue
		}
		s := Step{Key: k.String(), Kind: e.op.Entry(k)}
		switch {
		case s.Kind == "fallthrough":
		case k == tensor.KeyMode:
			s.What = modesText(e)
		case k == tensor.KeyAutograd && s.Kind == "fallback":
			s.What = autogradText(e)
		case s.Kind == "composite":
			s.What = "a body of other operators"
		case s.Kind == "kernel" && k.IsDevice():
			s.What = w.kernel(e, k)
		}
		if left := e.keys & (1<<k - 1); !k.IsDevice() && k != e.last && s.Kind != "fallthrough" && left != 0 {
			s.Left = left.String()
		}
		out = append(out, s)
		if k == e.last {
			break
		}
	}
	return out
}

// modesText tells which modes of a user saw the call, the innermost first, and whether it went on.
func modesText(e *event) string {
	text := strings.Join(e.users, " › ")
	switch {
	case e.panicked:
		return text
	case e.last == tensor.KeyMode:
		return text + " answers"
	}
	return text + " forwards"
}

// autogradText tells what the node of the result keeps.
func autogradText(e *event) string {
	switch {
	case e.panicked:
		return ""
	case e.node == "":
		return "records nothing"
	case len(e.saved) == 0:
		return "saves nothing → " + e.node
	}
	return "saves " + strings.Join(e.saved, ", ") + " → " + e.node
}

// viewText is what a kernel did that made a view.
const viewText = "a view: only the header is new"

// kernel describes the run of the device's kernel: dtype and loops.
func (w *writer) kernel(e *event, k tensor.Key) string {
	switch {
	case e.panicked:
		return e.op.Name + " ✗"
	case e.view:
		return viewText
	case k == tensor.KeyMeta:
		return "shapes alone"
	}
	text := e.op.Name
	if e.note != "" { // the kernel's own words
		return text + " " + e.note
	}
	if p := e.plan; p.known {
		text += " " + p.dtype.String()
		if p.flat {
			text += ", contiguous"
		} else {
			text += fmt.Sprintf(", strided %v", p.dims)
		}
		if p.number {
			text += " × number"
		}
	} else if len(e.results) > 0 {
		text += " " + e.results[0].dtype.String()
	}
	return text
}
