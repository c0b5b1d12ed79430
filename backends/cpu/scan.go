package cpu

import (
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: scans. A lane is the run of elements along the scanned dimension. Lanes that lie side by side are scanned row
// by row, one row added to the next. A single lane is a chain of dependent operations, and is scanned element by
// element in the accumulation type, as PyTorch does; a long one in two passes: the totals of its parts, then the parts
// from the totals of those before. The parts depend on the length alone, so results do not depend on the number of
// goroutines.

// scanner runs along the lanes of a call's result, whose dtype it is for.
type scanner func(c *tensor.Call, l lanes)

var scanners = map[string]*[numDtypes]scanner{"cumsum": {}, "cumprod": {}, "logcumsumexp": {}}

func init() {
	for name, t := range scanners {
		tensor.Register(name, tensor.KeyCPU, func(c *tensor.Call) {
			x, dt := c.Tensor(0), c.Ret(0).Dtype()
			if t[dt] == nil {
				panic(tensor.Errorf(c.Name(), "not implemented for %s", dt))
			}
			t[dt](c, lanesOf(x, tensor.WrapDim(c.Name(), c.Int(1), x.Dim())))
		})
	}
	scanIntegers[uint8]()
	scanIntegers[int8]()
	scanIntegers[int16]()
	scanIntegers[int32]()
	scanIntegers[int64]()
	// Sums of float32 run in float64, those of the half types in float32, as PyTorch's do.
	sums := runningSums[float32, float64]()
	sums.lane, sums.total = sumsByFour(sums.lane), func(src []float32, _ float64) float64 { return simd.SumFloat32(src) }
	sums.define("cumsum")
	products := runningProducts[float32, float64]()
	products.lane, products.total = productsByFour(products.lane), totalProduct
	products.define("cumprod")
	runningSums[float64, float64]().define("cumsum")
	runningProducts[float64, float64]().define("cumprod")
	scanHalf(func(v tensor.Half) float32 { return v.Float32() }, tensor.ToHalf)
	scanHalf(func(v tensor.BF16) float32 { return v.Float32() }, tensor.ToBF16)
	scanNumbers(func(v complex64) complex128 { return complex128(v) },
		func(v complex128) complex64 { return complex64(v) })
	scanNumbers(func(v complex128) complex128 { return v }, func(v complex128) complex128 { return v })
	truth := func(v bool) bool { return v }
	eachOf(truth, truth, false, func(a, b bool) bool { return a || b }).define("cumsum")
	eachOf(truth, truth, true, func(a, b bool) bool { return a && b }).define("cumprod")
}

// scan is a scan of elements T that runs in A.
type scan[T tensor.Element, A any] struct {
	first A
	join  func(a, b A) A
	lane  func(dst, src []T, a A) A   // scans from a on, and returns where it ends
	row   func(dst, src []T, acc []A) // scans a row of lanes that lie side by side
	total func(src []T, first A) A    // lane without the results, from first on; nil where a lane is never cut
}

func (s *scan[T, A]) define(name string) {
	scanners[name][tensor.DtypeOf[T]()] = func(c *tensor.Call, l lanes) {
		x, y := contiguous(c.Name(), c.Tensor(0), tensor.DtypeOf[T]()), c.Ret(0)
		src, dst := tensor.Elems[T](x), tensor.Elems[T](y)
		switch {
		case len(src) == 0:
		case l.step > 1:
			s.rows(c.Name(), dst, src, l)
		case l.count < 4 && l.n >= 4*runLen && s.total != nil:
			for i := range l.count {
				s.long(c.Name(), dst[i*l.n:][:l.n], src[i*l.n:][:l.n])
			}
		default:
			parallel.For(l.count, max(1, grainSize/l.n), func(lo, hi int) {
				for i := lo; i < hi; i++ {
					a := s.first
					for at := i * l.n; at < (i+1)*l.n; at += runLen {
						tensor.Interrupted(c.Name())
						to := min(at+runLen, (i+1)*l.n)
						a = s.lane(dst[at:to], src[at:to], a)
					}
				}
			})
		}
		runtime.KeepAlive(x)
		runtime.KeepAlive(y)
	}
}

// rows scans lanes that lie side by side, in strips.
func (s *scan[T, A]) rows(op string, dst, src []T, l lanes) {
	width := min(l.step, stripLen)
	perRow := (l.step + width - 1) / width
	parallel.For(l.count/l.step*perRow, max(1, grainSize/(width*l.n)), func(lo, hi int) {
		acc := make([]A, width)
		for i := lo; i < hi; i++ {
			col := i % perRow * width
			w := min(width, l.step-col)
			for j := range w {
				acc[j] = s.first
			}
			for r := range l.n {
				if r%1024 == 0 {
					tensor.Interrupted(op)
				}
				at := (i/perRow*l.n+r)*l.step + col
				s.row(dst[at:][:w], src[at:][:w], acc[:w])
			}
		}
	})
}

// long scans a long lane in parts.
func (s *scan[T, A]) long(op string, dst, src []T) {
	parts := (len(src) + runLen - 1) / runLen
	part := func(xs []T, i int) []T { return xs[i*runLen : min((i+1)*runLen, len(xs))] }
	if parallel.Threads() == 1 { // a part is still in the cache after its total is known
		a := s.first
		for i := range parts {
			tensor.Interrupted(op)
			next := s.join(a, s.total(part(src, i), s.first))
			s.lane(part(dst, i), part(src, i), a)
			a = next
		}
		return
	}
	starts := make([]A, parts+1)
	parallel.For(parts, 2, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(op)
			starts[i+1] = s.total(part(src, i), s.first)
		}
	})
	starts[0] = s.first
	for i := 1; i <= parts; i++ {
		starts[i] = s.join(starts[i-1], starts[i])
	}
	parallel.For(parts, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(op)
			s.lane(part(dst, i), part(src, i), starts[i])
		}
	})
}

