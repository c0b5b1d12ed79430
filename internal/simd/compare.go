package simd

import "math"

func init() {
	floatComparisons[float32]()
	floatComparisons[float64]()
	comparisons[uint8]()
	comparisons[int8]()
	comparisons[int16]()
	comparisons[int32]()
	comparisons[int64]()
	signbits[int8]()
	signbits[int16]()
	signbits[int32]()
	signbits[int64]()
	choices[int8]()
	choices[int16]()
	choices[int32]()
	choices[int64]()
}

// comparisons defines what results in bools. Greater and greater or equal are less with the inputs exchanged.
func comparisons[T number]() {
	t := " " + nameOf[T]()
	define2("eq"+t, func(dst []bool, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] == b[i]
		}
	})
	define2("ne"+t, func(dst []bool, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] != b[i]
		}
	})
	define2("lt"+t, func(dst []bool, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] < b[i]
		}
	})
	define2("le"+t, func(dst []bool, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = a[i] <= b[i]
		}
	})
	define2("logical_and"+t, func(dst []bool, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			x, y := a[i] != 0, b[i] != 0
			dst[i] = x == y && x
		}
	})
	define2("logical_or"+t, func(dst []bool, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			x, y := a[i] != 0, b[i] != 0
			dst[i] = x != y || x
		}
	})
	define2("logical_xor"+t, func(dst []bool, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = (a[i] != 0) != (b[i] != 0)
		}
	})
	define1("logical_not"+t, func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = v == 0
		}
	})
	define1("cast bool"+t, func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = v != 0
		}
	})
}

// signbits defines the question for the sign bit.
func signbits[T number]() {
	define1("signbit "+nameOf[T](), each1(func(v T) bool { return math.Signbit(float64(v)) }))
}

func floatComparisons[T float]() {
	comparisons[T]()
	signbits[T]()
	t, inf := " "+nameOf[T](), T(math.Inf(1))
	define1("isnan"+t, func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = v != v
		}
	})
	define1("isinf"+t, func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = T(math.Abs(float64(v))) == inf
		}
	})
	define1("isposinf"+t, func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = v == inf
		}
	})
	define1("isneginf"+t, func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = v == -inf
		}
	})
	define1("isfinite"+t, func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = v-v == 0
		}
	})
}

// choices defines where, which is the same for all dtypes of a size.
func choices[T integer]() {
	define3("where "+nameOf[T](), func(dst []T, c []bool, a, b []T) {
		c, a, b = c[:len(dst)], a[:len(dst)], b[:len(dst)]
		for i := range dst {
			v := b[i]
			if c[i] {
				v = a[i]
			}
			dst[i] = v
		}
	})
}
