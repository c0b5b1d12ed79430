package cpu

import (
	"runtime"
	"slices"
	"strconv"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

func itoa(i int) string { return strconv.Itoa(i) }

func init() {
	kernels(map[string]tensor.Kernel{
		"_index": func(c *tensor.Call) { indexTensors(c).read(c.Ret(0)) },
		"_index_put_impl_": func(c *tensor.Call) {
			l := indexTensors(c).checked()
			l.op = c.Name()
			p := tensor.PlanIndex(c.Name(), l.x, c.Indices(1))
			v := source(c, c.Tensor(2), p.Out)
			if c.Bool(3) {
				l.combineWith("add", v)
			} else {
				l.write(v)
			}
		},
		"index_select": func(c *tensor.Call) { dimIndexer(c, c.Tensor(0), false).read(c.Ret(0)) },
		"index_add": func(c *tensor.Call) {
			l, src := dimIndexer(c, c.Ret(0), false).checked(), c.Tensor(3)
			v := source(c, src, src.Sizes())
			if s, _ := c.Scalar(4); !s.IsInt() || s.Int() != 1 || v.Dtype().IsComplex() { // addScaled says why
				v = temporary(c.Name(), v, v.Dtype())
				fill := tensor.Alloc(c.Name(), nil, v.Dtype(), tensor.CPU)
				fillTensor(c.Name(), fill, s)
				scaled := indexed(c.Name(), v, single, make([]int64, 1), span{n: v.Numel(), step: 1}, 0, 1, 1, false)
				scaled.combineWith("multiply", expanded(c.Name(), fill, []int{v.Numel()}))
			}
			copySelf(c)
			l.combineWith("add", v)
		},
		"index_copy": func(c *tensor.Call) {
			l, src := dimIndexer(c, c.Ret(0), false).checked(), c.Tensor(3)
			v := source(c, src, src.Sizes())
			copySelf(c)
			l.write(v)
		},
		"index_fill": func(c *tensor.Call) {
			l := dimIndexer(c, c.Ret(0), true).checked()
			v := numberTensor(c, 3, l.x.Dtype())
			copySelf(c)
			l.fill(v)
		},
		"take": func(c *tensor.Call) {
			flatIndexer(c, c.Tensor(0), c.Tensor(1)).read(c.Ret(0))
		},
		"put": func(c *tensor.Call) {
			l, src := flatIndexer(c, c.Ret(0), c.Tensor(1)).checked(), c.Tensor(2)
			v := source(c, src, src.Sizes())
			copySelf(c)
			if c.Bool(3) {
				l.combineWith("add", v)
			} else {
				l.write(v)
			}
		},
	})
}

// indexTensors is what the index tensors of the call name in its first argument.
func indexTensors(c *tensor.Call) *indexer {
	op, x := c.Name(), c.Tensor(0)
	p := tensor.PlanIndex(op, x, c.Indices(1))
	pre, post := along(x, p.Pre), along(x, p.Post)
	index := make([]strided, len(p.Index))
	for i, t := range p.Index {
		index[i] = stridedOf(op, t, p.Shape)
	}
	if len(index) == 1 && index[0].step == 1 {
		d := p.Dims[0]
		l := indexed(op, x, pre, index[0].all(), post, d, x.Sizes()[d], x.Strides()[d], true)
		l.op, l.owner = "index", index[0].owner
		return l
	}
	n := 1
	for _, s := range p.Shape {
		n *= s
	}
	at := largeBuffer[int64](op, n)
	parallel.For(n, grainSize, func(lo, hi int) {
		tensor.Interrupted(op)
		for i, t := range index {
			d := p.Dims[i]
			if !t.addTo(at[lo:hi], lo, x.Sizes()[d], x.Strides()[d]) {
				for i, t := range index { // the first index of the first tensor that has one
					outOfBounds("index", t.all(), p.Dims[i], x.Sizes()[p.Dims[i]], x.Sizes()[p.Dims[i]])
				}
			}
		}
	})
	runtime.KeepAlive(index)
	return offsetsIn(op, x, pre, at, post)
}

// strided is an index tensor of a vector's layout.
type strided struct {
	first   *int64
	n, step int
	owner   *tensor.Tensor
}

// stridedOf broadcasts t to shape; a vector, such as a column of what nonzero finds, stays where it is.
func stridedOf(op string, t *tensor.Tensor, shape []int) strided {
	if len(shape) != 1 || !slices.Equal(t.Sizes(), shape) {
		t = expanded(op, t, shape)
	}
	s := strided{n: t.Numel(), step: 1, owner: t}
	if s.n > 0 {
		s.first = (*int64)(t.Ptr())
	}
	if len(shape) == 1 && s.n > 1 {
		s.step = t.Strides()[0]
	}
	return s
}

// all has the indices one after the other.
func (s strided) all() []int64 {
	if s.step == 1 {
		return unsafe.Slice(s.first, s.n)
	}
	out := make([]int64, s.n)
	for i := range out {
		out[i] = *at[int64](unsafe.Pointer(s.first), i*s.step)
	}
	return out
}

// addTo adds the offsets in a dimension of n elements that the indices from lo on name; false where one is out of
// bounds.
func (s strided) addTo(to []int64, lo, n, stride int) bool {
	for i := range to {
		v := *at[int64](unsafe.Pointer(s.first), (lo+i)*s.step)
		j := int(v) + n&int(v>>63)
		if uint(j) >= uint(n) {
			return false
		}
		to[i] += int64(j * stride)
	}
	return true
}

// dimIndexer is what the vector of argument 2 lists along the dimension of argument 1 in x.
func dimIndexer(c *tensor.Call, x *tensor.Tensor, wrap bool) *indexer {
	d := tensor.WrapDim(c.Name(), c.Int(1), x.Dim())
	n, stride := dimOf(x, d)
	pre, post := aroundDim(x, d)
	l := indexed(c.Name(), x, pre, nil, post, d, n, stride, wrap)
	l.list(c.Tensor(2))
	return l
}

// flatIndexer is what index names in x, counted row by row.
func flatIndexer(c *tensor.Call, x, index *tensor.Tensor) *indexer {
	n := x.Numel()
	l := indexed(c.Name(), x, single, nil, single, 0, n, 1, true)
	l.list(index)
	if x.Contig() {
		return l
	}
	at := largeBuffer[int64](c.Name(), len(l.checked().index))
	parallel.For(len(at), grainSize, func(lo, hi int) {
		tensor.Interrupted(l.op)
		for i, v := range l.index[lo:hi] {
			at[lo+i] = int64(offsetOf(x.Sizes(), x.Strides(), int(v)+n&int(v>>63)))
		}
	})
	runtime.KeepAlive(l)
	return offsetsIn(c.Name(), x, single, at, single)
}

// source is what is written: src broadcast to shape, contiguous, in memory of its own.
func source(c *tensor.Call, src *tensor.Tensor, shape []int) *tensor.Tensor {
	if tensor.SharesStorage(src, c.Ret(0)) {
		src = temporary(c.Name(), src, src.Dtype())
	}
	return expanded(c.Name(), src, shape)
}

// expanded is x broadcast to shape, contiguous; it may be x.
func expanded(op string, x *tensor.Tensor, shape []int) *tensor.Tensor {
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
