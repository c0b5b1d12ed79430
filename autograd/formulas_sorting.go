package autograd

import "gotorch/tensor"

// Formulas of orderings: the gradient of an element goes where it stood.

func init() {
	register(map[string]Formula{
		"sort": {Save: Result1, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			return Grads{backWhere(c, c.Int(1), true)}
		},
			NameOf: func(c *Ctx) string {
				if c.Bool(3) {
					return "SortBackward1"
				}
				return "SortBackward0"
			}},
		"topk": {Save: Result1, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			return Grads{backWhere(c, c.Int(2), true)}
		}},
		"kthvalue": {Save: Result1, VJP: func(c *Ctx) Grads { return Grads{backWhere(c, c.Int(2), c.Bool(3))} }},
	})
}

// backWhere scatters the gradient along dim to the places of result 1; the results have that dimension if kept is set.
func backWhere(c *Ctx, dim int, kept bool) *tensor.Tensor {
	g, at, zeros := c.Grad, c.Result(1), zerosOf(c, 0)
	if zeros.Dim() == 0 {
		return g.Reshape()
	}
	if !kept {
		g, at = g.Unsqueeze(dim), at.Unsqueeze(dim)
	}
	return zeros.Scatter(dim, at, g)
}
