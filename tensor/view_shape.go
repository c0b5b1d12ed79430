package tensor

import (
	"fmt"
	"slices"
)

// Views that give the same elements another shape: view, reshape, squeeze, expand and the like.

func init() {
	views(map[string]Kernel{
		"view": func(c *Call) {
			x := c.Tensor(0)
			shape := x.inferShape(c.Name(), c.Ints(1))
			stride, ok := viewStrides(x.shape, x.stride, shape)
			if !ok {
				panic(Errorf(c.Name(), "view size %v is not compatible with the input's shape %v and stride %v: at least one "+
					"dimension spans across two contiguous subspaces", shape, x.shape, x.stride).
					WithHint("use Reshape, which copies where it must").WithDetails(viewDetails(x, shape)))
			}
			c.Return(x.alias(c.Name(), shape, stride, x.offset))
		},
		"_reshape_alias": func(c *Call) {
			x := c.Tensor(0)
			c.Return(x.alias(c.Name(), c.Ints(1), c.Ints(2), x.offset))
		},
		"_unsafe_view": func(c *Call) {
			x := c.Tensor(0)
			shape := x.inferShape(c.Name(), c.Ints(1))
			stride, ok := viewStrides(x.shape, x.stride, shape)
			if !ok {
				panic(Errorf(c.Name(), "shape %v with stride %v cannot be seen as %v", x.shape, x.stride, shape))
			}
			c.Return(x.alias(c.Name(), shape, stride, x.offset))
		},
		"view.dtype": viewDtype,
		"expand":     expandView,
		"squeeze":    squeezeView,
		"unsqueeze": func(c *Call) {
			x := c.Tensor(0)
			n := len(x.shape)
			d := c.wrapDim(1, c.Int(1), n+1)
			step := 1
			if d < n {
				step = x.shape[d] * x.stride[d]
			}
			c.Return(x.alias(c.Name(), slices.Insert(x.Shape(), d, 1), slices.Insert(x.Stride(), d, step), x.offset))
		},
		"alias":  same,
		"detach": same,
	})
}

// same is a view of everything as it is.
func same(c *Call) {
	x := c.Tensor(0)
	c.Return(x.alias(c.Name(), x.shape, x.stride, x.offset))
}

// inferShape is the function of that name for the elements of x; an error has details.
func (x *Tensor) inferShape(op string, size []int) []int {
	defer addDetails(func() any { return viewDetails(x, size) })
	return inferShape(op, size, x.numel)
}

// inferShape returns size with its -1, if there is one, replaced by what makes numel elements.
func inferShape(op string, size []int, numel int) []int {
	free, n := -1, 1
	for i, s := range size {
		switch {
		case s >= 0:
			n *= s
		case s != -1:
			panic(Errorf(op, "invalid shape dimension %d", s).OnArg("size"))
		case free >= 0:
			panic(Errorf(op, "only one dimension can be inferred, shape %v has two -1", size).OnArg("size"))
		default:
			free = i
		}
	}
	switch {
	case free < 0 && n == numel:
		return size
	case free >= 0 && n == 0 && numel == 0:
		panic(Errorf(op, "cannot reshape a tensor of 0 elements into shape %v: the unspecified dimension size -1 can be "+
			"any value", size).OnArg("size"))
	case free < 0 || n == 0 || numel%n != 0:
		panic(Errorf(op, "%s", misfit(size, numel)).OnArg("size"))
	}
	out := slices.Clone(size)
	out[free] = numel / n
	return out
}

// viewStrides returns the strides with which a tensor of shape and stride is seen under another shape to; ok is false
// where a copy is needed. Dimensions of shape that lie without gaps form blocks; each block is cut again by the sizes
// of to whose product it is.
func viewStrides(shape, stride, to []int) (out []int, ok bool) {
	out = make([]int, len(to))
	n, _ := count(shape)
	switch {
	case n == 0 && slices.Equal(shape, to):
		copy(out, stride)
		return out, true
	case n == 0:
		contiguousStrides(out, to)
		return out, true
	}
	at := len(to) - 1 // the dimension of to that is next to be given a stride
	for d := len(shape) - 1; d >= 0; {
		step, block := stride[d], shape[d]
		for d--; d >= 0 && (shape[d] == 1 || stride[d] == block*step); d-- {
			block *= shape[d]
		}
		run := 1
		for at >= 0 && (run < block || to[at] == 1) {
			out[at] = run * step
			run *= to[at]
			at--
		}
		if run != block {
			return nil, false
		}
	}
	for ; at >= 0 && len(shape) == 0; at-- {
		out[at] = 1
	}
	return out, at < 0
}

