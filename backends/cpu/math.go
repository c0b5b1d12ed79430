package cpu

import (
	"math"
	"math/cmplx"

	"gotorch/internal/cmath"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// vectorFunctions are the functions of one real number that package simd has, with what an element costs in float32.
var vectorFunctions = map[string]struct {
	kernel string
	cost   int
}{
	"exp": {"exp", 4}, "exp2": {"exp2", 6}, "expm1": {"expm1", 8},
	"log": {"log", 5}, "log2": {"log2", 10}, "log10": {"log10", 10}, "log1p": {"log1p", 10},
	"sin": {"sin", 5}, "cos": {"cos", 5}, "tan": {"tan", 12},
	"asin": {"asin", 10}, "acos": {"acos", 10}, "atan": {"atan", 10},
	"sinh": {"sinh", 12}, "cosh": {"cosh", 12}, "tanh": {"tanh", 8},
	"sigmoid": {"sigmoid", 5}, "nn.functional.silu": {"silu", 5}, "nn.functional.logsigmoid": {"logsigmoid", 14},
	"nn.functional.mish": {"mish", 20},
	"asinh":              {"asinh", 14}, "acosh": {"acosh", 12}, "atanh": {"atanh", 12}, "special.entr": {"entropy", 5},
	"lgamma": {"lgamma", 16}, "digamma": {"digamma", 20}, "i0": {"i0", 20}, "special.i1": {"i1", 20},
	"erf": {"erf", 7}, "erfc": {"erfc", 10},
}

// vectorPairs are those of two real numbers.
var vectorPairs = map[string]int{"atan2": 9, "hypot": 4, "logaddexp": 8, "logaddexp2": 8}

// complexFunctions are those that complex numbers have.
var complexFunctions = map[string]func(complex128) complex128{
	"exp": cmath.Exp, "log": cmath.Log, "log1p": cmath.Log1p,
	"log2":  func(z complex128) complex128 { return cmath.LogTo(z, math.Ln2) },
	"log10": func(z complex128) complex128 { return cmath.LogTo(z, math.Ln10) },
	"sqrt":  cmath.Sqrt,
	"rsqrt": func(z complex128) complex128 { return cmath.Div(1, cmath.Sqrt(z)) },
	"sin":   cmath.Sin, "cos": cmath.Cos, "tan": cmath.Tan,
	"asin": cmath.Asin, "acos": cmath.Acos, "atan": cmath.Atan,
	"sinh": cmath.Sinh, "cosh": cmath.Cosh, "tanh": cmath.Tanh,
	"asinh": cmath.Asinh, "acosh": cmath.Acosh, "atanh": cmath.Atanh,
	"sinc": func(z complex128) complex128 {
		if z == 0 {
			return 1
		}
		z *= math.Pi
		return cmath.Div(cmath.Sin(z), z)
	},
	"sigmoid": func(z complex128) complex128 { return cmath.Div(1, 1+cmath.Exp(-z)) },
	"sgn": func(z complex128) complex128 {
		if z == 0 {
			return 0
		}
		return cmath.Div(z, complex(cmath.Abs(z), 0))
	},
	"reciprocal":         func(z complex128) complex128 { return cmath.Div(1, z) },
	"conj_physical":      func(z complex128) complex128 { return complex(real(z), -imag(z)) },
	"nn.functional.silu": func(z complex128) complex128 { return cmath.Div(z, 1+cmath.Exp(-z)) },
}

// complexParts are functions from complex to real numbers.
var complexParts = map[string]func(complex128) float64{"abs": cmath.Abs, "angle": cmath.Angle}

// complexQuestions are asked of both parts.
var complexQuestions = map[string]func(complex128) bool{
	"isnan": func(z complex128) bool { return real(z) != real(z) || imag(z) != imag(z) },
	"isinf": func(z complex128) bool { return math.IsInf(real(z), 0) || math.IsInf(imag(z), 0) },
	"isfinite": func(z complex128) bool {
		return real(z)-real(z) == 0 && imag(z)-imag(z) == 0
	},
}

func init() {
	for _, name := range []string{"floor", "ceil", "trunc", "frac", "abs", "angle"} {
		vector(name, name, 1, tensor.NoDtype, 1, floatDtypes...)
	}
	vector("sqrt", "sqrt", 1, tensor.NoDtype, 3, floatDtypes...)
	vector("copysign", "copysign", 2, tensor.NoDtype, 1, floatDtypes...)
	vector("nn.functional.hardsigmoid", "hardsigmoid", 1, tensor.NoDtype, 3, floatDtypes...)
	vector("nn.functional.hardswish", "hardswish", 1, tensor.NoDtype, 3, floatDtypes...)
	for name, factor := range map[string]float64{"deg2rad": math.Pi / 180, "rad2deg": 180 / math.Pi} {
		vectorWith(name, "scale", 1, 1, func(*tensor.Call) []tensor.Scalar {
			return []tensor.Scalar{tensor.FloatScalar(factor)}
		}, floatDtypes...)
	}
	unary("erfinv", simd.Each32(math.Erfinv))
	unary("erfinv", each(math.Erfinv))
	for name, f := range complexFunctions {
		unary(name, each(func(z complex64) complex64 { return complex64(f(complex128(z))) }))
		unary(name, each(f))
	}
	for name, f := range complexParts {
		unary(name, func(dst []float32, a []complex64) {
			for i, z := range a {
				dst[i] = float32(f(complex128(z)))
			}
		})
		unary(name, func(dst []float64, a []complex128) {
			for i, z := range a {
				dst[i] = f(z)
			}
		})
	}
	for name, f := range complexQuestions {
		unary(name, ask(func(z complex64) bool { return f(complex128(z)) }))
		unary(name, ask(f))
	}
	for name, f := range vectorFunctions {
		vector(name, f.kernel, 1, tensor.NoDtype, f.cost, tensor.Float32)
		vector(name, f.kernel, 1, tensor.NoDtype, 2*f.cost, tensor.Float64)
	}
	for name, cost := range vectorPairs {
		vector(name, name, 2, tensor.NoDtype, cost, tensor.Float32)
		vector(name, name, 2, tensor.NoDtype, 2*cost, tensor.Float64)
	}
	vector("nextafter", "nextafter", 2, tensor.NoDtype, 1, floatDtypes...)
	binaryHalf("nextafter", nextHalf(tensor.Half.Float32))
	binaryHalf("nextafter", nextHalf(tensor.BF16.Float32))
	binary("complex", pairwise(func(re, im float32) complex64 { return complex(re, im) }))
	binary("complex", pairwise(func(re, im float64) complex128 { return complex(re, im) }))
	binary("polar", pairwise(func(r, angle float32) complex64 {
		return complex64(cmplx.Rect(float64(r), float64(angle)))
	}))
	binary("polar", pairwise(cmplx.Rect))
	powers()
}

// each makes the loop of a function of one number.
func each[T any](f func(T) T) func(dst, a []T) {
	return func(dst, a []T) {
		for i, v := range a {
			dst[i] = f(v)
		}
	}
}

// binaryHalf defines an operator of two operands in a half type, without converting them.
func binaryHalf[T tensor.Half | tensor.BF16](name string, f func(dst, a, b []T)) {
	d := tensor.DtypeOf[T]()
	define(name, []tensor.Dtype{d}, &pointwise{out: d, in: [maxInputs]tensor.Dtype{d, d}, cost: 2, loop: loop2(f)})
}

// nextHalf steps from a to the next number of a half type towards b: the bits of neighbours are neighbours.
func nextHalf[T tensor.Half | tensor.BF16](widen func(T) float32) func(dst, a, b []T) {
	const sign = 1 << 15
	return func(dst, a, b []T) {
		for i := range dst {
			x, y := widen(a[i]), widen(b[i])
			switch {
			case x != x:
				dst[i] = a[i]
			case y != y || x == y:
				dst[i] = b[i]
			case x == 0:
				dst[i] = b[i]&sign | 1
			case (x < y) == (x > 0):
				dst[i] = a[i] + 1
			default:
				dst[i] = a[i] - 1
			}
		}
	}
}

// powers defines pow. Exponents that are a number and common take a shorter way, whose results PyTorch has too.
func powers() {
	powFloat[float32]()
	powFloat[float64]()
	powComplex[complex64]()
	powComplex[complex128]()
}

func powFloat[T interface {
	float
	tensor.Element
}]() {
	d := tensor.DtypeOf[T]()
	general := kernelOf("pow", d)
	short := map[float64]loop{}
	for exponent, kernel := range map[float64]string{2: "square", 3: "cube", 0.5: "sqrt", -0.5: "rsqrt",
		-1: "reciprocal"} {
		short[exponent] = kernelOf(kernel, d)
	}
	exponent := func(c *tensor.Call) loop {
		if s, ok := c.Scalar(1); ok && !s.IsComplex() {
			return short[s.Float()]
		}
		return nil
	}
	define("pow", dtypesOf[T](), &pointwise{out: d, in: [maxInputs]tensor.Dtype{d, d}, cost: 17,
		easy: func(c *tensor.Call) bool { return exponent(c) != nil },
		make: func(c *tensor.Call) loop {
			if f := exponent(c); f != nil {
				return f
			}
			return general
		}})
}

func powComplex[T interface {
	complexNumber
	tensor.Element
}]() {
	each1 := func(f func(a complex128) complex128) func(dst, a, _ []T) {
		return func(dst, a, _ []T) {
			for i, v := range a {
				dst[i] = T(f(complex128(v)))
			}
		}
	}
	short := map[complex128]func(dst, a, _ []T){
		0:   each1(func(complex128) complex128 { return 1 }),
		1:   each1(func(z complex128) complex128 { return z }),
		2:   each1(func(z complex128) complex128 { return z * z }),
		3:   each1(func(z complex128) complex128 { return z * z * z }),
		-1:  each1(complexFunctions["reciprocal"]),
		-2:  each1(func(z complex128) complex128 { return cmath.Div(1, z*z) }),
		0.5: each1(complexFunctions["sqrt"]), -0.5: each1(complexFunctions["rsqrt"]),
	}
	general := pairwise(func(a, b T) T { return T(cmath.Pow(complex128(a), complex128(b))) })
	binaryWith("pow", func(c *tensor.Call) func(dst, a, b []T) {
		if s, ok := c.Scalar(1); ok {
			if f := short[s.Complex()]; f != nil {
				return f
			}
		}
		return general
	})
}
