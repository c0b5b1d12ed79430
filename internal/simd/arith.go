package simd

import (
	"math"
	"reflect"
	"unsafe"
)

type float interface{ float32 | float64 }

type integer interface {
	uint8 | int8 | int16 | int32 | int64
}

type number interface{ float | integer }

// nameOf is the name of T's dtype in the names of kernels.
func nameOf[T any]() string { return reflect.TypeFor[T]().String() }

func init() {
	floatArith[float32]()
	floatArith[float64]()
	integerArith[uint8]()
	integerArith[int8]()
	integerArith[int16]()
	integerArith[int32]()
	integerArith[int64]()
	fill[int8]()
	fill[int16]()
	fill[int32]()
	fill[int64]()
	define2("bitwise_and bytes", each2(func(a, b uint8) uint8 { return a & b }))
	define2("bitwise_or bytes", each2(func(a, b uint8) uint8 { return a | b }))
	define2("bitwise_xor bytes", each2(func(a, b uint8) uint8 { return a ^ b }))
	define1("bitwise_not bytes", each1(func(a uint8) uint8 { return ^a }))
	define1("logical_not bytes", each1(func(a uint8) uint8 { return a ^ 1 }))
}

// each1 makes the loop of a function of one element. f is inlined where it is a literal and each1 is.
func each1[R, A any](f func(A) R) func(dst []R, a []A) {
	return func(dst []R, a []A) {
		a = a[:len(dst)]
		for i := range dst {
			dst[i] = f(a[i])
		}
	}
}

// each2 makes the loop of a function of two elements.
func each2[R, A any](f func(a, b A) R) func(dst []R, a, b []A) {
	return func(dst []R, a, b []A) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = f(a[i], b[i])
		}
	}
}

func add[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func sub[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func mul[T number](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func div[T float](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
	}
}

func neg[T number](dst, a []T) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = -a[i]
	}
}

// maximum is NaN where either is: only a NaN differs from itself.
func maximum[T number](a, b T) T {
	if a != a || a >= b {
		return a
	}
	return b
}

func minimum[T number](a, b T) T {
	if a != a || a <= b {
		return a
	}
	return b
}

// fmax is the other one where one is NaN.
func fmax[T number](a, b T) T {
	if a != a || b > a {
		return b
	}
	return a
}

func fmin[T number](a, b T) T {
	if a != a || b < a {
		return b
	}
	return a
}

// clamp is v between lo and hi, NaN where v is.
func clamp[T number](v, lo, hi T) T {
	if v < lo {
		v = lo
	}
	if v > hi {
		v = hi
	}
	return v
}

func clamps[T number](dst, a, p []T) {
	lo, hi := p[0], p[1]
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = clamp(a[i], lo, hi)
	}
}

// clampBetween is the greater of an element and a lower limit, then the lesser of that and an upper one. A limit that
// is NaN wins.
func clampBetween[T number](dst, a, lo, hi []T) {
	a, lo, hi = a[:len(dst)], lo[:len(dst)], hi[:len(dst)]
	for i := range dst {
		dst[i] = minimum(maximum(a[i], lo[i]), hi[i])
	}
}

// nextafter is the number after a towards b, b itself where they are equal.
func nextafter[T float](a, b T) T {
	if a == b {
		return b
	}
	if unsafe.Sizeof(a) == 4 {
		return T(math.Nextafter32(float32(a), float32(b)))
	}
	return T(math.Nextafter(float64(a), float64(b)))
}

func relu[T number](v T) T {
	if v < 0 {
		return 0
	}
	return v
}

func sign[T number](v T) T {
	switch {
	case v > 0:
		return 1
	case v < 0:
		one := T(1)
		return -one
	}
	return 0
}

func heaviside[T number](a, v T) T {
	switch {
	case a == 0:
		return v
	case a < 0 || a != a:
		return 0
	}
	return 1
}

