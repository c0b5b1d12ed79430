package optim

import (
	"math"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// ClipGradNorm_ scales the gradients of a module or list of parameters so that the norm of all of them together is at
// most maxNorm, and returns what it was. opt.NormType is 2 without; opt.NormType(math.Inf(1)) is the greatest element.
func ClipGradNorm_(params any, maxNorm float64, opts ...tensor.Option) float64 {
	const op = "optim.clip_grad_norm_"
	m := tensor.Keywords(op, opts, "norm_type")
	p := 2.0
	if v, ok := m["norm_type"]; ok {
		s, ok := tensor.ScalarOf(v)
		if !ok {
			panic(tensor.Errorf(op, "argument norm_type must be a number, not %v", v))
		}
		p = s.Float()
	}
	total := 0.0
	autograd.NoGrad(func() {
		grads := gradsOf(op, params)
		for _, g := range grads {
			n := tensor.LinalgVectorNorm(g, opt.Ord(p)).Item()
			if math.IsInf(p, 1) {
				total = math.Max(total, n)
			} else {
				total += math.Pow(n, p)
			}
		}
		if !math.IsInf(p, 1) {
			total = math.Pow(total, 1/p)
		}
		if scale := maxNorm / (total + 1e-6); scale < 1 {
			for _, g := range grads {
				g.Mul_(scale)
			}
		}
	})
	return total
}

// ClipGradValue_ limits every element of the gradients of a module or list of parameters to [-value, value].
func ClipGradValue_(params any, value float64) {
	autograd.NoGrad(func() {
		for _, g := range gradsOf("optim.clip_grad_value_", params) {
			g.Clamp_(opt.Min(-value), opt.Max(value))
		}
	})
}

func gradsOf(op string, params any) (grads []*tensor.Tensor) {
	for _, g := range groupsOf(op, params) {
		for _, p := range g.Params {
			if p.Grad() != nil {
				grads = append(grads, p.Grad())
			}
		}
	}
	return grads
}
