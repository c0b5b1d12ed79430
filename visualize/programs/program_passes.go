package programs

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: passes. A pass is a function from a program to a program that gives the same results: the one that it receives
// stays as it is. Guards stay with the values that they speak of, so that a program that was simplified rejects the
// same inputs.

// rewriter builds a program from the steps of another.
type rewriter struct {
	from, to *CapturedProgram
	names    []string
	as       map[ref]ref // the replacement of a variable of from
}

func rewrite(p *CapturedProgram) *rewriter {
	if p.replay == nil && len(p.Steps) > 0 || p.More > 0 {
		panic(tensor.Errorf("program", "a program that was read from JSON, or is not whole, cannot be rewritten"))
	}
	q := *p
	q.Steps, q.replay, q.Reads, q.gives, q.Outputs = nil, []replayStep{}, nil, nil, nil
	return &rewriter{p, &q, slices.Clone(p.names), map[ref]ref{}}
}

func (w *rewriter) now(r ref) ref {
	for {
		to, ok := w.as[r]
		if !ok {
			return r
		}
		r = to
	}
}

// renamed puts what stands for them in the places of variables.
func (w *rewriter) renamed(v any) any {
	switch v := v.(type) {
	case ref:
		return w.now(v)
	case []ref:
		out := make([]ref, len(v))
		for i, r := range v {
			out[i] = w.now(r)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = w.renamed(e)
		}
		return out
	}
	return v
}

// refs calls f with each variable in an argument.
func refs(v any, f func(ref)) {
	switch v := v.(type) {
	case ref:
		f(v)
	case []ref:
		for _, r := range v {
			f(r)
		}
	case []any:
		for _, e := range v {
			refs(e, f)
		}
	}
}

// keep copies step i.
func (w *rewriter) keep(i int) {
	s, r := w.from.Steps[i], w.from.replay[i]
	kwargs := map[string]any{}
	for k, v := range r.kwargs {
		kwargs[k] = w.renamed(v)
	}
	s.Uses, s.Args = nil, slices.Clone(s.Args)
	w.to.Steps = append(w.to.Steps, s)
	w.to.replay = append(w.to.replay, replayStep{r.op, kwargs, r.results, r.flops, r.costly, r.after})
	w.describe(len(w.to.Steps) - 1)
}

// describe writes the arguments of a step again.
func (w *rewriter) describe(i int) {
	s, r := &w.to.Steps[i], w.to.replay[i]
	o := operatorOf(r.op)
	s.Args, s.Uses = nil, nil
	if o == nil {
		return
	}
	write := func(name string, v any, plain bool) {
		text := w.text(v)
		refs(v, func(x ref) { s.Uses = append(s.Uses, w.names[x]) })
		if !plain {
			text = name + "=" + text
		}
		s.Args = append(s.Args, text)
	}
	for k := range o.Params {
		if v, ok := r.kwargs[o.Params[k].Name]; ok {
			write(o.Params[k].Name, v, !(k > 0 && o.Params[k].HasDef || o.Params[k].KwOnly))
		}
	}
	if v, ok := r.kwargs["out"]; ok {
		write("out", v, false)
	}
}

func (w *rewriter) text(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case ref:
		return w.names[v]
	case []ref:
		var out []string
		for _, r := range v {
			out = append(out, w.names[r])
		}
		return "[" + strings.Join(out, " ") + "]"
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, w.text(e))
		}
		return "[" + strings.Join(out, " ") + "]"
	}
	return fmt.Sprint(v)
}

// guardsBefore moves the guards that stand before step i of the old program to the end of the new one.
func (w *rewriter) guardsBefore(i int) {
	for _, g := range w.from.Reads {
		if g.step == i {
			g.step, g.id = len(w.to.replay), int(w.now(ref(g.id)))
			w.to.Reads = append(w.to.Reads, g)
		}
	}
}

// finish gives the outputs, and the program.
func (w *rewriter) finish() *CapturedProgram {
	w.guardsBefore(len(w.from.replay))
	w.to.names = w.names
	for _, id := range w.from.gives {
		r := w.now(ref(id))
		w.to.gives, w.to.Outputs = append(w.to.gives, int(r)), append(w.to.Outputs, w.names[r])
	}
	w.to.markDead()
	return w.to
}

// operatorOf is the operator of a step; an in-place form is that of its name without underscore.
func operatorOf(op string) *tensor.Op {
	if o := tensor.Lookup(op); o != nil {
		return o
	}
	return tensor.Lookup(strings.TrimSuffix(op, "_"))
}

// effects reports whether a step does more than give results: it writes, draws random numbers, or gives a shape that
// Go code may have seen and that values decide.
func effects(s *ProgramStep) bool {
	o := operatorOf(s.Op)
	return s.Writes || s.Sized || o == nil || o.Tags.Has(opdef.Random)
}

// dropHidden leaves out dead steps that nobody called.
func (p *CapturedProgram) dropHidden() {
	at := make([]int, len(p.Steps)+1) // where a step comes to stand
	n := 0
	for i := range p.Steps {
		at[i] = n
		if p.Steps[i].hidden && p.Steps[i].Dead {
			continue
		}
		p.Steps[n], p.replay[n] = p.Steps[i], p.replay[i]
		n++
	}
	at[len(p.Steps)] = n
	p.Steps, p.replay = p.Steps[:n], p.replay[:n]
	for i := range p.Reads {
		p.Reads[i].step = at[p.Reads[i].step]
	}
}

// DeadCode leaves out the steps whose results nothing needs: neither an output, nor a guard, nor a write. Steps that
// draw random numbers stay, so that later ones draw the same.
func DeadCode(p *CapturedProgram) *CapturedProgram {
	w := rewrite(p)
	need := map[ref]bool{}
	for _, id := range p.gives {
		need[ref(id)] = true
	}
	for _, g := range p.Reads {
		need[ref(g.id)] = true
	}
	alive := make([]bool, len(p.replay))
	for i := len(p.replay) - 1; i >= 0; i-- {
		alive[i] = effects(&p.Steps[i])
		for _, id := range p.replay[i].results {
			alive[i] = alive[i] || need[ref(id)]
		}
		if alive[i] {
			for _, v := range p.replay[i].kwargs {
				refs(v, func(r ref) { need[r] = true })
			}
		}
	}
	for i := range p.replay {
		w.guardsBefore(i)
		if alive[i] {
			w.keep(i)
		}
	}
	return w.finish()
}

// CommonSubexpressions computes once what several steps compute from the same arguments. Steps that write or draw
// random numbers stay, and those that lie before a write are not used after it: see [Functionalize].
func CommonSubexpressions(p *CapturedProgram) *CapturedProgram {
	w := rewrite(p)
	seen := map[string][]int{}
	for i := range p.replay {
		w.guardsBefore(i)
		s := &p.Steps[i]
		if s.Writes {
			clear(seen)
		}
		if effects(s) {
			w.keep(i)
			continue
		}
		key := s.Op
		o := operatorOf(s.Op)
		for k := range o.Params {
			if v, ok := p.replay[i].kwargs[o.Params[k].Name]; ok {
				key += fmt.Sprintf("|%s=%T%v", o.Params[k].Name, v, w.renamed(v))
			}
		}
		if first, ok := seen[key]; ok {
			for k, id := range p.replay[i].results {
				w.as[ref(id)] = ref(first[k])
			}
			continue
		}
		seen[key] = p.replay[i].results
		w.keep(i)
	}
	return w.finish()
}
