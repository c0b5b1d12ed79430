package cpu

import (
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Gradients of softmax and log_softmax of float32 lines: (g - Σ g·y)·y and g - exp(y)·Σ g.

func init() {
	kernels(map[string]tensor.Kernel{
		"_softmax_backward":     func(c *tensor.Call) { softmaxGrad(c, false) },
		"_log_softmax_backward": func(c *tensor.Call) { softmaxGrad(c, true) },
	})
}

var subFloat32 = kernelOfTwo[float32]("sub float32")

func softmaxGrad(c *tensor.Call, log bool) {
	op, out := c.Name(), c.Ret(0)
	if out.Dtype() != tensor.Float32 {
		panic(tensor.Errorf(op, "not implemented for %s", out.Dtype()))
	}
	yt := contiguous(op, c.Tensor(1), tensor.Float32)
	y, dst := tensor.Elems[float32](yt), tensor.Elems[float32](out)
	l := lanesOf(yt, tensor.WrapDim(op, c.Int(2), yt.Dim()))
	switch {
	case len(dst) == 0:
	case l.step > 1:
		g := contig[float32](op, c.Tensor(0))
		width := min(l.step, stripLen)
		perRow := (l.step + width - 1) / width
		parallel.For(l.count/l.step*perRow, max(1, grainSize/(width*l.n)), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				tensor.Interrupted(op)
				at := i/perRow*l.n*l.step + i%perRow*width
				softmaxGradStrip(dst[at:], g[at:], y[at:], l.n, l.step, min(width, l.step-i%perRow*width), log)
			}
		})
	default:
		lines := gradLinesOf(op, c.Tensor(0), l.n)
		parallel.For(l.count, max(1, grainSize/l.n), func(lo, hi int) {
			tensor.Interrupted(op)
			for i := lo; i < hi; i++ {
				to, g, y := dst[i*l.n:][:l.n], lines.at(i), y[i*l.n:][:l.n]
				if log {
					simd.LogSoftmaxGradFloat32(to, g, y, float32(simd.SumFloat32(g)))
				} else {
					simd.SoftmaxGradFloat32(to, g, y, float32(simd.DotFloat32(g, y)))
				}
			}
		})
	}
	runtime.KeepAlive(yt)
}

// softmaxGradStrip computes n rows of w lines that lie side by side.
func softmaxGradStrip(dst, g, y []float32, n, stride, w int, log bool) {
	const block = 16
	room := simd.RowLen(w)
	l := newLender()
	defer l.end()
	sums, products := zeros[float64](&l, room), lent[float32](&l, block*w+room)
	sum, zero, tmp := lent[float32](&l, w), zeros[float32](&l, w), lent[float32](&l, w)
	if log {
		simd.SumRowsFloat32(sums, g, stride, n, w)
	} else {
		for r := 0; r < n; r += block {
			rows := min(block, n-r)
			for i := range rows {
				at := (r + i) * stride
				mulFloat32(products[i*w:][:w], g[at:][:w], y[at:][:w])
			}
			simd.SumRowsFloat32(sums, products, w, rows, w)
		}
	}
	for j := range w {
		sum[j] = float32(sums[j])
	}
	for r := range n {
		to, g, y := dst[r*stride:][:w], g[r*stride:][:w], y[r*stride:][:w]
		if log {
			simd.ExpRowFloat32(tmp, y, zero)
			mulFloat32(tmp, tmp, sum)
			subFloat32(to, g, tmp)
		} else {
			subFloat32(tmp, g, sum)
			mulFloat32(to, tmp, y)
		}
	}
}

// gradLines is a gradient as lines of n elements. One line stands for all where the gradient is one number, as that of
// a sum is: it is not spread to memory.
type gradLines struct {
	x       []float32
	n, step int
}

func (g *gradLines) at(i int) []float32 { return g.x[i*g.step:][:g.n] }

// gradLinesOf is g, of a multiple of n elements, as lines.
func gradLinesOf(op string, g *tensor.Tensor, n int) *gradLines {
	for d, step := range g.Strides() {
		if step != 0 && g.Sizes()[d] > 1 || g.Numel() <= n {
			return &gradLines{contig[float32](op, g), n, n}
		}
	}
	number := tensor.FromStorage(op, g.Storage(), []int{n}, []int{0}, g.StorageOffset(), g.Dtype())
	return &gradLines{x: contig[float32](op, number), n: n}
}
