package cpu

import (
	"math"
	"math/cmplx"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: Fourier transforms run dimension by dimension, lines of several at a time: those that lie side by side share
// cache lines. All are computed in 64 bits, so that results of 32 are exact but for their rounding after each
// dimension.

// fftBlock is the number of lines that are gathered together: a cache line has so many complex64.
const fftBlock = 8

func init() {
	kernels(map[string]tensor.Kernel{
		"_fft_c2c": func(c *tensor.Call) {
			if c.Ret(0).Dtype() == tensor.Complex64 {
				fftC2C[complex64](c)
			} else {
				fftC2C[complex128](c)
			}
		},
		"_fft_r2c": func(c *tensor.Call) {
			if c.Ret(0).Dtype() == tensor.Complex64 {
				fftR2C[complex64, float32](c)
			} else {
				fftR2C[complex128, float64](c)
			}
		},
		"_fft_c2r": func(c *tensor.Call) {
			if c.Ret(0).Dtype() == tensor.Float32 {
				fftC2R[complex64, float32](c)
			} else {
				fftC2R[complex128, float64](c)
			}
		},
	})
}

// fftOf is one call: the dimensions, the last one, and the factor of the results.
func fftOf(c *tensor.Call, shape []int) (dims []int, scale float64) {
	n := 1
	for _, d := range c.Ints(1) {
		d = tensor.WrapDim(c.Name(), d, len(shape))
		dims = append(dims, d)
		n *= shape[d]
	}
	scale = 1
	switch c.Int(2) {
	case 1:
		scale = 1 / math.Sqrt(float64(n))
	case 2:
		scale = 1 / float64(n)
	}
	return dims, scale
}

func fftC2C[C interface {
	complexNumber
	tensor.Element
}](c *tensor.Call) {
	x, y := c.Tensor(0), c.Ret(0)
	dims, scale := fftOf(c, x.Sizes())
	if y.Numel() == 0 {
		return
	}
	in := contiguous(c.Name(), x, y.Dtype())
	src, dst := tensor.Elems[C](in), tensor.Elems[C](y)
	for i, d := range dims {
		s := 1.0
		if i == len(dims)-1 {
			s = scale
		}
		complexLines(c.Name(), dst, src, lanesOf(y, d), c.Bool(3), s)
		src = dst
	}
	runtime.KeepAlive(in)
	runtime.KeepAlive(y)
}

func fftR2C[C interface {
	complexNumber
	tensor.Element
}, R interface {
	float
	tensor.Element
}](c *tensor.Call) {
	x, y := c.Tensor(0), c.Ret(0)
	dims, scale := fftOf(c, x.Sizes())
	if y.Numel() == 0 {
		return
	}
	in := contiguous(c.Name(), x, tensor.DtypeOf[R]())
	src, dst := tensor.Elems[R](in), tensor.Elems[C](y)
	last := len(dims) - 1
	from, to := lanesOf(in, dims[last]), lanesOf(y, dims[last])
	fftLines(c.Name(), from, func(p *fftPlan, b *fftBuffers, i, lines int) {
		half := b.whole[:p.n/2+1]
		for k := range lines {
			at := from.start(i) + k
			for j := range b.reals {
				b.reals[j] = float64(src[at+j*from.step])
			}
			p.fromReal(half, b.reals)
			at = to.start(i) + k
			for j, v := range half {
				dst[at+j*to.step] = C(v * complex(scale, 0))
			}
			for j := len(half); j < to.n; j++ { // the conjugates, where they are asked for
				dst[at+j*to.step] = C(cmplx.Conj(half[p.n-j]) * complex(scale, 0))
			}
		}
	})
	for _, d := range dims[:last] {
		complexLines(c.Name(), dst, dst, lanesOf(y, d), true, 1)
	}
	runtime.KeepAlive(in)
	runtime.KeepAlive(y)
}

func fftC2R[C interface {
	complexNumber
	tensor.Element
}, R interface {
	float
	tensor.Element
}](c *tensor.Call) {
	x, y := c.Tensor(0), c.Ret(0)
	dims, scale := fftOf(c, y.Sizes())
	if y.Numel() == 0 {
		return
	}
	in := contiguous(c.Name(), x, tensor.DtypeOf[C]())
	last := len(dims) - 1
	if last > 0 {
		whole := tensor.Alloc(c.Name(), in.Sizes(), in.Dtype(), tensor.CPU)
		src, dst := tensor.Elems[C](in), tensor.Elems[C](whole)
		for _, d := range dims[:last] {
			complexLines(c.Name(), dst, src, lanesOf(in, d), false, 1)
			src = dst
		}
		in = whole
	}
	src, dst := tensor.Elems[C](in), tensor.Elems[R](y)
	from, to := lanesOf(in, dims[last]), lanesOf(y, dims[last])
	fftLines(c.Name(), to, func(p *fftPlan, b *fftBuffers, i, lines int) {
		half := b.whole[:from.n]
		for k := range lines {
			at := from.start(i) + k
			for j := range half {
				half[j] = complex128(src[at+j*from.step])
			}
			p.toReal(b.reals, half)
			at = to.start(i) + k
			for j, v := range b.reals {
				dst[at+j*to.step] = R(v * scale)
			}
		}
	})
	runtime.KeepAlive(in)
	runtime.KeepAlive(y)
}

// fftBuffers has room for the lines of a block, or for one and its real numbers.
type fftBuffers struct {
	whole []complex128
	reals []float64
}

// fftLines calls f for blocks of lines: lanes i to i+lines, which lie side by side.
func fftLines(op string, l lanes, f func(p *fftPlan, b *fftBuffers, i, lines int)) {
	width := min(l.step, fftBlock)
	perRow := (l.step + width - 1) / width
	cost := 3 * float64(l.n*width) * math.Log2(float64(l.n+1))
	parallel.For(l.count/l.step*perRow, parallel.Grain(cost), func(lo, hi int) {
		p, back := takeFFT(l.n)
		b := fftBuffers{make([]complex128, width*l.n+1), make([]float64, l.n)}
		for block := lo; block < hi; block++ {
			tensor.Interrupted(op)
			col := block % perRow * width
			f(p, &b, block/perRow*l.step+col, min(width, l.step-col))
		}
		back()
	})
}

// complexLines transforms the lanes of src to those of dst, which may be the same.
func complexLines[C complexNumber](op string, dst, src []C, l lanes, forward bool, scale float64) {
	factor := complex(scale, 0)
	fftLines(op, l, func(p *fftPlan, b *fftBuffers, i, lines int) {
		at := l.start(i)
		for j := range l.n {
			for k := range lines {
				b.whole[k*l.n+j] = complex128(src[at+j*l.step+k])
			}
		}
		for k := range lines {
			p.transform(b.whole[k*l.n:][:l.n], forward)
		}
		for j := range l.n {
			for k := range lines {
				dst[at+j*l.step+k] = C(b.whole[k*l.n+j] * factor)
			}
		}
	})
}
