package cpu

import (
	"math"

	"gotorch/internal/simd"
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

// pairInto runs f over two tensors, broadcast to dst, in float32 or float64.
func pairInto(c *tensor.Call, dst, a, b *tensor.Tensor, f func(a, b float64) float64) {
	p := tensor.PlanInto(c.Name(), dst, a, b)
	d, l := tensor.Float32, loop2(simd.Pairs32(f))
	if dst.Dtype() == tensor.Float64 {
		d, l = tensor.Float64, loop2(pairwise(f))
	}
	start(p, d, []tensor.Dtype{d, d}).run(l, goCost)
}

// frexpKernel splits each element.
func frexpKernel(c *tensor.Call) {
	x := c.Tensor(0)
	op := c.Name()
	mantissa, exponent := tensor.Alloc(op, x.Sizes(), tensor.Float64, tensor.CPU), tensor.Alloc(op, x.Sizes(), tensor.Int32, tensor.CPU)
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
	pairInto(c, c.Ret(0), x, slopes, func(v, slope float64) float64 {
		if v > 0 {
			return v
		}
		return v * slope
	})
}

func gluKernel(c *tensor.Call) {
	x := c.Tensor(0)
	d := tensor.WrapDim(c.Name(), c.Int(1), x.Dim())
	shape := x.Shape()
	shape[d] /= 2
	half := func(i int) *tensor.Tensor {
		return tensor.FromStorage(c.Name(), x.Storage(), shape, x.Strides(), x.StorageOffset()+i*shape[d]*x.Strides()[d], x.Dtype())
	}
	pairInto(c, c.Ret(0), half(0), half(1), func(a, b float64) float64 { return a * sigmoid(b) })
}
