package operators

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/internal/sources"
	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
)

// OperatorChain shows what a call consists of, from what was typed to the derivative, each with its place in the
// source and with what this call had there.
type OperatorChain struct {
	Op     string      `json:"operator"`
	Call   string      `json:"call"`
	Site   string      `json:"site,omitempty"`
	Before int         `json:"before,omitempty"` // calls that the function made before
	Links  []ChainLink `json:"links"`
	Error  string      `json:"error,omitempty"`
}

// ChainLink is a link of the chain.
type ChainLink struct {
	Name string   `json:"name"` // typed, schema, binding, dispatcher, shape rule, kernel, loop, derivative, …
	At   string   `json:"at,omitempty"`
	Code []string `json:"code,omitempty"`
	Here []string `json:"here,omitempty"` // what it was for this call
	Idle bool     `json:"idle,omitempty"` // the call had no use for it
}

// mostCode is how many lines of code a link shows.
const mostCode = 8

// Chain runs f and shows its last call as a chain: what was typed, the schema with the arguments in their places, the
// generated function that it goes through, the entry of the dispatcher, the shape rule with the result that it made,
// the kernel and the loop that ran, and the derivative; each with file and line. A panic of f goes on; where f calls
// no operator it panics with an *Error.
//
//	visualize.Chain(func() { a.Add(b) })
func Chain(f func()) *OperatorChain {
	v, panicked := RecordChain(f)
	if panicked != nil {
		panic(panicked)
	}
	return v
}

// RecordChain runs f like [Chain] and returns the view also when f panics, with the panic's value, with which the
// caller should panic again. The view is nil where there is no call to show.
func RecordChain(f func()) (v *OperatorChain, panicked any) {
	t, panicked := recordLast(f)
	if t == nil {
		if panicked == nil {
			panicked = noCall("chain")
		}
		return nil, panicked
	}
	return chainOf(t), panicked
}

func chainOf(t *taken) *OperatorChain {
	v := &OperatorChain{Op: t.name(), Call: draw.Clip(t.text(), 150), Site: t.site.String(), Before: t.before,
		Error: t.err}
	if line := strings.TrimSpace(draw.Tidy(display.CurrentHost().SourceLine(t.site.Cell, t.site.Line))); line != "" {
		v.Links = append(v.Links, ChainLink{Name: "typed", At: v.Site, Code: []string{line}})
	}
	source := sourceOf(t.op)
	v.Links = append(v.Links, t.schema(&source))
	if b := t.binding; b.File != "" {
		l := ChainLink{Name: "binding", At: at(b.File, b.Line), Code: codeLines(b.Text)}
		if strings.HasSuffix(b.File, "_gen.go") {
			l.Here = []string{b.Name + " is generated from the schema; it puts the arguments into the slots of a call"}
		}
		v.Links = append(v.Links, l)
	}
	v.Links = append(v.Links, t.dispatched())
	for _, p := range source.Parts {
		if l, ok := t.part(&p); ok {
			v.Links = append(v.Links, l)
		}
	}
	v.addKernel(t, &source)
	v.Links = append(v.Links, t.derivative(&source)...)
	return v
}

// schema is the row of the table, with the arguments in their places.
func (t *taken) schema(s *OpSource) ChainLink {
	l := ChainLink{Name: "schema", Code: []string{t.op.Schema}}
	for i := range s.Parts {
		if p := &s.Parts[i]; p.Part == "row" || p.Part == "definition" {
			l.At = p.At
			break
		}
	}
	for _, a := range t.args {
		text := a.Name + " = " + a.Value
		if a.Default {
			text += ", the default"
		}
		l.Here = append(l.Here, text)
	}
	if t.variant == tensor.InPlace {
		l.Here = append(l.Here, "in place: the result is written into the first argument")
	} else if t.variant == tensor.OutVariant {
		l.Here = append(l.Here, "out=: the result is written into a tensor that is given")
	}
	return l
}

// dispatched is the way through the dispatcher.
func (t *taken) dispatched() ChainLink {
	l := ChainLink{Name: "dispatcher", Here: []string{"keys " + t.keys.String()}}
	if p, ok := sources.Function("tensor", "Next"); ok {
		l.At = at(p.File, p.Line)
	}
	for _, k := range tensor.Keys() {
		if b, shown := t.keyBranch(k); shown && b.State != "" {
			l.Here = append(l.Here, b.Key+": "+b.What)
		}
	}
	return l
}

// part is the shape rule, dtype rule or body, with what came of it.
func (t *taken) part(p *SourcePart) (ChainLink, bool) {
	l := ChainLink{Name: p.Part, At: p.At, Code: codeLines(p.Text)}
	sparse := t.keys.Has(tensor.KeySparse)
	switch p.Part {
	case "shape rule", "view":
		l.Idle = sparse
		if len(t.results) > 0 && !sparse {
			l.Here = []string{"the result is " + strings.Join(t.results, ", ")}
		}
	case "dtype rule":
		if sparse {
			l.Idle = true
			break
		}
		var given []string
		for _, d := range t.given {
			given = append(given, d.String())
		}
		if t.err == "" && len(given) > 0 && t.dtype != tensor.NoDtype {
			l.Here = []string{draw.And(given, 4) + ": computed in " + t.dtype.String()}
		}
	case "body", sparseBody:
		if (p.Part == sparseBody) != (sparse && t.op.HasSparse()) {
			return l, false
		}
		var calls []string
		for _, in := range t.inner {
			calls = append(calls, in.Call)
		}
		if len(calls) > 0 {
			l.Here = []string{"calls " + draw.And(calls, 6)}
		}
	default:
		return l, false
	}
	return l, true
}

