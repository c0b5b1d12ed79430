package autograd

import (
	"math"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Formulas of running sums and the like, triangles and diagonals.

func init() {
	register(map[string]Formula{
		"cumsum": {JVP: linear, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			return Grads{fromEnd(c.Grad, c.Int(1))}
		}},
		"cumprod": {Save: Arg0 | Result0, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			x := c.Tensor(0)
			if x.Dim() == 0 || x.Numel() == 0 {
				return Grads{c.Grad}
			}
			return Grads{cumprodGrad(c.Grad, x, c.Result(0), c.Int(1))}
		}},
		"logcumsumexp": {Save: Arg0 | Result0, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			x, y, g := c.Tensor(0), c.Result(0), c.Grad
			if x.Dim() == 0 {
				return Grads{g}
			}
			if IsGradEnabled() {
				return Grads{logcumsumexpGrad(g, x, y, c.Int(1))}
			}
			// sum over i >= j of g[i] exp(x[j] - y[i]), in logarithms; both signs of g apart
			part := func(g *tensor.Tensor) *tensor.Tensor {
				lg := tensor.Where(g.Gt(0), g, tensor.OnesLike(g)).Log().MaskedFill(g.Le(0), math.Inf(-1))
				return lg.Sub(y).Flip(c.Int(1)).Logcumsumexp(c.Int(1)).Flip(c.Int(1)).Add(x).Exp()
			}
			return Grads{part(g).Sub(part(g.Neg()))}
		}},
		"cummax": {Save: Result1, Batch: shiftDims("dim"), VJP: cumExtremeVJP},
		"cummin": {Save: Result1, Batch: shiftDims("dim"), VJP: cumExtremeVJP},
		"tril": {JVP: linear, Batch: wholeMatrix, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Tril(opt.Diagonal(c.Int(1)))}
		}},
		"triu": {JVP: linear, Batch: wholeMatrix, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Triu(opt.Diagonal(c.Int(1)))}
		}},
		"diag": {JVP: linear, VJP: func(c *Ctx) Grads {
			if len(c.Shape(0)) == 1 {
				return Grads{c.Grad.Diagonal(opt.Offset(c.Int(1)))}
			}
			return Grads{zerosOf(c, 0).DiagonalScatter(c.Grad, opt.Offset(c.Int(1)))}
		}},
		"diag_embed": {JVP: linear, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Diagonal(opt.Offset(c.Int(1)), opt.Dim1(c.Int(2)), opt.Dim2(c.Int(3)))}
		}},
	})
}

// logcumsumexpGrad is the gradient of logcumsumexp in a form that can be differentiated again: all pairs i >= j at
// once.
func logcumsumexpGrad(g, x, y *tensor.Tensor, dim int) *tensor.Tensor {
	last := func(t *tensor.Tensor) *tensor.Tensor { return t.Movedim(dim, -1) }
	n := x.Size(dim)
	past := tensor.With(tensor.Bool, x.Device()).Ones(n, n).Tril(opt.Diagonal(-1))
	share := last(x).Unsqueeze(-1).Sub(last(y).Unsqueeze(-2)).MaskedFill(past, math.Inf(-1)).Exp()
	return share.Mul(last(g).Unsqueeze(-2)).Sum(opt.Dim(-1)).Movedim(-1, dim)
}

// fromEnd are the running sums along dim that begin at the end.
func fromEnd(x *tensor.Tensor, dim int) *tensor.Tensor {
	if x.Dim() == 0 {
		return x
	}
	return x.Flip(dim).Cumsum(dim).Flip(dim)
}

func cumExtremeVJP(c *Ctx) Grads {
	return Grads{zerosFor(c, 0, c.Result(1)).ScatterAdd_(c.Int(1), c.Result(1), c.Grad)}
}

// cumprodGrad: every factor's gradient is the sum of those of the later products, times the product, divided by the
// factor. From the first zero of a lane on, the other factors are multiplied out; where a second derivative may
// follow, in all of such a lane.
func cumprodGrad(g, x, y *tensor.Tensor, dim int) *tensor.Tensor {
	x = x.To(y.Dtype())
	zero := x.Eq(0)
	if zero.IsPlain() && !zero.Any().ItemBool() { // inside of a transform there may be many answers
		return fromEnd(g.Mul(conj(y)), dim).Div(conj(x))
	}
	divided := fromEnd(g.Mul(conj(y)), dim).Div(conj(x.MaskedFill(zero, 1)))
	n := x.Size(dim)
	parts := make([]*tensor.Tensor, n)
	for k := range parts {
		others := before(x, dim, k)
		if k+1 < n {
			rest := others.Mul(x.Narrow(dim, k+1, n-k-1).Cumprod(dim))
			others = tensor.Cat([]*tensor.Tensor{others, rest}, opt.Dim(dim))
		}
		parts[k] = g.Narrow(dim, k, n-k).Mul(conj(others)).Sum(opt.Dim(dim))
	}
	from := zero.Cumsum(dim).Gt(0)
	if IsGradEnabled() {
		from = zero.Any(opt.Dim(dim), opt.Keepdim(true))
	}
	return tensor.Where(from, tensor.Stack(parts, opt.Dim(dim)), divided)
}

// before is the product of the first k elements along dim, which stays with size 1.
func before(x *tensor.Tensor, dim, k int) *tensor.Tensor {
	if k == 0 {
		return tensor.OnesLike(x.Narrow(dim, 0, 1))
	}
	return x.Narrow(dim, 0, k).Cumprod(dim).Narrow(dim, k-1, 1)
}
