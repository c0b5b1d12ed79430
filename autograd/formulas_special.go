package autograd

import (
	"math"

	"gotorch/tensor"
)

// Formulas of special functions. Others have no derivative, as in PyTorch.

func init() {
	type T = *tensor.Tensor
	// ratio is a/x, and at zero what it tends to.
	ratio := func(a, x T, limit float64) T {
		zero := x.Eq(0)
		return tensor.Where(zero, limit, a.Div(tensor.Where(zero, 1, x)))
	}
	register(map[string]Formula{
		"special.i0e": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			x := c.Tensor(0)
			return Grads{c.Grad.Mul(tensor.SpecialI1e(x).Sub(x.Sgn().Mul(c.Result(0))))}
		}},
		"special.i1e": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			x, y := c.Tensor(0), c.Result(0)
			return Grads{c.Grad.Mul(tensor.SpecialI0e(x).Sub(ratio(y, x, 0.5)).Sub(x.Sgn().Mul(y)))}
		}},
		"special.erfcx": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Mul(c.Tensor(0).Mul(c.Result(0)).Mul(2).Sub(2 / math.SqrtPi))}
		}},
		"special.ndtr": byArg(func(_ *Ctx, x T) T { return x.Mul(x).Mul(-0.5).Exp().Mul(1 / math.Sqrt(2*math.Pi)) }),
		"special.log_ndtr": byArg(func(_ *Ctx, x T) T {
			return tensor.Div(math.Sqrt(2/math.Pi), tensor.SpecialErfcx(x.Mul(-1/math.Sqrt2)))
		}),
		"special.ndtri": byResult(func(_ *Ctx, y T) T { return y.Mul(y).Mul(0.5).Exp().Mul(math.Sqrt(2 * math.Pi)) }),
		"special.xlog1py": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			a, b := c.Operand(0), c.Operand(1)
			out := make(Grads, 2)
			if c.Needs(0) {
				g := tensor.SpecialXlog1py(c.Grad, b)
				zero := a.(T).Eq(0)
				if t, ok := b.(T); ok {
					out[0] = g.MaskedFill(zero.LogicalAnd(t.Le(-1)), 0)
				} else if v, _ := number(b); real(v) <= -1 {
					out[0] = g.MaskedFill(zero, 0)
				} else {
					out[0] = g
				}
			}
			if c.Needs(1) {
				out[1] = c.Grad.Mul(a).Div(b.(T).Add(1))
			}
			return out
		}},
		"special.zeta": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			undifferentiable(c, 0, "special.zeta", "self")
			s := tensor.Operand(c.Operand(0))
			return Grads{nil, c.Grad.Mul(tensor.SpecialZeta(tensor.Add(s, 1), c.Tensor(1)).Mul(s).Neg())}
		}},
		"igamma": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			undifferentiable(c, 0, "igamma", "self")
			return Grads{nil, c.Grad.Mul(gammaDensity(c.Tensor(0), c.Tensor(1)))}
		}},
		"igammac": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			undifferentiable(c, 0, "igammac", "self")
			return Grads{nil, c.Grad.Mul(gammaDensity(c.Tensor(0), c.Tensor(1))).Neg()}
		}},
	})
}

// gammaDensity is x^(a-1) exp(-x) / Γ(a), the derivative of igamma in x.
func gammaDensity(a, x *tensor.Tensor) *tensor.Tensor {
	return tensor.Xlogy(a.Sub(1), x).Sub(x).Sub(a.Lgamma()).Exp()
}

// undifferentiable rejects the derivative with respect to an argument that has none written down.
func undifferentiable(c *Ctx, i int, op, arg string) {
	if c.Needs(i) {
		panic(tensor.Errorf("backward", "the derivative of %s with respect to %s is not implemented", op, arg).OnArg(arg))
	}
}