// addKernel adds the kernel that ran and its loop. Of several rows for the CPU it is the one by which the loop came
// in, where the loop tells.
func (v *OperatorChain) addKernel(t *taken, s *OpSource) {
	if t.op.IsDefined() {
		l := ChainLink{Name: "kernel", At: t.op.Site.String()}
		l.Here = []string{"ran: " + kernelName(t.op.Name, t.note, t.dtype)}
		if t.op.IsComposite() {
			l.Name, l.Here = "body", []string{fmt.Sprintf("makes %s", draw.Counted(len(t.inner)+t.more, "call"))}
		}
		if t.err != "" {
			l.Here = nil
		}
		v.Links = append(v.Links, l)
		return
	}
	if t.op.IsComposite() || t.op.Tags.Class() == viewClass {
		return
	}
	var kernels []SourcePart
	for _, p := range s.Parts {
		if p.Part == "kernel for CPU" {
			kernels = append(kernels, p)
		}
	}
	if t.loop.File != "" && len(kernels) > 1 {
		ran := func(p SourcePart) bool { return p.holds(t.loop) || p.simd && path.Dir(t.loop.File) == "internal/simd" }
		if i := slices.IndexFunc(kernels, ran); i >= 0 {
			kernels = kernels[i : i+1]
		}
	}
	own := t.device.Key() == tensor.KeyPrivate && kindOn(t.op, t.device) == "kernel"
	idle := own || !t.last.IsDevice() || t.last == tensor.KeyMeta || t.keys.Has(tensor.KeySparse)
	if idle || t.err != "" {
		kernels = kernels[:min(1, len(kernels))]
	}
	ran := t.kernel()
	if ran == "" {
		ran = kernelName(t.op.Name, "", t.dtype)
	}
	ran = (&DispatchBranches{Later: t.device.AnswersLater()}).label() + ran
	for i, p := range kernels {
		l := ChainLink{Name: p.Part, At: p.At, Code: codeLines(p.Text), Idle: idle}
		if i == 0 && !idle && t.err == "" {
			l.Here = append(l.Here, ran)
			if len(kernels) > 1 {
				l.Here = append(l.Here, fmt.Sprintf("one of %d rows, each for other dtypes", len(kernels)))
			}
			if t.last == tensor.KeyPrivate {
				l.Here = append(l.Here, "on "+t.device.String()+", which runs the CPU's kernels")
			}
		}
		v.Links = append(v.Links, l)
	}
	if own && t.err == "" {
		here := []string{ran, "registered for " + t.device.String() + " alone"}
		v.Links = append(v.Links, ChainLink{Name: "kernel", Here: here})
	}
	if t.loop.File != "" && !idle {
		here := "the function " + t.loop.Name
		if strings.HasSuffix(t.loop.File, "_gen.go") {
			here += ", in assembly"
		}
		v.Links = append(v.Links, ChainLink{Name: "loop", At: at(t.loop.File, t.loop.Line), Code: codeLines(t.loop.Text),
			Here: []string{here}})
	}
}

// holds reports whether a place lies in the code of a part, or of the functions that it names.
func (p *SourcePart) holds(place sources.Place) bool {
	in := func(where, text string) bool {
		file, line, _ := strings.Cut(where, ":")
		first := 0
		for _, r := range line {
			first = 10*first + int(r-'0')
		}
		return file == place.File && place.Line >= first && place.Line <= first+strings.Count(text, "\n")
	}
	return in(p.At, p.Text) || slices.ContainsFunc(p.Uses, func(u SourcePart) bool { return in(u.At, u.Text) })
}

// derivative is the formula, and whether this call recorded it.
func (t *taken) derivative(s *OpSource) []ChainLink {
	i := slices.IndexFunc(s.Parts, func(p SourcePart) bool { return p.Part == "derivative" })
	if i < 0 {
		if t.op.IsDefined() && autograd.HasFormula(t.op) {
			return []ChainLink{{Name: "derivative", At: t.op.Site.String(), Here: []string{t.recorded()}, Idle: t.node == ""}}
		}
		return nil
	}
	p := &s.Parts[i]
	l := ChainLink{Name: p.Part, At: p.At, Code: codeLines(p.Text), Here: []string{t.recorded()}, Idle: t.node == ""}
	if p.At == "" { // of a composite: a sentence
		l.Code, l.Here, l.Idle = nil, []string{p.Text}, false
	}
	return []ChainLink{l}
}

func (t *taken) recorded() string {
	switch {
	case t.node != "" && len(t.saved) > 0:
		return "recorded as " + t.node + ", which saves " + strings.Join(t.saved, ", ")
	case t.node != "":
		return "recorded as " + t.node + ", which saves nothing"
	case t.keys.Has(tensor.KeyAutograd):
		return "nothing was recorded"
	}
	return "not asked for: no argument requires grad"
}

// codeLines are the lines of a code, without those of comments before it, and not too many.
func codeLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for len(lines) > 1 && strings.HasPrefix(lines[0], "//") {
		lines = lines[1:]
	}
	if len(lines) > mostCode {
		lines = append(lines[:mostCode-1:mostCode-1], "… "+draw.Counted(len(lines)-mostCode+1, "more line"))
	}
	return lines
}
