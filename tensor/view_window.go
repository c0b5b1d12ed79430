package tensor

// Views that put dimensions into another order, and views of some of the elements: slice, select, diagonal, windows,
// pieces.

func init() {
	views(map[string]Kernel{
		"as_strided": func(c *Call) {
			x := c.Tensor(0)
			offset := x.offset
			if !c.IsNone(3) {
				offset = c.Int(3)
			}
			size, stride := c.Ints(1), c.Ints(2)
			if len(size) != len(stride) {
				panic(Errorf(c.Name(), "mismatch in length of strides and shape: size %v, stride %v", size, stride))
			}
			c.Return(x.alias(c.Name(), size, stride, offset))
		},
		"transpose": func(c *Call) {
			x := c.Tensor(0)
			n := len(x.shape)
			c.Return(x.swapped(c.wrapDim(1, c.Int(1), n), c.wrapDim(2, c.Int(2), n)))
		},
		"t": func(c *Call) {
			x := c.Tensor(0)
			switch {
			case len(x.shape) > 2:
				panic(Errorf(c.Name(), "expects a tensor of at most 2 dimensions, but self is %dD (shape %v)", len(x.shape),
					x.shape).WithHint("MT swaps the last two dimensions, Permute puts all into an order"))
			case len(x.shape) < 2:
				same(c)
				return
			}
			c.Return(x.swapped(0, 1))
		},
		"permute":          permuteView,
		"slice":            sliceView,
		"select":           selectView,
		"diagonal":         diagonalView,
		"unfold":           unfoldView,
		"split":            splitView,
		"split_with_sizes": func(c *Call) { c.Return(splitSizes(c, c.Ints(1), c.Int(2))...) },
		"unbind": func(c *Call) {
			x := c.Tensor(0)
			d := innerDim(c, x, 1, c.Int(1))
			out := manyViews(c, x.shape[d])
			for i := range out {
				look(c, i)
				out[i] = x.without(d)
				out[i].offset += i * x.stride[d]
			}
			c.Return(out...)
		},
		"view_as_real":    viewAsReal,
		"view_as_complex": viewAsComplex,
	})
}

// viewWords is about how many numbers of 8 bytes the header of a view has.
const viewWords = 32

// manyViews makes a list for n views, if there is memory for them.
func manyViews(c *Call, n int) []*Tensor {
	mustFit(c.Name(), viewWords*float64(n))
	return make([]*Tensor, n)
}

// look ends the making of many views where the call is interrupted; i counts them.
func look(c *Call, i int) {
	if i&(1<<12-1) == 1<<12-1 {
		Interrupted(c.Name())
	}
}

// innerDim wraps a dimension, argument i, of a tensor that must have one.
func innerDim(c *Call, x *Tensor, i, dim int) int {
	if len(x.shape) == 0 {
		panic(Errorf(c.Name(), "a tensor of 0 dimensions has no dimension %d: it needs at least one", dim).
			OnArg(c.Op.Params[i].Name))
	}
	return c.wrapDim(i, dim, len(x.shape))
}

func (x *Tensor) swapped(a, b int) *Tensor {
	y := x.header(len(x.shape))
	copy(y.shape, x.shape)
	copy(y.stride, x.stride)
	if len(x.shape) > 0 {
		y.shape[a], y.shape[b] = x.shape[b], x.shape[a]
		y.stride[a], y.stride[b] = x.stride[b], x.stride[a]
	}
	y.numel = x.numel
	return y
}

// header is another header over x's storage for views of n dimensions that cannot leave x's window: a caller that asks
// for it fills in shape, stride, numel, and the offset where it is not x's.
func (x *Tensor) header(n int) *Tensor {
	y := newHeader(n, x.dtype)
	y.st, y.layout, y.keys, y.offset = x.st.now(), x.layout, x.keys&^(1<<KeyAutograd), x.offset
	return y
}

// without is a header like x's but for dimension d, which is taken out.
func (x *Tensor) without(d int) *Tensor {
	y := x.header(len(x.shape) - 1)
	copy(y.shape, x.shape[:d])
	copy(y.shape[d:], x.shape[d+1:])
	copy(y.stride, x.stride[:d])
	copy(y.stride[d:], x.stride[d+1:])
	y.numel, _ = count(y.shape)
	return y
}

