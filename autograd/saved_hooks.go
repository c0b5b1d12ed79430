package autograd

import (
	"slices"

	"gotorch/tensor"
)

// modes are what package autograd keeps in a scope.
type modes struct {
	pack    func(x *tensor.Tensor) any
	unpack  func(packed any) *tensor.Tensor
	drop    func(packed any) // told that a node needs it no more; nil for users' hooks
	anomaly bool
}

// currentModes are those of the running goroutine.
func currentModes() modes {
	if s := tensor.CurrentScope(); s != nil {
		if m, ok := s.Autograd.(modes); ok {
			return m
		}
	}
	return modes{}
}

func withModes(change func(m *modes), f func()) {
	m := currentModes()
	change(&m)
	tensor.InScope(func(s *tensor.Scope) { s.Autograd = m }, f)
}

// packed is a saved tensor that a hook keeps in its own way.
type packed struct {
	value  any
	unpack func(packed any) *tensor.Tensor
	drop   func(packed any)
	ag     *tensor.Autograd // the history of the tensor
	shape  []int
	dtype  tensor.Dtype
}

// SavedTensorsHooks runs f; what operators save for backward meanwhile goes through pack, and what that returned is
// given to unpack when backward asks for the tensor: to keep it in another dtype, in a file, or not at all. Unpack
// must give a tensor of the shape and dtype of what was packed; neither may write to what it receives. The hooks hold
// for the running goroutine; inner ones come in place of outer ones.
func SavedTensorsHooks(pack func(x *tensor.Tensor) any, unpack func(packed any) *tensor.Tensor, f func()) {
	if pack == nil || unpack == nil || f == nil {
		panic(tensor.Errorf("saved_tensors_hooks", "wants three functions: pack, unpack, and what to run"))
	}
	withModes(func(m *modes) { m.pack, m.unpack, m.drop = pack, unpack, nil }, f)
}

// pack passes the i-th saved tensor to the hooks of the running goroutine.
func (n *Node) pack(i int, m modes) {
	x := n.saved[i].t
	p := &packed{unpack: m.unpack, drop: m.drop, shape: x.Shape(), dtype: x.Dtype()}
	if a := x.AutogradMeta(); a != nil {
		// its history, not its gradient
		p.ag = &tensor.Autograd{Fn: a.Fn, Leaf: a.Leaf, Output: a.Output, Requires: a.Requires}
	}
	NoGrad(func() { withModes(func(m *modes) { m.pack = nil }, func() { p.value = m.pack(x.Detach()) }) })
	if n.more == nil {
		n.more = new(more)
	}
	if n.more.packed == nil {
		n.more.packed = map[int]*packed{}
	}
	n.more.packed[i] = p
	n.saved[i].t = nil
}

// packedAt is what hooks keep in place of a saved tensor, nil where there is none.
func (n *Node) packedAt(s *saved) *packed {
	if n.more == nil || n.more.packed == nil {
		return nil
	}
	for i := range n.saved {
		if &n.saved[i] == s {
			return n.more.packed[i]
		}
	}
	return nil
}

// open asks the hook for the tensor.
func (p *packed) open(n *Node) (x *tensor.Tensor) {
	NoGrad(func() { x = p.unpack(p.value) })
	if x == nil || !slices.Equal(x.Sizes(), p.shape) || x.Dtype() != p.dtype {
		got := "a nil tensor"
		if x != nil {
			got = x.Dtype().String() + " of another shape or dtype"
		}
		panic(tensor.Errorf("backward", "unpack of SavedTensorsHooks gave %s for what %s saved, which was %s %v", got,
			n.describe(), p.dtype, p.shape))
	}
	if p.ag != nil {
		x = x.Detach()
		x.SetAutogradMeta(&tensor.Autograd{Fn: p.ag.Fn, Leaf: p.ag.Leaf, Output: p.ag.Output, Requires: p.ag.Requires})
	}
	return x
}
