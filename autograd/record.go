package autograd

import (
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: recording. One boxed kernel is Autograd for every operator. It looks at the tensor arguments before the
// operator runs (an in-place form changes them), lets it run, and attaches a node to the results. Kernels beneath call
// no operators, and bodies of composite operators run in its place, so that nothing is recorded twice.

func init() { tensor.RegisterFallback(tensor.KeyAutograd, record) }

func record(c *tensor.Call) {
	op := c.Op
	if c.Variant == tensor.OutVariant {
		rejectOut(c)
		c.Next()
		return
	}
	noGrad := op.Tags.Has(opdef.NoGrad)
	writes := c.IsWrite()
	requires := false
	c.EachTensor(func(_ int, t *tensor.Tensor) {
		requires = requires || t.RequiresGrad() && t.Dtype().IsDifferentiable() && recordedHere(t)
	})
	if !requires || noGrad && !writes || writes && !c.Self().Dtype().IsDifferentiable() {
		c.Next()
		return
	}
	if writes {
		checkInPlace(c)
	}
	n := newNode(c)
	var results Saves
	if n.formula() != nil {
		results = n.saveArgs(c, writes)
	}
	c.Next()
	if writes {
		rebase(c.Ret(0), n)
	} else {
		n.attach(c)
	}
	if results != 0 {
		for i, r := range c.Results() {
			if results&Result(i) != 0 {
				n.save(uint8(32+i), 0, r)
			}
		}
	}
}

// noGradWrite is the formula of writes whose result does not depend on what they read in a way that has a derivative:
// comparisons in place.
var noGradWrite = &Formula{VJP: func(c *Ctx) Grads { return Grads{zeros(c.Grad, c.Shape(0))} }}

// newNode makes the node of a call from its arguments.
func newNode(c *tensor.Call) *Node {
	op := c.Op
	n := new(Node)
	n.op, n.inWay, n.site, n.kept = op, c.Variant, currentSite(), c.Keep()
	n.begin()
	for i := range op.Params {
		switch p := &op.Params[i]; {
		case p.Is("Tensor"):
			n.addIn(i, c.Tensor(i))
		case p.IsList("Tensor"):
			for _, t := range c.Tensors(i) {
				n.addIn(i, t)
			}
		}
	}
	s := tensor.CurrentScope()
	if s != nil {
		n.order = s.Order
	}
	n.seq = sequence.Add(1) // not before: asking a view for its history may have made a node
	if formulaOf(op).Strides {
		x := c.Tensor(0)
		n.more = &more{stride: x.Stride(), offset: x.StorageOffset()}
	}
	if s != nil && s.Stream != nil {
		if n.more == nil {
			n.more = new(more)
		}
		n.more.stream = s.Stream
	}
	return n
}

// saveArgs saves the arguments that the formula reads. What an in-place form overwrites is copied; given
// once more as another argument it is not, and backward will say that it was overwritten.
// It returns the results that are to be saved once they are there.
func (n *Node) saveArgs(c *tensor.Call, writes bool) (results Saves) {
	f := n.formula()
	mask := f.Save
	for slot, m := range f.For {
		if m == 0 {
			continue
		}
		for e := range n.ins() {
			if int(n.ins()[e].slot) == slot && n.next[e].Node != nil {
				mask |= m
				break
			}
		}
	}
	results = mask &^ (1<<32 - 1)
	mask &^= results
	for slot := 0; mask>>slot != 0; slot++ {
		if mask&Arg(slot) == 0 {
			continue
		}
		if t := c.Tensor(slot); t != nil {
			if writes && slot == max(c.Op.Self(), 0) {
				t = t.Clone()
			}
			n.save(uint8(slot), 0, t)
			continue
		}
		for j, t := range c.Tensors(slot) {
			if t != nil {
				n.save(uint8(slot), j, t)
			}
		}
		for j, e := range c.Indices(slot) {
			if t, ok := e.(*tensor.Tensor); ok && t != nil {
				n.save(uint8(slot), j, t)
			}
		}
	}
	return results
}

// attach makes n the history of the results.
func (n *Node) attach(c *tensor.Call) {
	var fixed Saves
	if f := n.formula(); f != nil {
		fixed = f.Fixed
	}
	for i, r := range c.Results() {
		n.addOut(r)
		if !r.Dtype().IsDifferentiable() || fixed&Result(i) != 0 {
			continue
		}
		a := &n.ag
		if i > 0 {
			a = new(tensor.Autograd)
		}
		a.Fn, a.Output = n, int32(i)
		r.SetAutogradMeta(a)
	}
}

// rejectOut panics where a call has an out= tensor although its result would need a gradient.
func rejectOut(c *tensor.Call) {
	c.EachTensor(func(slot int, t *tensor.Tensor) {
		if t.RequiresGrad() {
			panic(tensor.Errorf(c.Name(), "opt.Out does not support automatic differentiation, but the argument %s requires "+
				"grad", c.Op.Params[slot].Name).OnArg("out").WithHint("leave opt.Out away, or call inside autograd.NoGrad"))
		}
	})
	for _, t := range c.Written() {
		if t.RequiresGrad() {
			panic(tensor.Errorf(c.Name(), "opt.Out does not support automatic differentiation, but the destination requires "+
				"grad").OnArg("out").WithHint("leave opt.Out away, or call inside autograd.NoGrad"))
		}
	}
}

// edgeOf leads to what made x: its node, or its AccumulateGrad; no node where no gradient goes.
func edgeOf(x *tensor.Tensor) Edge {
	if !x.RequiresGrad() {
		return Edge{}
	}
	if n := gradFn(x); n != nil {
		return Edge{n, int(x.AutogradMeta().Output)}
	}
	if a := x.AutogradMeta(); a != nil && a.Leaf != nil && a.Requires {
		return Edge{a.Leaf.(*Node), 0}
	}
	return Edge{}
}

// GradFn is the node that made x, nil for a leaf.
func GradFn(x *tensor.Tensor) *Node {
	if !x.RequiresGrad() {
		return nil
	}
	return gradFn(x)
}

// defaultName is PyTorch's rule: the operator's name in capitals, and Backward0.
func defaultName(op *tensor.Op) string {
	name := strings.TrimSuffix(strings.TrimPrefix(op.Name, "nn.functional."), "_")
	return opdef.Camel(strings.ReplaceAll(name, ".", "_")) + "Backward0"
}

func goMethod(op string) string {
	name, inPlace := strings.CutSuffix(op, "_")
	out := opdef.Camel(strings.TrimPrefix(name, "nn.functional."))
	if inPlace {
		out += "_"
	}
	return out
}

func cutUnderscore(op string) (string, bool) {
	base, ok := strings.CutSuffix(op, "_")
	return base, ok && tensor.Lookup(base) != nil
}
