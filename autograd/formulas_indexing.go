package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"slices"
)

// Formulas of reading and writing by index. What was read from a place gets its gradient added there; what was
// overwritten gets none.

func init() {
	register(map[string]Formula{
		"_index": {Save: Arg1, Name: "IndexBackward0", VJP: func(c *Ctx) Grads {
			return Grads{zerosOf(c, 0).IndexPut(places0(c.Indices(1)), c.Grad, opt.Accumulate(true))}
		}},
		"_index_put_impl_": {Save: Arg1, JVP: linear, Name: "IndexPutBackward0", VJP: func(c *Ctx) Grads {
			ix := places0(c.Indices(1))
			out := make(Grads, 2)
			if out[0] = c.Grad; !c.Bool(3) && c.Needs(0) {
				out[0] = c.Grad.IndexPut(ix, 0)
			}
			if c.Needs(1) || c.Needs(2) {
				out[1] = c.Grad.Index(ix...)
			}
			return out
		}},
		"index_select": {Save: Arg2, VJP: func(c *Ctx) Grads {
			return Grads{zerosFor(c, 0, c.Tensor(2)).IndexAdd_(c.Int(1), c.Tensor(2), c.Grad)}
		}},
		"index_add": {Save: Arg2, VJP: func(c *Ctx) Grads {
			out := Grads{c.Grad, nil, nil}
			if c.Needs(3) {
				out[2] = timesConj(selected(c, 3), c.Scalar(4))
			}
			return out
		}},
		"index_copy": {Save: Arg2, VJP: func(c *Ctx) Grads {
			out := make(Grads, 3)
			if c.Needs(0) {
				out[0] = c.Grad.IndexFill(c.Int(1), c.Tensor(2), 0)
			}
			if c.Needs(3) {
				out[2] = selected(c, 3)
			}
			return out
		}},
		"index_fill": {Save: Arg2, VJP: func(c *Ctx) Grads {
			out := make(Grads, 3)
			if c.Needs(0) {
				out[0] = c.Grad.IndexFill(c.Int(1), c.Tensor(2), 0)
			}
			if c.Needs(3) {
				out[2] = c.Grad.IndexSelect(c.Int(1), wrapped(c)).Sum()
			}
			return out
		}, NameOf: byValue("IndexFillBackward", 3)},
		"gather": {Save: Arg2, VJP: func(c *Ctx) Grads {
			return Grads{zerosFor(c, 0, c.Tensor(2)).ScatterAdd_(c.Int(1), c.Tensor(2), c.Grad)}
		}},
		"scatter": {Save: Arg2, VJP: scatterVJP, NameOf: byNumber("ScatterBackward", 3)},
		"scatter_add": {Save: Arg2, VJP: func(c *Ctx) Grads {
			out := Grads{c.Grad, nil, nil}
			if c.Needs(3) {
				out[2] = padded(c.Grad.Gather(c.Int(1), c.Tensor(2)), c.Shape(3))
			}
			return out
		}},
		"scatter_reduce": {Save: Arg0 | Arg2 | Arg3 | Result0, VJP: scatterReduceVJP},
		"index_reduce":   {Save: Arg0 | Arg2 | Arg3 | Result0, VJP: indexReduceVJP},
		"take": {Save: Arg1, VJP: func(c *Ctx) Grads {
			return Grads{zerosFor(c, 0, c.Tensor(1)).Put_(c.Tensor(1), c.Grad, opt.Accumulate(true))}
		}},
		"put": {Save: Arg1, VJP: func(c *Ctx) Grads {
			at := c.Tensor(1)
			out := make(Grads, 3)
			if out[0] = c.Grad; !c.Bool(3) && c.Needs(0) {
				out[0] = c.Grad.Put(at, tensor.ZerosLike(at, c.Grad.Dtype()))
			}
			if c.Needs(2) {
				out[2] = c.Grad.Take(at).Reshape(c.Shape(2)...)
			}
			return out
		}},
		"masked_select": {Save: Arg1, VJP: func(c *Ctx) Grads {
			mask := c.Tensor(1)
			shape := tensor.BroadcastShapes(c.Shape(0), mask.Shape())
			return Grads{zeros(c.Grad, shape).MaskedScatter(mask, c.Grad)}
		}},
		"masked_scatter": {Save: Arg1, VJP: func(c *Ctx) Grads {
			mask := c.Tensor(1)
			out := make(Grads, 3)
			if c.Needs(0) {
				out[0] = c.Grad.MaskedFill(mask, 0)
			}
			if c.Needs(2) {
				n := 1
				for _, s := range c.Shape(2) {
					n *= s
				}
				out[2] = padded(c.Grad.MaskedSelect(mask), []int{n}).Reshape(c.Shape(2)...)
			}
			return out
		}},
	})
}

