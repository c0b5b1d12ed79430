package autograd

import (
	"math"
	"math/cmplx"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Functions of several operands. An operand may be a number, which has no gradient and is saved with the call.

// overload names a node by whether argument i is a tensor, as PyTorch numbers its overloads.
func overload(i int, withTensor, withNumber string) func(c *Ctx) string {
	return func(c *Ctx) string {
		if c.IsTensor(i) {
			return withTensor
		}
		return withNumber
	}
}

// number reads an operand as a complex number, if it is one.
func number(v tensor.Operand) (complex128, bool) {
	s, ok := tensor.ScalarOf(v)
	return s.Complex(), ok
}

// masked is g where cond holds and 0 elsewhere.
func masked(cond, g *tensor.Tensor) *tensor.Tensor { return tensor.Where(cond, g, 0) }

// conjOperand is the conjugate of a tensor or number.
func conjOperand(v tensor.Operand) tensor.Operand {
	switch v := v.(type) {
	case *tensor.Tensor:
		return conj(v)
	case complex128:
		return cmplx.Conj(v)
	}
	return v
}

func init() {
	register(map[string]Formula{
		"rsub": {VJP: func(c *Ctx) Grads {
			return pair(c, 0, func() *tensor.Tensor { return timesConj(c.Grad, c.Scalar(2)).Neg() },
				func() *tensor.Tensor { return c.Grad })
		}},
		"div": {For: []Saves{Arg1, Arg0 | Arg1}, VJP: divGrads, NameOf: func(c *Ctx) string {
			if c.IsNone(2) {
				return "DivBackward0"
			}
			return "DivBackward2"
		}},
		"fmod": {For: []Saves{0, Arg0 | Arg1}, NameOf: overload(1, "FmodBackward1", "FmodBackward0"),
			VJP: func(c *Ctx) Grads {
				return Grads{c.Grad, remainderGrad(c, "trunc")}
			}},
		"remainder": {For: []Saves{0, Arg0 | Arg1}, NameOf: overload(1, "RemainderBackward1", "RemainderBackward0"),
			VJP: func(c *Ctx) Grads {
				return Grads{c.Grad, remainderGrad(c, "floor")}
			}},
		"pow": {For: []Saves{Arg0 | Arg1, Arg0 | Arg1}, VJP: powGrads, NameOf: func(c *Ctx) string {
			switch {
			case !c.IsTensor(1):
				return "PowBackward0"
			case !c.IsTensor(0):
				return "PowBackward2"
			}
			return "PowBackward1"
		}},

		"maximum": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			a, b := c.Tensor(0), c.Tensor(1)
			g := tensor.Where(a.Eq(b), c.Grad.Div(2), c.Grad)
			return Grads{g.MaskedFill(a.Lt(b), 0), g.MaskedFill(a.Gt(b), 0)}
		}},
		"minimum": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			a, b := c.Tensor(0), c.Tensor(1)
			g := tensor.Where(a.Eq(b), c.Grad.Div(2), c.Grad)
			return Grads{g.MaskedFill(a.Gt(b), 0), g.MaskedFill(a.Lt(b), 0)}
		}},
		"fmax": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			first := c.Tensor(0).Ge(c.Tensor(1)).LogicalOr(c.Tensor(1).Isnan())
			return Grads{masked(first, c.Grad), c.Grad.MaskedFill(first, 0)}
		}},
		"fmin": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			first := c.Tensor(0).Le(c.Tensor(1)).LogicalOr(c.Tensor(1).Isnan())
			return Grads{masked(first, c.Grad), c.Grad.MaskedFill(first, 0)}
		}},
		"clamp_min": {Save: Arg0 | Arg1, NameOf: overload(1, "ClampMinBackward1", "ClampMinBackward0"),
			VJP: func(c *Ctx) Grads {
				inside := c.Tensor(0).Ge(c.Operand(1))
				return Grads{masked(inside, c.Grad), limitGrad(c, 1, inside)}
			}},
		"clamp_max": {Save: Arg0 | Arg1, NameOf: overload(1, "ClampMaxBackward1", "ClampMaxBackward0"),
			VJP: func(c *Ctx) Grads {
				inside := c.Tensor(0).Le(c.Operand(1))
				return Grads{masked(inside, c.Grad), limitGrad(c, 1, inside)}
			}},

		"atan2": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			y, x := c.Tensor(0), c.Tensor(1)
			r := c.Grad.Div(y.Mul(y).Add(x.Mul(x)))
			return Grads{r.Mul(x), r.Mul(y).Neg()}
		}},
		"hypot": {Save: Arg0 | Arg1 | Result0, VJP: func(c *Ctx) Grads {
			g, y := wide(c.Grad), wide(c.Result(0))
			return Grads{g.Mul(wide(c.Tensor(0)).Div(y)), g.Mul(wide(c.Tensor(1)).Div(y))}
		}},
		"logaddexp": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			d := c.Tensor(1).Sub(c.Tensor(0))
			return Grads{c.Grad.Div(d.Exp().Add(1)), c.Grad.Div(d.Neg().Exp().Add(1))}
		}},
		"logaddexp2": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			d := c.Tensor(1).Sub(c.Tensor(0))
			return Grads{c.Grad.Div(tensor.Pow(2.0, d).Add(1)), c.Grad.Div(tensor.Pow(2.0, d.Neg()).Add(1))}
		}},
		"xlogy": {Save: Arg0 | Arg1, VJP: xlogyGrads, NameOf: func(c *Ctx) string {
			switch {
			case !c.IsTensor(0):
				return "XlogyBackward1"
			case !c.IsTensor(1):
				return "XlogyBackward2"
			}
			return "XlogyBackward0"
		}},
		"complex": {VJP: func(c *Ctx) Grads { return Grads{c.Grad.Real(), c.Grad.Imag()} }},
		"polar": {Save: Result0, VJP: func(c *Ctx) Grads {
			g, z := c.Grad.Conj(), c.Result(0)
			return Grads{g.Mul(z.Sgn()).Real(), g.Mul(z.Mul(1i)).Real()}
		}},
		"copysign": {Save: Arg0 | Result0, NameOf: overload(1, "CopysignBackward0", "CopysignBackward1"),
			VJP: func(c *Ctx) Grads {
				x := c.Tensor(0)
				out := Grads{c.Grad.Mul(c.Result(0).Div(x).MaskedFill(x.Eq(0), 0)), nil}
				if c.Needs(1) {
					out[1] = c.Grad.Mul(0)
				}
				return out
			}},
	})
}

