package cpu

import (
	"math"
	"unsafe"

	"gotorch/tensor"
)

// Activations that are not one element in, one element out.

func init() {
	kernels(map[string]tensor.Kernel{
		"frexp":               frexpKernel,
		"nn.functional.prelu": preluKernel,
		"nn.functional.glu":   gluKernel,
	})
}

// pairInto runs a loop over two tensors, broadcast to dst, in float32 or float64.
func pairInto(c *tensor.Call, dst, a, b *tensor.Tensor, loops func(d tensor.Dtype) loop, cost int) {
	p := tensor.PlanInto(c.Name(), dst, a, b)
	d := tensor.Float32
	if dst.Dtype() == tensor.Float64 {
		d = tensor.Float64
	}
	start(p, d, []tensor.Dtype{d, d}).run(loops(d), cost)
}

// frexpKernel splits each element.
func frexpKernel(c *tensor.Call) {
	x := c.Tensor(0)
	op := c.Name()
	mantissa, exponent := tensor.Alloc(op, x.Sizes(), tensor.Float64, tensor.CPU),
		tensor.Alloc(op, x.Sizes(), tensor.Int32, tensor.CPU)
	m, e := tensor.Elems[float64](mantissa), tensor.Elems[int32](exponent)
	for i, v := range contig[float64](op, x) {
		f, exp := math.Frexp(v)
		m[i], e[i] = f, int32(exp)
	}
	copyTensor(op, c.Ret(0), mantissa)
	copyTensor(op, c.Ret(1), exponent)
}

func preluKernel(c *tensor.Call) {
	x, w := c.Tensor(0), c.Tensor(1)
	shape, stride := make([]int, x.Dim()), make([]int, x.Dim())
	for i := range shape {
		shape[i] = 1
	}
	if w.Numel() > 1 && x.Dim() > 1 {
		shape[1], stride[1] = w.Numel(), w.Strides()[0]
	}
	slopes := tensor.FromStorage(c.Name(), w.Storage(), shape, stride, w.StorageOffset(), w.Dtype())
	pairInto(c, c.Ret(0), x, slopes, func(d tensor.Dtype) loop { return kernelOf("prelu", d) }, 1)
}

func gluKernel(c *tensor.Call) {
	x := c.Tensor(0)
	d := tensor.WrapDim(c.Name(), c.Int(1), x.Dim())
	shape := x.Shape()
	shape[d] /= 2
	half := func(i int) *tensor.Tensor {
		return tensor.FromStorage(c.Name(), x.Storage(), shape, x.Strides(),
			x.StorageOffset()+i*shape[d]*x.Strides()[d], x.Dtype())
	}
	pairInto(c, c.Ret(0), half(0), half(1), gated, 6)
}

// gated is a·sigmoid(b), block by block.
func gated(d tensor.Dtype) loop {
	sigmoid, mul := kernelOf("sigmoid", d), kernelOf("mul", d)
	return func(n int, dst, a, b, _, _ *byte) {
		tmp := scratches.Get().(*scratch)
		gate := (*byte)(unsafe.Pointer(tmp))
		for i := 0; i < n; i += blockLen {
			k, off := min(blockLen, n-i), i*d.Size()
			sigmoid(k, gate, moved(b, off), nil, nil, nil)
			mul(k, moved(dst, off), moved(a, off), gate, nil, nil)
		}
		scratches.Put(tmp)
	}
}
