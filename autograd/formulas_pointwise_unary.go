package autograd

import (
	"math"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Functions of one tensor. The gradient is the one that arrives times the conjugate of the derivative, which is read
// from the argument or, where it can be, from the result.

// byArg is the formula of a function whose derivative at x is d(x).
func byArg(d func(c *Ctx, x *tensor.Tensor) *tensor.Tensor) Formula {
	return Formula{Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(conj(d(c, c.Tensor(0))))} }}
}

// byResult is the formula of a function whose derivative where the result is y is d(y).
func byResult(d func(c *Ctx, y *tensor.Tensor) *tensor.Tensor) Formula {
	return Formula{Save: Result0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(conj(d(c, c.Result(0))))} }}
}

// byArgExact and byResultExact are byArg and byResult in one step.
func byArgExact(d func(c *Ctx, x *tensor.Tensor) *tensor.Tensor) Formula {
	return Formula{Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{wide(c.Grad).Mul(conj(d(c, wide(c.Tensor(0)))))} }}
}

func byResultExact(d func(c *Ctx, y *tensor.Tensor) *tensor.Tensor) Formula {
	return Formula{Save: Result0, VJP: func(c *Ctx) Grads {
		return Grads{wide(c.Grad).Mul(conj(d(c, wide(c.Result(0)))))}
	}}
}

// flat is the formula of a function that is constant nearly everywhere.
var flat = Formula{VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(0)} }}

// scaling is the formula of a function that multiplies by k.
func scaling(k float64) Formula {
	return Formula{VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(k)} }}
}

