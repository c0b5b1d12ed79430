package cpu

import (
	"math"

	"gotorch/tensor"
)

func init() {
	ordered[uint8]()
	ordered[int8]()
	ordered[int16]()
	ordered[int32]()
	ordered[int64]()
	ordered[float32]()
	ordered[float64]()
	equality[uint8]()
	equality[int8]()
	equality[int16]()
	equality[int32]()
	equality[int64]()
	equality[float32]()
	equality[float64]()
	equality[complex64]()
	equality[complex128]()
	equality[bool]()
	bits[uint8]()
	bits[int8]()
	bits[int16]()
	bits[int32]()
	bits[int64]()
	bools()
	floatLimits[float32]()
	floatLimits[float64]()
}

// equality defines what every element has: it equals another, it is zero or not, it can be chosen.
func equality[T interface {
	comparable
	tensor.Element
}]() {
	var zero T
	binary("eq", eqLoop[T])
	binary("ne", neLoop[T])
	binary("logical_and", pairwise(func(a, b T) bool { return a != zero && b != zero }))
	binary("logical_or", pairwise(func(a, b T) bool { return a != zero || b != zero }))
	binary("logical_xor", pairwise(func(a, b T) bool { return (a != zero) != (b != zero) }))
	unary("logical_not", func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = v == zero
		}
	})
	choose := func(dst []T, c []bool, a, b []T) {
		c, a, b = c[:len(dst)], a[:len(dst)], b[:len(dst)]
		for i := range dst {
			v := b[i]
			if c[i] {
				v = a[i]
			}
			dst[i] = v
		}
	}
	t := tensor.DtypeOf[T]()
	define("where", dtypesOf[T](), func(c *tensor.Call, p *tensor.Plan) {
		start(p, t, tensor.Bool, t, t).run(func(n int, x *pointers) {
			choose(slice[T](x[0], n), slice[bool](x[1], n), slice[T](x[2], n), slice[T](x[3], n))
		})
	})
	define("masked_fill", dtypesOf[T](), func(c *tensor.Call, p *tensor.Plan) {
		start(p, t, t, tensor.Bool, t).run(func(n int, x *pointers) {
			choose(slice[T](x[0], n), slice[bool](x[2], n), slice[T](x[3], n), slice[T](x[1], n))
		})
	})
}

func eqLoop[T comparable](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] == b[i]
	}
}

func neLoop[T comparable](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] != b[i]
	}
}

func ltLoop[T realNumber](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] < b[i]
	}
}

func leLoop[T realNumber](dst []bool, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] <= b[i]
	}
}

// maxLoop takes the greater, NaN where either is: only a NaN differs from itself.
func maxLoop[T realNumber](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		v := a[i]
		if w := b[i]; v == v && !(v >= w) {
			v = w
		}
		dst[i] = v
	}
}

func minLoop[T realNumber](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		v := a[i]
		if w := b[i]; v == v && !(v <= w) {
			v = w
		}
		dst[i] = v
	}
}

// ordered defines what real numbers have.
func ordered[T interface {
	realNumber
	tensor.Element
}]() {
	binary("lt", ltLoop[T])
	binary("le", leLoop[T])
	binary("gt", func(dst []bool, a, b []T) { ltLoop(dst, b, a) })
	binary("ge", func(dst []bool, a, b []T) { leLoop(dst, b, a) })
	binary("maximum", maxLoop[T])
	binary("minimum", minLoop[T])
	binary("fmax", func(dst, a, b []T) {
		for i, v := range a {
			if w := b[i]; v != v || w > v {
				v = w
			}
			dst[i] = v
		}
	})
	binary("fmin", func(dst, a, b []T) {
		for i, v := range a {
			if w := b[i]; v != v || w < v {
				v = w
			}
			dst[i] = v
		}
	})
	binary("clamp_min", maxLoop[T])
	binary("clamp_max", minLoop[T])
	binary("heaviside", pairwise(func(a, v T) T {
		switch {
		case a == 0:
			return v
		case a < 0 || a != a:
			return 0
		}
		return 1
	}))
	t := tensor.DtypeOf[T]()
	define("clamp", dtypesOf[T](), func(c *tensor.Call, p *tensor.Plan) {
		noMin, noMax := c.IsNone(1), c.IsNone(2)
		start(p, t, t, t, t).run(func(n int, x *pointers) {
			dst, a, b := slice[T](x[0], n), slice[T](x[1], n), slice[T](x[2], n)
			switch {
			case noMax:
				maxLoop(dst, a, b)
			case noMin:
				minLoop(dst, a, b)
			default:
				maxLoop(dst, a, b)
				minLoop(dst, dst, slice[T](x[3], n))
			}
		})
	})
	unary("nn.functional.relu", func(dst, a []T) {
		for i, v := range a {
			if v < 0 {
				v = 0
			}
			dst[i] = v
		}
	})
	unary("sign", signLoop[T])
	unary("sgn", signLoop[T])
	unary("signbit", func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = math.Signbit(float64(v))
		}
	})
}

