package cpu

import (
	"math"
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Running logarithms of sums of exponentials. Where the greatest element so far is m, and the exponentials of the
// others relative to it add up to t, the result is m + log(1+t). Exponentials and logarithms are taken of blocks by
// vector kernels; between the two runs a chain of one addition for an element. Lanes side by side take whole rows
// instead, with the kernel of logaddexp.

func init() {
	logScan(func(v float32) float64 { return float64(v) }, func(v float64) float32 { return float32(v) })
	logScan(func(v float64) float64 { return v }, func(v float64) float64 { return v })
	logScan(func(v tensor.Half) float64 { return float64(v.Float32()) },
		func(v float64) tensor.Half { return tensor.ToHalf(float32(v)) })
	logScan(func(v tensor.BF16) float64 { return float64(v.Float32()) },
		func(v float64) tensor.BF16 { return tensor.ToBF16(float32(v)) })
}

// logScan defines logcumsumexp of elements of T, which runs in float64.
func logScan[T tensor.Element](in func(T) float64, out func(float64) T) {
	s, d := eachOf(in, out, math.Inf(-1), logAddExp), tensor.DtypeOf[T]()
	widen := func(x []float64, src []T) {
		convertTable[d][tensor.Float64](unsafe.Pointer(&x[0]), 1, unsafe.Pointer(&src[0]), 1, len(x))
	}
	narrow := func(dst []T, x []float64) {
		convertTable[tensor.Float64][d](unsafe.Pointer(&dst[0]), 1, unsafe.Pointer(&x[0]), 1, len(x))
	}
	each := s.lane
	s.lane = func(dst, src []T, a float64) float64 {
		l := newLender()
		defer l.end()
		x, most := lent[float64](&l, blockLen), lent[float64](&l, blockLen)
		for len(src) > 0 {
			n := min(len(src), blockLen)
			widen(x[:n], src)
			if next, ok := logBlock(x[:n], most[:n], a); ok {
				a = next
				narrow(dst, x[:n])
			} else {
				a = each(dst[:n], src[:n], a)
			}
			dst, src = dst[n:], src[n:]
		}
		return a
	}
	s.row = func(dst, src []T, acc []float64) {
		l := newLender()
		defer l.end()
		x := lent[float64](&l, len(src))
		widen(x, src)
		logaddexp64(len(x), bytesOf(acc), bytesOf(acc), bytesOf(x), nil, nil)
		narrow(dst, acc[:len(src)])
	}
	s.define("logcumsumexp")
}

var log1p64, logaddexp64 = simd.Get("log1p float64"), simd.Get("logaddexp float64")

// logBlock scans a block of elements in place from a on, the logarithm of zero at first, and returns where it ends;
// false, with x as it was, where an element or a is infinite otherwise, or NaN. most is as long as x.
func logBlock(x, most []float64, a float64) (float64, bool) {
	t := 0.0
	if math.IsInf(a, -1) { // the first element has no other beside it
		a, t = x[0], -1
	}
	if a-a != 0 || !simd.FiniteFloat64(x) {
		return 0, false
	}
	m := a
	for i, v := range x {
		d := v - m
		if d > 0 {
			d, m = -d, v
		}
		x[i], most[i] = d, m
	}
	expInPlace64(x)
	m = a
	for i, e := range x {
		if now := most[i]; now == m {
			t += e
		} else {
			t, m = (1+t)*e, now
		}
		x[i] = t
	}
	log1p64(len(x), bytesOf(x), bytesOf(x), nil, nil, nil)
	for i, m := range most {
		x[i] += m
	}
	return x[len(x)-1], true
}

// logAddExp is log(exp(a) + exp(b)) without overflow.
func logAddExp(a, b float64) float64 {
	lo, hi := min(a, b), max(a, b)
	if lo == hi && math.IsInf(lo, 0) {
		return lo
	}
	return hi + math.Log1p(math.Exp(lo-hi))
}
