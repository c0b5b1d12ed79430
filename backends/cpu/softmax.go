package cpu

import (
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"nn.functional.softmax":     func(c *tensor.Call) { softmaxKernel(c, false) },
		"nn.functional.log_softmax": func(c *tensor.Call) { softmaxKernel(c, true) },
	})
}

// softmaxKernel computes along one dimension; half types in float32.
func softmaxKernel(c *tensor.Call, log bool) {
	op, out := c.Name(), c.Ret(0)
	dt := out.Dtype().Accumulate()
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(op, out.Sizes(), dt, tensor.CPU)
	}
	in := c.Tensor(0)
	if in.Dtype() != out.Dtype() && dt != out.Dtype() { // the dtype that is asked for comes first
		in = contiguous(op, in, out.Dtype())
	}
	x := contiguous(op, in, dt)
	n, inner := 1, 1
	if d := c.SoftmaxDim(); x.Dim() > 0 {
		n = x.Sizes()[d]
		for _, s := range x.Sizes()[d+1:] {
			inner *= s
		}
	}
	if x.Numel() > 0 {
		if dt == tensor.Float64 {
			softmax(op, tensor.Elems[float64](dst), tensor.Elems[float64](x), n, inner, log, out.Dtype())
		} else {
			softmax(op, tensor.Elems[float32](dst), tensor.Elems[float32](x), n, inner, log, out.Dtype())
		}
	}
	if dst != out {
		copyTensor(op, out, dst)
	}
	runtime.KeepAlive(x)
}

// softmax works on lines of n elements that stand inner apart. For a half type, the logarithm is rounded to it on the way, as in PyTorch.
func softmax[T float](op string, dst, src []T, n, inner int, log bool, dt tensor.Dtype) {
	lines := len(src) / n
	parallel.For(lines, max(1, grainSize/(8*n)), func(lo, hi int) {
		tensor.Interrupted(op)
		for l := lo; l < hi; l++ {
			at := l/inner*n*inner + l%inner
			x, y := src[at:], dst[at:]
			last := (n - 1) * inner
			most := x[0]
			for i := 0; i <= last; i += inner {
				if v := x[i]; v > most || v != v {
					most = v
				}
			}
			var sum float64
			if log {
				for i := 0; i <= last; i += inner {
					sum += math.Exp(float64(x[i] - most))
				}
				shift := T(math.Log(sum))
				if isHalf(dt) {
					shift = T(roundTo(dt, float32(math.Log(float64(roundTo(dt, float32(sum)))))))
				}
				for i := 0; i <= last; i += inner {
					y[i] = x[i] - most - shift
				}
				continue
			}
			for i := 0; i <= last; i += inner {
				e := math.Exp(float64(x[i] - most))
				y[i] = T(e)
				sum += e
			}
			f := 1 / sum
			for i := 0; i <= last; i += inner {
				y[i] = T(float64(y[i]) * f)
			}
		}
	})
}