func signLoop[T realNumber](dst, a []T) {
	for i, v := range a {
		switch {
		case v > 0:
			dst[i] = 1
		case v < 0:
			one := T(1)
			dst[i] = -one
		default:
			dst[i] = 0
		}
	}
}

// bits defines what integers have.
func bits[T interface {
	integer
	tensor.Element
}]() {
	width := T(8 * tensor.DtypeOf[T]().Size())
	binary("bitwise_and", pairwise(func(a, b T) T { return a & b }))
	binary("bitwise_or", pairwise(func(a, b T) T { return a | b }))
	binary("bitwise_xor", pairwise(func(a, b T) T { return a ^ b }))
	binary("bitwise_left_shift", pairwise(func(a, b T) T {
		if b < 0 || b >= width {
			return 0
		}
		return a << b
	}))
	binary("bitwise_right_shift", pairwise(func(a, b T) T {
		if b < 0 || b >= width {
			b = width - 1
		}
		return a >> b
	}))
	unary("bitwise_not", func(dst, a []T) {
		for i, v := range a {
			dst[i] = ^v
		}
	})
	binary("gcd", pairwise(gcd[T]))
	binary("lcm", pairwise(func(a, b T) T {
		if a == 0 || b == 0 {
			return 0
		}
		return absInt(a / gcd(a, b) * b)
	}))
	absolute := func(dst, a []T) {
		for i, v := range a {
			dst[i] = absInt(v)
		}
	}
	unary("abs", absolute)
	same := func(dst, a []T) { copy(dst, a) }
	for _, name := range []string{"floor", "ceil", "trunc", "round", "nan_to_num", "conj_physical"} {
		unary(name, same)
	}
	never := func(dst []bool, a []T) { clear(dst) }
	for _, name := range []string{"isnan", "isinf", "isposinf", "isneginf"} {
		unary(name, never)
	}
	unary("isfinite", always[T])
	binary("pow", pairwise(powInt[T]))
}

func always[T any](dst []bool, a []T) {
	for i := range dst {
		dst[i] = true
	}
}

func absInt[T integer](v T) T {
	if v < 0 {
		return -v
	}
	return v
}

func gcd[T integer](a, b T) T {
	a, b = absInt(a), absInt(b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// powInt multiplies; a negative exponent leaves something of 1 and -1 only.
func powInt[T integer](a, b T) T {
	one := T(1)
	if b < 0 {
		switch {
		case a == one:
			return one
		case a == -one && b%2 == 0:
			return one
		case a == -one:
			return a
		}
		return 0
	}
	r := one
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			r *= a
		}
		a *= a
	}
	return r
}

// bools defines the rest for bool: logic stands for arithmetic.
func bools() {
	or, and := orBool, andBool
	xor := neLoop[bool]
	binary("bitwise_and", and)
	binary("bitwise_or", or)
	binary("bitwise_xor", xor)
	binary("maximum", or)
	binary("minimum", and)
	binary("fmax", or)
	binary("clamp_min", or)
	binary("clamp_max", and)
	binary("fmin", and)
	binary("lt", pairwise(func(a, b bool) bool { return !a && b }))
	binary("le", pairwise(func(a, b bool) bool { return !a || b }))
	binary("gt", pairwise(func(a, b bool) bool { return a && !b }))
	binary("ge", pairwise(func(a, b bool) bool { return a || !b }))
	binary("heaviside", or) // 1 where self holds, the value where it does not
	not := func(dst, a []bool) {
		for i, v := range a {
			dst[i] = !v
		}
	}
	same := func(dst, a []bool) { copy(dst, a) }
	unary("bitwise_not", not)
	for _, name := range []string{"sign", "sgn", "conj_physical", "nan_to_num"} {
		unary(name, same)
	}
	never := func(dst, a []bool) { clear(dst) }
	for _, name := range []string{"isnan", "isinf", "isposinf", "isneginf", "signbit"} {
		unary(name, never)
	}
	unary("isfinite", always[bool])
}

// floatLimits defines questions to floating point numbers.
func floatLimits[T interface {
	float
	tensor.Element
}]() {
	unary("isnan", ask(func(v T) bool { return v != v }))
	unary("isinf", ask(func(v T) bool { return math.IsInf(float64(v), 0) }))
	unary("isposinf", ask(func(v T) bool { return math.IsInf(float64(v), 1) }))
	unary("isneginf", ask(func(v T) bool { return math.IsInf(float64(v), -1) }))
	unary("isfinite", ask(func(v T) bool { return v-v == 0 }))
	unary("conj_physical", func(dst, a []T) { copy(dst, a) })
}

func ask[T any](f func(T) bool) func(dst []bool, a []T) {
	return func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = f(v)
		}
	}
}
