package autograd

import (
	"slices"

	"gotorch/tensor"
)

// hook is called with the gradient of one result of a node before the node runs.
type hook struct {
	output int
	retain bool // it keeps the gradient of a tensor that is no leaf
	f      func(grad *tensor.Tensor) *tensor.Tensor
}

// registerHook calls f with the gradient of x in every backward pass.
func registerHook(x *tensor.Tensor, f func(grad *tensor.Tensor) *tensor.Tensor) (remove func()) {
	e := edgeOf(x)
	if e.Node == nil {
		panic(tensor.Errorf("register_hook", "cannot register a hook on a tensor that does not require grad"))
	}
	h := &hook{output: e.Output, f: f}
	m := e.Node.addHook(h)
	return func() {
		if i := slices.Index(m.hooks, h); i >= 0 {
			m.hooks = slices.Delete(slices.Clone(m.hooks), i, i+1)
		}
	}
}

func (n *Node) addHook(h *hook) *more {
	if n.more == nil {
		n.more = new(more)
	}
	n.more.hooks = append(n.more.hooks, h)
	return n.more
}

// accumulatedHook calls f after a backward pass has added to the Grad of x.
func accumulatedHook(x *tensor.Tensor, f func(x *tensor.Tensor)) (remove func()) {
	const op = "register_post_accumulate_grad_hook"
	e := edgeOf(x)
	if e.Node == nil || e.Node.Leaf() == nil {
		panic(tensor.Errorf(op, "only a leaf that requires grad accumulates gradients").
			WithHint("RegisterHook sees the gradients of other tensors"))
	}
	m := e.Node.more
	h := &f
	m.after = append(m.after, h)
	return func() {
		if i := slices.Index(m.after, h); i >= 0 {
			m.after = slices.Delete(slices.Clone(m.after), i, i+1)
		}
	}
}

// accumulated tells the hooks of a leaf that its gradient is there.
func (n *Node) accumulated() {
	for _, f := range n.more.after {
		(*f)(n.Leaf())
	}
}

// nodeHook is called around the formula of a node.
type nodeHook struct {
	before func(gradOutputs []*tensor.Tensor) []*tensor.Tensor
	after  func(gradInputs, gradOutputs []*tensor.Tensor) []*tensor.Tensor
}

// RegisterPrehook calls f in every backward pass before the node's formula runs, with the gradients of the call's
// results, nil where none arrived. What f returns, if not nil, takes their place: one for each result. The function
// that it returns takes the hook away.
func (n *Node) RegisterPrehook(f func(gradOutputs []*tensor.Tensor) []*tensor.Tensor) (remove func()) {
	return n.addNodeHook(&nodeHook{before: f})
}

// RegisterHook calls f in every backward pass after the node's formula ran, with the gradients of the call's tensor
// arguments, nil where there is none, and those of its results. What f returns, if not nil, takes the place of the
// former: one for each. The function that it returns takes the hook away. An AccumulateGrad has no arguments: see
// [tensor.Tensor.RegisterPostAccumulateGradHook].
func (n *Node) RegisterHook(f func(gradInputs, gradOutputs []*tensor.Tensor) []*tensor.Tensor) (remove func()) {
	return n.addNodeHook(&nodeHook{after: f})
}

func (n *Node) addNodeHook(h *nodeHook) (remove func()) {
	if n.Leaf() != nil {
		panic(tensor.Errorf("register_hook", "an AccumulateGrad has no formula").
			WithHint("use RegisterPostAccumulateGradHook of the tensor"))
	}
	if n.more == nil {
		n.more = new(more)
	}
	n.more.around = append(n.more.around, h)
	return func() {
		if i := slices.Index(n.more.around, h); i >= 0 {
			n.more.around = slices.Delete(slices.Clone(n.more.around), i, i+1)
		}
	}
}

// runPrehooks returns the gradients that arrived to hooks of the node.
func (n *Node) runPrehooks(e *entry) {
	if n.more == nil {
		return
	}
	for _, h := range n.more.around {
		if h.before == nil {
			continue
		}
		for i := range e.grads {
			e.grads[i].own = false
		}
		n.replace("RegisterPrehook", h.before(e.watched()), len(e.grads), func(i int, g *tensor.Tensor) {
			e.grads[i] = arriving{t: g}
		})
	}
}

// runPosthooks returns the gradients that the formula made to hooks of the node.
func (n *Node) runPosthooks(e *entry, out Grads) Grads {
	if n.more == nil {
		return out
	}
	for _, h := range n.more.around {
		if h.after == nil {
			continue
		}
		all := make(Grads, len(n.Next()))
		copy(all, out)
		out = slices.Clone(all)
		n.replace("RegisterHook", h.after(all, e.watched()), len(all), func(i int, g *tensor.Tensor) { out[i] = g })
	}
	return out
}

// replace takes what a hook returned.
func (n *Node) replace(hook string, list []*tensor.Tensor, want int, set func(i int, g *tensor.Tensor)) {
	if list == nil {
		return
	}
	if len(list) != want {
		panic(tensor.Errorf("backward", "a hook of %s (%s) gave %d gradients and must give %d, or nil", n.Name(), hook,
			len(list), want))
	}
	for i, g := range list {
		set(i, g)
	}
}

// retainGrad keeps the gradient of an x that is no leaf.
func retainGrad(x *tensor.Tensor) {
	if !x.RequiresGrad() {
		panic(tensor.Errorf("retain_grad", "a tensor that does not require grad has none to keep"))
	}
	n := gradFn(x)
	if n == nil || x.AutogradMeta().Retain {
		return
	}
	x.AutogradMeta().Retain = true
	n.addHook(&hook{int(x.AutogradMeta().Output), true, func(g *tensor.Tensor) *tensor.Tensor {
		a := x.AutogradMeta()
		switch {
		case a.Grad == nil && tensor.Excluded(tensor.KeyAutograd):
			a.Grad = g.Clone()
		case a.Grad == nil:
			a.Grad = g
		default:
			a.Grad = a.Grad.Add(g)
		}
		return nil
	}})
}

// runHooks returns the gradients that arrived to the hooks.
func (n *Node) runHooks(e *entry, watch Observer) {
	if n.more == nil {
		return
	}
	for _, h := range n.more.hooks {
		at := &e.grads[h.output]
		if at.t == nil || watch != nil && h.retain {
			continue
		}
		at.own = false // the hook may keep it
		r := h.f(at.t)
		if r == nil {
			continue
		}
		if !slices.Equal(r.Sizes(), at.t.Sizes()) {
			panic(tensor.Errorf("backward", "a hook on a result of %s gave a gradient of shape %v for one of shape %v",
				n.Name(), r.Shape(), at.t.Shape()))
		}
		if watch != nil {
			watch.Hook(n, h.output, at.t, r)
		}
		at.t = r
	}
}
