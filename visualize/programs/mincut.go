package programs

import (
	"cmp"
	"slices"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
)

// Note: the minimum cut. The calls of a function and of its backward pass are one program, the joint program. What
// depends on the gradients that come in is computed in the backward pass; everything else could be computed in the
// forward pass and saved, or be computed once more in the backward pass. Each value is a pipe as wide as its bytes,
// from the inputs to the calls of the backward pass that read it; the narrowest cut through all pipes is what to save.
// Calls that take many operations for each element of their result, as products and convolutions do, are never
// computed twice, nor is what draws random numbers.

// CutProgram is the joint forward and backward program of a function, parted by the minimum cut. [CutProgram.Run] runs
// the function so.
type CutProgram struct {
	Name   string
	Steps  []CutStep // the forward pass, then the backward pass with what it computes once more
	Saved  []CutValue
	Before CutCost // as autograd runs it: the backward pass keeps all that it reads
	After  CutCost

	joint    *CapturedProgram
	given    int // the first inputs of the joint program are those of the function
	outputs  int // the first outputs of the joint program are those of the function
	tangents map[int]int
	captured []*tensor.Tensor // tensors that require grad and that the function uses: inputs behind the given ones
	consts   map[ref]*tensor.Tensor
	inputs   []ref
	grads    []int // by input: the output that is its gradient, -1 for none
	side     []side
	saved    []ref
	function *autograd.CustomFunction
}

// CutStep is a call of the joint program.
type CutStep struct {
	Text  string
	Makes []string // the names of its results
	Uses  []string
	Pass  string  // forward, again (in the backward pass, once more) or backward
	Flops float64 `json:",omitempty"`
	Site  string  `json:",omitempty"`
}

// CutValue is a value that is kept for the backward pass.
type CutValue struct {
	Name, Type string
	Bytes      int
	Input      bool `json:",omitempty"`
}

// CutCost is what the two passes take.
type CutCost struct {
	Bytes   int // kept from the forward pass to the backward pass, inputs among them
	Tensors int
	Flops   float64 // of both passes
}

// side is the passes that a step belongs to.
type side uint8

const (
	inForward side = 1 << iota
	inBackward
	again // in the backward pass, computed a second time
)

// cheap is how many operations for each element of its result are too many for a call to be computed twice.
const cheap = 8

// MinCut captures the calls of f, a function of tensors, and of its backward pass, and decides by a minimum cut which
// values to save for the backward pass and which to compute once more, so that the fewest bytes are kept. Tensors that
// require grad and that f captures are inputs too. It runs f once, and panics as f does, or with an *Error where the
// program cannot be captured whole (see [Program]) or no result requires a gradient.
//
//	c := visualize.MinCut(f, x)
//	fmt.Println(c)
//	y := c.Run(x)[0] // f(x), which keeps for its backward pass what c says
func MinCut(f any, xs ...*tensor.Tensor) *CutProgram {
	c := &CutProgram{given: len(xs), tangents: map[int]int{}, consts: map[ref]*tensor.Tensor{}}
	r := newProgramRecorder()
	names := make([]string, len(xs))
	if typed := draw.TypedTexts("MinCut"); len(typed) == len(xs)+1 {
		c.Name = draw.OneLine(typed[0], 60)
		copy(names, typed[1:])
	}
	leaves := make([]*tensor.Tensor, len(xs))
	for i, x := range xs {
		if x == nil {
			panic(tensor.Errorf("mincut", "input %d is a nil tensor", i))
		}
		if names[i] == "" {
			names[i] = r.live[x]
		}
		leaves[i] = x.Detach()
		if x.Dtype().IsDifferentiable() {
			leaves[i].RequiresGrad_()
		}
		r.input(leaves[i], names[i])
	}
	var all []*tensor.Tensor
	made := 0 // variables of the forward pass
	first := 0
	draw.WithRecorder(r, func() {
		autograd.EnableGrad(func() { all = c.jointly(r, f, leaves, &made, &first) })
	})
	for id, x := range r.of {
		c.noteConstant(r, id, x)
	}
	for _, x := range c.captured {
		c.inputs = append(c.inputs, ref(r.vars[x]))
	}
	p := r.finish(all)
	if p.hidden != "" || p.More > 0 {
		panic(tensor.Errorf("mincut", "the program cannot be captured whole: %s", wholeness(p)))
	}
	c.Before = c.eager(p, made, first)
	for i := first; i < len(p.replay); i++ {
		p.replay[i].after = true
	}
	for i := range p.Steps {
		if p.Steps[i].Writes {
			p = Functionalize(p)
			break
		}
	}
	c.joint = DeadCode(p)
	c.part()
	c.Name = cmp.Or(c.Name, "f")
	c.function = autograd.Custom(c.Name, c.forward, c.backward)
	return c
}

