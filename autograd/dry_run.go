package autograd

import (
	"fmt"

	"gotorch/tensor"
)

// Note: dry runs of formulas. A formula is code. Whoever wants to read it as text, as the graph view does, has it run
// once on tensors that have shapes and no elements, and writes down the operators that it calls. So what is read
// cannot differ from what is run, and it is the very branch that this node will take: that of its numbers, and of the
// gradients that are asked for.

// Part is what a formula reads in a dry run: the gradient of a result, or a tensor that the node saved.
type Part struct {
	Tensor *tensor.Tensor // on the meta device
	Grad   bool           // it is the gradient of result Index; else it is saved
	Name   string         // of a saved tensor, as SavedNames has it; "grad" for gradients
	Index  int
	Arg    int // the edge that belongs to a saved argument, -1 for results and for what has none
}

// DryRun runs the formula of n without computing anything and returns the gradients of its arguments as it makes them,
// before they are summed to the shape of their argument: nil where none is asked for. parts is told beforehand what
// the formula will read. For a write through a view it is the formula of the write. It fails for nodes without a
// formula, and for formulas that look at elements.
func (n *Node) DryRun(parts func([]Part)) (grads Grads, err error) {
	m, list, err := n.stage()
	if err != nil {
		return nil, err
	}
	parts(list)
	c := &Ctx{n: m, grads: make([]arriving, len(m.outs()))}
	for _, p := range list {
		if p.Grad {
			c.grads[p.Index].t = p.Tensor
		}
	}
	c.Grad = c.grads[0].t
	defer func() {
		// A formula meets here what it never meets otherwise: tensors without elements. Whatever it says of them is no fault
		// of its own.
		if r := recover(); r != nil {
			grads, err = nil, fmt.Errorf("the formula of %s cannot be run without elements: %v", m.OpName(), r)
		}
	}()
	tensor.InScope(func(s *tensor.Scope) {
		s.Beneath, s.Backward = true, true
		s.Exclude(tensor.Set(tensor.KeyAutograd))
	}, func() { grads = m.formula().VJP(c) })
	return grads, nil
}

// stage copies n for a dry run, everything that it saved replaced by tensors of the meta device.
func (n *Node) stage() (m *Node, list []Part, err error) {
	if inner := n.Inner(); inner != nil {
		n = inner
	}
	if n.formula() == nil || n.op == nil && n.Custom() == nil || n.Leaf() != nil || len(n.outs()) == 0 {
		return nil, nil, fmt.Errorf("%s has no formula", n.Name())
	}
	m = &Node{op: n.op, kept: n.kept, inWay: n.inWay, site: n.site, next: n.next, dims: n.dims}
	if n.more != nil {
		m.more = &more{formula: n.more.formula, custom: n.more.custom, stride: n.more.stride, offset: n.more.offset}
	}
	m.metas, m.numIns = away(n.metas), n.numIns
	for i := range m.outs() {
		if o := &m.outs()[i]; o.dtype.IsDifferentiable() {
			list = append(list, Part{Tensor: onMeta(m.shapeOf(o), o.dtype), Grad: true, Name: "grad", Index: i, Arg: -1})
		}
	}
	for i := range n.saved {
		s := n.saved[i]
		arg := -1
		if s.which < 32 && n.op != nil {
			arg = n.argOf(s.which, int(s.item))
		}
		switch {
		case s.t != nil:
			s.version = 0
			s.t = onMeta(s.t.Sizes(), s.t.Dtype())
		case arg >= 0:
			s.t = onMeta(m.shapeOf(&m.ins()[arg]), m.ins()[arg].dtype)
		case s.which >= 32:
			o := &m.outs()[s.which-32]
			s.t = onMeta(m.shapeOf(o), o.dtype)
		default:
			return nil, nil, fmt.Errorf("what %s saved was freed", n.Name())
		}
		s.version, s.inner = s.t.Version(), false
		m.saved = append(m.saved, s)
		list = append(list, Part{Tensor: s.t, Name: n.nameOf(&n.saved[i]), Index: int(s.item), Arg: arg})
	}
	return m, list, nil
}

// argOf is the edge of a saved argument, -1 if it has none.
func (n *Node) argOf(slot uint8, item int) int {
	for i := range n.ins() {
		if n.ins()[i].slot == slot && !n.ins()[i].none {
			if item == 0 {
				return i
			}
			item--
		}
	}
	return -1
}

func onMeta(shape []int, d tensor.Dtype) *tensor.Tensor {
	return tensor.Alloc("dry_run", shape, d, tensor.Meta)
}

// away is what metas say of tensors that lie on the meta device instead.
func away(list []meta) []meta {
	out := append([]meta(nil), list...)
	for i := range out {
		out[i].device = tensor.Meta
	}
	return out
}

// ArgShape is the shape of the argument that edge i belongs to, nil if there is no tensor in its place.
func (n *Node) ArgShape(i int) []int {
	if inner := n.Inner(); inner != nil {
		n = inner
	}
	if i >= len(n.ins()) || n.ins()[i].none {
		return nil
	}
	return n.shapeOf(&n.ins()[i])
}
