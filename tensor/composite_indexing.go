package tensor

import "slices"

// Bodies of indexing: what Go and Python indices mean, in views and the private operators.

func init() {
	composites(map[string]Kernel{
		"index": func(c *Call) {
			x := c.Tensor(0)
			if mask := maskOfAll(x, c.Indices(1)); mask != nil {
				c.Return(x.MaskedSelect(mask))
				return
			}
			at, rest := readIndices(c.Name(), x, c.Indices(1))
			switch {
			case rest != nil:
				c.Return(callIndex(at, rest...))
			case at == x:
				c.Return(callAlias(x))
			default:
				c.Return(at)
			}
		},
		"index_put_": func(c *Call) {
			x := c.Tensor(0)
			putIndices(c, x)
			c.Return(x)
		},
		"index_put": func(c *Call) {
			x := c.writable(c.Tensor(0))
			putIndices(c, x)
			c.Return(x)
		},
		"nonzero.as_tuple": func(c *Call) {
			x := c.Tensor(0)
			if len(x.shape) == 0 {
				x = x.Unsqueeze(0)
			}
			c.Return(x.Nonzero().Unbind(optDim(1))...)
		},
		"argwhere": func(c *Call) { c.Return(c.Tensor(0).Nonzero()) },
		"take_along_dim": func(c *Call) {
			x, index := c.Tensor(0), c.Tensor(1)
			if index.dtype != Int64 {
				panic(Errorf(c.Name(), "the indices must be int64, not %v", index.dtype).OnArg("indices").
					WithHint("indices.Long() converts them"))
			}
			if c.IsNone(2) {
				c.Return(x.Reshape(-1).Gather(0, index.Reshape(-1)))
				return
			}
			if len(x.shape) != len(index.shape) {
				panic(Errorf(c.Name(), "self and indices must have the same number of dimensions, got %d and %d: shapes %v and %v",
					len(x.shape), len(index.shape), x.shape, index.shape))
			}
			d := c.wrapDim(2, c.Int(2), len(x.shape))
			// each broadcasts to the other in every dimension but d
			xs, is := x.Shape(), index.Shape()
			if len(xs) > 0 {
				xs[d], is[d] = 1, 1
				shape := broadcastTwo(c.Name(), xs, is)
				xs, is = slices.Clone(shape), slices.Clone(shape)
				xs[d], is[d] = x.shape[d], index.shape[d]
			}
			c.Return(x.Expand(xs...).Gather(d, index.Expand(is...)))
		},
	})
}

// maskOfAll is the only index where it is a mask for all dimensions of x and nothing is recorded: then its elements
// can be selected without listing their places. It is nil otherwise.
func maskOfAll(x *Tensor, ix []any) *Tensor {
	if len(ix) != 1 || x.keys.Has(KeyAutograd) && !Excluded(KeyAutograd) {
		return nil
	}
	m, ok := ix[0].(*Tensor)
	if !ok || m.dtype != Bool || len(m.shape) == 0 || !slices.Equal(m.shape, x.shape) || (x.keys|m.keys)&layered != 0 ||
		x.layout != Strided || m.layout != Strided || x.st.device != CPU || m.st.device != CPU {
		return nil
	}
	return m
}

// putIndices writes the call's values into x where its indices say.
func putIndices(c *Call, x *Tensor) {
	op, accumulate := c.Name(), c.Bool(3)
	at, rest := readIndices(op, x, c.Indices(1))
	values := c.Tensor(2)
	switch {
	case rest != nil:
		if values == nil {
			s, _ := c.Scalar(2)
			values = Alloc(op, nil, at.dtype, at.Device()).Fill_(s)
		}
		if values.Device() != at.Device() && len(values.shape) == 0 {
			values = values.To(at.Device())
		}
		callIndexPutImpl_(at, rest, values, optAccumulate(accumulate))
	case accumulate && values != nil:
		at.Add_(values)
	case accumulate:
		s, _ := c.Scalar(2)
		at.Add_(s)
	case values != nil:
		at.Copy_(values)
	default:
		s, _ := c.Scalar(2)
		at.Fill_(s)
	}
}
