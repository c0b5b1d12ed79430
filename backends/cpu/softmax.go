package cpu

import (
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
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
			s := softmaxLines[float64]{exps64, op, tensor.Elems[float64](dst), tensor.Elems[float64](x), n, inner, log, dt}
			s.run()
		} else {
			s := softmaxLines[float32]{exps32, op, tensor.Elems[float32](dst), tensor.Elems[float32](x), n, inner,
				log, out.Dtype()}
			s.run()
		}
	}
	if dst != out {
		copyTensor(op, out, dst)
	}
	runtime.KeepAlive(x)
}

// softmaxLines is a softmax along lines of n elements that are inner apart. For a half type, the logarithm is rounded
// to it on the way, as in PyTorch.
type softmaxLines[T float] struct {
	*exponentials[T]
	op       string
	dst, src []T
	n, inner int
	log      bool
	dt       tensor.Dtype
}

func (s *softmaxLines[T]) run() {
	lines := len(s.src) / s.n
	switch {
	case s.inner > 1:
		s.runColumns()
	case lines < 8 && s.n >= 2*runLen:
		for l := range lines {
			s.long(s.dst[l*s.n:][:s.n], s.src[l*s.n:][:s.n])
		}
	default:
		parallel.For(lines, max(1, grainSize/s.n), func(lo, hi int) {
			tensor.Interrupted(s.op)
			for l := lo; l < hi; l++ {
				x, y := s.src[l*s.n:][:s.n], s.dst[l*s.n:][:s.n]
				most := s.max(x)
				if s.log {
					s.shift(y, x, most, s.logOf(s.total(x, most)))
				} else {
					s.scale(y, y, T(1/s.sum(y, x, most)))
				}
			}
		})
	}
}

// logOf is the logarithm of a sum of exponentials.
func (s *softmaxLines[T]) logOf(sum float64) T {
	if isHalf(s.dt) {
		return T(roundTo(s.dt, float32(math.Log(float64(roundTo(s.dt, float32(sum)))))))
	}
	return T(math.Log(sum))
}

// long computes a line in parts that goroutines share.
func (s *softmaxLines[T]) long(y, x []T) {
	parts := (s.n + runLen - 1) / runLen
	most, sums := make([]T, parts), make([]float64, parts)
	each := func(f func(part int, y, x []T)) {
		parallel.For(parts, 1, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				tensor.Interrupted(s.op)
				to := min((i+1)*runLen, s.n)
				f(i, y[i*runLen:to], x[i*runLen:to])
			}
		})
	}
	each(func(i int, _, x []T) { most[i] = s.max(x) })
	m := s.max(most)
	each(func(i int, y, x []T) {
		if s.log {
			sums[i] = s.total(x, m)
		} else {
			sums[i] = s.sum(y, x, m)
		}
	})
	sum := simd.SumFloat64(sums)
	each(func(_ int, y, x []T) {
		if s.log {
			s.shift(y, x, m, s.logOf(sum))
		} else {
			s.scale(y, y, T(1/sum))
		}
	})
}

// runColumns computes lines that lie side by side, in strips of columns.
func (s *softmaxLines[T]) runColumns() {
	width := min(s.inner, stripLen)
	perRow := (s.inner + width - 1) / width
	slabs := len(s.src) / (s.n * s.inner)
	parallel.For(slabs*perRow, max(1, grainSize/(width*s.n)), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			col := i % perRow * width
			at := i/perRow*s.n*s.inner + col
			s.strip(s.dst[at:], s.src[at:], min(width, s.inner-col))
		}
	})
}

// strip computes the lines of w columns.
func (s *softmaxLines[T]) strip(y, x []T, w int) {
	const block = 16 // rows whose exponentials stay in the first-level cache until they are added
	l := newLender()
	defer l.end()
	width := simd.RowLen(w)
	most, sums, scale := zeros[T](&l, width), zeros[float64](&l, width), lent[T](&l, w)
	spare := lent[T](&l, block*w)
	copy(most, x[:w])
	s.maxRows(most, x, s.inner, s.n, w)
	for r := 0; r < s.n; r += block {
		if r%1024 == 0 {
			tensor.Interrupted(s.op)
		}
		rows := min(block, s.n-r)
		to, stride := y[r*s.inner:], s.inner
		if s.log {
			to, stride = spare, w
		}
		for i := range rows {
			s.expRow(to[i*stride:][:w], x[(r+i)*s.inner:][:w], most[:w])
		}
		s.sumRows(sums, to, stride, rows, w)
	}
	for j := range scale {
		if s.log {
			scale[j] = T(math.Log(sums[j]))
		} else {
			scale[j] = T(1 / sums[j])
		}
	}
	for r := range s.n {
		to := y[r*s.inner:][:w]
		if s.log {
			s.shiftRow(to, x[r*s.inner:][:w], most[:w], scale)
		} else {
			s.mulRow(to, to, scale)
		}
	}
}
