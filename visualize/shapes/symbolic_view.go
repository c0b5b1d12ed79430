package shapes

import (
	"fmt"
	"strings"

	"gotorch/internal/sizes"
	"gotorch/visualize/draw"
)

// view makes the view of what was found; r is the run that stands for all.
func (p *symbolicProgram) view(f *sizes.Found, r *symbolicRun) *SymbolicView {
	v := &SymbolicView{Runs: f.Runs, Within: f.Agree, Beyond: f.Beyond, Fresh: f.Fresh, Most: p.most(f),
		Exact: f.Exact(), found: f, names: p.names}
	for _, in := range p.ins {
		t := SymbolicTensor{Name: in.name, Dtype: in.dtype.String()}
		if in.number {
			t.Dtype = wholeNumber
		}
		for _, e := range in.dims {
			t.Shape = append(t.Shape, e.String())
		}
		v.Inputs = append(v.Inputs, t)
	}
	for k := range f.In {
		if k >= len(r.calls) || f.Varies >= 0 && (k > f.Varies || k == f.Varies && !f.Many) {
			break
		}
		c, step := &r.calls[k], &f.Main.Steps[k]
		l := SymbolicLine{Place: c.place, Name: c.name, Op: c.op, Note: c.note}
		l.Call, l.Results = p.call(r.calls, c, f.In[k]), tensorsOf(c.results, f.Out[k])
		switch {
		case k == f.Varies:
			l.Results, l.Note = nil, "as many as sizes say"
		case step.Data:
			l.Failed = true
			v.Error, v.At = fmt.Sprintf("the shape of what %s gives depends on data", c.op), c.place
		case step.Error != "":
			l.Failed = true
			v.Error, v.At = step.Error, c.place
		}
		v.unknown(p, l.label(k+1), f.Out[k])
		v.Lines = append(v.Lines, l)
	}
	if f.Fails && v.Error != "" {
		at := sizes.Values(p.names, f.At)
		v.Error = fmt.Sprintf("it fails at every size that was tried; with %s: %s", at, v.Error)
	}
	v.fold()
	for _, g := range f.Guards {
		v.Guards = append(v.Guards, p.guard(g, r))
	}
	if v.Error == "" && !f.NoResult {
		v.Result = resultOf(f)
		if len(v.Notes) == 0 {
			v.unknown(p, "the result", f.Result)
		}
	}
	v.remarks(p, f, r)
	return v
}

// remarks are what could not be found out.
func (v *SymbolicView) remarks(p *symbolicProgram, f *sizes.Found, r *symbolicRun) {
	if f.Varies >= 0 {
		var parts []string
		for _, s := range f.Lengths {
			parts = append(parts, draw.Counted(s.Size, "call")+" with "+sizes.Values(p.names, s.Values))
		}
		c := r.calls[min(f.Varies, len(r.calls)-1)]
		text := fmt.Sprintf("From %s on, how many calls and results there are depends on sizes",
			strings.TrimSpace(c.op+" "+c.place))
		if different(f.Lengths) {
			text += ": " + strings.Join(parts, "; ")
		}
		v.Notes = append(v.Notes, text+".")
	}
	if f.Unsteady {
		v.Notes = append(v.Notes, "Two runs with the same sizes differ: it depends on more than sizes, "+
			"and what stands here is not to be relied on.")
	}
	if f.Unsettled && !f.Ended {
		v.Notes = append(v.Notes, "The last sizes that were tried still changed what stands here.")
	}
	v.zeros(p, f)
	if f.Ended {
		v.Notes = append(v.Notes, "Not all sizes that were meant to be tried were: it took too long.")
	}
}

func different(all []sizes.Seen) bool {
	for _, s := range all {
		if s.Size != all[0].Size {
			return true
		}
	}
	return false
}

// zeros says what happens where a size is 0, if that is something else.
func (v *SymbolicView) zeros(p *symbolicProgram, f *sizes.Found) {
	if len(f.ZeroOdd) == 0 {
		return
	}
	t := f.ZeroOdd[0]
	what := "the shapes are others"
	switch {
	case t.Failed():
		what = "it fails: " + t.Steps[len(t.Steps)-1].Error
	case len(f.Guards) > 0:
		what = "it goes through, and the guards or shapes are others"
	}
	v.Notes = append(v.Notes, fmt.Sprintf("Sizes of 0 go by other rules: with %s %s (%d of %d that were tried).",
		sizes.Values(p.names, f.ZeroAt[0]), what, len(f.ZeroOdd), f.Zeros))
}