func viewDtype(c *Call) {
	x, dt := c.Tensor(0), c.Dtype(1)
	from, to := x.dtype.Size(), dt.Size()
	shape, stride, offset := x.Shape(), x.Stride(), x.offset
	last := len(shape) - 1
	if from != to {
		if last < 0 {
			panic(Errorf(c.Name(), "a tensor of no dimensions cannot be viewed as %s: the element sizes of %s (%d) and %s "+
				"(%d) differ", dt, x.dtype, from, dt, to))
		}
		if stride[last] != 1 {
			panic(Errorf(c.Name(), "the stride of the last dimension must be 1 to view %s as %s (different element sizes), "+
				"got %d", x.dtype, dt, stride[last]))
		}
	}
	switch {
	case to < from:
		r := from / to
		for i := range stride {
			stride[i] *= r
		}
		stride[last] = 1
		shape[last] *= r
		offset *= r
	case to > from:
		r := to / from
		if shape[last]%r != 0 {
			panic(Errorf(c.Name(), "the size of the last dimension must be divisible by %d to view %s as %s (different "+
				"element sizes), got %d", r, x.dtype, dt, shape[last]))
		}
		if offset%r != 0 {
			panic(Errorf(c.Name(), "the storage offset must be divisible by %d to view %s as %s (different element sizes), "+
				"got %d", r, x.dtype, dt, offset))
		}
		for i := range stride[:last] {
			if stride[i]%r != 0 {
				panic(Errorf(c.Name(), "the stride of dimension %d must be divisible by %d to view %s as %s (different element "+
					"sizes), got %d", i, r, x.dtype, dt, stride[i]))
			}
			stride[i] /= r
		}
		shape[last] /= r
		offset /= r
	}
	c.Return(x.aliasAs(c.Name(), dt, shape, stride, offset))
}

// aliasAs is alias with another dtype; shape, stride and offset count its elements.
func (x *Tensor) aliasAs(op string, dt Dtype, shape, stride []int, offset int) *Tensor {
	y := newHeader(len(shape), dt)
	y.st, y.layout, y.keys = x.st.now(), x.layout, x.keys&^(1<<KeyAutograd)
	y.setGeometry(op, shape, stride, offset)
	return y
}

func expandView(c *Call) {
	x, size := c.Tensor(0), c.Ints(1)
	n, shift := len(size), len(size)-len(x.shape)
	if shift < 0 {
		panic(Errorf(c.Name(), "the number of sizes provided (%d: %v) must be greater or equal to the number of "+
			"dimensions of the tensor (%d: shape %v)", n, size, len(x.shape), x.shape).WithDetails(expandDetails(x, size)))
	}
	shape, stride := make([]int, n), make([]int, n)
	for i := n - 1; i >= 0; i-- {
		have, step := 1, 0
		switch {
		case i >= shift:
			have, step = x.shape[i-shift], x.stride[i-shift]
		case len(x.shape) > 0 && i+1 < n:
			step = shape[i+1] * stride[i+1]
		}
		want := size[i]
		switch {
		case want == -1 && i < shift:
			panic(Errorf(c.Name(), "the expanded size (-1) is not allowed in a leading, non-existing dimension %d: sizes %v "+
				"for shape %v", i, size, x.shape))
		case want == -1:
			want = have
		case want < -1:
			panic(Errorf(c.Name(), "invalid size %d in %v", want, size))
		case want != have && have != 1:
			panic(Errorf(c.Name(), "the expanded size of the tensor (%d) must match the existing size (%d) at non-singleton "+
				"dimension %d: target sizes %v, tensor sizes %v", want, have, i, size, x.shape).
				WithDetails(expandDetails(x, size)))
		case want != have:
			step = 0
		}
		shape[i], stride[i] = want, step
	}
	c.Return(x.alias(c.Name(), shape, stride, x.offset))
}

func squeezeView(c *Call) {
	x := c.Tensor(0)
	drop := make([]bool, len(x.shape))
	if c.IsNone(1) {
		for i := range drop {
			drop[i] = true
		}
	}
	for _, d := range c.Ints(1) {
		if d = c.wrapDim(1, d, len(x.shape)); d < len(drop) {
			drop[d] = true
		}
	}
	shape, stride := make([]int, 0, len(drop)), make([]int, 0, len(drop))
	for i, s := range x.shape {
		if !drop[i] || s != 1 {
			shape, stride = append(shape, s), append(stride, x.stride[i])
		}
	}
	c.Return(x.alias(c.Name(), shape, stride, x.offset))
}

// misfit says why a tensor of numel elements has no such shape.
func misfit(size []int, numel int) string {
	n := 1
	for _, s := range size {
		if s == -1 {
			return fmt.Sprintf("shape %v is invalid for a tensor of %s: the other sizes do not divide them", size,
				plural(numel, "element"))
		}
		n *= s
	}
	return fmt.Sprintf("shape %v needs %s; the tensor has %d", size, plural(n, "element"), numel)
}