func init() {
	type T = *tensor.Tensor
	register(map[string]Formula{
		"exp2":  {Save: Result0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(c.Result(0)).Mul(math.Ln2)} }},
		"expm1": byResult(func(_ *Ctx, y T) T { return y.Add(1) }),
		"log":   {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Div(conj(c.Tensor(0)))} }},
		"log2":  {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Div(conj(c.Tensor(0)).Mul(math.Ln2))} }},
		"log10": {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Div(conj(c.Tensor(0)).Mul(math.Ln10))} }},
		"log1p": {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Div(conj(c.Tensor(0)).Add(1))} }},
		"sqrt":  {Save: Result0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Div(conj(c.Result(0)).Mul(2))} }},
		"rsqrt": {Save: Result0, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Mul(-0.5).Mul(conj(c.Result(0).Mul(c.Result(0)).Mul(c.Result(0))))}
		}},
		"reciprocal": byResult(func(_ *Ctx, y T) T { return y.Mul(y).Neg() }),

		"sin":   byArg(func(_ *Ctx, x T) T { return x.Cos() }),
		"cos":   byArg(func(_ *Ctx, x T) T { return x.Sin().Neg() }),
		"tan":   byResult(func(_ *Ctx, y T) T { return y.Mul(y).Add(1) }),
		"asin":  byArg(func(_ *Ctx, x T) T { return x.Mul(x).Neg().Add(1).Rsqrt() }),
		"acos":  byArg(func(_ *Ctx, x T) T { return x.Mul(x).Neg().Add(1).Rsqrt().Neg() }),
		"atan":  byArg(func(_ *Ctx, x T) T { return x.Mul(x).Add(1).Reciprocal() }),
		"sinh":  byArg(func(_ *Ctx, x T) T { return x.Cosh() }),
		"cosh":  byArg(func(_ *Ctx, x T) T { return x.Sinh() }),
		"asinh": byArg(func(_ *Ctx, x T) T { return x.Mul(x).Add(1).Rsqrt() }),
		"acosh": byArg(func(_ *Ctx, x T) T {
			if x.Dtype().IsComplex() { // the root of the product has the other sign where the real part is negative
				return x.Sub(1).Rsqrt().Mul(x.Add(1).Rsqrt())
			}
			return x.Mul(x).Sub(1).Rsqrt()
		}),
		"atanh":        byArg(func(_ *Ctx, x T) T { return x.Mul(x).Neg().Add(1).Reciprocal() }),
		"special.entr": {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(c.Tensor(0).Log().Add(1).Neg())} }},
		"sinc": byArg(func(_ *Ctx, x T) T {
			z := tensor.Mul(math.Pi, x) // the number first: half types round it
			d := z.Mul(z.Cos()).Sub(z.Sin()).Div(x.Mul(x).Mul(math.Pi))
			return d.MaskedFill(x.Eq(0), 0)
		}),
		"deg2rad": scaling(math.Pi / 180),
		"rad2deg": scaling(180 / math.Pi),

		"tanh":    byResultExact(func(_ *Ctx, y T) T { return y.Mul(y).Neg().Add(1) }),
		"sigmoid": byResultExact(func(_ *Ctx, y T) T { return y.Neg().Add(1).Mul(y) }),
		"logit": {Save: Arg0, VJP: func(c *Ctx) Grads {
			x := wide(c.Tensor(0))
			g := wide(c.Grad).Div(x.Mul(x.Neg().Add(1)))
			if c.IsNone(1) {
				return Grads{tensor.Where(x.Ge(0).LogicalAnd(x.Le(1)), g, math.NaN())}
			}
			eps := c.Float(1)
			return Grads{tensor.Where(x.Ge(eps).LogicalAnd(x.Le(1-eps)), g, 0)}
		}},
		"erf":     byArg(func(_ *Ctx, x T) T { return x.Mul(x).Neg().Exp().Mul(2 / math.SqrtPi) }),
		"erfc":    byArg(func(_ *Ctx, x T) T { return x.Mul(x).Neg().Exp().Mul(-2 / math.SqrtPi) }),
		"erfinv":  byResult(func(_ *Ctx, y T) T { return y.Mul(y).Exp().Mul(math.SqrtPi / 2) }),
		"lgamma":  byArg(func(_ *Ctx, x T) T { return x.Digamma() }),
		"digamma": byArg(func(_ *Ctx, x T) T { return tensor.Polygamma(1, x) }),
		"polygamma": {Save: Arg1, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Mul(tensor.Polygamma(c.Int(0)+1, c.Tensor(1)))}
		}},
		"i0": byArg(func(_ *Ctx, x T) T { return tensor.SpecialI1(x) }),
		"special.i1": byArg(func(_ *Ctx, x T) T { // I0(x) - I1(x)/x, which is 1/2 at zero
			safe := tensor.Where(x.Eq(0), 1, x)
			return tensor.Where(x.Eq(0), 0.5, x.I0().Sub(tensor.SpecialI1(x).Div(safe)))
		}),

		"abs": {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(c.Tensor(0).Sgn())} }},
		"sgn": {Save: Arg0, VJP: func(c *Ctx) Grads {
			z := c.Tensor(0)
			if !z.Dtype().IsComplex() {
				return Grads{c.Grad.Mul(0)}
			}
			// the part of the gradient across the direction of z, over |z|
			abs, s := z.Abs(), z.Sgn()
			along := c.Grad.Div(s).Real().Mul(s)
			return Grads{c.Grad.Sub(along).Div(abs).MaskedFill(abs.Eq(0), 0)}
		}},
		"angle": {Save: Arg0, VJP: func(c *Ctx) Grads {
			z := c.Tensor(0)
			if !z.Dtype().IsComplex() {
				return Grads{c.Grad.Mul(0)}
			}
			abs := z.Abs()
			return Grads{c.Grad.Mul(z.Mul(1i)).Div(abs.Mul(abs)).MaskedFill(abs.Eq(0), 0)}
		}},
		"sign": flat, "floor": flat, "ceil": flat, "trunc": flat,
		"round": {VJP: flat.VJP, NameOf: func(c *Ctx) string {
			if c.Int(1) != 0 {
				return "RoundBackward1"
			}
			return "RoundBackward0"
		}},
		"frac":          {VJP: func(c *Ctx) Grads { return Grads{c.Grad} }},
		"nan_to_num":    {Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(c.Tensor(0).Isfinite())} }},
		"conj_physical": {JVP: linear, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Conj()} }},
		"frexp": {Save: Result1, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Div(tensor.Pow(2.0, c.Result(1)))}
		}},
	})
	activations()
}

