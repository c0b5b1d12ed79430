package autograd

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: views and writes. A write through a view changes its base and with it every other view. The base gets a new
// history, CopySlices: the gradient of the base with the window cut out and sent through the write, and put back.
// Views notice that the storage's version moved and take up the base's new history when they are asked for theirs.
// Views that their base cannot follow (one of several results, or made inside NoGrad) raise an error.

// gradFn is the node that made x, nil for a leaf. A view whose base was written to gets a new one.
func gradFn(x *tensor.Tensor) *Node {
	a := x.AutogradMeta()
	var n *Node
	if a != nil && a.Fn != nil {
		n = a.Fn.(*Node)
	}
	base := x.Base()
	if base == nil || n == nil && !base.RequiresGrad() || x.ViewVersion() == x.Version() {
		return n
	}
	if x.ViewKind() != tensor.PlainView {
		if n == nil && x.ViewKind() == tensor.NoGradView && base.IsLeaf() {
			return nil
		}
		refuseView("grad_fn", x, n, "and its base or another view of it has been written to in place")
	}
	if !x.Dtype().IsDifferentiable() {
		return n
	}
	n = windowNode(x, base)
	setHistory(x, n, 0)
	x.SetViewVersion(x.Version())
	return n
}

// setHistory makes n the history of x; what else is kept on x stays.
func setHistory(x *tensor.Tensor, n *Node, output int) {
	a := &n.ag
	if output > 0 || a.Fn != nil {
		a = new(tensor.Autograd)
	}
	if old := x.AutogradMeta(); old != nil {
		a.Grad, a.Retain = old.Grad, old.Retain
	}
	a.Fn, a.Output = n, int32(output)
	x.SetAutogradMeta(a)
}

// windowNode is AsStridedBackward0: x as a window of its base, whatever views led there.
func windowNode(x, base *tensor.Tensor) *Node {
	w := windowOf(x, base)
	n := &Node{op: asStrided, site: currentSite(),
		more: &more{formula: &Formula{VJP: func(c *Ctx) Grads { return Grads{w.put(c.Grad)} }}}}
	if x.Layer() != nil {
		v, shape, dtype := viewOf(x), base.Shape(), base.Dtype()
		n.more.formula.VJP = func(c *Ctx) Grads { return Grads{v.put(c.Grad, shape, dtype)} }
	}
	n.begin()
	n.addIn(0, base)
	n.seq = sequence.Add(1)
	n.addOut(x)
	return n
}

// checkInPlace rejects writes that cannot be differentiated.
func checkInPlace(c *tensor.Call) {
	x := c.Self()
	if base := x.Base(); base != nil {
		if k := x.ViewKind(); k != tensor.PlainView {
			refuseView(c.Name(), x, gradFn(x), "that is being written to in place")
		}
		if x.RequiresGrad() && base.IsLeaf() {
			panic(tensor.Errorf(c.Name(), "a view of a leaf tensor that requires grad is being used in an in-place operation").
				WithHint("write inside autograd.NoGrad to change the values, or Clone() the leaf to compute with them"))
		}
	}
	if c.Op.Tags.Has(opdef.Resizes) && x.RequiresGrad() {
		panic(tensor.Errorf(c.Name(), "a tensor that requires grad cannot be resized").
			WithHint("Detach it, or resize inside autograd.NoGrad"))
	}
	if x.RequiresGrad() && gradFn(x) == nil {
		panic(tensor.Errorf(c.Name(), "a leaf tensor that requires grad is being used in an in-place operation").
			WithHint("write inside autograd.NoGrad to change its values, or use " + outOfPlace(c) + " to make a new tensor"))
	}
}

func outOfPlace(c *tensor.Call) string {
	if base, ok := cutUnderscore(c.Name()); ok {
		return goMethod(base)
	}
	return "an operator without underscore"
}

func refuseView(op string, x *tensor.Tensor, n *Node, what string) {
	who := "a view"
	if n != nil {
		who = fmt.Sprintf("output %d of %s", int(x.AutogradMeta().Output), n.Name())
	}
	e := tensor.Errorf(op, "%s is a view %s", who, what)
	if x.ViewKind() == tensor.MultiView {
		e.Msg += ": it is one of several views that one call made, which cannot be written to in place while gradients " +
			"are recorded"
		e.Hint = "Clone() it first, or take the parts by indices"
	} else {
		e.Msg += " with gradients recorded, but it was made inside NoGrad"
		e.Hint = "make the view and write to it both inside NoGrad or both outside"
	}
	panic(e)
}

// rebase makes n the history of x, which was written to.
func rebase(x *tensor.Tensor, n *Node) {
	n.addOut(x)
	base := x.Base()
	if base == nil || n.inWay == tensor.InPlace && n.op.Tags.Class() == opdef.View {
		if base == nil {
			setHistory(x, n, 0)
		} // else x.T_() on a view: its window moved, and the next look at its history sees that
		return
	}
	s := &Node{seq: sequence.Add(1), site: n.site, order: n.order, frame: n.frame,
		more: &more{slices: &copySlices{fn: n, op: n.op, opName: n.OpName(), win: windowOf(x, base), view: viewOf(x)}}}
	s.begin()
	s.addOut(base)
	s.copies().next = append([]Edge{edgeOf(base)}, n.next[1:]...)
	setHistory(base, s, 0)
	gradFn(x)
}

// copySlices is what a CopySlices node is made of.
type copySlices struct {
	fn     *Node // the write; nil once it was freed
	op     *tensor.Op
	opName string
	win    window
	view   *viewCall // in place of win, of tensors with layers
	next   []Edge    // 0 leads to the base as it was; the others are those of fn
}

// run computes the gradients of the base as it was and of what was written.
func (s *copySlices) run(grad *tensor.Tensor, n *Node, needs func(edge int) bool) Grads {
	if s.fn == nil {
		panic(tensor.Errorf("backward", "trying to go backward through the graph a second time: the write %s into a view "+
			"(CopySlices%s) was freed by the first backward", s.opName, place(n.Site())).
			WithHint("give opt.RetainGraph(true) to the first one"))
	}
	var rest, part *tensor.Tensor
	if s.view != nil {
		rest = grad.Clone()
		part = s.view.take(rest)
	} else {
		rest = s.win.makeBase(grad)
		rest.Copy_(grad)
		part = s.win.take(rest)
	}
	c := &Ctx{n: s.fn, Grad: part.Clone(tensor.ContiguousFormat), needs: func(e int) bool {
		return e == 0 || needs == nil || needs(e)
	}}
	c.grads = []arriving{{t: c.Grad}}
	out := s.fn.vjp(c)
	grads := make(Grads, len(s.next))
	copy(grads, out)
	if first := grads[0]; first == nil {
		part.Zero_()
	} else {
		part.Copy_(s.fn.fit(0, first))
	}
	grads[0] = rest
	for i := 1; i < len(grads); i++ {
		if grads[i] != nil {
			grads[i] = s.fn.fit(i, grads[i])
		}
	}
	return grads
}
