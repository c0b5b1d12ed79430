package cpu

import (
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

func init() {
	for _, name := range []string{"eq", "ne", "lt", "le", "logical_and", "logical_or", "logical_xor"} {
		vector(name, name, 2, tensor.Bool, 1, realDtypes...)
	}
	for _, d := range realDtypes {
		exchanged("gt", "lt", d, d)
		exchanged("ge", "le", d, d)
	}
	vector("signbit", "signbit", 1, tensor.Bool, 1, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64, tensor.Float32,
		tensor.Float64)
	unary("signbit", func(dst []bool, _ []uint8) { clear(dst) })
	vector("logical_not", "logical_not", 1, tensor.Bool, 1, realDtypes...)
	for _, name := range []string{"isnan", "isinf", "isposinf", "isneginf", "isfinite"} {
		vector(name, name, 1, tensor.Bool, 1, floatDtypes...)
	}
	for _, name := range []string{"maximum", "minimum"} {
		vector(name, name, 2, tensor.NoDtype, 1, realDtypes...)
		vector("f"+name[:3], name, 2, tensor.NoDtype, 1, integerDtypes...)
		vector("f"+name[:3], "f"+name[:3], 2, tensor.NoDtype, 1, floatDtypes...)
		vector("clamp_"+map[string]string{"maximum": "min", "minimum": "max"}[name], name, 2, tensor.NoDtype,
			1, realDtypes...)
	}
	vector("heaviside", "heaviside", 2, tensor.NoDtype, 1, floatDtypes...)
	vector("nn.functional.relu", "relu", 1, tensor.NoDtype, 1, realDtypes...)
	vector("sign", "sign", 1, tensor.NoDtype, 1, realDtypes...)
	vector("sgn", "sign", 1, tensor.NoDtype, 1, realDtypes...)
	vector("abs", "abs", 1, tensor.NoDtype, 1, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64)
	for _, d := range realDtypes {
		clamp(d)
	}
	for _, d := range integerDtypes {
		byBytes("bitwise_and", "bitwise_and", 2, d)
		byBytes("bitwise_or", "bitwise_or", 2, d)
		byBytes("bitwise_xor", "bitwise_xor", 2, d)
		byBytes("bitwise_not", "bitwise_not", 1, d)
	}
	vector("bitwise_left_shift", "bitwise_left_shift", 2, tensor.NoDtype, 1, integerDtypes...)
	vector("bitwise_right_shift", "bitwise_right_shift", 2, tensor.NoDtype, 1, integerDtypes...)
	ordered[uint8]()
	ordered[int8]()
	ordered[int16]()
	ordered[int32]()
	ordered[int64]()
	complexEquality[complex64]()
	complexEquality[complex128]()
	bits[uint8]()
	bits[int8]()
	bits[int16]()
	bits[int32]()
	bits[int64]()
	bools()
	unary("conj_physical", func(dst, a []float32) { copy(dst, a) })
	unary("conj_physical", func(dst, a []float64) { copy(dst, a) })
}

// exchanged defines a comparison by the kernel of another for elements of d, with its operands exchanged.
func exchanged(name, kernel string, d, as tensor.Dtype) {
	f := kernelOf(kernel, as)
	w := &pointwise{out: tensor.Bool, in: [maxInputs]tensor.Dtype{d, d}, isa: simd.LevelOf(kernel + " " + as.String())}
	w.loop = func(n int, dst, a, b, _, _ *byte) { f(n, dst, b, a, nil, nil) }
	define(name, withHalves(d), w)
}

// clamp defines clamp: the greater of an element and min, then the lesser of that and max. A limit that is NaN wins.
func clamp(d tensor.Dtype) {
	w := &pointwise{out: d, in: [maxInputs]tensor.Dtype{d, d, d}, isa: simd.LevelOf("clamp " + d.String()),
		make: clampOf(d, d, kernelOf("clamp_between", d)), bound: func(c *tensor.Call) bool { return clampLimits(c) != nil }}
	define("clamp", withHalves(d), w)
	if d == tensor.Float32 {
		defineHalves("clamp", w, func(h tensor.Dtype) func(c *tensor.Call) loop {
			return clampOf(h, d, throughFloat32(kernelOf("clamp_between", d), h, 3))
		})
	}
}

// clampOf makes the loops of clamp for elements of d, with numbers of wide as parameters; both has a limit for each
// element on either side.
func clampOf(d, wide tensor.Dtype, both loop) func(c *tensor.Call) loop {
	greater, lesser, between := kernelOf("maximum", d), kernelOf("minimum", d), kernelOf("clamp", d)
	return func(c *tensor.Call) loop {
		switch {
		case c.IsNone(2):
			return greater
		case c.IsNone(1):
			return lesser
		}
		if limits := clampLimits(c); limits != nil {
			return bindParams(between, wide, d, limits)
		}
		return both
	}
}

// clampLimits are the limits of a call where both are numbers, and neither is NaN; else nil.
func clampLimits(c *tensor.Call) []tensor.Scalar {
	if c.IsNone(1) || c.IsNone(2) || c.Tensor(1) != nil || c.Tensor(2) != nil {
		return nil
	}
	lo, ok := c.Scalar(1)
	hi, ok2 := c.Scalar(2)
	if !ok || !ok2 || lo.Float() != lo.Float() || hi.Float() != hi.Float() {
		return nil
	}
	return []tensor.Scalar{lo, hi}
}

// complexEquality defines what complex numbers have of comparisons.
func complexEquality[T interface {
	complexNumber
	tensor.Element
}]() {
	binary("eq", pairwise(func(a, b T) bool { return a == b }))
	binary("ne", pairwise(func(a, b T) bool { return a != b }))
	binary("logical_and", pairwise(func(a, b T) bool { return a != 0 && b != 0 }))
	binary("logical_or", pairwise(func(a, b T) bool { return a != 0 || b != 0 }))
	binary("logical_xor", pairwise(func(a, b T) bool { return (a != 0) != (b != 0) }))
	unary("logical_not", ask(func(v T) bool { return v == 0 }))
}

// ordered defines what integers have of their order in Go.
func ordered[T interface {
	integer
	tensor.Element
}]() {
	binary("heaviside", pairwise(func(a, v T) T {
		switch {
		case a == 0:
			return v
		case a < 0:
			return 0
		}
		return 1
	}))
}

// bits defines what integers have.
func bits[T interface {
	integer
	tensor.Element
}]() {
	binary("gcd", pairwise(gcd[T]))
	binary("lcm", pairwise(func(a, b T) T {
		if a == 0 || b == 0 {
			return 0
		}
		if tensor.DtypeOf[T]().Size() < 4 { // the sign is taken before the product is cut to 8 or 16 bits, as in C
			return T(absInt(int32(a/gcd(a, b)) * int32(b)))
		}
		return absInt(a / gcd(a, b) * b)
	}))
	same := func(dst, a []T) { copy(dst, a) }
	for _, name := range []string{"floor", "ceil", "trunc", "round", "nan_to_num", "conj_physical"} {
		unary(name, same)
	}
	if tensor.DtypeOf[T]() == tensor.Uint8 {
		unary("abs", same)
	}
	never := func(dst []bool, a []T) { clear(dst) }
	for _, name := range []string{"isnan", "isinf", "isposinf", "isneginf"} {
		unary(name, never)
	}
	unary("isfinite", always[T])
	powInteger[T]()
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

// powInteger defines pow for integers. One exponent for all is a few products.
func powInteger[T interface {
	integer
	tensor.Element
}]() {
	d := tensor.DtypeOf[T]()
	general := loop2(pairwise(powInt[T]))
	exponent := func(c *tensor.Call) int64 {
		if s, ok := c.Scalar(1); ok && s.IsInt() {
			return s.Int()
		}
		return 0
	}
	define("pow", []tensor.Dtype{d}, &pointwise{out: d, in: [maxInputs]tensor.Dtype{d, d}, cost: goCost,
		easy: func(c *tensor.Call) bool { e := exponent(c); return 0 < e && e < 8 },
		make: func(c *tensor.Call) loop {
			if e := exponent(c); e > 0 {
				return powerLoop(kernelOf("mul", d), d.Size(), uint64(e))
			}
			return general
		}})
}

// powerLoop multiplies elements of size bytes e times: by the squares of them that the bits of e ask for.
func powerLoop(mul loop, size int, e uint64) loop {
	if e == 2 {
		return func(n int, dst, a, _, _, _ *byte) { mul(n, dst, a, a, nil, nil) }
	}
	return func(n int, dst, a, _, _, _ *byte) {
		tmp := scratches.Get().(*scratch)
		product, square := bytePtr(unsafe.Pointer(&tmp[0])), bytePtr(unsafe.Pointer(&tmp[1]))
		for i := 0; i < n; i += blockLen {
			k, off := min(blockLen, n-i), i*size
			x, some := moved(a, off), false
			for bits := e; ; bits >>= 1 {
				to := product
				if bits == 1 {
					to = moved(dst, off)
				}
				switch {
				case bits&1 == 1 && some:
					mul(k, to, product, x, nil, nil)
				case bits&1 == 1:
					copy(unsafe.Slice(to, k*size), unsafe.Slice(x, k*size))
					some = true
				}
				if bits == 1 {
					break
				}
				mul(k, square, x, x, nil, nil)
				x = square
			}
		}
		scratches.Put(tmp)
	}
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
	for name, kernel := range map[string]string{
		"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "logical_and": "and", "logical_or": "or",
		"logical_xor": "xor",
		"maximum":     "or", "minimum": "and", "fmax": "or", "fmin": "and", "clamp_min": "or",
		"clamp_max": "and", "ne": "xor",
		"heaviside": "or", // 1 where self holds, the value where it does not
	} {
		byBytes(name, "bitwise_"+kernel, 2, tensor.Bool)
	}
	byBytes("bitwise_not", "logical_not", 1, tensor.Bool)
	byBytes("logical_not", "logical_not", 1, tensor.Bool)
	for _, name := range []string{"eq", "lt", "le"} { // of the bytes 0 and 1
		define(name, []tensor.Dtype{tensor.Bool},
			&pointwise{out: tensor.Bool, in: [maxInputs]tensor.Dtype{tensor.Bool, tensor.Bool},
				loop: kernelOf(name, tensor.Uint8), isa: simd.LevelOf(name + " uint8")})
	}
	exchanged("gt", "lt", tensor.Bool, tensor.Uint8)
	exchanged("ge", "le", tensor.Bool, tensor.Uint8)
	same := func(dst, a []bool) { copy(dst, a) }
	for _, name := range []string{"sign", "sgn", "conj_physical", "nan_to_num"} {
		unary(name, same)
	}
	never := func(dst, a []bool) { clear(dst) }
	for _, name := range []string{"isnan", "isinf", "isposinf", "isneginf", "signbit"} {
		unary(name, never)
	}
	unary("isfinite", always[bool])
}

// ask makes the loop of a question to an element.
func ask[T any](f func(T) bool) func(dst []bool, a []T) {
	return func(dst []bool, a []T) {
		for i, v := range a {
			dst[i] = f(v)
		}
	}
}
