package autograd

import (
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: forward mode. A dual tensor carries its tangent: how it moves when the inputs move along theirs. An operator
// that is linear in its tensor arguments is applied to the tangents; a product has the product rule; for every other
// the formula of backward is enough: the vector-Jacobian product g(u) is linear in u, so that its own vector-Jacobian
// product, with the tangent as the vector, is the Jacobian-vector product. The formula's row says which it is.

// forwardRule is how results move with the arguments.
type forwardRule uint8

const (
	// byFormula derives the rule from the vector-Jacobian product.
	byFormula forwardRule = iota
	// linear operators act on the tangents of their arguments as on the arguments: of the first, or of all that a write
	// reads, where a number counts as zero.
	linear
	// relinear is linear for operators that ask how elements lie in memory: a tangent that lies otherwise is copied.
	relinear
	// product is linear in each of the first two arguments.
	product
	// constant results do not move: random numbers.
	constant
)

// JVP computes f at primals and, in the same pass, how the results move when the primals move along tangents: the
// Jacobian-vector product. f is a Go function that takes as many tensors as there are primals (or a list of them) and
// gives one or more. A tangent has the shape and dtype of its primal; nil is one of zeros. Tangents of results that do
// not move are zeros. f may itself call JVP, Vmap and Grad.
func JVP(f any, primals, tangents []*tensor.Tensor) (outputs, outTangents []*tensor.Tensor) {
	if len(primals) == 0 || len(primals) != len(tangents) {
		panic(tensor.Errorf("jvp", "there must be one tangent for each primal, got %d and %d", len(primals), len(tangents)))
	}
	fr := &frame{key: tensor.KeyDual}
	enter(fr, func() {
		in := make([]*tensor.Tensor, len(primals))
		for i, p := range primals {
			in[i] = fr.input(i, p, tangents[i])
		}
		for _, y := range callTensors("jvp", f, in) {
			v, t := y, (*tensor.Tensor)(nil)
			if l := fr.layer(y); l != nil {
				v, t = l.Value, l.Tangent
			}
			fr.outside(func() {
				if t == nil {
					t = tensor.ZerosLike(v)
				}
			})
			outputs, outTangents = append(outputs, v), append(outTangents, t)
		}
	})
	return outputs, outTangents
}

// input makes a dual tensor of a primal and its tangent.
func (f *frame) input(i int, p, t *tensor.Tensor) (x *tensor.Tensor) {
	switch {
	case p == nil:
		panic(tensor.Errorf("jvp", "primal %d is a nil tensor", i))
	case t == nil:
		return p
	case !p.Dtype().IsDifferentiable():
		panic(tensor.Errorf("jvp", "primal %d is %s: only floating point and complex tensors have a derivative", i,
			p.Dtype()))
	case !slices.Equal(p.Sizes(), t.Sizes()) || p.Dtype() != t.Dtype():
		panic(tensor.Errorf("jvp", "primal %d is %s %v and its tangent %s %v", i, p.Dtype(), p.Shape(), t.Dtype(),
			t.Shape()))
	}
	f.outside(func() {
		// The function may write into its arguments: those are the primal's own, but the tangent is the caller's.
		x = f.wrap(p, t.Clone(tensor.ContiguousFormat))
	})
	return x
}

// dual runs a call of which at least one argument is a dual tensor of f.
func (f *frame) dual(c *tensor.Call) {
	primal := func(_ int, t *tensor.Tensor) *tensor.Tensor {
		if l := f.layer(t); l != nil {
			return l.Value
		}
		return t
	}
	f.outside(func() {
		if c.IsWrite() {
			f.dualWrite(c, primal)
			return
		}
		if c.Op.Tags.Has(opdef.NoGrad) {
			c.Return(c.Again(primal, nil)...)
			return
		}
		ys, ts := f.jvp(c, primal)
		out := make([]*tensor.Tensor, len(ys))
		for i, y := range ys {
			if out[i] = y; ts[i] != nil {
				out[i] = wrapView(c, f.newLayer(y, ts[i]), i)
			}
		}
		c.Return(out...)
	})
}

// dualWrite writes into the primal and the tangent of what a call writes to.
func (f *frame) dualWrite(c *tensor.Call, primal func(int, *tensor.Tensor) *tensor.Tensor) {
	self := f.layer(c.Self())
	if self == nil {
		panic(tensor.Errorf(c.Name(), "a dual tensor is written into one that is none, where its tangent would be lost").
			WithHint("use the operator that makes a new tensor, or make the destination from a dual tensor: x.Mul(0)"))
	}
	defer c.Return(c.Self())
	if c.Variant == tensor.InPlace {
		if c.Op.Tags.Has(opdef.NoGrad) {
			panic(tensor.Errorf(c.Name(), "this write in place does not work inside of JVP"))
		}
		ys, ts := f.jvp(c, primal)
		if c.IsView() {
			c.Self().Rewrap(tensor.Wrap(viewedInPlace(c, f.newLayer(ys[0], ts[0]))))
			return
		}
		self.Value.Copy_(ys[0])
		if ts[0] == nil {
			self.Tangent.Zero_()
		} else {
			self.Tangent.Copy_(ts[0])
		}
		return
	}
	switch formulaOf(c.Op).JVP {
	case linear:
		c.Again(func(slot int, t *tensor.Tensor) *tensor.Tensor {
			if l := f.layer(t); l != nil {
				return l.Tangent
			}
			if c.Op.Params[slot].Is("Tensor") {
				return tensor.ZerosLike(t)
			}
			return t // an index
		}, func(d *tensor.Call) {
			for i := range c.Op.Params {
				if c.Op.Params[i].Is("Scalar") && c.Tensor(i) == nil {
					d.SetArg(i, 0)
				}
			}
		})
	case constant:
		self.Tangent.Zero_()
	default:
		panic(tensor.Errorf(c.Name(), "this write in place does not work inside of JVP"))
	}
	c.Again(primal, nil)
}

// jvp returns the results of a call and their tangents, nil where there is none.
func (f *frame) jvp(c *tensor.Call, primal func(int, *tensor.Tensor) *tensor.Tensor) (ys, ts []*tensor.Tensor) {
	functional := func(d *tensor.Call) { d.AsFunctional() }
	moved := func(at int) []*tensor.Tensor { // the results for the tangent of one argument
		return c.Again(func(slot int, t *tensor.Tensor) *tensor.Tensor {
			if l := f.layer(t); l != nil && slot == at {
				return l.Tangent
			}
			return primal(slot, t)
		}, functional)
	}
	rule := formulaOf(c.Op).JVP
	if rule == byFormula {
		return f.jvpByFormula(c, primal)
	}
	ys = c.Again(primal, functional)
	switch rule {
	case linear:
		ts = moved(0)
	case relinear:
		ts = []*tensor.Tensor{f.layer(c.Tensor(0)).Tangent.Reshape(ys[0].Shape()...)}
	case product:
		ts = make([]*tensor.Tensor, 1)
		for slot := range 2 {
			if f.layer(c.Tensor(slot)) == nil {
				continue
			}
			if t := moved(slot)[0]; ts[0] == nil {
				ts[0] = t
			} else {
				ts[0] = ts[0].Add(t)
			}
		}
	case constant:
		ts = make([]*tensor.Tensor, len(ys))
	}
	return ys, ts
}

// jvpByFormula is the rule for every operator that has a formula.
func (f *frame) jvpByFormula(
	c *tensor.Call, primal func(int, *tensor.Tensor) *tensor.Tensor,
) (ys, ts []*tensor.Tensor) {
	enabled := IsGradEnabled()
	outer := false // the caller needs gradients of all this
	c.EachTensor(func(slot int, t *tensor.Tensor) {
		outer = outer || enabled && primal(slot, t).Recorded()
		if l := f.layer(t); l != nil {
			outer = outer || enabled && l.Tangent.Recorded()
		}
	})
	var ps, dirs []*tensor.Tensor
	EnableGrad(func() {
		ys = c.Again(func(slot int, t *tensor.Tensor) *tensor.Tensor {
			l := f.layer(t)
			if l == nil {
				return t
			}
			p := l.Value
			if p.Recorded() {
				p = alias(p)
			} else {
				p = freshLeaf(p)
			}
			ps, dirs = append(ps, p), append(dirs, l.Tangent)
			return p
		}, func(d *tensor.Call) { d.AsFunctional() })
		ts = make([]*tensor.Tensor, len(ys))
		var outs, us []*tensor.Tensor
		var at []int
		for i, y := range ys {
			if y.Dtype().IsDifferentiable() && y.Recorded() {
				outs, at = append(outs, y), append(at, i)
			}
		}
		if len(outs) == 0 {
			return
		}
		if c.Op.Tags.Class() == opdef.Pointwise && len(ps) == 1 && len(ys) == 1 && !ys[0].Dtype().IsComplex() &&
			!ps[0].Dtype().IsComplex() && slices.Equal(ys[0].Sizes(), ps[0].Sizes()) {
			// Each element depends on its own alone: the Jacobian is diagonal, and its own transpose.
			dir := dirs[0]
			if dir.Dtype() != ys[0].Dtype() {
				dir = dir.To(ys[0].Dtype())
			}
			ts[0] = Grad(outs, ps, tensor.NewOption("grad_outputs", []*tensor.Tensor{dir}),
				tensor.NewOption("create_graph", outer), tensor.NewOption("allow_unused", true))[0]
			if ts[0] != nil && ts[0].Dtype() != ys[0].Dtype() {
				ts[0] = ts[0].To(ys[0].Dtype())
			}
			return
		}
		for _, y := range outs {
			us = append(us, tensor.ZerosLike(bare(y)).RequiresGrad_())
		}
		gs := Grad(outs, ps, tensor.NewOption("grad_outputs", us), tensor.NewOption("create_graph", true),
			tensor.NewOption("allow_unused", true))
		var moved, along []*tensor.Tensor
		for i, g := range gs {
			if g != nil && g.Recorded() {
				moved, along = append(moved, g), append(along, dirs[i])
			}
		}
		if len(moved) == 0 {
			return
		}
		for i, t := range Grad(moved, us, tensor.NewOption("grad_outputs", along), tensor.NewOption("create_graph", outer),
			tensor.NewOption("allow_unused", true)) {
			ts[at[i]] = t
		}
	})
	if !outer {
		for i := range ys {
			ys[i] = bare(ys[i])
			if ts[i] != nil {
				ts[i] = bare(ts[i])
			}
		}
	}
	return ys, ts
}

// freshLeaf is another tensor over the same elements, whose gradient can be asked for.
func freshLeaf(x *tensor.Tensor) *tensor.Tensor {
	if x.Layer() != nil {
		return bare(x).RequiresGrad_()
	}
	return x.Detach().RequiresGrad_()
}
