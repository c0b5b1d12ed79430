package tensor

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor/opdef"
)

// FusedBody is a recorded chain of pointwise operators. It holds no tensors but fake ones.
type FusedBody struct {
	vals  []fusedValue
	steps []fusedStep // what the results need, in order
	outs  []int       // the values that are results, of one shape
	loops int         // how many of the steps are in the loop; the others come first and are of smaller shapes
	fold  fold        // what becomes of the one result
}

// fusedValue is an input or the result of a step.
type fusedValue struct {
	fake  *Tensor // its shape, strides and dtype
	input int     // which of the inputs, -1 for a result
}

// fusedStep is a call of an operator.
type fusedStep struct {
	op      *Op
	args    []value // tensors left out
	tensors []int   // the value in each argument's place, -1 for none
	in      []fusedOperand
	compute Dtype
	out     int
}

// fusedOperand is an input of a step's plan.
type fusedOperand struct {
	val    int // -1 for a number
	number Scalar
}

// fuseTrace records the calls of a function on fake tensors.
type fuseTrace struct {
	body   *FusedBody
	ids    map[*Tensor]int // of fake tensors
	fakes  map[*Tensor]*Tensor
	inputs []*Tensor
	failed bool
}

// unfusable is what the recorder panics with where a function cannot be fused.
type unfusable struct{}

func (t *fuseTrace) stop() {
	t.failed = true
	panic(unfusable{})
}

// traceFused records f on fakes of args; nil where it cannot be fused. inputs are args and what f takes from around
// it.
func traceFused(args []*Tensor, grad bool, end fold,
	f func(fakes []*Tensor) []*Tensor) (b *FusedBody, inputs []*Tensor) {
	most := 0
	for _, x := range args {
		if x == nil || x.st.device != CPU || x.keys&layered != 0 || x.layout != Strided {
			return nil, nil
		}
		most = max(most, x.numel)
	}
	if s := CurrentScope(); most < fuseLeast || s != nil && (s.Substitute != nil || s.Level > 0) {
		return nil, nil
	}
	t := &fuseTrace{body: &FusedBody{fold: end}, ids: map[*Tensor]int{}, fakes: map[*Tensor]*Tensor{}}
	defer func() {
		if recover() != nil { // f itself says what is wrong, when it runs as it is
			b, inputs = nil, nil
		}
	}()
	fakes := make([]*Tensor, len(args))
	for i, x := range args {
		fakes[i] = t.fake(x)
	}
	var outs []*Tensor
	InScope(func(s *Scope) {
		s.fuse, s.Substitute = t, t.fake
		s.Exclude(1<<KeyTrace | 1<<KeyMode)
		if grad {
			s.Allow(1 << KeyAutograd)
		} else {
			s.Exclude(1 << KeyAutograd)
		}
	}, func() { outs = f(fakes) })
	if t.failed || !t.finish(outs) {
		return nil, nil
	}
	return t.body, t.inputs
}

// fake returns the fake tensor that stands for x; a fake stands for itself.
func (t *fuseTrace) fake(x *Tensor) *Tensor {
	if _, ok := t.ids[x]; ok {
		return x
	}
	if y := t.fakes[x]; y != nil {
		return y
	}
	if x.st.device != CPU || x.keys&layered != 0 || x.layout != Strided {
		return x // the recorder meets it, if anything is done with it
	}
	y := FromStorage("fuse", &Storage{bytes: x.st.bytes, device: Meta}, x.shape, x.stride, x.offset, x.dtype)
	t.fakes[x] = y
	t.ids[y] = t.add(fusedValue{y, len(t.inputs)})
	t.inputs = append(t.inputs, x)
	return y
}

func (t *fuseTrace) add(v fusedValue) int {
	t.body.vals = append(t.body.vals, v)
	return len(t.body.vals) - 1
}

// note records a call that has run on the meta device.
func (t *fuseTrace) note(c *Call) {
	p := c.plan
	if p == nil || c.Op.class != opdef.Pointwise || c.Variant == OutVariant || c.Op.table[KeyCPU] == nil ||
		c.Op.Tags.Has(opdef.Random) {
		t.stop()
	}
	dst := p.Out.Tensor
	if c.Variant == InPlace {
		id, ok := t.ids[dst]
		if !ok || t.body.vals[id].input >= 0 || p.Dtype != dst.dtype || c.Op.Tags.Has(opdef.BoolResult) {
			t.stop() // it writes to an argument, or converts its result
		}
	}
	s := fusedStep{op: c.Op, args: slices.Clone(c.args), tensors: make([]int, len(c.args)), compute: p.Dtype}
	for i := range s.args {
		s.tensors[i] = -1
		if v := &s.args[i]; v.kind == tensorValue {
			s.tensors[i] = t.known(v.t)
			v.t = nil
		} else if v.kind == otherValue && c.Op.Params[i].Is("Tensor") {
			t.stop()
		}
	}
	for i := range p.In {
		o := fusedOperand{-1, p.In[i].Number}
		if x := p.In[i].Tensor; x != nil {
			o.val = t.known(x)
		}
		s.in = append(s.in, o)
	}
	s.out = t.add(fusedValue{dst, -1})
	t.ids[dst] = s.out
	t.body.steps = append(t.body.steps, s)
}

func (t *fuseTrace) known(x *Tensor) int {
	id, ok := t.ids[x]
	if !ok {
		t.stop()
	}
	return id
}