// activations registers the functions between layers.
func activations() {
	type T = *tensor.Tensor
	// where takes the gradient where cond holds.
	where := func(cond func(c *Ctx, x T) T) Formula {
		return Formula{Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{tensor.Where(cond(c, c.Tensor(0)), c.Grad, 0)} }}
	}
	register(map[string]Formula{
		"nn.functional.relu": {Save: Result0, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.MaskedFill(c.Result(0).Le(0), 0)}
		}},
		"nn.functional.leaky_relu": {Save: Arg0, VJP: func(c *Ctx) Grads {
			return Grads{tensor.Where(c.Tensor(0).Gt(0), c.Grad, c.Grad.Mul(c.Float(1)))}
		}},
		"_elu": {Save: Arg0, Name: "EluBackward0", VJP: func(c *Ctx) Grads {
			x, g := wide(c.Tensor(0)), wide(c.Grad)
			alpha, scale, inner := c.Float(1), c.Float(2), c.Float(3)
			return Grads{tensor.Where(x.Gt(0), g.Mul(scale),
				g.Mul(x.Clamp(opt.Max(0)).Mul(inner).Exp().Mul(alpha*scale*inner)))}
		}},
		"nn.functional.gelu": byArgExact(geluDerivative),
		"nn.functional.silu": {Save: Arg0, VJP: func(c *Ctx) Grads {
			x := c.Tensor(0)
			s := x.Sigmoid()
			if wide(x) != x { // half types are rounded at every step, the sigmoid's too
				s = x.Neg().Exp().Add(1).Reciprocal()
			}
			return Grads{c.Grad.Mul(conj(s)).Mul(conj(x.Mul(s.Neg().Add(1)).Add(1)))}
		}},
		"nn.functional.mish": byArgExact(func(_ *Ctx, x T) T {
			t := tensor.Softplus(x).Tanh()
			return t.Add(x.Mul(x.Sigmoid()).Mul(t.Mul(t).Neg().Add(1)))
		}),
		"nn.functional.softplus": {Save: Arg0, VJP: func(c *Ctx) Grads {
			z, g := wide(c.Tensor(0)).Mul(c.Scalar(1)), wide(c.Grad)
			return Grads{tensor.Where(z.Gt(c.Scalar(2)), g, g.Mul(z.Sigmoid()))}
		}},
		"nn.functional.softshrink": where(func(c *Ctx, x T) T { return x.Abs().Gt(c.Float(1)) }),
		"nn.functional.hardshrink": where(func(c *Ctx, x T) T { return x.Abs().Gt(c.Float(1)) }),
		"nn.functional.hardtanh":   where(func(c *Ctx, x T) T { return x.Gt(c.Float(1)).LogicalAnd(x.Lt(c.Float(2))) }),
		"nn.functional.threshold":  where(func(c *Ctx, x T) T { return x.Gt(c.Float(1)) }),
		"nn.functional.hardsigmoid": {Save: Arg0, VJP: func(c *Ctx) Grads {
			return Grads{tensor.Where(c.Tensor(0).Abs().Lt(3), c.Grad.Div(6), 0)}
		}},
		"nn.functional.hardswish": {Save: Arg0, VJP: func(c *Ctx) Grads {
			x, g := wide(c.Tensor(0)), wide(c.Grad)
			inside := g.Mul(x.Div(3).Add(0.5))
			return Grads{tensor.Where(x.Lt(-3), 0, tensor.Where(x.Lt(3), inside, g))}
		}},
		"nn.functional.logsigmoid": {Save: Arg0, Name: "LogSigmoidBackward0", VJP: func(c *Ctx) Grads {
			return Grads{wide(c.Grad).Mul(wide(c.Tensor(0)).Neg().Sigmoid())}
		}},
		"nn.functional.prelu": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			x, w := c.Tensor(0), c.Tensor(1)
			if w.Dim() == 1 && x.Dim() > 1 { // a slope for each channel
				shape := make([]int, x.Dim())
				for i := range shape {
					shape[i] = 1
				}
				shape[1] = w.Numel()
				w = w.Reshape(shape...)
			}
			positive := x.Gt(0)
			gx := tensor.Where(positive, c.Grad, c.Grad.Mul(w))
			gw := tensor.Where(positive, 0, c.Grad.Mul(x)).SumToSize(expandable(w.Shape(), x.Dim())...)
			return Grads{gx, gw.Reshape(c.Shape(1)...)}
		}},
		"nn.functional.glu": {Save: Arg0, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			x, dim, g := wide(c.Tensor(0)), c.Int(1), wide(c.Grad)
			half := x.Size(dim) / 2
			a, s := x.Narrow(dim, 0, half), x.Narrow(dim, half, half).Sigmoid()
			return Grads{tensor.Cat([]*tensor.Tensor{g.Mul(s), g.Mul(a).Mul(s).Mul(s.Neg().Add(1))}, opt.Dim(dim))}
		}},
	})
}

// expandable is shape as SumToSize wants it for a tensor of dims dimensions.
func expandable(shape []int, dims int) []int {
	if dims == 0 {
		return []int{}
	}
	return shape
}

// geluDerivative is Φ(x) + x φ(x), or that of the approximation by tanh.
func geluDerivative(c *Ctx, x *tensor.Tensor) *tensor.Tensor {
	if c.Str(1) == "tanh" {
		const beta, kappa = math.Sqrt2 * 2 / math.SqrtPi / 2, 0.044715
		x2 := x.Mul(x)
		t := x.Mul(x2.Mul(kappa).Add(1)).Mul(beta).Tanh()
		inner := x2.Mul(3 * kappa).Add(1).Mul(beta)
		return t.Add(1).Mul(0.5).Add(x.Mul(t.Mul(t).Neg().Add(1)).Mul(inner).Mul(0.5))
	}
	cdf := x.Mul(1 / math.Sqrt2).Erf().Add(1).Mul(0.5)
	pdf := x.Mul(x).Mul(-0.5).Exp().Mul(1 / math.Sqrt(2*math.Pi))
	return cdf.Add(x.Mul(pdf))
}