// unknown remarks sizes for which no expression was found.
func (v *SymbolicView) unknown(p *symbolicProgram, what string, all []sizes.Size) {
	for d, s := range all {
		if s.Known || len(s.Seen) == 0 || len(v.Notes) == 4 {
			continue
		}
		var parts []string
		for _, n := range s.Seen {
			parts = append(parts, fmt.Sprintf("%d with %s", n.Size, sizes.Values(p.names, n.Values)))
		}
		v.Notes = append(v.Notes, fmt.Sprintf("No expression was found for ? in %s, size %d: it is %s.", what, d,
			strings.Join(parts, "; ")))
	}
}

// most is how large each letter was.
func (p *symbolicProgram) most(f *sizes.Found) string {
	var parts []string
	for i, n := range p.names {
		parts = append(parts, fmt.Sprintf("%s ≤ %d", n, f.Most[i]))
	}
	return strings.Join(parts, ", ")
}

// call is the call: matmul(x [B, K], w [4, 3]).
func (p *symbolicProgram) call(calls []symbolicCall, c *symbolicCall, in []sizes.Size) string {
	var parts []string
	for _, a := range c.args {
		numbers := in[a.from:a.to]
		if a.tensor {
			label := a.label
			if a.line > 0 && label == "" {
				label = calls[a.line-1].label(a.line)
			}
			parts = append(parts, strings.TrimSpace(label+" "+bracketed(texts(numbers))))
			continue
		}
		text := a.text[0]
		for i, n := range numbers {
			s := n.String()
			if c, ok := n.Expr.Constant(); ok && p.words[c] != "" {
				s = p.words[c]
			}
			if !n.Known {
				s = "…"
			}
			text += s + a.text[i+1]
		}
		if strings.HasPrefix(text, "[") && !strings.Contains(text, ",") && len(numbers) > 1 { // a Go list
			text = listed(a.text, numbers)
		}
		parts = append(parts, text)
	}
	return strings.TrimPrefix(c.op, "nn.functional.") + "(" + strings.Join(parts, ", ") + ")"
}

// listed puts commas between the numbers of a Go list, whose expressions may have blanks.
func listed(pieces []string, numbers []sizes.Size) string {
	text := pieces[0]
	for i, n := range numbers {
		text += n.String()
		if next := pieces[i+1]; next == " " {
			text += ", "
		} else {
			text += next
		}
	}
	return text
}

func texts(all []sizes.Size) (out []string) {
	for _, s := range all {
		out = append(out, s.String())
	}
	return out
}

// bracketed is [B, 3]; beyond eight sizes the rest is counted.
func bracketed(shape []string) string {
	if len(shape) > 8 {
		return "[" + strings.Join(shape[:8], ", ") + fmt.Sprintf(", … %d more]", len(shape)-8)
	}
	return "[" + strings.Join(shape, ", ") + "]"
}

func tensorsOf(args []symbolicArg, out []sizes.Size) (all []SymbolicTensor) {
	for _, a := range args {
		if a.to <= len(out) {
			all = append(all, SymbolicTensor{Dtype: a.dtype, Shape: texts(out[a.from:a.to])})
		}
	}
	return all
}

// resultOf is what the program gives, from its key: float322 int.
func resultOf(f *sizes.Found) (all []SymbolicTensor) {
	from := 0
	for _, word := range strings.Fields(strings.TrimPrefix(f.Main.OutKey, "=")) {
		dtype, rank, isTensor := strings.Cut(word, ":")
		n := 1
		if isTensor {
			fmt.Sscan(rank, &n)
		}
		all = append(all, SymbolicTensor{Dtype: dtype, Shape: texts(f.Result[from : from+n])})
		from += n
	}
	return all
}

// guard words a guard.
func (p *symbolicProgram) guard(g sizes.Guard, r *symbolicRun) SymbolicGuard {
	out := SymbolicGuard{Op: "the result"}
	if g.Step < len(r.calls) {
		c := &r.calls[g.Step]
		out.Line, out.Place, out.Op = g.Step+1, c.place, c.op
	}
	for _, c := range g.Conds {
		text := c.String()
		if only := c.Only(); only != "" {
			text += " (" + only + ")"
		}
		out.Conds = append(out.Conds, text)
	}
	with := "with " + sizes.Values(p.names, g.When)
	switch {
	case g.Error != "":
		out.Else = with + " it fails: " + draw.Clip(g.Error, 160)
		if g.Other {
			out.Else += "; other sizes give other shapes"
		}
	case g.Other:
		out.Else = with + " the shapes or the calls are others"
	default:
		out.Else = with + " a call fails that is made only then"
	}
	for i, w := range g.Left {
		if i == 4 {
			out.Left = append(out.Left, fmt.Sprintf("… %d more", len(g.Left)-i))
			break
		}
		out.Left = append(out.Left, sizes.Values(p.names, w))
	}
	return out
}
