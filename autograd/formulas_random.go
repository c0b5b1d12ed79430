package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// What a draw gives does not depend continuously on its arguments: their gradients are zeros. Draws have nodes all the
// same, as PyTorch's have, so that a graph shows them.
func init() {
	zeros := Formula{JVP: constant, VJP: func(c *Ctx) Grads {
		g := make(Grads, 2)
		for i := range g {
			if c.Needs(i) {
				g[i] = tensor.With(c.Dtype(i), c.Grad.Device()).Zeros(c.Shape(i)...)
			}
		}
		return g
	}}
	for _, name := range []string{"geometric_", "cauchy_", "bernoulli", "poisson", "normal", "binomial"} {
		register(map[string]Formula{name: zeros})
	}
	// Draws of these move with their parameters: the quantile of a draw is kept.
	register(map[string]Formula{
		"_standard_gamma": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			return Grads{c.Grad.Mul(tensor.Private("_standard_gamma_grad", c.Tensor(0), c.Result(0)))}
		}},
		"_sample_dirichlet": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			x, alpha := c.Result(0), c.Tensor(0)
			sum := func(v *tensor.Tensor) *tensor.Tensor { return v.Sum(opt.Dim(-1), opt.Keepdim(true)) }
			grad := tensor.Private("_dirichlet_grad", x, alpha, sum(alpha).ExpandAs(alpha))
			return Grads{grad.Mul(c.Grad.Sub(sum(x.Mul(c.Grad))))}
		}},
	})
}