// lerp goes from the nearer end, so that a weight of 1 results in the end itself.
func lerp[T float](dst, a, b, w []T) {
	for i := range dst {
		d := b[i] - a[i]
		if w[i] < 0.5 && w[i] > -0.5 {
			dst[i] = a[i] + w[i]*d
		} else {
			dst[i] = b[i] - d*(1-w[i])
		}
	}
}

func leakyRelu[T float](dst, a, p []T) {
	slope := p[0]
	for i, v := range a {
		w := v * slope
		if v > 0 {
			w = v
		}
		dst[i] = w
	}
}

func threshold[T float](dst, a, p []T) {
	t, value := p[0], p[1]
	for i, v := range a {
		if v <= t {
			v = value
		}
		dst[i] = v
	}
}

func hardshrink[T float](dst, a, p []T) {
	l := p[0]
	for i, v := range a {
		if v >= -l && v <= l {
			v = 0
		}
		dst[i] = v
	}
}

func softshrink[T float](dst, a, p []T) {
	l := p[0]
	for i, v := range a {
		switch {
		case v > l:
			v -= l
		case v < -l:
			v += l
		default:
			v *= 0 // NaN stays
		}
		dst[i] = v
	}
}

func floatArith[T float]() {
	t := " " + nameOf[T]()
	define2("add"+t, add[T])
	define2("sub"+t, sub[T])
	define2("mul"+t, mul[T])
	define2("div"+t, div[T])
	define2("maximum"+t, each2(maximum[T]))
	define2("minimum"+t, each2(minimum[T]))
	define2("fmax"+t, each2(fmax[T]))
	define2("fmin"+t, each2(fmin[T]))
	define2("copysign"+t, each2(func(a, b T) T { return T(math.Copysign(float64(a), float64(b))) }))
	define2("heaviside"+t, each2(heaviside[T]))
	define2("nextafter"+t, each2(nextafter[T]))
	define2("prelu"+t, each2(func(v, slope T) T {
		if v > 0 {
			return v
		}
		return v * slope
	}))
	define3("clamp_between"+t, clampBetween[T])
	define1("angle"+t, each1(func(v T) T {
		if v < 0 {
			return math.Pi
		}
		if v == v {
			return 0
		}
		return v
	}))
	scaledArith[T](2.5)
	define3p("addcmul"+t, func(dst, self, a, b, p []T) {
		for i := range dst {
			dst[i] = self[i] + T(T(p[0]*a[i])*b[i])
		}
	}, 1.5)
	define3p("addcdiv"+t, func(dst, self, a, b, p []T) {
		for i := range dst {
			dst[i] = self[i] + T(p[0]*a[i])/b[i]
		}
	}, 1.5)
	define3("lerp"+t, lerp[T])
	define1("neg"+t, neg[T])
	define1("abs"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = T(math.Abs(float64(v)))
		}
	})
	define1("sqrt"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = T(math.Sqrt(float64(v)))
		}
	})
	define1("reciprocal"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = 1 / v
		}
	})
	define1("rsqrt"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = 1 / T(math.Sqrt(float64(v)))
		}
	})
	define1("square"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = v * v
		}
	})
	define1("cube"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = v * v * v
		}
	})
	define1("floor"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = T(math.Floor(float64(v)))
		}
	})
	define1("ceil"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = T(math.Ceil(float64(v)))
		}
	})
	define1("trunc"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = T(math.Trunc(float64(v)))
		}
	})
	define1("round"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = T(math.RoundToEven(float64(v)))
		}
	})
	define1("frac"+t, func(dst, a []T) {
		for i, v := range a {
			dst[i] = v - T(math.Trunc(float64(v)))
		}
	})
	valueArith[T](2.5)
	valued("div_value", func(a, v T) T { return a / v }, 3)
	valued("value_div", func(a, v T) T { return v / a }, 3)
	define1("sign"+t, each1(sign[T]))
	define1("relu"+t, each1(relu[T]))
	define1p("leaky_relu"+t, leakyRelu[T], 0.01)
	define1p("threshold"+t, threshold[T], 0.5, -2)
	define1p("clamp"+t, clamps[T], -0.5, 1.5)
	define1p("nan_to_num"+t, func(dst, a, p []T) {
		inf := T(math.Inf(1))
		for i, v := range a {
			switch {
			case v != v:
				v = p[0]
			case v == inf:
				v = p[1]
			case v == -inf:
				v = p[2]
			}
			dst[i] = v
		}
	}, 1, 2, 3)
	define1p("hardshrink"+t, hardshrink[T], 0.5)
	define1p("softshrink"+t, softshrink[T], 0.5)
	define1("hardsigmoid"+t, each1(func(v T) T { return clamp(v+3, 0, 6) / 6 }))
	define1("hardswish"+t, each1(func(v T) T { return v * clamp(v+3, 0, 6) / 6 }))
}