func permuteView(c *Call) {
	x, dims := c.Tensor(0), c.Ints(1)
	n := len(x.shape)
	if len(dims) != n {
		panic(Errorf(c.Name(), "the number of dimensions in the tensor (%d) is not that of the desired order of "+
			"dimensions %v (%d)", n, dims, len(dims)))
	}
	shape, stride, seen := make([]int, n), make([]int, n), make([]bool, n)
	for i, d := range dims {
		d = c.wrapDim(1, d, n)
		if seen[d] {
			panic(Errorf(c.Name(), "duplicate dims are not allowed: dimension %d is twice in %v", d, dims))
		}
		seen[d] = true
		shape[i], stride[i] = x.shape[d], x.stride[d]
	}
	c.Return(x.alias(c.Name(), shape, stride, x.offset))
}

// sliceView follows Python's rule for start:end:step, negative steps included.
func sliceView(c *Call) {
	x := c.Tensor(0)
	d := innerDim(c, x, 1, c.Int(1))
	n, step := x.shape[d], c.Int(4)
	if step == 0 {
		panic(Errorf(c.Name(), "the step of a slice cannot be zero"))
	}
	lo, hi := 0, n // what bounds are clamped to
	if step < 0 {
		lo, hi = -1, n-1
	}
	bound := func(i, def int) int {
		if c.IsNone(i) {
			return def
		}
		v := c.Int(i)
		if v < 0 {
			v += n
		}
		return min(max(v, lo), hi)
	}
	var start, end, size int
	if step > 0 {
		start, end = bound(2, lo), bound(3, hi)
		size = (max(end-start, 0) + step - 1) / step
	} else {
		start, end = bound(2, hi), bound(3, lo)
		size = (max(start-end, 0) - step - 1) / -step
		start = max(start, 0)
	}
	y := x.header(len(x.shape))
	copy(y.shape, x.shape)
	copy(y.stride, x.stride)
	y.shape[d], y.stride[d] = size, x.stride[d]*step
	y.offset += start * x.stride[d]
	y.numel, _ = count(y.shape)
	c.Return(y)
}

func selectView(c *Call) {
	x, i := c.Tensor(0), c.Int(2)
	d := innerDim(c, x, 1, c.Int(1))
	n := x.shape[d]
	if i < -n || i >= n {
		panic(Errorf(c.Name(), "index %d is out of range for a tensor of size %v at dimension %d", i, x.shape, d).
			OnArg("index").WithDetails(indexDetails(x, d, i)))
	}
	if i < 0 {
		i += n
	}
	y := x.without(d)
	y.offset += i * x.stride[d]
	c.Return(y)
}

func diagonalView(c *Call) {
	x, k := c.Tensor(0), c.Int(1)
	n := len(x.shape)
	a, b := c.wrapDim(2, c.Int(2), n), c.wrapDim(3, c.Int(3), n)
	if a == b {
		panic(Errorf(c.Name(), "diagonal dimensions cannot be identical %d, %d", c.Int(2), c.Int(3)))
	}
	offset := x.offset
	rows, cols := x.shape[a], x.shape[b]
	if k >= 0 {
		cols = max(cols-k, 0)
	} else {
		rows = max(rows+k, 0)
	}
	size := min(rows, cols)
	switch {
	case size == 0:
	case k >= 0:
		offset += k * x.stride[b]
	default:
		offset -= k * x.stride[a]
	}
	shape, stride := make([]int, 0, n), make([]int, 0, n)
	for i := range x.shape {
		if i != a && i != b {
			shape, stride = append(shape, x.shape[i]), append(stride, x.stride[i])
		}
	}
	c.Return(x.alias(c.Name(), append(shape, size), append(stride, x.stride[a]+x.stride[b]), offset))
}

func unfoldView(c *Call) {
	x, size, step := c.Tensor(0), c.Int(2), c.Int(3)
	d := c.wrapDim(1, c.Int(1), len(x.shape))
	have, each := 1, 1
	if len(x.shape) > 0 {
		have, each = x.shape[d], x.stride[d]
	}
	switch {
	case size < 0:
		panic(Errorf(c.Name(), "size is %d but must be >= 0", size))
	case size > have:
		panic(Errorf(c.Name(), "maximum size for tensor at dimension %d is %d but size is %d", d, have, size))
	case step <= 0:
		panic(Errorf(c.Name(), "step is %d but must be > 0", step))
	}
	shape, stride := append(x.Shape(), size), append(x.Stride(), each)
	if len(x.shape) > 0 {
		shape[d], stride[d] = (have-size)/step+1, each*step
	}
	c.Return(x.alias(c.Name(), shape, stride, x.offset))
}

