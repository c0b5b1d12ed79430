package programs

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: guards. A program is what a function did with the tensors that it was captured with. Go code may have looked
// at their sizes, and at values that it read, and have taken another branch for others. So a program keeps what it was
// captured for, and does not run where that does not hold: it is then another function. What cannot be seen is Go code
// that depends on something else, such as a variable or the time.

// ProgramGuard is what has to hold for a program to be what its function does.
type ProgramGuard struct {
	Text string // x is float32[2 3]; item(a) is 3
	Site string `json:",omitempty"` // where a value was read

	step  int // it is checked before this step
	id    int
	index []int // of the element that was read, nil for all
	value string
	sum   uint64
}

// inputForm is what an input must be like.
type inputForm struct {
	shape, stride []int
	dtype         tensor.Dtype
	device        tensor.Device
	same          int // an earlier input that shared its memory, -1 for none
}

func formOf(x *tensor.Tensor, earlier []*tensor.Tensor) inputForm {
	f := inputForm{x.Shape(), x.Stride(), x.Dtype(), x.Device(), -1}
	for i, e := range earlier {
		if tensor.SharesStorage(e, x) {
			f.same = i
			break
		}
	}
	return f
}

// WatchRead notes a value that Go code reads.
func (r *programRecorder) WatchRead(op string, x *tensor.Tensor, index []int) {
	id, known := r.vars[x]
	if r.beneath > 0 || x.Layer() != nil {
		return
	}
	if !known {
		if !r.free || r.live[x] == "" {
			return // a tensor from elsewhere, which does not depend on the inputs
		}
		id = int(r.variable(x))
	}
	g := ProgramGuard{step: len(r.p.replay), id: id, index: slices.Clone(index)}
	aside(func() { g.value, g.sum = digest(x, index) })
	what := fmt.Sprintf("%s(%s)", op, r.names[id])
	if len(index) > 0 {
		what = fmt.Sprintf("%s%v", r.names[id], index)
	}
	g.Text = what + " is " + g.value
	if s := draw.CurrentSite(); !s.IsZero() {
		g.Site = s.String()
	}
	for _, o := range r.p.Reads {
		if o.step == g.step && o.id == g.id && slices.Equal(o.index, g.index) {
			return
		}
	}
	r.p.Reads = append(r.p.Reads, g)
}

// digest is a number that stands for the elements of x, and their text if they are few.
func digest(x *tensor.Tensor, index []int) (text string, sum uint64) {
	if len(index) > 0 {
		for d, i := range index {
			if i < 0 {
				i += x.Size(d)
			}
			x = x.Narrow(d, i, 1)
		}
	}
	h := fnv.New64a()
	if err := binary.Write(h, binary.LittleEndian, tensor.DataOf(x)); err != nil {
		panic(err)
	}
	if text = fmt.Sprintf("what it was (%d elements)", x.Numel()); x.Numel() == 1 {
		text = draw.ShortValue(x.At(make([]int, x.Dim())...))
	}
	return text, h.Sum64()
}

// checkInputs panics where xs are not like what the program was captured with.
func (p *CapturedProgram) checkInputs(xs []*tensor.Tensor) {
	for i, x := range xs {
		name := p.Inputs[i].Name
		refuse := func(format string, args ...any) {
			panic(tensor.Errorf("program", "the guard of input %s does not hold: %s", name,
				fmt.Sprintf(format, args...)).
				WithHint("capture the function with inputs like these"))
		}
		f := p.forms[i]
		switch got := formOf(x, xs[:i]); {
		case x == nil:
			refuse("it is a nil tensor")
		case got.dtype != f.dtype || !slices.Equal(got.shape, f.shape):
			refuse("the program was captured for %s %v, and this is %s %v", f.dtype, f.shape, got.dtype, got.shape)
		case got.device != f.device:
			refuse("the program was captured on %s, and this is on %s", f.device, got.device)
		case p.strided && !sameLayout(f, got):
			refuse("the program reads memory by strides, which were %v and are %v", f.stride, got.stride)
		case f.same >= 0 && xs[f.same] != x && p.inputs[f.same] == p.inputs[i]:
			refuse("it was the same tensor as %s, and is another", p.Inputs[f.same].Name)
		case got.same != f.same && p.writesInputs:
			refuse("the program writes into its inputs, and which of them share memory has changed")
		}
	}
}

func sameLayout(a, b inputForm) bool {
	for d, n := range a.shape {
		if n != 1 && a.stride[d] != b.stride[d] {
			return false
		}
	}
	return true
}

// checkReads panics where a value that was read before step at is another.
func (p *CapturedProgram) checkReads(at int, env map[ref]*tensor.Tensor) {
	for _, g := range p.Reads {
		if g.step != at {
			continue
		}
		x := env[ref(g.id)]
		if value, sum := digest(x, g.index); sum != g.sum {
			where := ""
			if g.Site != "" {
				where = " (read at " + g.Site + ")"
			}
			if value == g.value {
				value = "something else"
			}
			panic(tensor.Errorf("program", "the guard %s%s does not hold: with these inputs it is %s, and the function may do "+
				"something else then", g.Text, where, value).WithHint("capture the function with inputs like these"))
		}
	}
}

// checkResults panics where a step gives tensors of other shapes than it did, as those do whose shape depends on
// values.
func (p *CapturedProgram) checkResults(at int, out []any) {
	for i, v := range p.Steps[at].Results {
		y, ok := out[i].(*tensor.Tensor)
		if !ok || v.Type == "" {
			continue
		}
		if got := draw.DtypeShape(y); got != v.Type {
			panic(tensor.Errorf("program",
				"the guard of %s, the result of %s, does not hold: it was %s and is %s with these inputs",
				v.Name, p.Steps[at].Op, v.Type, got).WithHint("capture the function with inputs like these"))
		}
	}
}

// Guards lists what has to hold for Run: the form of each input, and the values that Go code read.
func (p *CapturedProgram) Guards() []ProgramGuard {
	var out []ProgramGuard
	for _, v := range p.Inputs {
		out = append(out, ProgramGuard{Text: v.Name + " is " + v.Type})
	}
	return append(out, p.Reads...)
}

// guardLines are the guards that a picture shows: values that were read.
func (p *CapturedProgram) guardLines() (lines []string) {
	for i, g := range p.Reads {
		if i == 6 {
			lines = append(lines, fmt.Sprintf("… %d more", len(p.Reads)-i))
			break
		}
		line := "holds while " + draw.Clip(g.Text, 70)
		if g.Site != "" {
			line += "   " + g.Site
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}
