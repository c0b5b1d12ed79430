package tensor

import "math"

// Bodies of pointwise operators that are others in a row, and of other names.

func init() {
	composites(map[string]Kernel{
		"square":   func(c *Call) { c.Return(Pow(c.Tensor(0), 2, c.toOut()...)) },
		"arcsin":   named((*Tensor).Asin),
		"arccos":   named((*Tensor).Acos),
		"arctan":   named((*Tensor).Atan),
		"arcsinh":  named((*Tensor).Asinh),
		"arccosh":  named((*Tensor).Acosh),
		"arctanh":  named((*Tensor).Atanh),
		"absolute": named((*Tensor).Abs),
		"negative": named((*Tensor).Neg),
		"fix":      named((*Tensor).Trunc),
		"positive": func(c *Call) {
			noBool(c, c.Tensor(0).dtype)
			c.Return(c.Tensor(0))
		},
		"conj": func(c *Call) {
			x := c.Tensor(0)
			if x.dtype.IsComplex() {
				x = x.ConjPhysical()
			}
			c.Return(x)
		},
		"resolve_conj": func(c *Call) { c.Return(c.Tensor(0)) },
		"resolve_neg":  func(c *Call) { c.Return(c.Tensor(0)) },
		"isreal": func(c *Call) {
			x := c.Tensor(0)
			if x.dtype.IsComplex() {
				c.Return(x.Imag().Eq(0))
				return
			}
			c.Return(OnesLike(x, Bool))
		},
		"mvlgamma": mvlgamma,

		"subtract": func(c *Call) { c.Return(Sub(c.operand(0), c.operand(1), optAlpha(c.operand(2)))) },
		"multiply": both(Mul),
		"divide": func(c *Call) {
			if c.IsNone(2) {
				c.Return(Div(c.operand(0), c.operand(1)))
				return
			}
			c.Return(Div(c.operand(0), c.operand(1), optRoundingMode(c.Str(2))))
		},
		"true_divide": both(Div),
		"float_power": floatPower,
		"clip":        func(c *Call) { c.Return(c.Tensor(0).Clamp(optMin(c.operand(1)), optMax(c.operand(2)))) },
		"arctan2":     func(c *Call) { c.Return(c.Tensor(0).Atan2(c.Tensor(1))) },
		"ldexp":       func(c *Call) { c.Return(c.Tensor(0).Mul(Pow(2.0, c.Tensor(1)))) },
		"dist":        func(c *Call) { c.Return(c.Tensor(0).Sub(c.Tensor(1)).Norm(optP(c.operand(2)))) },

		"not_equal":     compared(Ne),
		"less":          compared(Lt),
		"less_equal":    compared(Le),
		"greater":       compared(Gt),
		"greater_equal": compared(Ge),
		"isclose": func(c *Call) {
			c.Return(isclose(c, c.Tensor(0), c.Tensor(1), c.Float(2), c.Float(3), c.Bool(4)))
		},
		"allclose": func(c *Call) {
			c.Return(isclose(c, c.Tensor(0), c.Tensor(1), c.Float(2), c.Float(3), c.Bool(4)).All())
		},
		"max.other": func(c *Call) { c.Return(c.Tensor(0).Maximum(c.Tensor(1))) },
		"min.other": func(c *Call) { c.Return(c.Tensor(0).Minimum(c.Tensor(1))) },
		"fill": func(c *Call) {
			x := c.writable(c.Tensor(0))
			x.Fill_(c.operand(1))
			c.Return(x)
		},

		"nn.functional.relu6": func(c *Call) { c.Return(Hardtanh(c.Tensor(0), optMinVal(0), optMaxVal(6))) },
		"nn.functional.selu": func(c *Call) {
			const alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
			c.Return(callElu(c.Tensor(0), alpha, scale, 1))
		},
		"nn.functional.elu": func(c *Call) { c.Return(callElu(c.Tensor(0), c.Float(1), 1, 1)) },
		"nn.functional.celu": func(c *Call) {
			x, alpha := c.Tensor(0), c.Float(1)
			if alpha == 0 {
				panic(Errorf(c.Name(), "ZeroDivisionError: alpha cannot be 0 for celu").OnArg("alpha"))
			}
			c.Return(callElu(x, alpha, 1, 1/alpha))
		},
		"nn.functional.softsign":   func(c *Call) { c.Return(c.Tensor(0).Div(c.Tensor(0).Abs().Add(1))) },
		"nn.functional.tanhshrink": func(c *Call) { c.Return(c.Tensor(0).Sub(c.Tensor(0).Tanh())) },
	})
}

