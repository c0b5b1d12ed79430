package autograd

import (
	"math"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Products. Gradients of complex products go through conjugates, as everywhere.

func init() {
	matrixProduct := func(c *Ctx) Grads { return matrixGrads(c, 0, c.Grad, nil) }
	register(map[string]Formula{
		"mm":  {For: []Saves{Arg1, Arg0}, JVP: product, Batch: matmulBatch(2, 2), VJP: matrixProduct},
		"bmm": {For: []Saves{Arg1, Arg0}, JVP: product, Batch: matmulBatch(3, 3), VJP: matrixProduct},
		"mv":  {For: []Saves{Arg1, Arg0}, JVP: product, Batch: matmulBatch(2, 1), VJP: matrixProduct},
		"dot": {For: []Saves{Arg1, Arg0}, JVP: product, Batch: matmulBatch(1, 1), VJP: func(c *Ctx) Grads {
			return pair(c, 0, func() *tensor.Tensor { return c.Grad.Mul(conj(c.Tensor(1))) },
				func() *tensor.Tensor { return c.Grad.Mul(conj(c.Tensor(0))) })
		}},
		"vdot": {For: []Saves{Arg1, Arg0}, VJP: func(c *Ctx) Grads {
			return pair(c, 0, func() *tensor.Tensor { return conj(c.Grad).Mul(c.Tensor(1)) },
				func() *tensor.Tensor { return c.Grad.Mul(c.Tensor(0)) })
		}},
		"addmm":   {For: []Saves{0, Arg2, Arg1}, VJP: func(c *Ctx) Grads { return addedGrads(c, c.Grad) }},
		"addmv":   {For: []Saves{0, Arg2, Arg1}, VJP: func(c *Ctx) Grads { return addedGrads(c, c.Grad) }},
		"baddbmm": {For: []Saves{0, Arg2, Arg1}, VJP: func(c *Ctx) Grads { return addedGrads(c, c.Grad) }},
		"addbmm": {For: []Saves{0, Arg2, Arg1}, VJP: func(c *Ctx) Grads {
			shape := c.Shape(1)
			return addedGrads(c, c.Grad.Unsqueeze(0).Expand(shape[0], shape[1], c.Grad.Size(-1)))
		}},
		"addr": {For: []Saves{0, Arg2, Arg1}, VJP: func(c *Ctx) Grads {
			g := c.Grad
			out := pair(c, 1, func() *tensor.Tensor { return timesConj(g.Mv(conj(c.Tensor(2)).To(g.Dtype())), c.Scalar(4)) },
				func() *tensor.Tensor { return timesConj(g.T().Mv(conj(c.Tensor(1)).To(g.Dtype())), c.Scalar(4)) })
			return append(Grads{timesConj(g, c.Scalar(3))}, out...)
		}},
		"linalg.cross": {For: []Saves{Arg1, Arg0}, VJP: func(c *Ctx) Grads {
			d := opt.Dim(c.Int(2))
			shape := c.ResultShape(0)
			return pair(c, 0, func() *tensor.Tensor {
				return tensor.LinalgCross(conj(c.Tensor(1)).Expand(shape...), c.Grad, d)
			},
				func() *tensor.Tensor { return tensor.LinalgCross(c.Grad, conj(c.Tensor(0)).Expand(shape...), d) })
		}},
		"cdist": {Save: Arg0 | Arg1 | Result0, VJP: cdistBackward},
	})
}

// pair asks for the gradients of arguments first and first+1 where they are needed.
func pair(c *Ctx, first int, f, g func() *tensor.Tensor) Grads {
	out := make(Grads, 2)
	if c.Needs(first) {
		out[0] = f()
	}
	if c.Needs(first + 1) {
		out[1] = g()
	}
	return out
}

// adjoint is the conjugate transpose.
func adjoint(x *tensor.Tensor) *tensor.Tensor {
	if x.Dim() == 2 {
		return conj(x.T())
	}
	return conj(x.Transpose(1, 2))
}

// matrixGrads returns the gradients of alpha*(a @ b), a and b being arguments first and first+1; b may be a vector.
func matrixGrads(c *Ctx, first int, g *tensor.Tensor, alpha tensor.Number) Grads {
	return pair(c, first, func() *tensor.Tensor {
		b := c.Tensor(first + 1)
		if b.Dim() == 1 {
			return timesConj(g.Unsqueeze(1).Mul(conj(b)), alpha)
		}
		if c.transposed(first) {
			return timesConj(conj(b).Mm(g.T()), alpha).T()
		}
		return timesConj(times(g, adjoint(b)), alpha)
	}, func() *tensor.Tensor {
		a := c.Tensor(first)
		if c.transposed(first + 1) {
			return timesConj(g.T().Mm(conj(a)), alpha).T()
		}
		return timesConj(times(adjoint(a), g), alpha)
	})
}

// transposed reports whether argument i is a transposed matrix. Its gradient is made to lie as it does: that of a
// weight which was transposed is then added to the weight's as it is.
func (c *Ctx) transposed(i int) bool {
	m := c.n.in(i)
	return m != nil && m.transposed
}

// times is the product of two matrices, two batches of them, or a matrix and a vector.
func times(a, b *tensor.Tensor) *tensor.Tensor {
	switch {
	case a.Dim() == 3:
		return a.Bmm(b)
	case b.Dim() == 1:
		return a.Mv(b)
	}
	return a.Mm(b)
}

// addedGrads returns those of beta*self + alpha*(a @ b), g being the gradient of the product.
func addedGrads(c *Ctx, g *tensor.Tensor) Grads {
	var self *tensor.Tensor
	if c.Needs(0) {
		self = timesConj(c.Grad, c.Scalar(3))
	}
	return append(Grads{self}, matrixGrads(c, 1, g, c.Scalar(4))...)
}

// cdistBackward is zero where a distance is: the p-norm has no derivative there.
func cdistBackward(c *Ctx) Grads {
	a, b, dist, p := c.Tensor(0), c.Tensor(1), c.Result(0).Unsqueeze(-1), c.Float(2)
	if cdistByProducts(p, c.Str(3), a.Size(-2), b.Size(-2)) {
		ratio := tensor.Where(c.Result(0).Eq(0), 0.0, c.Grad.Div(c.Result(0)))
		return Grads{ratio.Sum(opt.Dim(-1), opt.Keepdim(true)).Mul(a).Sub(ratio.Matmul(b)),
			ratio.Sum(opt.Dim(-2)).Unsqueeze(-1).Mul(b).Sub(ratio.Transpose(-2, -1).Matmul(a))}
	}
	g := c.Grad.Unsqueeze(-1)
	d := a.Unsqueeze(-2).Sub(b.Unsqueeze(-3))
	switch {
	case p == 0:
		d = d.Mul(0)
	case p == 1:
		d = g.Mul(d.Sign())
	case p == 2:
		d = tensor.Where(dist.Eq(0), 0.0, g.Div(dist)).Mul(d)
	case math.IsInf(p, 1):
		d = g.Mul(d.Sign()).Mul(d.Abs().Eq(dist))
	default:
		f := tensor.Where(d.Eq(0).LogicalOr(dist.Eq(0)), 0.0, d.Abs().Div(dist).Pow(p-1))
		d = g.Mul(d.Sign()).Mul(f)
	}
	return Grads{d.Sum(opt.Dim(-2)), d.Sum(opt.Dim(-3)).Neg()}
}

// cdistByProducts is the rule by which cdist multiplies matrices, as it stands beside the operator's body in package
// tensor.
func cdistByProducts(p float64, mode string, r1, r2 int) bool {
	return p == 2 && (mode == "use_mm_for_euclid_dist" ||
		mode == "use_mm_for_euclid_dist_if_necessary" && (r1 > 25 || r2 > 25))
}
