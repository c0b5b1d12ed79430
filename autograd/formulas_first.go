package autograd

import "gotorch/tensor"

// The first formulas: arithmetic that the engine itself computes with.

func init() {
	register(map[string]Formula{
		"add": {VJP: func(c *Ctx) Grads { return Grads{c.Grad, timesConj(c.Grad, c.Scalar(2))} }},
		"sub": {VJP: func(c *Ctx) Grads {
			if !c.Needs(1) {
				return Grads{c.Grad, nil}
			}
			return Grads{c.Grad, timesConj(c.Grad, c.Scalar(2)).Neg()}
		}},
		"mul": {For: []Saves{Arg1, Arg0}, JVP: product, VJP: func(c *Ctx) Grads {
			var out [2]*tensor.Tensor
			for i := range out {
				if c.Needs(i) {
					out[i] = timesConj(c.Grad, c.Operand(1-i))
				}
			}
			return out[:]
		}},
		"neg": {JVP: linear, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Neg()} }},
		"exp": {Save: Result0, VJP: func(c *Ctx) Grads { return Grads{c.Grad.Mul(conj(c.Result(0)))} }},
	})
}

// conj is the complex conjugate; a real tensor is its own.
func conj(x *tensor.Tensor) *tensor.Tensor {
	if x.Dtype().IsComplex() {
		return x.Conj()
	}
	return x
}

// wide returns a tensor of 16-bit numbers as float32, others as they are: formulas of several steps round once, at the
// end, where the engine converts the gradient.
func wide(x *tensor.Tensor) *tensor.Tensor {
	if d := x.Dtype(); d == tensor.Float16 || d == tensor.Bfloat16 {
		return x.To(tensor.Float32)
	}
	return x
}

// timesConj is g times the conjugate of v, a tensor or a number.
func timesConj(g *tensor.Tensor, v tensor.Operand) *tensor.Tensor {
	switch v := v.(type) {
	case *tensor.Tensor:
		return g.Mul(conj(v))
	case complex128:
		return g.Mul(complex(real(v), -imag(v)))
	case nil:
		return g
	default:
		if s, ok := tensor.ScalarOf(v); ok && s.Float() == 1 {
			return g
		}
		return g.Mul(v)
	}
}
