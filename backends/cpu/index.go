package cpu

import (
	"slices"
	"strconv"

	"gotorch/tensor"
)

func itoa(i int) string { return strconv.Itoa(i) }

func init() {
	kernels(map[string]tensor.Kernel{
		"_index": func(c *tensor.Call) { indexLattice(c).read(c.Ret(0)) },
		"_index_put_impl_": func(c *tensor.Call) {
			l := indexLattice(c)
			p := tensor.PlanIndex(c.Name(), l.x, c.Indices(1))
			v := source(c, c.Tensor(2), p.Out)
			if c.Bool(3) {
				l.combineAt("add", v)
			} else {
				l.write(v)
			}
		},
		"index_select": func(c *tensor.Call) { dimLattice(c, c.Tensor(0), false).read(c.Ret(0)) },
		"index_add": func(c *tensor.Call) {
			l, src := dimLattice(c, c.Ret(0), false), c.Tensor(3)
			v := source(c, src, src.Sizes())
			if s, _ := c.Scalar(4); !s.IsInt() || s.Int() != 1 {
				v = temporary(c.Name(), v, v.Dtype())
				fill := tensor.Alloc(c.Name(), nil, v.Dtype(), tensor.CPU)
				fillTensor(c.Name(), fill, s)
				scaled := newLattice(c.Name(), v, single, []int{0}, span{n: v.Numel(), step: 1})
				scaled.combineAt("multiply", stretched(c.Name(), fill, []int{v.Numel()}))
			}
			copySelf(c)
			l.combineAt("add", v)
		},
		"index_copy": func(c *tensor.Call) {
			l, src := dimLattice(c, c.Ret(0), false), c.Tensor(3)
			v := source(c, src, src.Sizes())
			copySelf(c)
			l.write(v)
		},
		"index_fill": func(c *tensor.Call) {
			l := dimLattice(c, c.Ret(0), true)
			v := numberTensor(c, 3, l.x.Dtype())
			copySelf(c)
			l.write(stretched(c.Name(), v, []int{l.numel()}))
		},
		"take": func(c *tensor.Call) {
			flatLattice(c, c.Tensor(0), c.Tensor(1)).read(c.Ret(0))
		},
		"put": func(c *tensor.Call) {
			l, src := flatLattice(c, c.Ret(0), c.Tensor(1)), c.Tensor(2)
			v := source(c, src, src.Sizes())
			copySelf(c)
			if c.Bool(3) {
				l.combineAt("add", v)
			} else {
				l.write(v)
			}
		},
	})
}

// indexLattice is what the index tensors of the call name in its first argument.
func indexLattice(c *tensor.Call) *lattice {
	op, x := c.Name(), c.Tensor(0)
	p := tensor.PlanIndex(op, x, c.Indices(1))
	n := 1
	for _, s := range p.Shape {
		n *= s
	}
	at := make([]int, n)
	for i, t := range p.Index {
		d := p.Dims[i]
		addIndex("index", at, tensor.Elems[int64](stretched(op, t, p.Shape)), d, x.Sizes()[d], x.Strides()[d], true)
	}
	return newLattice(op, x, along(x, p.Pre), at, along(x, p.Post))
}

// dimLattice is what the vector of argument 2 lists along the dimension of argument 1 in x.
func dimLattice(c *tensor.Call, x *tensor.Tensor, wrap bool) *lattice {
	d := tensor.WrapDim(c.Name(), c.Int(1), x.Dim())
	n, stride := dimOf(x, d)
	index := contig[int64](c.Name(), c.Tensor(2))
	at := make([]int, len(index))
	addIndex(c.Name(), at, index, d, n, stride, wrap)
	pre, post := aroundDim(x, d)
	return newLattice(c.Name(), x, pre, at, post)
}

// flatLattice is what index names in x, counted row by row.
func flatLattice(c *tensor.Call, x, index *tensor.Tensor) *lattice {
	at := make([]int, index.Numel())
	n := x.Numel()
	addIndex(c.Name(), at, contig[int64](c.Name(), index), 0, n, 1, true)
	if !x.Contig() {
		for i, p := range at {
			at[i] = offsetOf(x.Sizes(), x.Strides(), p)
		}
	}
	return placesIn(c.Name(), x, at)
}

// source is what is written: src stretched to shape, contiguous, in memory of its own.
func source(c *tensor.Call, src *tensor.Tensor, shape []int) *tensor.Tensor {
	if tensor.SharesStorage(src, c.Ret(0)) {
		src = temporary(c.Name(), src, src.Dtype())
	}
	return stretched(c.Name(), src, shape)
}

// stretched is x broadcast to shape, contiguous; it may be x.
func stretched(op string, x *tensor.Tensor, shape []int) *tensor.Tensor {
	if x.Contig() && slices.Equal(x.Sizes(), shape) {
		return x
	}
	y := tensor.Alloc(op, shape, x.Dtype(), tensor.CPU)
	copyTensor(op, y, x)
	return y
}

// numberTensor is argument i, a number or a tensor of no dimensions, as a tensor of dt.
func numberTensor(c *tensor.Call, i int, dt tensor.Dtype) *tensor.Tensor {
	v := tensor.Alloc(c.Name(), nil, dt, tensor.CPU)
	if t := c.Tensor(i); t != nil {
		copyTensor(c.Name(), v, t)
	} else {
		s, _ := c.Scalar(i)
		fillTensor(c.Name(), v, s)
	}
	return v
}

// copySelf begins an operator that changes some elements: unless the result is self, it becomes a copy.
func copySelf(c *tensor.Call) {
	if x := c.Tensor(0); x != c.Ret(0) {
		copyTensor(c.Name(), c.Ret(0), x)
	}
}
