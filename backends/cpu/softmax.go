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
			softmax64(op, tensor.Elems[float64](dst), tensor.Elems[float64](x), n, inner, log)
		} else {
			s := softmaxLines{op: op, dst: tensor.Elems[float32](dst), src: tensor.Elems[float32](x), n: n, inner: inner, log: log, dt: out.Dtype()}
			s.run()
		}
	}
	if dst != out {
		copyTensor(op, out, dst)
	}
	runtime.KeepAlive(x)
}

// softmaxLines is a softmax of float32 along lines of n elements that are inner apart. For a half type, the logarithm is rounded to it
// on the way, as in PyTorch.
type softmaxLines struct {
	op       string
	dst, src []float32
	n, inner int
	log      bool
	dt       tensor.Dtype
}

func (s *softmaxLines) run() {
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
				most := simd.MaxFloat32(x)
				if s.log {
					simd.ShiftFloat32(y, x, most, s.logOf(simd.ExpTotalFloat32(x, most)))
				} else {
					simd.ScaleFloat32(y, y, float32(1/simd.ExpSumFloat32(y, x, most)))
				}
			}
		})
	}
}

// logOf is the logarithm of a sum of exponentials.
func (s *softmaxLines) logOf(sum float64) float32 {
	if isHalf(s.dt) {
		return float32(roundTo(s.dt, float32(math.Log(float64(roundTo(s.dt, float32(sum)))))))
	}
	return float32(math.Log(sum))
}

// long computes a line in parts that goroutines share.
func (s *softmaxLines) long(y, x []float32) {
	parts := (s.n + runLen - 1) / runLen
	most, sums := make([]float32, parts), make([]float64, parts)
	each := func(f func(part int, y, x []float32)) {
		parallel.For(parts, 1, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				tensor.Interrupted(s.op)
				to := min((i+1)*runLen, s.n)
				f(i, y[i*runLen:to], x[i*runLen:to])
			}
		})
	}
	each(func(i int, _, x []float32) { most[i] = simd.MaxFloat32(x) })
	m := simd.MaxFloat32(most)
	each(func(i int, y, x []float32) {
		if s.log {
			sums[i] = simd.ExpTotalFloat32(x, m)
		} else {
			sums[i] = simd.ExpSumFloat32(y, x, m)
		}
	})
	sum := simd.SumFloat64(sums)
	each(func(_ int, y, x []float32) {
		if s.log {
			simd.ShiftFloat32(y, x, m, s.logOf(sum))
		} else {
			simd.ScaleFloat32(y, y, float32(1/sum))
		}
	})
}

// runColumns computes lines that lie side by side, in strips of columns.
func (s *softmaxLines) runColumns() {
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
func (s *softmaxLines) strip(y, x []float32, w int) {
	const block = 16 // rows whose exponentials stay in the first-level cache until they are added
	var mostBuf, scaleBuf [stripLen]float32
	var sumBuf [stripLen]float64
	var spare [block * stripLen]float32
	width := simd.RowLen(w)
	most, sums, scale := mostBuf[:width], sumBuf[:width], scaleBuf[:w]
	copy(most, x[:w])
	simd.MaxRowsFloat32(most, x, s.inner, s.n, w)
	for r := 0; r < s.n; r += block {
		if r%1024 == 0 {
			tensor.Interrupted(s.op)
		}
		rows := min(block, s.n-r)
		to, stride := y[r*s.inner:], s.inner
		if s.log {
			to, stride = spare[:], w
		}
		for i := range rows {
			simd.ExpRowFloat32(to[i*stride:][:w], x[(r+i)*s.inner:][:w], most[:w])
		}
		simd.SumRowsFloat32(sums, to, stride, rows, w)
	}
	for j := range scale {
		if s.log {
			scale[j] = s.logOf(sums[j])
		} else {
			scale[j] = float32(1 / sums[j])
		}
	}
	for r := range s.n {
		to := y[r*s.inner:][:w]
		if s.log {
			simd.ShiftRowFloat32(to, x[r*s.inner:][:w], most[:w], scale)
		} else {
			mulFloat32(to, to, scale)
		}
	}
}

// softmax64 is softmaxLines for float64.
func softmax64(op string, dst, src []float64, n, inner int, log bool) {
	lines := len(src) / n
	parallel.For(lines, max(1, grainSize/(8*n)), func(lo, hi int) {
		tensor.Interrupted(op)
		for l := lo; l < hi; l++ {
			at := l/inner*n*inner + l%inner
			x, y := src[at:], dst[at:]
			last := (n - 1) * inner
			most := x[0]
			for i := 0; i <= last; i += inner {
				most = max(most, x[i])
			}
			var sum float64
			for i := 0; i <= last; i += inner {
				e := math.Exp(x[i] - most)
				if !log {
					y[i] = e
				}
				sum += e
			}
			shift, f := math.Log(sum), 1/sum
			for i := 0; i <= last; i += inner {
				if log {
					y[i] = x[i] - most - shift
				} else {
					y[i] *= f
				}
			}
		}
	})
}
