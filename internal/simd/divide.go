package simd

import (
	"math"
	"unsafe"
)

// Note: remainders. The quotient of two floating point numbers, rounded and truncated, leaves a remainder that is
// exact: it is a multiple of the divisor's last place and not greater than the divisor. That holds while the quotient
// has no more bits than the numbers have. Where it has more, taking away the rounded quotient is exact as well, and
// leaves a smaller number to divide.

// Mod is the remainder of a/b with the sign of a, exactly; NaN where a is infinite or b is zero.
func Mod[T float](a, b T) T {
	if unsafe.Sizeof(a) == 4 {
		return T(mod32(float64(a), float64(b)))
	}
	return T(mod64(float64(a), float64(b)))
}

// mod32 is Mod for two float32 values. A quotient of at most 29 bits times b fits the 53 bits of a float64, and so
// does what is left of a. The quotient may have been rounded up to a whole number, which leaves one b too little.
func mod32(a, b float64) float64 {
	q := math.Trunc(a / b)
	switch {
	case !(math.Abs(q) < 1<<29): // also NaN, an infinite a, and a b of zero
		return math.Mod(a, b)
	case q == 0:
		return a
	}
	return completed(a-q*b, a, b)
}

// mod64 is Mod for float64.
func mod64(a, b float64) float64 {
	if math.Abs(a) < math.Abs(b) {
		return a
	}
	q := math.Trunc(a / b)
	if !(math.Abs(q) < 1<<53) {
		return math.Mod(a, b)
	}
	return completed(math.FMA(-q, b, a), a, b)
}

// completed adds what a remainder of a/b misses to have the sign of a.
func completed(m, a, b float64) float64 {
	switch {
	case m == 0:
		return math.Copysign(0, a)
	case (m < 0) == (a < 0):
		return m
	case a < 0:
		return m - math.Abs(b)
	}
	return m + math.Abs(b)
}

// remainder is Mod with the sign of b.
func remainder[T float](a, b T) T {
	m := Mod(a, b)
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

// floorDivide rounds a/b down as Python does: the exact remainder decides, not the rounded quotient.
func floorDivide[T float](a, b T) T {
	if b == 0 {
		return a / b
	}
	m := Mod(a, b)
	q := (a - m) / b
	if m != 0 && (m < 0) != (b < 0) {
		q--
	}
	if q == 0 {
		return T(math.Copysign(0, float64(a/b)))
	}
	f := T(math.Floor(float64(q)))
	if q-f > 0.5 {
		f++
	}
	return f
}

func init() {
	floatDivision[float32]()
	floatDivision[float64]()
	integerDivision[uint8]()
	integerDivision[int8]()
	integerDivision[int16]()
	integerDivision[int32]()
	integerDivision[int64]()
}

func floatDivision[T float]() {
	t := " " + nameOf[T]()
	define2("fmod"+t, each2(Mod[T]))
	define2("remainder"+t, each2(remainder[T]))
	define2("floor_divide"+t, each2(floorDivide[T]))
	define2("div_trunc"+t, each2(func(a, b T) T { return T(math.Trunc(float64(a / b))) }))
}

// integerDivision defines the divisions of integers. Where b is zero, so is the result: the caller has to check.
func integerDivision[T integer]() {
	t := " " + nameOf[T]()
	define2("div_trunc"+t, func(dst, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i, d := range b {
			if d == 0 {
				dst[i] = 0
				continue
			}
			dst[i] = a[i] / d
		}
	})
	define2("fmod"+t, func(dst, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i, d := range b {
			if d == 0 {
				dst[i] = 0
				continue
			}
			dst[i] = a[i] % d
		}
	})
	define2("floor_divide"+t, func(dst, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i, d := range b {
			if d == 0 {
				dst[i] = 0
				continue
			}
			q := a[i] / d
			if r := a[i] - q*d; r != 0 && (r < 0) != (d < 0) {
				q--
			}
			dst[i] = q
		}
	})
	define2("remainder"+t, func(dst, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i, d := range b {
			if d == 0 {
				dst[i] = 0
				continue
			}
			r := a[i] % d
			if r != 0 && (r < 0) != (d < 0) {
				r += d
			}
			dst[i] = r
		}
	})
}
