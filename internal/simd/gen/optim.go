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
			{"root_ratio", 3, func(e *expr, x []*node) *node {
				root := func(x *node) *node { return e.sqrt(e.add(x, e.param(0))) }
				return e.mul(e.div(root(x[0]), root(x[1])), x[2])
			}},
			{"decayed_maximum", 2, two(func(e *expr, x, y *node) *node {
				u, v := e.mul(e.param(0), x), e.add(e.abs(y), e.param(1))
				return e.sel(e.cmp(gt, u, v), u, v)
			})},
			{"rprop_size", 3, func(e *expr, x []*node) *node {
				same := e.mul(x[1], x[2])
				grown := e.sel(e.cmp(gt, same, e.c(0)), e.mul(x[0], e.param(1)), x[0])
				v := e.sel(e.cmp(lt, same, e.c(0)), e.mul(x[0], e.param(0)), grown)
				v = e.sel(e.cmp(lt, v, e.param(2)), e.param(2), v)
				return e.sel(e.cmp(gt, v, e.param(3)), e.param(3), v)
			}},
			{"rprop_grad", 2, two(func(e *expr, x, y *node) *node {
				return e.sel(e.cmp(lt, e.mul(x, y), e.c(0)), e.c(0), x)
			})},
			{"rprop_step", 3, func(e *expr, x []*node) *node {
				down := e.sel(e.cmp(gt, x[2], e.c(0)), e.sub(x[0], x[1]), x[0])
				return e.sel(e.cmp(lt, x[2], e.c(0)), e.add(x[0], x[1]), down)
			}},
		} {
			kernels(spec{name: s.name + " " + t.name, in: same(t, s.n), out: t, lane: t, unroll: 2, body: s.body})
		}
	}
}