func splitView(c *Call) {
	if _, ok := c.Scalar(1); !ok {
		c.Return(splitSizes(c, c.Ints(1), c.Int(2))...)
		return
	}
	x, size := c.Tensor(0), c.Int(1)
	d := innerDim(c, x, 2, c.Int(2))
	n := x.shape[d]
	if size < 0 || size == 0 && n != 0 {
		panic(Errorf(c.Name(), "split expects split_size to be positive (or 0 where the dimension's size is 0), but got "+
			"split_size %d for dimension %d of size %d", size, d, n))
	}
	pieces := 1
	if size > 0 {
		pieces = max((n+size-1)/size, 1)
	}
	out := manyViews(c, pieces)
	for i := range out {
		look(c, i)
		out[i] = x.piece(c.Name(), d, i*size, min(size, n-i*size))
	}
	c.Return(out...)
}

// splitSizes cuts x along dim into pieces of sizes.
func splitSizes(c *Call, sizes []int, dim int) []*Tensor {
	x := c.Tensor(0)
	d := innerDim(c, x, 2, dim)
	sum := 0
	for _, s := range sizes {
		if s < 0 {
			panic(Errorf(c.Name(), "split_with_sizes expects split_sizes to have only non-negative entries, but got %v",
				sizes))
		}
		sum += s
	}
	if sum != x.shape[d] {
		panic(Errorf(c.Name(), "split_with_sizes expects split_sizes to sum exactly to %d (the input's size at dimension "+
			"%d), but got %v", x.shape[d], d, sizes))
	}
	out, at := make([]*Tensor, len(sizes)), 0
	for i, s := range sizes {
		out[i] = x.piece(c.Name(), d, at, s)
		at += s
	}
	return out
}

// piece is the view of size indices from start along d.
func (x *Tensor) piece(op string, d, start, size int) *Tensor {
	shape := x.Shape()
	shape[d] = size
	return x.alias(op, shape, x.stride, x.offset+start*x.stride[d])
}

func viewAsReal(c *Call) {
	x := c.Tensor(0)
	if !x.dtype.IsComplex() {
		panic(Errorf(c.Name(), "only complex tensors can be viewed as real, not %s", x.dtype))
	}
	stride := x.Stride()
	for i := range stride {
		stride[i] *= 2
	}
	c.Return(x.aliasAs(c.Name(), x.dtype.ToReal(), append(x.Shape(), 2), append(stride, 1), 2*x.offset))
}

func viewAsComplex(c *Call) {
	x := c.Tensor(0)
	last := len(x.shape) - 1
	switch {
	case x.dtype != Float16 && x.dtype != Float32 && x.dtype != Float64:
		panic(Errorf(c.Name(), "only tensors of float16, float32 and float64 can be viewed as complex, not %s", x.dtype))
	case last < 0:
		panic(Errorf(c.Name(), "the input tensor must have one or more dimensions"))
	case x.shape[last] != 2:
		panic(Errorf(c.Name(), "the tensor must have a last dimension of size 2, not %d (shape %v)", x.shape[last],
			x.shape))
	case x.stride[last] != 1:
		panic(Errorf(c.Name(), "the tensor must have a last dimension with stride 1, not %d", x.stride[last]))
	case x.offset%2 != 0:
		panic(Errorf(c.Name(), "the tensor must have a storage offset divisible by 2, not %d", x.offset))
	}
	stride := x.Stride()[:last]
	for i, s := range stride {
		if s%2 != 0 {
			panic(Errorf(c.Name(), "the tensor must have a stride divisible by 2 for all but the last dimension, not %d at "+
				"dimension %d", s, i))
		}
		stride[i] /= 2
	}
	c.Return(x.aliasAs(c.Name(), x.dtype.ToComplex(), x.shape[:last], stride, x.offset/2))
}