func divGrads(c *Ctx) Grads {
	out := make(Grads, 2)
	if !c.IsNone(2) { // rounded: flat nearly everywhere
		for i := range out {
			if c.Needs(i) {
				out[i] = c.Grad.Mul(0)
			}
		}
		return out
	}
	other := conjOperand(c.Operand(1))
	if c.Needs(0) {
		out[0] = c.Grad.Div(other)
	}
	if c.Needs(1) {
		self := conjOperand(c.Operand(0))
		out[1] = c.Grad.Neg().Mul(tensor.Div(tensor.Div(self, other), other))
	}
	return out
}

// remainderGrad is minus the rounded quotient.
func remainderGrad(c *Ctx, mode string) *tensor.Tensor {
	if !c.Needs(1) {
		return nil
	}
	return c.Grad.Neg().Mul(tensor.Div(c.Operand(0), c.Operand(1), opt.RoundingMode(mode)))
}

func powGrads(c *Ctx) Grads {
	out := make(Grads, 2)
	base, exponent := c.Operand(0), c.Operand(1)
	if c.Needs(0) {
		x := base.(*tensor.Tensor)
		if e, ok := exponent.(*tensor.Tensor); ok {
			d := e.Mul(x.Pow(e.Sub(1)))
			out[0] = masked(e.Ne(0), c.Grad.Mul(conj(d)))
		} else if e, _ := number(exponent); e == 0 {
			out[0] = c.Grad.Mul(0)
		} else if _, isComplex := exponent.(complex128); e == 2 && !isComplex {
			out[0] = c.Grad.Mul(conj(x.Mul(exponent)))
		} else {
			out[0] = c.Grad.Mul(conj(x.Pow(lessOne(exponent)).Mul(exponent)))
		}
	}
	if c.Needs(1) {
		e := exponent.(*tensor.Tensor)
		nonNegative := e
		if e.Dtype().IsComplex() {
			nonNegative = e.Real()
		}
		keep := nonNegative.Ge(0)
		y := tensor.Pow(base, e)
		if x, ok := base.(*tensor.Tensor); ok {
			zero := x.Eq(0).LogicalAnd(keep)
			out[1] = c.Grad.Mul(tensor.Where(zero, 0, conj(y.Mul(x.Log()))))
		} else if b, _ := number(base); b == 0 {
			out[1] = c.Grad.Mul(tensor.Where(keep, 0, conj(y.Mul(logOf(base, e)))))
		} else {
			out[1] = c.Grad.Mul(conj(y.Mul(logOf(base, e))))
		}
	}
	return out
}

// lessOne is a number less 1, of the same kind.
func lessOne(v tensor.Operand) tensor.Operand {
	s, _ := tensor.ScalarOf(v)
	switch {
	case s.IsInt() || s.IsBool():
		return s.Int() - 1
	case s.IsComplex():
		return s.Complex() - 1
	}
	return s.Float() - 1
}

// logOf is the logarithm of a number, as one that goes with tensors like e.
func logOf(v tensor.Operand, e *tensor.Tensor) tensor.Operand {
	z, _ := number(v)
	l := cmplx.Log(z)
	if s, _ := tensor.ScalarOf(v); s.IsComplex() || e.Dtype().IsComplex() {
		return l
	}
	if real(z) < 0 {
		return math.NaN()
	}
	return real(l)
}

func xlogyGrads(c *Ctx) Grads {
	a, b := c.Operand(0), c.Operand(1)
	out := make(Grads, 2)
	if c.Needs(0) {
		g := tensor.Xlogy(c.Grad, b)
		x := a.(*tensor.Tensor)
		if t, ok := b.(*tensor.Tensor); ok {
			out[0] = g.MaskedFill(x.Eq(0).LogicalAnd(t.Le(0)), 0)
		} else if v, _ := number(b); real(v) <= 0 {
			out[0] = g.MaskedFill(x.Eq(0), 0)
		} else {
			out[0] = g
		}
	}
	if c.Needs(1) {
		out[1] = c.Grad.Mul(a).Div(b)
	}
	return out
}