func wholeness(p *CapturedProgram) string {
	if p.hidden != "" {
		return "a step uses a value that " + p.hidden + " made beneath"
	}
	return "it has more calls than are written down"
}

// jointly runs the function and its backward pass, and returns the results and the gradients.
func (c *CutProgram) jointly(r *programRecorder, f any, leaves []*tensor.Tensor, made, first *int) []*tensor.Tensor {
	ys := callFunction(f, leaves)
	all := append([]*tensor.Tensor(nil), ys...)
	c.outputs = len(ys)
	c.captured = append(c.captured, leaves...)
	for _, held := range r.p.consts {
		if x := r.of[held.id]; x.RequiresGrad() {
			c.captured = append(c.captured, x)
		}
	}
	r.settle(tensor.Site{})
	r.unnamed = true
	*made, *first = len(r.names), len(r.p.Steps)
	var outs, tangents, wrt []*tensor.Tensor
	for i, y := range ys {
		if !y.RequiresGrad() {
			continue
		}
		var t *tensor.Tensor
		aside(func() { t = tensor.OnesLike(y) })
		name := "grad"
		if of := r.names[r.variable(y)]; isVariable(of) {
			name += "_" + of
		}
		r.input(t, name)
		c.tangents[i] = r.vars[t]
		outs, tangents = append(outs, y), append(tangents, t)
	}
	if len(outs) == 0 {
		panic(tensor.Errorf("mincut", "no result of the function depends on an input of a floating point or complex dtype").
			WithHint("give inputs that its results can be differentiated by"))
	}
	c.grads = make([]int, len(c.captured))
	for i, x := range c.captured {
		if c.grads[i] = -1; x.RequiresGrad() {
			wrt = append(wrt, x)
		}
	}
	grads := autograd.Grad(outs, wrt, opt.GradOutputs(tangents...), opt.AllowUnused(true))
	for i, x := range c.captured {
		if !x.RequiresGrad() {
			continue
		}
		g := grads[0]
		if grads = grads[1:]; g != nil {
			c.grads[i] = len(all)
			all = append(all, g)
		}
	}
	return all
}

// noteConstant keeps a constant of the program, which the program itself only points to.
func (c *CutProgram) noteConstant(r *programRecorder, id int, x *tensor.Tensor) {
	for _, held := range r.p.consts {
		if held.id == id {
			if held.held != nil {
				x = held.held
			}
			c.consts[ref(id)] = x
		}
	}
}

// eager is what the two passes cost as they were captured: the backward pass begins at step first, and values before
// made are of the forward pass.
func (c *CutProgram) eager(p *CapturedProgram, made, first int) (cost CutCost) {
	memory := map[int]int{}
	for i := range p.Steps {
		cost.Flops += p.replay[i].flops
		if i < first {
			continue
		}
		for _, v := range p.replay[i].kwargs {
			refs(v, func(x ref) {
				if _, constant := c.consts[x]; int(x) < made && (!constant || c.isInput(x)) {
					at := p.places[int(x)]
					memory[at.memory] = max(memory[at.memory], bytesOf(at))
				}
			})
		}
	}
	for _, n := range memory {
		cost.Bytes += n
		cost.Tensors++
	}
	return cost
}

func (c *CutProgram) isInput(x ref) bool {
	return slices.Contains(c.inputs, x)
}

// bytesOf is the size of the elements of a value.
func bytesOf(p place) int {
	n := p.dtype.Size()
	for d, s := range p.shape {
		if s > 1 && p.stride[d] == 0 { // a broadcast dimension has no elements of its own
			continue
		}
		n *= s
	}
	return n
}

