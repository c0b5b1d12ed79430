package cpu

import (
	"math"
	"runtime"

	"gotorch/tensor"
)

// scanner runs along the lanes of a call's result, whose dtype it is for.
type scanner func(c *tensor.Call, l lanes)

var scanners = map[string]*[numDtypes]scanner{"cumsum": {}, "cumprod": {}, "logcumsumexp": {}}

func init() {
	for name, t := range scanners {
		tensor.Register(name, tensor.KeyCPU, func(c *tensor.Call) {
			x, dt := c.Tensor(0), c.Ret(0).Dtype()
			if t[dt] == nil {
				tensor.Errorf(c.Name(), "not implemented for %s", dt)
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
	scanFloats(func(v float32) float64 { return float64(v) }, func(v float64) float32 { return float32(v) })
	scanFloats(func(v float64) float64 { return v }, func(v float64) float64 { return v })
	scanFloats(func(v tensor.Half) float32 { return v.Float32() }, tensor.ToHalf)
	scanFloats(func(v tensor.BF16) float32 { return v.Float32() }, tensor.ToBF16)
	scanNumbers(func(v complex64) complex128 { return complex128(v) }, func(v complex128) complex64 { return complex64(v) })
	scanNumbers(func(v complex128) complex128 { return v }, func(v complex128) complex128 { return v })
	scan("cumsum", func(v bool) bool { return v }, func(v bool) bool { return v }, false, orOf)
	scan("cumprod", func(v bool) bool { return v }, func(v bool) bool { return v }, true, andOf)
}

func orOf(a, b bool) bool  { return a || b }
func andOf(a, b bool) bool { return a && b }

// scan defines a scan of elements T that runs in A from first on.
func scan[T tensor.Element, A any](name string, in func(T) A, out func(A) T, first A, f func(a, b A) A) {
	scanners[name][tensor.DtypeOf[T]()] = func(c *tensor.Call, l lanes) {
		x, y := contiguous(c.Name(), c.Tensor(0), tensor.DtypeOf[T]()), c.Ret(0)
		src, dst := tensor.Elems[T](x), tensor.Elems[T](y)
		l.each(c.Name(), func(start int) {
			a := first
			l.along(c.Name(), start, func(p, n int) {
				for range n {
					a = f(a, in(src[p]))
					dst[p] = out(a)
					p += l.step
				}
			})
		})
		runtime.KeepAlive(x)
		runtime.KeepAlive(y)
	}
}

func scanNumbers[T tensor.Element, A number](in func(T) A, out func(A) T) {
	scan("cumsum", in, out, 0, func(a, b A) A { return a + b })
	scan("cumprod", in, out, 1, func(a, b A) A { return a * b })
}

func scanIntegers[T interface {
	integer
	tensor.Element
}]() {
	same := func(v T) T { return v }
	scanNumbers(same, same)
}

func scanFloats[T tensor.Element, A float](in func(T) A, out func(A) T) {
	scanNumbers(in, out)
	scan("logcumsumexp", in, out, A(math.Inf(-1)), logAddExp[A])
}

// logAddExp is log(exp(a) + exp(b)) without overflow.
func logAddExp[T float](a, b T) T {
	lo, hi := float64(a), float64(b)
	if lo > hi {
		lo, hi = hi, lo
	}
	switch {
	case math.IsNaN(lo) || math.IsNaN(hi):
		return T(math.NaN())
	case lo == hi && math.IsInf(lo, 0):
		return T(lo)
	}
	return T(hi + math.Log1p(math.Exp(lo-hi)))
}
