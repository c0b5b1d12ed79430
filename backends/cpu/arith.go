package cpu

import (
	"unsafe"

	"gotorch/internal/cmath"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

type complexNumber interface{ complex64 | complex128 }

type number interface{ realNumber | complexNumber }

func init() {
	for _, d := range realDtypes {
		scaled("add", "add", d, false)
		scaled("sub", "sub", d, false)
		scaled("rsub", "sub", d, true)
	}
	vector("mul", "mul", 2, tensor.NoDtype, 1, realDtypes...)
	vector("neg", "neg", 1, tensor.NoDtype, 1, realDtypes...)
	vectorWith("addcmul", "addcmul", 3, 1, func(c *tensor.Call) []tensor.Scalar { return scalars(c, 3) }, floatDtypes...)
	vectorWith("addcdiv", "addcdiv", 3, 2, func(c *tensor.Call) []tensor.Scalar { return scalars(c, 3) }, floatDtypes...)
	vector("reciprocal", "reciprocal", 1, tensor.NoDtype, 2, floatDtypes...)
	addcmulLoop[uint8]()
	addcmulLoop[int8]()
	addcmulLoop[int16]()
	addcmulLoop[int32]()
	addcmulLoop[int64]()
	complexNumbers[complex64]()
	complexNumbers[complex128]()
	byBytes("add", "bitwise_or", 2, tensor.Bool)
	byBytes("mul", "bitwise_and", 2, tensor.Bool)
}

// scalars reads arguments from i on as numbers.
func scalars(c *tensor.Call, args ...int) []tensor.Scalar {
	s := make([]tensor.Scalar, len(args))
	for i, a := range args {
		s[i], _ = c.Scalar(a)
	}
	return s
}

// byBytes defines an operator by a kernel that is the same for the bytes of elements of d.
func byBytes(name, kernel string, inputs int, d tensor.Dtype) {
	f, size := simd.Get(kernel+" bytes"), d.Size()
	w := &pointwise{out: d, in: [maxInputs]tensor.Dtype{d, d}, isa: simd.LevelOf(kernel + " bytes")}
	w.loop = func(n int, dst, a, b, _, _ *byte) { f(n*size, dst, a, b, nil, nil) }
	define(name, []tensor.Dtype{d}, w)
}

// scaled defines an operator with an alpha, which is 1 nearly always; swapped exchanges its operands.
func scaled(name, kernel string, d tensor.Dtype, swapped bool) {
	one := func(c *tensor.Call) bool { s, _ := c.Scalar(2); return s.IsInt() && s.Int() == 1 }
	exchange := func(f loop) loop {
		if !swapped {
			return f
		}
		return func(n int, dst, a, b, _, p *byte) { f(n, dst, b, a, nil, p) }
	}
	bind := func(plain, general loop) func(c *tensor.Call) loop {
		plain = exchange(plain)
		return func(c *tensor.Call) loop {
			if one(c) {
				return plain
			}
			s, _ := c.Scalar(2)
			return exchange(bindParams(general, d, c.Plan().Dtype, []tensor.Scalar{s}))
		}
	}
	values := valueLoops("add_value", "add_value", d)
	switch {
	case swapped:
		values = valueLoops("sub_value", "value_sub", d)
	case kernel == "sub":
		values = valueLoops("value_sub", "sub_value", d)
	}
	w := &pointwise{out: d, in: [maxInputs]tensor.Dtype{d, d}, isa: simd.LevelOf(kernel + " " + d.String()),
		values: values, plain: one, make: bind(kernelOf(kernel, d), kernelOf(kernel+"_scaled", d))}
	define(name, withHalves(d), w)
	if d == tensor.Float32 {
		defineHalves(name, w, func(h tensor.Dtype) func(c *tensor.Call) loop {
			if h == tensor.Float16 { // PyTorch rounds the product
				return bind(kernelOf(kernel, h), inTwoSteps(kernelOf("scale", h), kernelOf(kernel, h), h))
			}
			return bind(kernelOf(kernel, h), kernelOf(kernel+"_scaled", h))
		})
	}
}

// inTwoSteps is the sum or difference of the first input and the scaled second one, which is rounded.
func inTwoSteps(scale, sum loop, d tensor.Dtype) loop {
	return func(n int, dst, a, b, _, p *byte) {
		tmp := scratches.Get().(*scratch)
		scaled := bytePtr(unsafe.Pointer(&tmp[0]))
		for i := 0; i < n; i += blockLen {
			k, off := min(blockLen, n-i), i*d.Size()
			scale(k, scaled, moved(b, off), nil, nil, p)
			sum(k, moved(dst, off), moved(a, off), scaled, nil, nil)
		}
		scratches.Put(tmp)
	}
}

func moved(p *byte, bytes int) *byte { return bytePtr(unsafe.Add(unsafe.Pointer(p), bytes)) }

// addcmulLoop defines addcmul for integers.
func addcmulLoop[T interface {
	integer
	tensor.Element
}]() {
	ternaryWith("addcmul", addcmul[T])
}

func addcmul[T interface {
	number
	tensor.Element
}](c *tensor.Call) func(dst, self, a, b []T) {
	v := numberArg[T](c, 3)
	return func(dst, self, a, b []T) {
		for i := range dst {
			dst[i] = self[i] + v*a[i]*b[i]
		}
	}
}

// complexNumbers defines the arithmetic of complex numbers.
func complexNumbers[T interface {
	complexNumber
	tensor.Element
}]() {
	scaledComplex("add", addScaled[T], func(alpha T) T { return alpha })
	scaledComplex("sub", addScaled[T], negative[T])
	scaledComplex("rsub", func(dst, a, b []T, alpha T) { addScaled(dst, b, a, alpha) }, negative[T])
	binary("mul", mulLoop[T])
	binary("div", divLoop[T])
	ternaryWith("addcmul", addcmul[T])
	ternaryWith("addcdiv", func(c *tensor.Call) func(dst, self, a, b []T) {
		v := numberArg[T](c, 3)
		return func(dst, self, a, b []T) {
			for i := range dst {
				dst[i] = self[i] + T(cmath.Div(complex128(v*a[i]), complex128(b[i])))
			}
		}
	})
	unary("neg", func(dst, a []T) {
		for i, v := range a {
			dst[i] = -v
		}
	})
}

// scaledComplex is scaled for complex numbers: a + factor·b with the factor that alpha makes.
func scaledComplex[T tensor.Element](name string, loop func(dst, a, b []T, factor T), factor func(alpha T) T) {
	binaryWith(name, func(c *tensor.Call) func(dst, a, b []T) {
		f := factor(numberArg[T](c, 2))
		return func(dst, a, b []T) { loop(dst, a, b, f) }
	})
}

// negative is -alpha; of a real number, a number without imaginary part, whose zero stays positive.
func negative[T complexNumber](alpha T) T {
	z := complex128(alpha)
	if imag(z) == 0 {
		return T(complex(-real(z), 0))
	}
	return -alpha
}

// numberArg reads argument i as T.
func numberArg[T tensor.Element](c *tensor.Call, i int) T {
	s, _ := c.Scalar(i)
	return numberAs[T](s)
}

// addScaled is a + factor·b. A factor of 1 multiplies too, as in PyTorch: 0 + (1+∞i) is NaN + ∞i, since 0·∞ is NaN.
func addScaled[T complexNumber](dst, a, b []T, factor T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + factor*b[i]
	}
}

func mulLoop[T complexNumber](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func divLoop[T complexNumber](dst, a, b []T) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = T(cmath.Div(complex128(a[i]), complex128(b[i])))
	}
}

// pairwise makes the loop of a function of two numbers.
func pairwise[T, R any](f func(a, b T) R) func(dst []R, a, b []T) {
	return func(dst []R, a, b []T) {
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = f(a[i], b[i])
		}
	}
}
