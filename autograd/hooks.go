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

// runHooks gives the gradients that arrived to the hooks.
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