// finish keeps the steps that the results need, those of smaller shapes first.
func (t *fuseTrace) finish(outs []*Tensor) bool {
	b := t.body
	var shape []int
	needed := make([]bool, len(b.vals))
	for i, x := range outs {
		id, ok := t.ids[x]
		if !ok || i > 0 && !slices.Equal(x.shape, shape) {
			return false
		}
		shape = x.shape
		needed[id] = true
		b.outs = append(b.outs, id)
	}
	if dt := b.vals[b.outs[0]].fake.dtype; b.fold != foldNone && dt != Float32 && dt != Float64 {
		return false
	}
	var loop, before []fusedStep
	for i := len(b.steps) - 1; i >= 0; i-- {
		s := b.steps[i]
		if !needed[s.out] {
			continue
		}
		for _, o := range s.in {
			if o.val >= 0 {
				needed[o.val] = true
			}
		}
		if slices.Equal(b.vals[s.out].fake.shape, shape) {
			loop = append(loop, s)
		} else {
			before = append(before, s)
		}
	}
	slices.Reverse(loop)
	slices.Reverse(before)
	b.steps, b.loops = append(before, loop...), len(loop)
	return true
}

// gains reports whether to run the body as a loop gains anything.
func (b *FusedBody) gains() bool {
	for _, id := range b.outs {
		if b.vals[id].input >= 0 {
			return false
		}
	}
	n, _ := count(b.Shape())
	return (b.loops > 1 || b.fold != foldNone && b.loops > 0) && n >= fuseLeast && len(b.Shape()) > 0
}

// Replay calls the recorded operators one by one on inputs and returns the results, before they are folded: what the
// function does without fusion.
func (b *FusedBody) Replay(inputs []*Tensor) []*Tensor {
	vals := make([]*Tensor, len(b.vals))
	for i, v := range b.vals {
		if v.input >= 0 {
			vals[i] = inputs[v.input]
		}
	}
	for i := range b.steps {
		b.steps[i].call(vals)
	}
	out := make([]*Tensor, len(b.outs))
	for i, id := range b.outs {
		out[i] = vals[id]
	}
	return out
}

// Shape is the shape of the loop.
func (b *FusedBody) Shape() []int { return b.vals[b.outs[0]].fake.shape }

// Whole reports whether all steps are of the result's shape.
func (b *FusedBody) Whole() bool { return b.loops == len(b.steps) }

// call runs the step as a call of its own.
func (s *fusedStep) call(vals []*Tensor) {
	c := begin(s.op)
	s.fill(c, vals)
	vals[s.out] = c.run1()
}

// fill sets the arguments of a call.
func (s *fusedStep) fill(c *Call, vals []*Tensor) {
	copy(c.args, s.args)
	for i, id := range s.tensors {
		if id >= 0 {
			c.args[i].t = vals[id]
		}
	}
}

// InputName is what the text calls an input: a, b, …
func (b *FusedBody) InputName(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return "in" + itoa(i)
}

var infix = map[string]string{"add": "+", "sub": "-", "mul": "*", "div": "/", "lt": "<", "le": "<=", "gt": ">",
	"ge": ">=", "eq": "==", "ne": "!="}

// Summary says how many operators the body calls.
func (b *FusedBody) Summary() string { return "a loop of " + plural(len(b.steps), "operator") }

// String is the loop as Go. Index i counts the elements of the results; inputs that are broadcast follow it.
func (b *FusedBody) String() string {
	var text strings.Builder
	names := make([]string, len(b.vals))
	for i, v := range b.vals {
		if v.input >= 0 {
			names[i] = b.InputName(v.input)
			if len(v.fake.shape) > 0 {
				names[i] += "[i]"
			}
		}
	}
	temps := 0
	for i := range b.steps {
		s := &b.steps[i]
		inLoop := i >= len(b.steps)-b.loops
		if i == len(b.steps)-b.loops {
			fmt.Fprintf(&text, "for i := range %d {\n", b.vals[s.out].fake.numel)
		}
		expr := s.expression(names)
		assign := " := "
		if at := slices.Index(b.outs, s.out); at >= 0 && b.fold != foldNone {
			names[s.out], assign = "sum", " += "
		} else if at >= 0 {
			names[s.out], assign = "out[i]", " = "
			if len(b.outs) > 1 {
				names[s.out] = fmt.Sprintf("out%d[i]", at)
			}
		} else {
			names[s.out] = fmt.Sprintf("t%d", temps)
			temps++
		}
		if inLoop {
			text.WriteByte('\t')
		}
		text.WriteString(names[s.out] + assign + expr + "\n")
		if !inLoop {
			names[s.out] += "[i]"
		}
	}
	text.WriteString("}")
	if b.fold == foldMean {
		fmt.Fprintf(&text, "\nmean := sum / %d", b.vals[b.outs[0]].fake.numel)
	}
	return text.String()
}

// expression is the call as Go: t0 * b[i], or clamp(a[i], min=0).
func (s *fusedStep) expression(names []string) string {
	var args []string
	plain := true
	for i := range s.args {
		v := &s.args[i]
		text := ""
		switch {
		case s.tensors[i] >= 0:
			text = names[s.tensors[i]]
		case v.kind == unset:
			continue
		default:
			text = fmt.Sprint(v.any())
		}
		if i > 1 {
			text, plain = s.op.Params[i].Name+"="+text, false
		}
		args = append(args, text)
	}
	if sign := infix[s.op.Name]; sign != "" && plain && len(args) == 2 {
		return args[0] + " " + sign + " " + args[1]
	}
	return s.op.Name + "(" + strings.Join(args, ", ") + ")"
}
