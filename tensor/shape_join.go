package tensor

import (
	"slices"
)

// Shape functions of operators that copy tensors together, or one tensor several times or in another order.

func init() {
	shapes(map[string]Kernel{
		"cat":        catShape,
		"stack":      stackShape,
		"block_diag": blockDiagShape,
		"repeat": func(c *Call) {
			x, repeats := c.Tensor(0), c.Ints(1)
			if len(repeats) < len(x.shape) {
				panic(Errorf(c.Name(), "number of dimensions of repeats %v can not be smaller than number of dimensions of "+
					"tensor (%d)", repeats, len(x.shape)))
			}
			shape := slices.Clone(repeats)
			for i, r := range repeats {
				if r < 0 {
					panic(Errorf(c.Name(), "repeats must not be negative, got %v", repeats))
				}
				if d := i - (len(repeats) - len(x.shape)); d >= 0 {
					shape[i] *= x.shape[d]
				}
			}
			c.New(shape, x.dtype)
		},
		"flip": func(c *Call) {
			x := c.Tensor(0)
			distinctDims(c, 1, len(x.shape))
			c.NewStrided(x.shape, x.preservedStrides(), x.dtype)
		},
		"roll": func(c *Call) {
			x, shifts, dims := c.Tensor(0), c.Ints(1), c.Ints(2)
			if len(shifts) == 0 {
				panic(Errorf(c.Name(), "shifts is required: at least one number").OnArg("shifts"))
			}
			if len(shifts) != len(dims) && (len(dims) != 0 || len(shifts) != 1) {
				panic(Errorf(c.Name(), "shifts and dimensions must align: shifts %v, dims %v", shifts, dims))
			}
			for _, d := range dims {
				if len(x.shape) == 0 {
					panic(Errorf(c.Name(), "dimension specified as %d but the tensor has no dimensions", d).OnArg("dims"))
				}
				c.wrapDim(2, d, len(x.shape))
			}
			if len(dims) == 0 {
				c.New(x.shape, x.dtype)
			} else {
				c.NewStrided(x.shape, x.preservedStrides(), x.dtype)
			}
		},
		"rot90": rot90Shape,
	})
}

// distinctDims wraps dims and rejects one that is there twice.
func distinctDims(c *Call, arg int, n int) []int {
	dims := c.Ints(arg)
	out := make([]int, len(dims))
	for i, d := range dims {
		out[i] = c.wrapDim(arg, d, n)
		if slices.Contains(out[:i], out[i]) {
			panic(Errorf(c.Name(), "dim %d appears multiple times in the list of dims %v", out[i], dims))
		}
	}
	return out
}

// joined is what a list of tensors that are joined has in common: at least one, and a dtype.
func joined(c *Call) ([]*Tensor, Dtype) {
	ts := c.Tensors(0)
	if len(ts) == 0 {
		panic(Errorf(c.Name(), "expected a non-empty list of tensors"))
	}
	p := promoter{op: c.Name()}
	for _, t := range ts {
		p.tensor(t)
	}
	return ts, p.result()
}

// CatSkips reports whether cat passes over t: a vector of no elements joins with anything, as it once did in Torch.
//
//gotorch:internal
func CatSkips(t *Tensor) bool { return len(t.shape) == 1 && t.shape[0] == 0 }

func catShape(c *Call) {
	ts, dt := joined(c)
	var first *Tensor
	for i, t := range ts {
		if len(t.shape) == 0 {
			panic(Errorf(c.Name(), "zero-dimensional tensor (at position %d) cannot be concatenated", i).
				WithHint("Stack joins single numbers"))
		}
		if first == nil && !CatSkips(t) {
			first = t
		}
	}
	if first == nil {
		c.New([]int{0}, dt)
		return
	}
	d := c.wrapDim(1, c.Int(1), len(first.shape))
	shape := first.Shape()
	shape[d] = 0
	format := first.suggestedFormat()
	for i, t := range ts {
		if CatSkips(t) {
			continue
		}
		if t.suggestedFormat() != format {
			format = ContiguousFormat
		}
		if len(t.shape) != len(shape) {
			panic(Errorf(c.Name(), "tensors must have the same number of dimensions: got %d (shape %v) and %d (shape %v of "+
				"tensor number %d in the list)", len(shape), first.shape, len(t.shape), t.shape, i).
				WithDetails(JoinDetails{shapesOf(ts), d, weakly(ts)}))
		}
		for j, s := range t.shape {
			if j != d && s != shape[j] {
				panic(Errorf(c.Name(), "sizes of tensors must match except in dimension %d: expected size %d but got size %d in "+
					"dimension %d for tensor number %d in the list (shapes %v and %v)", d, shape[j], s, j, i, first.shape, t.shape).
					WithDetails(JoinDetails{shapesOf(ts), d, weakly(ts)}))
			}
		}
		shape[d] += t.shape[d]
	}
	c.NewStrided(shape, strides(c.Name(), shape, format), dt)
}

func stackShape(c *Call) {
	ts, dt := joined(c)
	d := c.wrapDim(1, c.Int(1), len(ts[0].shape)+1)
	for i, t := range ts {
		if !slices.Equal(t.shape, ts[0].shape) {
			panic(Errorf(c.Name(), "expects each tensor to be equal size, but got %v at entry 0 and %v at entry %d",
				ts[0].shape, t.shape, i).WithDetails(JoinDetails{shapesOf(ts), -1, weakly(ts)}))
		}
	}
	c.New(slices.Insert(ts[0].Shape(), d, len(ts)), dt)
}

func blockDiagShape(c *Call) {
	ts := c.Tensors(0)
	if len(ts) == 0 {
		c.New([]int{1, 0}, DefaultDtype())
		return
	}
	_, dt := joined(c)
	shape := []int{0, 0}
	for i, t := range ts {
		if len(t.shape) > 2 {
			panic(Errorf(c.Name(), "input tensors must have 2 or fewer dimensions, input %d has %d dimensions (shape %v)", i,
				len(t.shape), t.shape))
		}
		rows, cols := t.BlockSize()
		shape[0] += rows
		shape[1] += cols
	}
	c.New(shape, dt)
}

// BlockSize is the number of rows and columns of x as a block of block_diag, where vectors are rows.
func (x *Tensor) BlockSize() (rows, cols int) {
	if len(x.shape) == 2 {
		return x.shape[0], x.shape[1]
	}
	return 1, x.numel
}

func rot90Shape(c *Call) {
	x, dims := c.Tensor(0), c.Ints(2)
	n := len(x.shape)
	if len(dims) != 2 {
		panic(Errorf(c.Name(), "expected total rotation dims == 2, but got dims %v", dims))
	}
	if n < 2 {
		panic(Errorf(c.Name(), "expected total dims >= 2, but got total dims = %d", n))
	}
	a, b := c.wrapDim(2, dims[0], n), c.wrapDim(2, dims[1], n)
	if a == b {
		panic(Errorf(c.Name(), "expected rotation dims to be different, but got dim0 = %d and dim1 = %d", dims[0], dims[1]))
	}
	shape := x.Shape()
	if c.Int(1)&1 == 0 {
		c.New(shape, x.dtype)
		return
	}
	stride := make([]int, n)
	contiguousStrides(stride, shape)
	shape[a], shape[b] = shape[b], shape[a]
	stride[a], stride[b] = stride[b], stride[a]
	c.NewStrided(shape, stride, x.dtype)
}
