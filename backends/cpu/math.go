package cpu

import (
	"math"
	"math/cmplx"

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
	"sigmoid": {"sigmoid", 5}, "nn.functional.silu": {"silu", 5}, "nn.functional.logsigmoid": {"logsigmoid", 14}, "nn.functional.mish": {"mish", 20},
	"asinh": {"asinh", 14}, "acosh": {"acosh", 12}, "atanh": {"atanh", 12}, "special.entr": {"entropy", 5},
	"lgamma": {"lgamma", 16}, "digamma": {"digamma", 20}, "i0": {"i0", 20}, "special.i1": {"i1", 20},
	"erf": {"erf", 7}, "erfc": {"erfc", 10},
}

// vectorPairs are those of two real numbers.
var vectorPairs = map[string]int{"atan2": 9, "hypot": 4, "logaddexp": 8, "logaddexp2": 8}

// complexFunctions are those that complex numbers have.
var complexFunctions = map[string]func(complex128) complex128{
	"exp": cmplx.Exp,
	"log": cmplx.Log, "log10": logTo(math.Ln10),
	"log2":  logTo(math.Ln2),
	"log1p": log1pComplex,
	"sqrt":  cmplx.Sqrt,
	"rsqrt": func(z complex128) complex128 { return 1 / cmplx.Sqrt(z) },
	"sin":   cmplx.Sin, "cos": cmplx.Cos, "tan": cmplx.Tan,
	"asin": cmplx.Asin, "acos": cmplx.Acos, "atan": cmplx.Atan,
	"sinh": cmplx.Sinh, "cosh": cmplx.Cosh, "tanh": cmplx.Tanh,
	"asinh": cmplx.Asinh, "acosh": cmplx.Acosh, "atanh": cmplx.Atanh,
	"sinc": func(z complex128) complex128 {
		if z == 0 {
			return 1
		}
		z *= math.Pi
		return cmplx.Sin(z) / z
	},
	"sigmoid": func(z complex128) complex128 { return 1 / (1 + cmplx.Exp(-z)) },
	"sgn": func(z complex128) complex128 {
		if z == 0 {
			return 0
		}
		return z / complex(cmplx.Abs(z), 0)
	},
	"conj_physical":      cmplx.Conj,
	"nn.functional.silu": func(z complex128) complex128 { return z / (1 + cmplx.Exp(-z)) },
}

// complexParts are functions from complex to real numbers.
var complexParts = map[string]func(complex128) float64{"abs": cmplx.Abs, "angle": cmplx.Phase}

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
		vectorWith(name, "scale", 1, 1, func(*tensor.Call) []tensor.Scalar { return []tensor.Scalar{tensor.FloatScalar(factor)} }, floatDtypes...)
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
	binary("polar", pairwise(func(r, angle float32) complex64 { return complex64(cmplx.Rect(float64(r), float64(angle))) }))
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

// logTo is the logarithm to the base whose natural one is ln. The parts are divided apart: a complex division has no
// value for infinities.
func logTo(ln float64) func(z complex128) complex128 {
	return func(z complex128) complex128 {
		z = cmplx.Log(z)
		return complex(real(z)/ln, imag(z)/ln)
	}
}

// log1pComplex keeps its digits near zero: log|1+z| is half of log1p(2x + x² + y²).
func log1pComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Abs(x) < 0.5 && math.Abs(y) < 0.5 {
		return complex(math.Log1p(2*x+x*x+y*y)/2, math.Atan2(y, 1+x))
	}
	return cmplx.Log(1 + z)
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
	for exponent, kernel := range map[float64]string{2: "square", 3: "cube", 0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal"} {
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
	general := pairwise(func(a, b T) T { return T(powC(complex128(a), complex128(b))) })
	binaryWith("pow", func(c *tensor.Call) func(dst, a, b []T) {
		if s, ok := c.Scalar(1); ok && s.Complex() == 2 {
			return func(dst, a, _ []T) {
				for i, v := range a {
					dst[i] = v * v
				}
			}
		}
		return general
	})
}

func powC(a, b complex128) complex128 {
	if a == 0 && b != 0 && real(b) <= 0 { // cmplx.Pow takes 0 to a negative power for an infinity; here it is no number
		return cmplx.Exp(b * cmplx.Log(a))
	}
	return cmplx.Pow(a, b)
}
