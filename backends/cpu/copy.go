package cpu

import (
	"runtime"
	"slices"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"copy_":    func(c *tensor.Call) { copyFor(c, c.Tensor(0), c.Tensor(1)) },
		"clone":    func(c *tensor.Call) { copyTensor(c.Name(), c.Ret(0), c.Tensor(0)) },
		"_to_copy": func(c *tensor.Call) { copyFor(c, c.Ret(0), c.Tensor(0)) },
		"fill_":    fillKernel,
		"zero_":    func(c *tensor.Call) { fillTensor(c.Name(), c.Tensor(0), tensor.IntScalar(0)) },
		"resize_":  func(*tensor.Call) {},
	})
}

// kernels registers a table of kernels.
func kernels(m map[string]tensor.Kernel) {
	for name, f := range m {
		tensor.Register(name, tensor.KeyCPU, f)
	}
}

func fillKernel(c *tensor.Call) {
	if v := c.Tensor(1); v != nil {
		fillTensor(c.Name(), c.Tensor(0), v.ItemScalar())
		return
	}
	s, _ := c.Scalar(1)
	fillTensor(c.Name(), c.Tensor(0), s)
}

// fillTensor sets every element of dst to s, converted.
func fillTensor(op string, dst *tensor.Tensor, s tensor.Scalar) {
	if dst.Contig() && dst.Device() == tensor.CPU {
		value, size := new([2]uint64), dst.ElementSize()
		putNumber(unsafe.Pointer(value), s, dst.Dtype(), dst.Dtype())
		set, base := setters[sizeClass(size)], dst.Ptr()
		parallel.For(dst.Numel(), copyChunk/size, func(lo, hi int) {
			tensor.Interrupted(op)
			set(unsafe.Add(base, lo*size), unsafe.Pointer(value), hi-lo)
		})
		runtime.KeepAlive(dst)
		return
	}
	v := tensor.Alloc(op, nil, dst.Dtype(), tensor.CPU)
	putNumber(v.Ptr(), s, dst.Dtype(), dst.Dtype())
	copyTensor(op, dst, v)
}

// copyFor is copyTensor for a call, which may say that it does not wait for another device.
func copyFor(c *tensor.Call, dst, src *tensor.Tensor) {
	if dst.Device() != src.Device() {
		c.CopyAcross(dst, src)
		return
	}
	copyTensor(c.Name(), dst, src)
}

// copyTensor writes src, broadcast and converted, into dst. They may share memory.
func copyTensor(op string, dst, src *tensor.Tensor) {
	if dst.Numel() == 0 {
		return
	}
	if src.Device() != tensor.CPU || dst.Device() != tensor.CPU {
		tensor.CopyAcross(op, dst, src)
		return
	}
	if tensor.SharesStorage(dst, src) && overlap(dst, src) {
		if dst.Dtype() == src.Dtype() && dst.StorageOffset() == src.StorageOffset() &&
			slices.Equal(dst.Sizes(), src.Sizes()) && slices.Equal(dst.Strides(), src.Strides()) {
			return
		}
		src = temporary(op, src, src.Dtype())
	}
	p := tensor.PlanInto(op, dst, src)
	if src.Dtype() == dst.Dtype() {
		copySame(p)
	} else {
		convertInto(p)
	}
	p.Release()
	runtime.KeepAlive(dst)
	runtime.KeepAlive(src)
}

// convertInto copies row by row with a conversion.
func convertInto(p *tensor.Plan) {
	convert := convertTable[p.In[0].Dtype][p.Out.Dtype]
	to, from := side{size: p.Out.Dtype.Size()}, side{size: p.In[0].Dtype.Size()}
	to.base = unsafe.Add(p.Out.Tensor.Storage().Pointer(), p.Out.Offset*to.size)
	from.base = unsafe.Add(p.In[0].Tensor.Storage().Pointer(), p.In[0].Offset*from.size)
	last := len(p.Shape) - 1
	so, si := p.Out.Stride[last], p.In[0].Stride[last]
	parallel.For(p.Numel, grainSize, func(lo, hi int) {
		tensor.Interrupted(p.Op)
		walkRows(p.Shape, p.Out.Stride, p.In[0].Stride, lo, hi, func(_, o, i, k int) {
			convert(unsafe.Add(to.base, o*to.size), so, unsafe.Add(from.base, i*from.size), si, k)
		})
	})
}

// overlap reports whether the reaches of two tensors of one storage meet.
func overlap(a, b *tensor.Tensor) bool {
	alo, ahi := reach(a)
	blo, bhi := reach(b)
	return alo < bhi && blo < ahi
}

// reach is the range of bytes in the storage that x's elements lie in.
func reach(x *tensor.Tensor) (lo, hi int) {
	lo, hi = x.StorageOffset(), x.StorageOffset()
	for i, s := range x.Sizes() {
		d := (s - 1) * x.Strides()[i]
		lo, hi = lo+min(d, 0), hi+max(d, 0)
	}
	return lo * x.ElementSize(), (hi + 1) * x.ElementSize()
}

// temporary is a contiguous copy of x as dt.
func temporary(op string, x *tensor.Tensor, dt tensor.Dtype) *tensor.Tensor {
	y := tensor.Alloc(op, x.Sizes(), dt, tensor.CPU)
	copyTensor(op, y, x)
	return y
}

// contiguous returns x itself if it is row-major and of dtype dt, else a contiguous copy as dt. Kernels that want
// plain memory begin with it.
func contiguous(op string, x *tensor.Tensor, dt tensor.Dtype) *tensor.Tensor {
	if x.Dtype() == dt && x.Contig() {
		return x
	}
	return temporary(op, x, dt)
}

// contig lends x's elements, row by row, as T: x's own memory if it lies so, else that of a temporary. Who reads them
// keeps x alive.
func contig[T tensor.Element](op string, x *tensor.Tensor) []T {
	return tensor.Elems[T](contiguous(op, x, tensor.DtypeOf[T]()))
}
