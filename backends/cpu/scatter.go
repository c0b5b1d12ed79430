package cpu

import (
	"slices"

	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"gather": func(c *tensor.Call) { elementIndexer(c, c.Tensor(0)).read(c.Ret(0)) },
		"scatter": func(c *tensor.Call) {
			l := elementIndexer(c, c.Ret(0)).checked()
			src := c.Tensor(3)
			if src == nil && c.IsNone(4) {
				v := numberTensor(c, 3, l.x.Dtype())
				copySelf(c)
				l.fill(v)
				return
			}
			var v *tensor.Tensor
			if src != nil {
				v = sourceOf(c, src)
			} else {
				v = expanded(c.Name(), numberTensor(c, 3, l.x.Dtype()), []int{l.numel()})
			}
			copySelf(c)
			if c.IsNone(4) {
				l.write(v)
			} else {
				l.combineWith(c.Str(4), v)
			}
		},
		"scatter_add": func(c *tensor.Call) {
			l, v := elementIndexer(c, c.Ret(0)).checked(), sourceOf(c, c.Tensor(3))
			copySelf(c)
			l.combineWith("add", v)
		},
		"scatter_reduce": scatterReduce,
		"index_reduce":   indexReduce,
	})
}

// elementIndexer is what the index of argument 2 names along the dimension of argument 1 in x: an element for each of
// its own.
func elementIndexer(c *tensor.Call, x *tensor.Tensor) *indexer {
	d := tensor.WrapDim(c.Name(), c.Int(1), x.Dim())
	index := c.Tensor(2)
	n, step := dimOf(x, d)
	l := indexed(c.Name(), x, single, nil, single, d, n, step, false)
	l.list(index)
	if x.Dim() > 0 && index.Dim() > 0 {
		l.elements(index.Sizes(), x.Strides())
	} else {
		l.elements(index.Sizes(), make([]int, index.Dim()))
	}
	return l
}

// elements makes l an element indexer: shape is that of the index, strides are those of x. Dimensions of size 1 are
// left out, so that runs are as long as they can be.
func (l *indexer) elements(shape, strides []int) {
	l.shape, l.stride, l.lead = []int{}, []int{}, 0
	for i, n := range shape {
		if n == 1 {
			continue
		}
		step := strides[i]
		if i == l.dim {
			step = 0
		}
		if i < l.dim {
			l.lead++
		}
		l.shape, l.stride = append(l.shape, n), append(l.stride, step)
	}
	switch {
	case len(l.shape) == 0:
		l.shape, l.stride = []int{1}, []int{0}
	case l.dim < len(shape) && shape[l.dim] == 1: // no two elements meet
		l.lead = len(l.shape)
	}
}

// sourceOf is the part of src that the index of argument 2 has elements for, contiguous.
func sourceOf(c *tensor.Call, src *tensor.Tensor) *tensor.Tensor {
	shape := c.Tensor(2).Sizes()
	if !slices.Equal(src.Sizes(), shape) && c.Tensor(2).Numel() > 0 {
		stride := src.Strides()
		if len(stride) != len(shape) { // one has no dimensions, the other one of size 1
			stride = make([]int, len(shape))
		}
		src = tensor.FromStorage(c.Name(), src.Storage(), shape, stride, src.StorageOffset(), src.Dtype())
	}
	return source(c, src, src.Sizes())
}

// scatterReduce combines what meets at one place.
func scatterReduce(c *tensor.Call) {
	on := func(x *tensor.Tensor) *indexer { return elementIndexer(c, x) }
	combineInto(c, on, sourceOf(c, c.Tensor(3)))
}

// indexReduce is scatterReduce for whole slices.
func indexReduce(c *tensor.Call) {
	on := func(x *tensor.Tensor) *indexer { return dimIndexer(c, x, false) }
	combineInto(c, on, source(c, c.Tensor(3), c.Tensor(3).Sizes()))
}

// combineInto combines v with a copy of self at the places that on finds in a tensor of its shape; without
// include_self, what stands there counts only where nothing is sent.
func combineInto(c *tensor.Call, on func(x *tensor.Tensor) *indexer, v *tensor.Tensor) {
	l, how, op := on(c.Ret(0)).checked(), c.Str(4), c.Name()
	dt := l.x.Dtype()
	copySelf(c)
	if !c.Bool(5) {
		neutral := tensor.Alloc(op, nil, dt, tensor.CPU)
		putNeutral(neutral, how)
		l.fill(neutral)
	}
	l.combineWith(map[string]string{"sum": "add", "mean": "add", "prod": "multiply", "amax": "amax",
		"amin": "amin"}[how], v)
	if how == "mean" {
		divideByCounts(c, l.x, on)
	}
}

// divideByCounts makes means of sums: each place of x is divided by how many elements it was sent, and itself where it
// counts.
func divideByCounts(c *tensor.Call, x *tensor.Tensor, on func(x *tensor.Tensor) *indexer) {
	counts := tensor.Alloc(c.Name(), x.Sizes(), tensor.Int64, tensor.CPU)
	if c.Bool(5) {
		fillTensor(c.Name(), counts, tensor.IntScalar(1))
	}
	k := on(counts)
	one := tensor.Alloc(c.Name(), nil, tensor.Int64, tensor.CPU)
	fillTensor(c.Name(), one, tensor.IntScalar(1))
	k.combineWith("add", expanded(c.Name(), one, []int{k.numel()}))
	n := tensor.Elems[int64](counts)
	for i := range n {
		n[i] = max(n[i], 1)
	}
	divide := dividers[x.Dtype()]
	if divide == nil {
		panic(tensor.Errorf(c.Name(), "the mean is not implemented for %s", x.Dtype()))
	}
	divide(x, n)
}

// dividers divide the elements of a tensor, in row-major order, by numbers; integers round down.
var dividers [numDtypes]func(x *tensor.Tensor, by []int64)

func init() {
	divider(func(a float32, n int64) float32 { return a / float32(n) })
	divider(func(a float64, n int64) float64 { return a / float64(n) })
	divider(func(a complex64, n int64) complex64 { return a / complex(float32(n), 0) })
	divider(func(a complex128, n int64) complex128 { return a / complex(float64(n), 0) })
	divider(func(a tensor.Half, n int64) tensor.Half { return tensor.ToHalf(a.Float32() / float32(n)) })
	divider(func(a tensor.BF16, n int64) tensor.BF16 { return tensor.ToBF16(a.Float32() / float32(n)) })
	divider(floorDivide[uint8])
	divider(floorDivide[int8])
	divider(floorDivide[int16])
	divider(floorDivide[int32])
	divider(floorDivide[int64])
}

func divider[T tensor.Element](f func(a T, n int64) T) {
	dividers[tensor.DtypeOf[T]()] = func(x *tensor.Tensor, by []int64) {
		e := tensor.StorageElems[T](x)
		for i, p := range positions(x.Sizes(), x.Strides()) {
			p += x.StorageOffset()
			e[p] = f(e[p], by[i])
		}
	}
}

func floorDivide[T integer](a T, n int64) T {
	v := int64(a)
	q := v / n
	if v%n != 0 && v < 0 {
		q--
	}
	return T(q)
}
