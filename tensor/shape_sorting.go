package tensor

import (
	"slices"
)

// Shape functions of ordering, ranking and counting.

func init() {
	shapes(map[string]Kernel{
		"sort": func(c *Call) {
			x := c.ordered()
			c.wrapDim(1, c.Int(1), len(x.shape))
			s := x.preservedStrides()
			c.NewStrided(x.shape, s, x.dtype)
			c.NewStrided(x.shape, s, Int64)
		},
		"topk": func(c *Call) {
			x, k := c.ordered(), c.Int(1)
			d := c.wrapDim(2, c.Int(2), len(x.shape))
			shape, n := x.Shape(), 1
			if len(shape) > 0 {
				n = shape[d]
				shape[d] = k
			}
			if k < 0 || k > n {
				panic(Errorf(c.Name(), "k %d is out of range for dimension %d of size %d", k, d, n).OnArg("k"))
			}
			if len(shape) == 0 && k == 0 {
				shape = []int{0}
			}
			c.New(shape, x.dtype)
			c.New(shape, Int64)
		},
		"kthvalue": func(c *Call) {
			x, k := c.ordered(), c.Int(1)
			d := c.wrapDim(2, c.Int(2), len(x.shape))
			n := 1
			if len(x.shape) > 0 {
				n = x.shape[d]
			}
			if n == 0 {
				panic(Errorf(c.Name(), "dimension %d must not be empty: shape %v", d, x.shape))
			}
			if k < 1 || k > n {
				panic(Errorf(c.Name(), "k %d is out of range for dimension %d of size %d: it counts from 1", k, d, n).OnArg("k"))
			}
			shape := withoutDim(x.shape, d, c.Bool(3))
			c.New(shape, x.dtype)
			c.New(shape, Int64)
		},
		"searchsorted": searchShape,
		"histc": func(c *Call) {
			x, bins := c.Tensor(0), c.Int(1)
			if !x.dtype.IsFloatingPoint() || x.dtype == Float16 {
				panic(Errorf(c.Name(), "not implemented for %v", x.dtype).OnArg("self"))
			}
			if bins <= 0 {
				panic(Errorf(c.Name(), "the number of bins must be positive, got %d", bins).OnArg("bins"))
			}
			c.New([]int{bins}, x.dtype)
		},
	})
}

// ordered is the first argument, which must have an order.
func (c *Call) ordered() *Tensor {
	x := c.Tensor(0)
	if x.dtype.IsComplex() {
		panic(Errorf(c.Name(), "not implemented for %v: complex numbers have no order", x.dtype).OnArg("self"))
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
		panic(Errorf(c.Name(), `side must be "left" or "right", not %q`, s).OnArg("side"))
	} else if s == "left" && c.Bool(3) {
		panic(Errorf(c.Name(), `side "left" and right contradict each other`).OnArg("side"))
	}
	if len(seq.shape) == 0 {
		panic(Errorf(c.Name(), "the boundaries must have at least one dimension").OnArg("sorted_sequence"))
	}
	shape := []int{}
	if values == nil {
		if len(seq.shape) != 1 {
			panic(Errorf(c.Name(), "a single number needs boundaries of 1 dimension, got shape %v", seq.shape).OnArg("values"))
		}
	} else {
		shape = values.shape
		fits := len(seq.shape) == 1 || len(seq.shape) == len(shape) && slices.Equal(seq.shape[:len(shape)-1],
			shape[:len(shape)-1])
		if !fits {
			panic(Errorf(c.Name(), "boundaries must have 1 dimension, or their dimensions but the last must be those of the "+
				"values: shapes %v and %v", seq.shape, shape).OnArg("values"))
		}
		if values.dtype != seq.dtype {
			panic(Errorf(c.Name(), "boundaries and values must have one dtype, got %s and %s", seq.dtype, values.dtype).
				OnArg("values"))
		}
	}
	if seq.dtype.IsComplex() {
		panic(Errorf(c.Name(), "not implemented for %v", seq.dtype).OnArg("sorted_sequence"))
	}
	if sorter != nil && (!slices.Equal(sorter.shape, seq.shape) || sorter.dtype != Int64) {
		panic(Errorf(c.Name(), "the sorter must be int64 of the boundaries' shape %v, not %s of shape %v", seq.shape,
			sorter.dtype, sorter.shape).OnArg("sorter"))
	}
	dt := Int64
	if c.Bool(2) {
		dt = Int32
	}
	c.New(shape, dt)
}