func runningSums[T interface {
	realNumber
	tensor.Element
}, A realNumber]() *scan[T, A] {
	return &scan[T, A]{
		join: func(a, b A) A { return a + b },
		lane: func(dst, src []T, a A) A {
			dst = dst[:len(src)]
			for i, v := range src {
				a += A(v)
				dst[i] = T(a)
			}
			return a
		},
		row: func(dst, src []T, acc []A) {
			dst, acc = dst[:len(src)], acc[:len(src)]
			for i, v := range src {
				a := acc[i] + A(v)
				acc[i], dst[i] = a, T(a)
			}
		},
	}
}

func runningProducts[T interface {
	realNumber
	tensor.Element
}, A realNumber]() *scan[T, A] {
	return &scan[T, A]{
		first: 1,
		join:  func(a, b A) A { return a * b },
		lane: func(dst, src []T, a A) A {
			dst = dst[:len(src)]
			for i, v := range src {
				a *= A(v)
				dst[i] = T(a)
			}
			return a
		},
		row: func(dst, src []T, acc []A) {
			dst, acc = dst[:len(src)], acc[:len(src)]
			for i, v := range src {
				a := acc[i] * A(v)
				acc[i], dst[i] = a, T(a)
			}
		},
	}
}

// sumsByFour makes running sums of float32 of four elements at a time, so that one addition in four waits for the one
// before. Float64 has range and digits enough for the changed order.
func sumsByFour(rest func(dst, src []float32, a float64) float64) func(dst, src []float32, a float64) float64 {
	return func(dst, src []float32, a float64) float64 {
		dst = dst[:len(src)]
		for len(src) >= 4 && len(dst) >= 4 {
			b0 := float64(src[0])
			b1 := b0 + float64(src[1])
			b2 := b1 + float64(src[2])
			b3 := b2 + float64(src[3])
			dst[0], dst[1], dst[2] = float32(a+b0), float32(a+b1), float32(a+b2)
			a += b3
			dst[3] = float32(a)
			dst, src = dst[4:], src[4:]
		}
		return rest(dst, src, a)
	}
}

// productsByFour is sumsByFour for products.
func productsByFour(rest func(dst, src []float32, a float64) float64) func(dst, src []float32, a float64) float64 {
	return func(dst, src []float32, a float64) float64 {
		dst = dst[:len(src)]
		for len(src) >= 4 && len(dst) >= 4 {
			b0 := float64(src[0])
			b1 := b0 * float64(src[1])
			b2 := b1 * float64(src[2])
			b3 := b2 * float64(src[3])
			dst[0], dst[1], dst[2] = float32(a*b0), float32(a*b1), float32(a*b2)
			a *= b3
			dst[3] = float32(a)
			dst, src = dst[4:], src[4:]
		}
		return rest(dst, src, a)
	}
}

// totalProduct multiplies in four products, side by side.
func totalProduct(src []float32, _ float64) float64 {
	a, b, c, d := 1.0, 1.0, 1.0, 1.0
	for ; len(src) >= 4; src = src[4:] {
		a *= float64(src[0])
		b *= float64(src[1])
		c *= float64(src[2])
		d *= float64(src[3])
	}
	for _, v := range src {
		a *= float64(v)
	}
	return (a * b) * (c * d)
}

// eachOf makes a scan of functions of one element.
func eachOf[T tensor.Element, A any](in func(T) A, out func(A) T, first A, f func(a, b A) A) *scan[T, A] {
	return &scan[T, A]{
		first: first,
		join:  f,
		lane: func(dst, src []T, a A) A {
			for i, v := range src {
				a = f(a, in(v))
				dst[i] = out(a)
			}
			return a
		},
		row: func(dst, src []T, acc []A) {
			for i, v := range src {
				acc[i] = f(acc[i], in(v))
				dst[i] = out(acc[i])
			}
		},
	}
}

func scanIntegers[T interface {
	integer
	tensor.Element
}]() {
	sums, products := runningSums[T, T](), runningProducts[T, T]()
	sums.total = func(src []T, a T) T {
		for _, v := range src {
			a += v
		}
		return a
	}
	sums.define("cumsum")
	products.define("cumprod")
}

func scanNumbers[T tensor.Element, A number](in func(T) A, out func(A) T) {
	eachOf(in, out, 0, func(a, b A) A { return a + b }).define("cumsum")
	eachOf(in, out, 1, func(a, b A) A { return a * b }).define("cumprod")
}

func scanHalf[T tensor.Element](in func(T) float32, out func(float32) T) {
	scanNumbers(in, out)
}
