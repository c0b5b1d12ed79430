package tensor

import (
	"fmt"
	"slices"
)

// Shape functions of ordering, ranking and counting.

func init() {
	shapes(map[string]Kernel{
		"sort": func(c *Call) {
			x := c.ordered()
			WrapDim(c.Name(), c.Int(1), len(x.shape))
			s := x.preservedStrides()
			c.NewStrided(x.shape, s, x.dtype)
			c.NewStrided(x.shape, s, Int64)
		},
		"topk": func(c *Call) {
			x, k := c.ordered(), c.Int(1)
			d := WrapDim(c.Name(), c.Int(2), len(x.shape))
			shape, n := x.Shape(), 1
			if len(shape) > 0 {
				n = shape[d]
				shape[d] = k
			}
			if k < 0 || k > n {
				panic(&Error{Op: c.Name(), Arg: "k", Msg: fmt.Sprintf("k %d is out of range for dimension %d of size %d", k, d, n)})
			}
			if len(shape) == 0 && k == 0 {
				shape = []int{0}
			}
			c.New(shape, x.dtype)
			c.New(shape, Int64)
		},
		"kthvalue": func(c *Call) {
			x, k := c.ordered(), c.Int(1)
			d := WrapDim(c.Name(), c.Int(2), len(x.shape))
			n := 1
			if len(x.shape) > 0 {
				n = x.shape[d]
			}
			if n == 0 {
				Errorf(c.Name(), "dimension %d must not be empty: shape %v", d, x.shape)
			}
			if k < 1 || k > n {
				panic(&Error{Op: c.Name(), Arg: "k", Msg: fmt.Sprintf("k %d is out of range for dimension %d of size %d: it counts from 1", k, d, n)})
			}
			shape := withoutDim(x.shape, d, c.Bool(3))
			c.New(shape, x.dtype)
			c.New(shape, Int64)
		},
		"searchsorted": searchShape,
		"histc": func(c *Call) {
			x, bins := c.Tensor(0), c.Int(1)
			if !x.dtype.IsFloatingPoint() || x.dtype == Float16 {
				panic(&Error{Op: c.Name(), Arg: "self", Msg: "not implemented for " + x.dtype.String()})
			}
			if bins <= 0 {
				panic(&Error{Op: c.Name(), Arg: "bins", Msg: "the number of bins must be positive, got " + itoa(bins)})
			}
			c.New([]int{bins}, x.dtype)
		},
	})
}

// ordered is the first argument, which must have an order.
func (c *Call) ordered() *Tensor {
	x := c.Tensor(0)
	if x.dtype.IsComplex() {
		panic(&Error{Op: c.Name(), Arg: "self", Msg: "not implemented for " + x.dtype.String() + ": complex numbers have no order"})
	}
	return x
}

// withoutDim is shape without dimension d, or with size 1 there.
func withoutDim(shape []int, d int, keep bool) []int {
	out := make([]int, 0, len(shape))
	for i, n := range shape {
		switch {
		case i != d:
			out = append(out, n)
		case keep:
			out = append(out, 1)
		}
	}
	return out
}

func searchShape(c *Call) {
	seq, values, sorter := c.Tensor(0), c.Tensor(1), c.Tensor(5)
	if s := c.Str(4); s != "" && s != "left" && s != "right" {
		panic(&Error{Op: c.Name(), Arg: "side", Msg: fmt.Sprintf("side must be \"left\" or \"right\", not %q", s)})
	} else if s == "left" && c.Bool(3) {
		panic(&Error{Op: c.Name(), Arg: "side", Msg: "side \"left\" and right contradict each other"})
	}
	if len(seq.shape) == 0 {
		panic(&Error{Op: c.Name(), Arg: "sorted_sequence", Msg: "the boundaries must have at least one dimension"})
	}
	shape := []int{}
	if values == nil {
		if len(seq.shape) != 1 {
			panic(&Error{Op: c.Name(), Arg: "values", Msg: fmt.Sprintf("a single number needs boundaries of 1 dimension, got shape %v", seq.shape)})
		}
	} else {
		shape = values.shape
		fits := len(seq.shape) == 1 || len(seq.shape) == len(shape) && slices.Equal(seq.shape[:len(shape)-1], shape[:len(shape)-1])
		if !fits {
			panic(&Error{Op: c.Name(), Arg: "values", Msg: fmt.Sprintf("boundaries must have 1 dimension, or their dimensions but the last must be those of the values: shapes %v and %v", seq.shape, shape)})
		}
		if values.dtype != seq.dtype {
			panic(&Error{Op: c.Name(), Arg: "values", Msg: fmt.Sprintf("boundaries and values must have one dtype, got %s and %s", seq.dtype, values.dtype)})
		}
	}
	if seq.dtype.IsComplex() {
		panic(&Error{Op: c.Name(), Arg: "sorted_sequence", Msg: "not implemented for " + seq.dtype.String()})
	}
	if sorter != nil && (!slices.Equal(sorter.shape, seq.shape) || sorter.dtype != Int64) {
		panic(&Error{Op: c.Name(), Arg: "sorter", Msg: fmt.Sprintf("the sorter must be int64 of the boundaries' shape %v, not %s of shape %v", seq.shape, sorter.dtype, sorter.shape)})
	}
	dt := Int64
	if c.Bool(2) {
		dt = Int32
	}
	c.New(shape, dt)
}
