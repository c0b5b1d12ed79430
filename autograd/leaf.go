package autograd

import "gotorch/tensor"

// requiresGrad makes x a leaf that gradients are accumulated for, or one that is not.
func requiresGrad(x *tensor.Tensor, on bool) {
	if on && !x.Dtype().IsDifferentiable() {
		panic(tensor.Errorf("requires_grad_", "only tensors of floating point and complex dtype can require gradients, "+
			"not %s", x.Dtype()))
	}
	if fn := x.GradFn(); fn != nil {
		if !on {
			panic(tensor.Errorf("requires_grad_", "only a leaf can stop requiring grad; this tensor was made by %s",
				fn.Name()).WithHint("use Detach to get a tensor without history"))
		}
		return
	}
	a := x.AutogradMeta()
	if a == nil {
		a = new(tensor.Autograd)
	}
	if on && a.Leaf == nil {
		n := &Node{seq: sequence.Add(1), more: &more{leaf: x}, site: currentSite(), frame: innermost()}
		if n.frame != nil {
			framedLeaves.Add(1)
		}
		n.begin()
		n.addOut(x)
		a.Leaf = n
	}
	a.Requires = on
	x.SetAutogradMeta(a)
}

// accumulate adds a gradient to the leaf's.
func (n *Node) accumulate(g arriving, create bool) {
	n.more.mu.Lock()
	defer n.more.mu.Unlock()
	x := n.Leaf()
	a := x.AutogradMeta()
	switch old := a.Grad; {
	case old == nil && create:
		a.Grad = g.t
	case !g.t.IsPlain() || old != nil && !old.IsPlain():
		if a.Grad = g.t.Clone(); old != nil {
			a.Grad = old.Add(g.t)
		}
	case old == nil && g.own && likeLeaf(g.t, x):
		if a.Grad = g.t; g.t.Base() != nil {
			a.Grad = g.t.Detach() // not a view of something that nobody has
		}
	case old == nil:
		a.Grad = copyLike(g.t, x)
	case create:
		a.Grad = old.Add(g.t)
	default:
		old.Add_(g.t)
	}
	if s := tensor.CurrentScope(); s != nil {
		s.Temporaries.Accumulated(a)
	}
}

// likeLeaf reports whether a gradient lies in memory as its leaf does, or row by row if the leaf has holes or
// overlaps.
func likeLeaf(g, x *tensor.Tensor) bool {
	if !x.IsDense() {
		return g.Contig()
	}
	gs, xs := g.Strides(), x.Strides()
	for i, s := range x.Sizes() {
		if s != 1 && gs[i] != xs[i] {
			return false
		}
	}
	return true
}

// copyLike copies a gradient so that it lies as its leaf does.
func copyLike(g, x *tensor.Tensor) *tensor.Tensor {
	if !x.IsDense() {
		return g.Clone(tensor.ContiguousFormat)
	}
	out := tensor.AllocStrided("backward", x.Sizes(), x.Strides(), g.Dtype(), g.Device())
	return out.Copy_(g)
}