// operand is argument i as a method takes it: a *Tensor, a number, or nil.
func (c *Call) operand(i int) any {
	if t := c.Tensor(i); t != nil {
		return t
	}
	if s, ok := c.Scalar(i); ok {
		return s
	}
	return nil
}

// toOut passes opt.Out of a body's call on to the one operator that it calls, which then writes into it.
func (c *Call) toOut() []Option {
	if len(c.out) == 0 {
		return nil
	}
	return []Option{optOut(c.out...)}
}

// named is the body of an operator that is another under a second name.
func named(f func(*Tensor, ...Option) *Tensor) Kernel {
	return func(c *Call) { c.Return(f(c.Tensor(0), c.toOut()...)) }
}

// both is named for functions of two operands.
func both(f func(a, b Operand, opts ...Option) *Tensor) Kernel {
	return func(c *Call) { c.Return(f(c.operand(0), c.operand(1), c.toOut()...)) }
}

// compared is named for comparisons.
func compared(f func(x *Tensor, other Operand, opts ...Option) *Tensor) Kernel {
	return func(c *Call) { c.Return(f(c.Tensor(0), c.operand(1), c.toOut()...)) }
}

// mvlgamma is p(p-1)/4 · log π + Σ lgamma(x - j/2) for j < p.
func mvlgamma(c *Call) {
	x, p := c.Tensor(0), c.Int(1)
	if p < 1 {
		panic(Errorf(c.Name(), "p has to be greater than or equal to 1, got %d", p).OnArg("p"))
	}
	if x.dtype == Bool || x.dtype.IsComplex() {
		panic(Errorf(c.Name(), "the input tensor must have a floating point or integer dtype, not %s", x.dtype))
	}
	sum := x.Lgamma()
	for j := 1; j < p; j++ {
		Interrupted(c.Name())
		sum = sum.Add(x.Sub(float64(j) / 2).Lgamma())
	}
	c.Return(sum.Add(float64(p*(p-1)) / 4 * math.Log(math.Pi)))
}

func floatPower(c *Call) {
	oneTensor(c, NoDtype)
	dt := Float64
	var ops [2]any
	for i := range ops {
		ops[i] = c.operand(i)
		if t, ok := ops[i].(*Tensor); ok && t.dtype.IsComplex() {
			dt = Complex128
		} else if s, ok := ops[i].(Scalar); ok && s.IsComplex() {
			dt = Complex128
		}
	}
	for i := range ops {
		if t, ok := ops[i].(*Tensor); ok {
			ops[i] = t.To(dt)
		} else if s := ops[i].(Scalar); dt == Complex128 {
			ops[i] = s.Complex()
		} else {
			ops[i] = s.Float()
		}
	}
	c.Return(Pow(ops[0], ops[1]))
}

// isclose is |a - b| <= atol + rtol |b|, where they are not equal anyway.
func isclose(c *Call, a, b *Tensor, rtol, atol float64, equalNan bool) *Tensor {
	switch {
	case a.dtype != b.dtype:
		panic(Errorf(c.Name(), "the dtypes must be equal, got %s and %s", a.dtype, b.dtype))
	case rtol < 0 || atol < 0:
		panic(Errorf(c.Name(), "rtol and atol must not be negative, got %v and %v", rtol, atol))
	}
	close := a.Eq(b)
	if !a.dtype.IsDifferentiable() {
		if rtol == 0 && atol == 0 {
			return close
		}
		a, b = a.To(DefaultDtype()), b.To(DefaultDtype())
	}
	if equalNan {
		close = close.LogicalOr(a.Isnan().LogicalAnd(b.Isnan()))
	}
	diff := a.Sub(b).Abs()
	return close.LogicalOr(diff.Isfinite().LogicalAnd(diff.Le(b.Abs().Mul(rtol).Add(atol))))
}