func integerArith[T integer]() {
	t := " " + nameOf[T]()
	shifts[T]()
	define2("add"+t, add[T])
	define2("sub"+t, sub[T])
	define2("mul"+t, mul[T])
	scaledArith[T](3)
	valueArith[T](3)
	define1("neg"+t, neg[T])
	define2("maximum"+t, each2(maximum[T]))
	define2("minimum"+t, each2(minimum[T]))
	define1("relu"+t, each1(relu[T]))
	define1("sign"+t, each1(sign[T]))
	define3("clamp_between"+t, clampBetween[T])
	define1p("clamp"+t, clamps[T], 1, 3)
	if t != " uint8" {
		define1("abs"+t, each1(func(v T) T {
			if v < 0 {
				return -v
			}
			return v
		}))
	}
}

// scaledArith defines sums with a multiple, here of alpha, of the second operand.
func scaledArith[T number](alpha float64) {
	t := " " + nameOf[T]()
	define2p("add_scaled"+t, func(dst, a, b, p []T) {
		for i := range dst {
			dst[i] = a[i] + T(p[0]*b[i])
		}
	}, alpha)
	define2p("sub_scaled"+t, func(dst, a, b, p []T) {
		for i := range dst {
			dst[i] = a[i] - T(p[0]*b[i])
		}
	}, alpha)
}

// valueArith defines arithmetic with one value, which is a parameter.
func valueArith[T number](value float64) {
	valued("add_value", func(a, v T) T { return a + v }, value)
	valued("sub_value", func(a, v T) T { return a - v }, value)
	valued("value_sub", func(a, v T) T { return v - a }, value)
	valued("scale", func(a, v T) T { return a * v }, value)
}

// valued defines a kernel whose parameter is read once: it may lie in the result.
func valued[T number](name string, f func(a, v T) T, value float64) {
	define1p(name+" "+nameOf[T](), func(dst, a, p []T) {
		v := p[0]
		for i, x := range a {
			dst[i] = f(x, v)
		}
	}, value)
}

// fill sets elements of a size to the parameter.
func fill[T integer]() {
	k := define("fill "+nameOf[T](), 0, reflect.TypeFor[T](), func(n int, dst, _, _, _, p *byte) {
		d, v := view[T](dst, n), view[T](p, 1)[0]
		for i := range d {
			d[i] = v
		}
	})
	k.params = []float64{-3}
}

// shifts defines shifts. Beyond the width everything is shifted out: what is left is zero, or the sign to the right.
func shifts[T integer]() {
	t, size := " "+nameOf[T](), unsafe.Sizeof(*new(T))
	width, signed := T(8*size), T(0)-1 < 0
	define2("bitwise_left_shift"+t, each2(func(a, b T) T {
		if b < 0 || b >= width {
			return 0
		}
		return a << b
	}))
	define2("bitwise_right_shift"+t, each2(func(a, b T) T {
		switch {
		case b >= 0 && b < width:
			return a >> b
		case signed:
			return a >> (width - 1)
		}
		return 0
	}))
}