// zerosOf are zeros of the shape of tensor argument i, of the gradient's dtype.
func zerosOf(c *Ctx, i int) *tensor.Tensor {
	return zeros(c.Grad, c.Shape(i))
}

// zerosFor are zerosOf that the gradient can be added to in place, where index says.
func zerosFor(c *Ctx, i int, index *tensor.Tensor) *tensor.Tensor {
	return tensor.LiftTo(zerosOf(c, i), index)
}

// places0 are index tensors as a list of indices: a dimension without one is whole.
func places0(ix []any) []any {
	for i, e := range ix {
		if e == nil {
			ix[i] = tensor.Colon
		}
	}
	return ix
}

// selected are the slices of the gradient that went to the call's index, in the shape of argument i.
func selected(c *Ctx, i int) *tensor.Tensor {
	return c.Grad.IndexSelect(c.Int(1), c.Tensor(2)).Reshape(c.Shape(i)...)
}

// wrapped is the call's index with places counted from the end made positive.
func wrapped(c *Ctx) *tensor.Tensor {
	index, shape, n := c.Tensor(2), c.Shape(0), 1
	if len(shape) > 0 {
		n = shape[tensor.WrapDim("index_fill", c.Int(1), len(shape))]
	}
	return tensor.Where(index.Lt(0), index.Add(n), index)
}

// padded puts g into the corner of zeros of shape.
func padded(g *tensor.Tensor, shape []int) *tensor.Tensor {
	same := len(shape) == g.Dim()
	var ix []any
	for d := 0; same && d < len(shape); d++ {
		ix = append(ix, tensor.Slice(0, g.Size(d), nil))
	}
	switch {
	case !same:
		return g.Reshape(shape...)
	case slices.Equal(shape, g.Shape()):
		return g
	}
	return zeros(g, shape).IndexPut(ix, g)
}

// byNumber names a node by whether argument i is a tensor (0) or a number (1); byValue the other way round.
func byNumber(name string, i int) func(c *Ctx) string {
	return func(c *Ctx) string {
		if c.IsTensor(i) {
			return name + "0"
		}
		return name + "1"
	}
}

func byValue(name string, i int) func(c *Ctx) string {
	return func(c *Ctx) string {
		if c.IsTensor(i) {
			return name + "1"
		}
		return name + "0"
	}
}

func scatterVJP(c *Ctx) Grads {
	dim, index := c.Int(1), c.Tensor(2)
	out := make(Grads, 3)
	switch how := c.Str(4); {
	case how == "multiply":
		panic(tensor.Errorf("backward", `the derivative of scatter with reduce "multiply" is not implemented`).
			WithHint("ScatterReduce with \"prod\" has one"))
	case how == "add":
		out[0] = c.Grad
	case c.Needs(0):
		out[0] = c.Grad.Scatter(dim, index, 0)
	}
	if c.Needs(3) {
		out[2] = padded(c.Grad.Gather(dim, index), c.Shape(3))
	}
	return out
}
