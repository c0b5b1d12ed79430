package autograd

// What a draw writes does not depend on what was there before: the gradient stops. Draws have nodes all the same, as PyTorch's have, so that
// a graph shows them.
func init() {
	for _, name := range []string{"geometric_", "cauchy_", "bernoulli", "poisson"} {
		register(map[string]Formula{name: {VJP: func(*Ctx) Grads { return Grads{} }}})
	}
}
