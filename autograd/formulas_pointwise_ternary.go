package autograd

import "gotorch/tensor"

// Functions of three operands. An operand may be a number, which has no gradient and is saved with the call.

func init() {
	register(map[string]Formula{
		"addcmul": {For: []Saves{0, Arg2, Arg1}, VJP: func(c *Ctx) Grads {
			g := timesConj(c.Grad, c.Scalar(3))
			out := Grads{c.Grad, nil, nil}
			for i := 1; i <= 2; i++ {
				if c.Needs(i) {
					out[i] = g.Mul(conj(c.Tensor(3 - i)))
				}
			}
			return out
		}},
		"addcdiv": {For: []Saves{0, Arg2, Arg1 | Arg2}, VJP: func(c *Ctx) Grads {
			g := timesConj(c.Grad, c.Scalar(3))
			out := Grads{c.Grad, nil, nil}
			if c.Needs(1) {
				out[1] = g.Div(conj(c.Tensor(2)))
			}
			if c.Needs(2) {
				t2 := conj(c.Tensor(2))
				out[2] = g.Mul(conj(c.Tensor(1))).Div(t2.Mul(t2)).Neg()
			}
			return out
		}},
		"lerp": {For: []Saves{Arg2, Arg2, Arg0 | Arg1}, NameOf: overload(2, "LerpBackward1", "LerpBackward0"),
			VJP: func(c *Ctx) Grads {
				out := make(Grads, 3)
				if c.Needs(0) || c.Needs(1) {
					out[1] = timesConj(c.Grad, c.Operand(2))
					out[0] = c.Grad.Sub(out[1])
				}
				if c.Needs(2) {
					out[2] = c.Grad.Mul(conj(c.Tensor(1).Sub(c.Tensor(0))))
				}
				return out
			}},
		"clamp": {Save: Arg0 | Arg1 | Arg2, VJP: clampGrads, NameOf: func(c *Ctx) string {
			if c.IsTensor(1) || c.IsTensor(2) {
				return "ClampBackward0"
			}
			return "ClampBackward1"
		}},
		"where": {Save: Arg0, VJP: func(c *Ctx) Grads {
			return Grads{nil, masked(c.Tensor(0), c.Grad), tensor.Where(c.Tensor(0), 0, c.Grad)}
		}},
		"masked_fill": {Save: Arg1, NameOf: overload(2, "MaskedFillBackward1", "MaskedFillBackward0"),
			VJP: func(c *Ctx) Grads {
				out := Grads{c.Grad.MaskedFill(c.Tensor(1), 0), nil, nil}
				if c.Needs(2) {
					out[2] = masked(c.Tensor(1), c.Grad)
				}
				return out
			}},
	})
}

// limitGrad is the gradient of a tensor limit: what the limit decided.
func limitGrad(c *Ctx, i int, inside *tensor.Tensor) *tensor.Tensor {
	if !c.Needs(i) {
		return nil
	}
	return c.Grad.MaskedFill(inside, 0)
}

func clampGrads(c *Ctx) Grads {
	x, out := c.Tensor(0), make(Grads, 3)
	switch {
	case c.IsNone(2):
		inside := x.Ge(c.Operand(1))
		out[0], out[1] = masked(inside, c.Grad), limitGrad(c, 1, inside)
		return out
	case c.IsNone(1):
		inside := x.Le(c.Operand(2))
		out[0], out[2] = masked(inside, c.Grad), limitGrad(c, 2, inside)
		return out
	}
	lo, hi := c.Operand(1), c.Operand(2)
	out[0] = masked(x.Ge(lo).LogicalAnd(x.Le(hi)), c.Grad)
	if c.Needs(1) {
		out[1] = masked(x.Lt(lo).LogicalAnd(lo.(*tensor.Tensor).Lt(hi)), c.Grad)
	}
	if c.Needs(2) {
		out[2] = masked(x.Gt(hi).LogicalOr(hi.(*tensor.Tensor).Lt(lo)), c.Grad)
	}
	return out
}
