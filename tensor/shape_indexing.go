package tensor

import (
	"fmt"
	"slices"
)

// Shape functions of reading and writing by index tensors, and what they check.

func init() {
	shapes(map[string]Kernel{
		"_index": func(c *Call) {
			x := c.Tensor(0)
			p := PlanIndex(c.Name(), x, c.Indices(1))
			c.New(p.Out, x.dtype)
		},
		"_index_put_impl_": func(c *Call) {
			x, v := c.Tensor(0), c.Tensor(2)
			p := PlanIndex(c.Name(), x, c.Indices(1))
			if v.dtype != x.dtype {
				panic(Errorf("index_put_", "the destination and the values must have one dtype, got %s and %s", x.dtype, v.dtype).
					WithHint("convert the values with To(" + x.dtype.String() + ")"))
			}
			shape := v.shape
			for len(shape) > len(p.Out) && shape[0] == 1 { // sizes of 1 in front fall away, as in an assignment
				shape = shape[1:]
			}
			if _, ok := BroadcastStrides(shape, shape, p.Out); !ok {
				panic(Errorf("index_put_", "shape mismatch: values of shape %v cannot be broadcast to the indexing result of "+
					"shape %v", v.shape, p.Out).OnArg("values").WithDetails(expandDetails(v, p.Out)))
			}
			if len(shape) != len(v.shape) {
				c.args[2].t = v.alias(c.Name(), shape, v.stride[len(v.stride)-len(shape):], v.offset)
			}
			c.Return(x)
		},
		"index_select": func(c *Call) {
			x, index := c.Tensor(0), c.Tensor(2)
			d := c.wrapDim(1, c.Int(1), len(x.shape))
			c.vectorIndex(index, true)
			shape := x.Shape()
			if len(shape) > 0 {
				shape[d] = index.numel
			} else if index.numel != 1 {
				panic(Errorf(c.Name(), "index to a tensor of 0 dimensions must have 1 element, got %d", index.numel).
					OnArg("index"))
			}
			c.ExactOut(x.dtype, x, index)
			c.New(shape, x.dtype)
		},
		"index_add":  indexAddShape,
		"index_copy": indexCopyShape,
		"index_reduce": func(c *Call) {
			reduceIs(c, c.Str(4), "prod", "mean", "amax", "amin")
			indexCopyShape(c)
		},
		"index_fill": func(c *Call) {
			c.wrapDim(1, c.Int(1), len(c.Tensor(0).shape))
			c.vectorIndex(c.Tensor(2), false)
			if v := c.Tensor(3); v != nil && len(v.shape) > 0 {
				panic(Errorf(c.Name(), "only a value tensor of 0 dimensions is supported, got %s",
					plural(len(v.shape), "dimension")).OnArg("value"))
			}
			if s, ok := c.Scalar(3); ok && s.IsComplex() && !c.Tensor(0).dtype.IsComplex() {
				panic(Errorf(c.Name(), "a complex value cannot fill a tensor of %v", c.Tensor(0).dtype).OnArg("value"))
			}
			c.mustFit(3, c.Tensor(0).dtype)
			c.changed()
		},
		"take": func(c *Call) {
			x, index := c.Tensor(0), c.Tensor(1)
			c.int64Index(index)
			if x.numel == 0 && index.numel > 0 {
				panic(Errorf(c.Name(), "cannot take %s from an empty tensor of shape %v", plural(index.numel, "element"),
					x.shape).OnArg("self"))
			}
			c.ExactOut(x.dtype, x, index)
			c.New(index.shape, x.dtype)
		},
		"put": func(c *Call) {
			x, index, src := c.Tensor(0), c.Tensor(1), c.Tensor(2)
			c.int64Index(index)
			c.sameDtype("source", src)
			if index.numel != src.numel {
				panic(Errorf(c.Name(), "source and index must have the same number of elements, got %d and %d", src.numel,
					index.numel).OnArg("source"))
			}
			if x.numel == 0 && index.numel > 0 {
				panic(Errorf(c.Name(), "cannot put %s into an empty tensor of shape %v", plural(index.numel, "element"), x.shape).
					OnArg("index"))
			}
			c.changed()
		},
		"masked_scatter": func(c *Call) {
			x, mask, src := c.Tensor(0), c.Tensor(1), c.Tensor(2)
			c.sameDtype("source", src)
			if !isMask(mask) {
				panic(Errorf(c.Name(), "the mask must be bool, not %v", mask.dtype).OnArg("mask"))
			}
			shape := broadcastTwo(c.Name(), x.shape, mask.shape)
			if c.Variant == InPlace {
				if !slices.Equal(shape, x.shape) {
					panic(Errorf(c.Name(), "a mask of shape %v does not broadcast to the tensor's shape %v", mask.shape, x.shape).
						OnArg("mask"))
				}
				c.Return(x)
				return
			}
			c.New(shape, x.dtype)
		},
	})
}

