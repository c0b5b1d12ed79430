package cpu

import (
	"math"
	"runtime"
	"unsafe"

	"gotorch/tensor"
)

// Note: Fourier transforms run dimension by dimension, in the precision of their dtype but for short lines. Lines go
// in strips, as many side by side as a vector has lanes (fft_strip.go), or, long ones of which there are few, one by
// one (fft_line.go). Real numbers of even length are the parts of complex ones of half the length.

func init() {
	kernels(map[string]tensor.Kernel{
		"_fft_c2c": fourier(fftC2C[complex64, float32], fftC2C[complex128, float64]),
		"_fft_r2c": fourier(fftR2C[complex64, float32], fftR2C[complex128, float64]),
		"_fft_c2r": fourier(fftC2R[complex64, float32], fftC2R[complex128, float64]),
	})
}

// shortLine is the length up to which transforms are computed in 64 bits whatever their dtype: sums of few numbers are
// then exact but for a rounding at the end.
const shortLine = 16

// fourier is the kernel of a transform that has a form for 32 bits and one for 64.
func fourier(single, double func(c *tensor.Call, y, x *tensor.Tensor)) tensor.Kernel {
	return func(c *tensor.Call) {
		x, y := c.Tensor(0), c.Ret(0)
		wide := tensor.Float64
		if y.Dtype().IsComplex() {
			wide = tensor.Complex128
		}
		long := x
		if !y.Dtype().IsComplex() {
			long = y
		}
		short := true
		for _, d := range c.Ints(1) {
			short = short && long.Size(d) <= shortLine
		}
		switch {
		case y.Numel() == 0:
		case y.Dtype() == wide:
			double(c, y, x)
		case short:
			tmp := tensor.Alloc(c.Name(), y.Sizes(), wide, tensor.CPU)
			double(c, tmp, x)
			copyTensor(c.Name(), y, tmp)
		default:
			single(c, y, x)
		}
	}
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

// complexElement are complex dtypes, whose parts are of a real one.
type complexElement interface {
	complexNumber
	tensor.Element
}

type realElement interface {
	float
	tensor.Element
}

// pairsOf are the elements of a contiguous complex tensor as pairs of real numbers.
func pairsOf[C complexElement, R realElement](x *tensor.Tensor) []R {
	e := tensor.Elems[C](x)
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(e))), 2*len(e))
}

func fftC2C[C complexElement, R realElement](c *tensor.Call, y, x *tensor.Tensor) {
	dims, scale := fftOf(c, x.Sizes())
	in := contiguous(c.Name(), x, y.Dtype())
	src, dst := pairsOf[C, R](in), pairsOf[C, R](y)
	for i, d := range dims {
		s := 1.0
		if i == len(dims)-1 {
			s = scale
		}
		complexLines(c, dst, src, lanesOf(y, d), !c.Bool(3), s)
		src = dst
	}
	runtime.KeepAlive(in)
	runtime.KeepAlive(y)
}

func fftR2C[C complexElement, R realElement](c *tensor.Call, y, x *tensor.Tensor) {
	dims, scale := fftOf(c, x.Sizes())
	in := contiguous(c.Name(), x, tensor.DtypeOf[R]())
	src, dst := tensor.Elems[R](in), pairsOf[C, R](y)
	last := len(dims) - 1
	realLines(c, &fftSide[R]{dst, lanesOf(y, dims[last])}, &fftSide[R]{src, lanesOf(in, dims[last])}, scale)
	for _, d := range dims[:last] {
		complexLines(c, dst, dst, lanesOf(y, d), false, 1)
	}
	runtime.KeepAlive(in)
	runtime.KeepAlive(y)
}

func fftC2R[C complexElement, R realElement](c *tensor.Call, y, x *tensor.Tensor) {
	dims, scale := fftOf(c, y.Sizes())
	in := contiguous(c.Name(), x, tensor.DtypeOf[C]())
	last := len(dims) - 1
	if last > 0 {
		whole := tensor.Alloc(c.Name(), in.Sizes(), in.Dtype(), tensor.CPU)
		src, dst := pairsOf[C, R](in), pairsOf[C, R](whole)
		for _, d := range dims[:last] {
			complexLines(c, dst, src, lanesOf(in, d), true, 1)
			src = dst
		}
		in = whole
	}
	toRealLines(c, &fftSide[R]{tensor.Elems[R](y), lanesOf(y, dims[last])},
		&fftSide[R]{pairsOf[C, R](in), lanesOf(in, dims[last])}, scale)
	runtime.KeepAlive(in)
	runtime.KeepAlive(y)
}

