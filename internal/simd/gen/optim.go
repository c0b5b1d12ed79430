package main

func init() { families["optim"] = optimizerSteps }

// optimizerSteps emits the kernels of optimizers: the same to the bit as the Go forms.
func optimizerSteps() {
	for _, t := range floatElems {
		for _, s := range []struct {
			name string
			n    int
			body exprFunc
		}{
			{"blend", 2, two(func(e *expr, x, y *node) *node { return e.add(e.mul(e.param(0), x), e.mul(e.param(1), y)) })},
			{"blend_square", 2, two(func(e *expr, x, y *node) *node {
				return e.add(e.mul(e.param(0), x), e.mul(e.mul(e.param(1), y), y))
			})},
			{"root_step", 3, func(e *expr, x []*node) *node {
				root := e.add(e.div(e.sqrt(x[2]), e.param(2)), e.param(3))
				return e.sub(e.mul(e.param(0), x[0]), e.mul(e.param(1), e.div(x[1], root)))
			}},
		} {
			kernels(spec{name: s.name + " " + t.name, in: same(t, s.n), out: t, lane: t, unroll: 2, body: s.body})
		}
	}
}
