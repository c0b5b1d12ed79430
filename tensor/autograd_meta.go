package tensor

import "slices"

// Note: autograd by hooks. Package autograd imports this one, never the other way about. What a tensor must carry for
// it is here, and autograd sets the hooks behind the methods. Without it linked in they name the import.

// Node is a node of the autograd graph as this package knows it.
//
//gotorch:internal
type Node interface {
	// Name is PyTorch's name: MulBackward0, AccumulateGrad, CopySlices.
	Name() string
}

// Autograd is what package autograd attaches to a tensor.
//
//gotorch:internal
type Autograd struct {
	Fn       Node    // what made the tensor, nil for a leaf
	Leaf     Node    // the leaf's AccumulateGrad, made once
	Grad     *Tensor // the accumulated gradient
	Output   int32   // which of Fn's results it is
	Requires bool    // a leaf that gradients are accumulated for
	Retain   bool    // keep the gradient of a tensor that is no leaf
}

// AutogradHooks are the functions behind the methods of the same names.
//
//gotorch:internal
type AutogradHooks struct {
	GradFn       func(x *Tensor) Node
	Backward     func(x *Tensor, opts []Option)
	RequiresGrad func(x *Tensor, on bool)
	RetainGrad   func(x *Tensor)
	RegisterHook func(x *Tensor, f func(grad *Tensor) *Tensor) (remove func())
	Accumulated  func(x *Tensor, f func(x *Tensor)) (remove func())
	// Define gives a new operator its formula and its rule for vmap, each nil where there is none; see [Definition].
	Define func(o *Op, formula any, vmap func(c *Call, xs []*Tensor) []*Tensor)
}

// autograd is what package autograd does, for a method that cannot do without.
func autograd(method string) *AutogradHooks {
	h := currentHooks().Autograd
	if h == nil {
		panic(Errorf(method, "autograd is not part of this program").WithHint(`import _ "gotorch/autograd", or _ "gotorch"`))
	}
	return h
}

// AutogradMeta lends what autograd keeps on x; nil if there is nothing.
func (x *Tensor) AutogradMeta() *Autograd { return x.ag }

// SetAutogradMeta is for package autograd: it sets what is kept on x and the Autograd key with it.
func (x *Tensor) SetAutogradMeta(a *Autograd) {
	x.ag = a
	if a != nil && (a.Requires || a.Fn != nil) {
		x.moveOut()
		x.keys |= 1 << KeyAutograd
	} else {
		x.keys &^= 1 << KeyAutograd
	}
}

// SetView is for package autograd: it makes x a view of base, or none if base is nil.
func (x *Tensor) SetView(base *Tensor, kind ViewKind, version uint32) {
	if base != nil {
		x.moveOut()
	}
	x.view = viewState{base, version, kind}
}

// ViewVersion is the storage's version when x's history was last right, and SetViewVersion sets it.
func (x *Tensor) ViewVersion() uint32     { return x.view.version }
func (x *Tensor) SetViewVersion(v uint32) { x.view.version = v }

// Keys is x's part of a call's key set. A view asks its base too: a write through a sibling may have given it a
// history.
func (x *Tensor) Keys() KeySet {
	if b := x.view.base; b != nil {
		return x.keys | b.keys&(1<<KeyAutograd)
	}
	return x.keys
}

// RequiresGrad reports whether gradients flow to x.
func (x *Tensor) RequiresGrad() bool { return x.Keys().Has(KeyAutograd) }

// IsLeaf reports whether x was made by no recorded operator: its gradient is accumulated in Grad.
func (x *Tensor) IsLeaf() bool {
	return x.GradFn() == nil
}

// GradFn is the node that made x, nil for a leaf.
func (x *Tensor) GradFn() Node {
	h := currentHooks().Autograd
	if h == nil || !x.RequiresGrad() {
		return nil
	}
	return h.GradFn(x)
}

// Grad is the gradient that backward passes accumulated for x, nil if there is none.
func (x *Tensor) Grad() *Tensor {
	x = SubstituteOf(x)
	if x.ag == nil {
		return nil
	}
	return x.ag.Grad
}

// SetGrad sets the accumulated gradient; nil takes it away. A gradient of another shape, dtype or device is an error.
func (x *Tensor) SetGrad(g *Tensor) {
	x, g = SubstituteOf(x), SubstituteOf(g)
	if g != nil {
		switch {
		case !slices.Equal(g.shape, x.shape):
			panic(Errorf("set_grad", "the gradient has shape %v, the tensor %v", g.shape, x.shape))
		case g.dtype != x.dtype:
			panic(Errorf("set_grad", "the gradient is %s, the tensor %s", g.dtype, x.dtype))
		case g.st.device != x.st.device:
			panic(Errorf("set_grad", "the gradient is on %s, the tensor on %s", g.Device(), x.Device()))
		}
	}
	if x.ag == nil {
		x.ag = new(Autograd)
	}
	x.ag.replaceGradient(g)
}

// RequiresGrad_ makes x a leaf that gradients are accumulated for, or with opt.RequiresGrad(false) one that is not. It
// returns x. Only floating point and complex tensors can require grad; only a leaf can stop.
func (x *Tensor) RequiresGrad_(opts ...Option) *Tensor {
	x = SubstituteOf(x)
	autograd("requires_grad_").RequiresGrad(x, boolOption("requires_grad_", "requires_grad", true, opts))
	return x
}

// Backward computes the gradients of x, a tensor of one element, with respect to the leaves of its graph, and adds
// them to their Grad. Options: opt.Gradient (for an x of several elements: the vector of the vector-Jacobian product),
// opt.RetainGraph, opt.CreateGraph, opt.Inputs.
func (x *Tensor) Backward(opts ...Option) { autograd("backward").Backward(x, opts) }

// RetainGrad keeps the gradient of an x that is no leaf.
func (x *Tensor) RetainGrad() { autograd("retain_grad").RetainGrad(SubstituteOf(x)) }

// RegisterHook calls f with the gradient of x in every backward pass; what f returns, if not nil, takes its place. The
// function that it returns takes the hook away.
func (x *Tensor) RegisterHook(f func(grad *Tensor) *Tensor) (remove func()) {
	return autograd("register_hook").RegisterHook(SubstituteOf(x), f)
}

// RegisterPostAccumulateGradHook calls f with x, a leaf that requires grad, after each backward pass has added to its
// Grad: the gradient is whole then, and may be used and taken away. The function that it returns takes the hook away.
func (x *Tensor) RegisterPostAccumulateGradHook(f func(x *Tensor)) (remove func()) {
	return autograd("register_post_accumulate_grad_hook").Accumulated(SubstituteOf(x), f)
}