// complexLines transforms the lanes of src to those of dst, which may be the same.
func complexLines[R float](c *tensor.Call, dst, src []R, l lanes, inverse bool, scale float64) {
	to, from := &fftSide[R]{dst, l}, &fftSide[R]{src, l}
	if oneByOne[R](l, l.n) {
		complexByLine(c, to, from, inverse, scale)
		return
	}
	s, p := stripsOf[R](l, l.n), preparedSteps[R](c, l.n)
	s.each(c, l, l.n, l.n, func(r fftRoom[R], first, lines int) {
		s.load(r.a, from, l.n, first, lines)
		x := p.run(s.f, r.a, r.b, s.groups, inverse)
		scaleBy(x[:s.row()*l.n], scale)
		s.store(to, x, l.n, first, lines)
	})
}

func preparedSteps[R float](c *tensor.Call, n int) *fftSteps[R] {
	return prepared(c, fftCost(n), func() *fftSteps[R] { return stepsFor[R](n) })
}

// row is how many numbers a row of groups has.
func (s *fftStrips[R]) row() int { return 2 * s.f.Lanes * s.groups }

// conjugateRow sets row i of a buffer to the conjugate of row j.
func (s *fftStrips[R]) conjugateRow(x []R, i, j int) {
	v := s.f.Lanes
	to, from := x[i*s.row():][:s.row()], x[j*s.row():][:s.row()]
	for q := 0; q < len(to); q += 2 * v {
		copy(to[q:q+v], from[q:])
		for k := q + v; k < q+2*v; k++ {
			to[k] = -from[k]
		}
	}
}

// realLength is the length of the complex transform by which one of n real numbers is computed: half of n where n is
// even.
func realLength(n int) (h int, even bool) {
	if n%2 == 0 {
		return n / 2, true
	}
	return n, false
}

// realLines transforms real lines to the first half of complex ones, or to all of these.
func realLines[R float](c *tensor.Call, to, from *fftSide[R], scale float64) {
	n := from.n
	h, even := realLength(n)
	if oneByOne[R](from.lanes, h) {
		realByLine(c, to, from, scale)
		return
	}
	rows := max(to.n, h+1)
	s, p := stripsOf[R](from.lanes, rows), preparedSteps[R](c, h)
	s.each(c, from.lanes, h, rows, func(r fftRoom[R], first, lines int) {
		s.loadReal(r.a, from, n, first, lines, even)
		x := p.run(s.f, r.a, r.b, s.groups, false)
		if even {
			s.f.Fold(x, foldRoots[R](h, false), 0.5*R(scale), h, s.groups, false)
		} else {
			scaleBy(x[:s.row()*n], scale)
		}
		for j := n/2 + 1; j < to.n; j++ { // the conjugates, where they are asked for
			s.conjugateRow(x, j, n-j)
		}
		s.store(to, x, to.n, first, lines)
	})
}

// toRealLines is the inverse of realLines: imaginary parts that the transform of real numbers has not, of the first
// one and of the one in the middle, are not read.
func toRealLines[R float](c *tensor.Call, to, from *fftSide[R], scale float64) {
	n := to.n
	h, even := realLength(n)
	if oneByOne[R](to.lanes, h) {
		toRealByLine(c, to, from, scale)
		return
	}
	rows := h + 1
	s, p := stripsOf[R](to.lanes, rows), preparedSteps[R](c, h)
	s.each(c, to.lanes, h, rows, func(r fftRoom[R], first, lines int) {
		s.load(r.a, from, n/2+1, first, lines)
		if even {
			s.f.Fold(r.a, foldRoots[R](h, true), R(scale), h, s.groups, true)
		} else {
			for q := 0; q < s.row(); q += 2 * s.f.Lanes {
				clear(r.a[q+s.f.Lanes:][:s.f.Lanes])
			}
			for j := 1; j <= n/2; j++ {
				s.conjugateRow(r.a, n-j, j)
			}
		}
		x := p.run(s.f, r.a, r.b, s.groups, true)
		if !even {
			scaleBy(x[:s.row()*n], scale)
		}
		s.storeReal(to, x, n, first, lines, even)
	})
}
