package autograd

import "gotorch/tensor"

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
	for _, name := range []string{"geometric_", "cauchy_", "bernoulli", "poisson", "normal"} {
		register(map[string]Formula{name: zeros})
	}
}
