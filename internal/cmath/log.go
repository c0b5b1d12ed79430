package cmath

import (
	"math"
	"math/cmplx"
)

// Abs is the distance of z from 0.
func Abs(z complex128) float64 { return math.Hypot(real(z), imag(z)) }

// Angle is the angle of z, between -π and π.
func Angle(z complex128) float64 { return atan2(imag(z), real(z)) }

// Sqrt is the square root whose real part is not negative.
func Sqrt(z complex128) complex128 {
	if x := real(z); x != x && !math.IsInf(imag(z), 0) {
		return complex(nan, nan)
	}
	return cmplx.Sqrt(z)
}

// Log is the natural logarithm.
func Log(z complex128) complex128 { return complex(logAbs(real(z), imag(z)), Angle(z)) }

// LogTo is the logarithm to the base whose natural one is ln.
func LogTo(z complex128, ln float64) complex128 {
	z = Log(z)
	return complex(real(z)/ln, imag(z)/ln)
}

// Log1p is the logarithm of 1+z, with all digits where z is small.
func Log1p(z complex128) complex128 {
	x, y := real(z), imag(z)
	angle := atan2(y, 1+x)
	if math.Abs(x) >= 0.5 || math.Abs(y) >= 0.5 {
		return complex(logAbs(1+x, y), angle)
	}
	r := sumOfSquares(x, y, 2*x)
	if r == 0 {
		return complex(x, angle)
	}
	return complex(math.Log1p(r)/2, angle)
}

// logAbs is log |x+iy|. Near the unit circle it is taken from x²+y²-1, to all digits.
func logAbs(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	switch r := x*x + y*y; {
	case r > 0.5 && r < 2:
		return math.Log1p(sumOfSquares(x, y, -1)) / 2
	case x > math.MaxFloat64/2 && isFinite(x):
		return log(math.Hypot(x/2, y/2)) + ln2
	case x < tiny:
		return log(math.Hypot(x*0x1p54, y*0x1p54)) - 54*ln2
	}
	return log(math.Hypot(x, y))
}

// sumOfSquares is x²+y²+c, rounded about once although terms cancel.
func sumOfSquares(x, y, c float64) float64 {
	xx, yy := x*x, y*y
	low := math.FMA(x, x, -xx) + math.FMA(y, y, -yy)
	a, e := twoSum(xx, c)
	b, f := twoSum(a, yy)
	return b + (e + f + low)
}

// twoSum is a+b, and what its rounding left.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	v := sum - a
	return sum, (a - (sum - v)) + (b - v)
}