// changed makes the result of an operator that changes some elements of its first argument: in place the argument
// itself, else a new tensor of its shape, which the kernel fills with a copy first.
func (c *Call) changed() {
	x := c.Tensor(0)
	if c.Variant == InPlace {
		c.Return(x)
		return
	}
	c.NewStrided(x.shape, x.preservedStrides(), x.dtype)
}

// int64Index checks the dtype of an index.
func (c *Call) int64Index(index *Tensor) {
	if index.dtype != Int64 {
		panic(Errorf(c.Name(), "the index must be int64, not %v", index.dtype).OnArg("index").
			WithHint("index.Long() converts it"))
	}
}

// vectorIndex checks an index that lists slices; int32 is allowed to some.
func (c *Call) vectorIndex(index *Tensor, int32Too bool) {
	if !int32Too || index.dtype != Int32 {
		c.int64Index(index)
	}
	if len(index.shape) > 1 {
		panic(Errorf(c.Name(), "the index must be a vector, not of shape %v", index.shape).OnArg("index"))
	}
}

// sameDtype checks that the argument t called name has self's dtype.
func (c *Call) sameDtype(name string, t *Tensor) {
	if x := c.Tensor(0); t.dtype != x.dtype {
		panic(Errorf(c.Name(), "self and %s must have one dtype, got %s and %s", name, x.dtype, t.dtype).OnArg(name))
	}
}

func indexAddShape(c *Call) {
	x, index, src := c.Tensor(0), c.Tensor(2), c.Tensor(3)
	d := c.wrapDim(1, c.Int(1), len(x.shape))
	c.vectorIndex(index, true)
	c.sameDtype("source", src)
	if s, _ := c.Scalar(4); x.dtype != Bool && s.IsBool() ||
		!x.dtype.IsDifferentiable() && (s.IsFloat() || s.IsComplex()) || s.IsComplex() && !x.dtype.IsComplex() {
		panic(Errorf(c.Name(), "alpha %v does not fit elements of %s", s, x.dtype).OnArg("alpha"))
	}
	sourceFits(c, d, index, src)
	c.changed()
}

func indexCopyShape(c *Call) {
	x, index, src := c.Tensor(0), c.Tensor(2), c.Tensor(3)
	d := c.wrapDim(1, c.Int(1), len(x.shape))
	c.vectorIndex(index, c.Op.Name == "index_reduce")
	c.sameDtype("source", src)
	sourceFits(c, d, index, src)
	c.changed()
}

// sourceFits checks that src has a slice for each element of index, of the size of self's.
func sourceFits(c *Call, d int, index, src *Tensor) {
	x := c.Tensor(0)
	wrong := func(msg string) {
		panic(Errorf(c.Name(), "%s: self %v, dim %d, index %v, source %v", msg, x.shape, d, index.shape, src.shape).
			OnArg("source"))
	}
	if len(src.shape) == 0 || len(x.shape) == 0 {
		if src.numel != index.numel || len(src.shape) > 1 || len(x.shape) > 1 {
			wrong("the number of elements of index must be that of source where one of self and source has no dimensions")
		}
		return
	}
	if len(src.shape) != len(x.shape) {
		wrong("self and source must have the same number of dimensions")
	}
	for i, n := range src.shape {
		switch {
		case i == d && n != index.numel:
			wrong(fmt.Sprintf("the number of elements of index (%d) must be the size of source at dim %d (%d)",
				index.numel, d, n))
		case i != d && n != x.shape[i]:
			wrong(fmt.Sprintf("source must have self's size at dimension %d: %d and %d", i, n, x.shape[i]))
		}
	}
}