// part finds the minimum cut, and with it the pass of each step.
func (c *CutProgram) part() {
	p := c.joint
	late := map[ref]bool{} // depends on a gradient that comes in
	for _, id := range c.tangents {
		late[ref(id)] = true
	}
	makers := map[ref][]int{} // several where a copy is made and written to
	c.side = make([]side, len(p.replay))
	for i, s := range p.replay {
		for _, id := range s.results {
			makers[ref(id)] = append(makers[ref(id)], i)
		}
	}
	for changed := true; changed; {
		changed = false
		for i, s := range p.replay {
			if c.side[i] == inBackward {
				continue
			}
			mark := func(x ref) {
				if late[x] {
					c.side[i], changed = inBackward, true
				}
			}
			for _, v := range s.kwargs {
				refs(v, mark)
			}
			for _, id := range s.results {
				mark(ref(id))
			}
			if c.side[i] == inBackward {
				for _, id := range s.results {
					late[ref(id)] = true
				}
			}
		}
	}
	const source, sink = 0, 1
	in := func(x ref) int { return 2 + 2*int(x) }
	out := func(x ref) int { return 3 + 2*int(x) }
	net := newFlowNetwork(2 + 2*len(p.names))
	read := map[ref]bool{} // by the backward pass, or given back by it
	known := map[ref]bool{}
	value := func(x ref) {
		if known[x] || late[x] {
			return
		}
		known[x] = true
		width := int64(bytesOf(p.places[int(x)])) + 1
		if _, constant := c.consts[x]; constant && !c.isInput(x) {
			width = 0 // the function holds it
		}
		net.pipe(in(x), out(x), width)
		if len(makers[x]) != 1 || !c.repeatable(makers[x][0]) {
			net.pipe(source, in(x), unlimited)
		}
	}
	for i, s := range p.replay {
		for _, v := range s.kwargs {
			refs(v, func(x ref) {
				if value(x); late[x] {
					return
				}
				if c.side[i] == inBackward {
					read[x] = true
					net.pipe(out(x), sink, unlimited)
					return
				}
				for _, id := range s.results {
					value(ref(id))
					net.pipe(out(x), in(ref(id)), unlimited)
				}
			})
		}
	}
	for _, at := range c.grads {
		if at >= 0 && !late[ref(p.gives[at])] { // a gradient that depends on no other
			x := ref(p.gives[at])
			value(x)
			read[x] = true
			net.pipe(out(x), sink, unlimited)
		}
	}
	_, behind := net.cut(source, sink)
	kept := map[ref]bool{}
	var need func(x ref)
	need = func(x ref) {
		if kept[x] {
			return
		}
		if _, constant := c.consts[x]; constant && !c.isInput(x) {
			return
		}
		if len(makers[x]) == 0 || !behind[in(x)] {
			kept[x] = true
			c.saved = append(c.saved, x)
			return
		}
		if at := makers[x][0]; c.side[at]&again == 0 {
			c.side[at] |= again
			for _, v := range p.replay[at].kwargs {
				refs(v, need)
			}
		}
	}
	for i := range p.replay { // in the order of the program
		if c.side[i] == inBackward {
			for _, v := range p.replay[i].kwargs {
				refs(v, func(x ref) {
					if read[x] {
						need(x)
					}
				})
			}
		}
	}
	for _, at := range c.grads {
		if at >= 0 && read[ref(p.gives[at])] {
			need(ref(p.gives[at]))
		}
	}
	c.forwardSteps(makers)
	c.describe()
}

// forwardSteps marks the steps that the results and the saved values need, and those that do more than give results.
func (c *CutProgram) forwardSteps(makers map[ref][]int) {
	var need func(x ref)
	step := func(i int) {
		if c.side[i]&inForward == 0 {
			c.side[i] |= inForward
			for _, v := range c.joint.replay[i].kwargs {
				refs(v, need)
			}
		}
	}
	need = func(x ref) {
		for _, at := range makers[x] {
			step(at)
		}
	}
	for _, id := range c.joint.gives[:c.outputs] {
		need(ref(id))
	}
	for _, x := range c.saved {
		need(x)
	}
	for i := range c.joint.replay {
		if c.side[i]&inBackward == 0 && effects(&c.joint.Steps[i]) {
			step(i)
		}
	}
}

// repeatable reports whether a step may be computed twice: it gives the same again, and is cheap.
func (c *CutProgram) repeatable(i int) bool {
	s := &c.joint.Steps[i]
	if effects(s) {
		return false
	}
	if c.joint.replay[i].after { // it is computed in the backward pass as it is
		return true
	}
	size := 0
	for _, id := range c.joint.replay[i].results {
		size += elements(c.joint.places[id].shape)
	}
	return !c.joint.replay[i].costly && c.joint.replay[i].flops < cheap*float64(size)
}
