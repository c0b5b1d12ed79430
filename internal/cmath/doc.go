// Package cmath has functions of complex numbers with the values of C99's Annex G, which std::complex of C++, NumPy
// and PyTorch have too: zeros keep their signs, infinities and NaN follow the annex, and nothing overflows or
// underflows on the way to a result that does not. Package math/cmplx of the standard library differs at these edges:
// its tanh of 1000 is NaN, and its inverse functions lose small numbers.
//
// Where the annex leaves a sign open, it is that of the C library of GNU.
package cmath

import "math"

const (
	ln2     = math.Ln2
	epsilon = 0x1p-52
	tiny    = 0x1p-1022 // the smallest normal number
)

var nan = math.NaN()

func isFinite(x float64) bool { return x-x == 0 }

// log is math.Log, which on some machines takes subnormal numbers for normal ones.
func log(x float64) float64 {
	if x > 0 && x < tiny {
		return math.Log(x*0x1p54) - 54*ln2
	}
	return math.Log(x)
}

// atan2 is math.Atan2 with the sign of y also where y/x underflows.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }

// sincos is exact for numbers whose cosine is 1.
func sincos(x float64) (sin, cos float64) {
	if math.Abs(x) <= tiny {
		return x, 1
	}
	return math.Sincos(x)
}
