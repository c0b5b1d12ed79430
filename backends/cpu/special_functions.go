package cpu

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: special functions. They are computed in float64 by gonum, package math and the expansions in bessel.go;
// float32 is rounded once. Most have no half types, as in PyTorch. The orthogonal polynomials run in the precision of
// their input, as PyTorch's do: their recurrences lose digits, and an exact value would differ.

// specials are the functions of one number that the half types lack.
var specials = map[string]func(float64) float64{
	"special.airy_ai":                   airyAi,
	"special.bessel_j0":                 math.J0,
	"special.bessel_j1":                 math.J1,
	"special.bessel_y0":                 math.Y0,
	"special.bessel_y1":                 math.Y1,
	"special.modified_bessel_i0":        besselI0,
	"special.modified_bessel_i1":        func(x float64) float64 { return besselI(1, x) * math.Exp(math.Abs(x)) },
	"special.modified_bessel_k0":        func(x float64) float64 { return besselK(0, x) * math.Exp(-x) },
	"special.modified_bessel_k1":        func(x float64) float64 { return besselK(1, x) * math.Exp(-x) },
	"special.scaled_modified_bessel_k0": func(x float64) float64 { return besselK(0, x) },
	"special.scaled_modified_bessel_k1": func(x float64) float64 { return besselK(1, x) },
	"special.spherical_bessel_j0":       sphericalJ0,
	"special.erfcx":                     erfcx,
	"special.log_ndtr":                  logNdtr,
	"special.ndtri":                     ndtri,
}

// specialsOfHalves are those that they have.
var specialsOfHalves = map[string]func(float64) float64{
	"special.i0e":  func(x float64) float64 { return besselI(0, x) },
	"special.i1e":  func(x float64) float64 { return besselI(1, x) },
	"special.ndtr": ndtr,
}

func init() {
	for name, f := range specials {
		define(name, []tensor.Dtype{tensor.Float32}, &pointwise{out: tensor.Float32,
			in: [maxInputs]tensor.Dtype{tensor.Float32}, cost: 2 * goCost, loop: loop1(simd.Each32(f))})
		unary(name, each(f))
	}
	for name, f := range specialsOfHalves {
		unary(name, simd.Each32(f))
		unary(name, each(f))
	}
	for name, f := range map[string]func(c *tensor.Call) func(float64) float64{"special.ndtr": ndtrStepwise} {
		define(name, halves, &pointwise{out: tensor.Float32, in: [maxInputs]tensor.Dtype{tensor.Float32}, cost: goCost,
			make: func(c *tensor.Call) loop { return loop1(simd.Each32(f(c))) }})
	}
	for name, f := range map[string]func(a, b float64) float64{
		"special.xlog1py": xlog1py(func(v float64) float64 { return v }), "igamma": igamma, "igammac": igammac,
	} {
		binary(name, simd.Pairs32(f))
		binary(name, pairwise(f))
	}
	define("special.xlog1py", []tensor.Dtype{tensor.Bfloat16}, &pointwise{out: tensor.Float32,
		in: [maxInputs]tensor.Dtype{tensor.Float32, tensor.Float32}, cost: goCost,
		make: func(c *tensor.Call) loop { return loop2(simd.Pairs32(xlog1py(stepwise(c)))) }}) // as xlogy
	erfcx32 := func(x float64) float64 {
		if x < 0 { // the square is rounded, as PyTorch rounds it
			return 2*math.Exp(float64(float32(x*x))) - erfcx(-x)
		}
		return erfcx(x)
	}
	define("special.erfcx", []tensor.Dtype{tensor.Float32}, &pointwise{out: tensor.Float32,
		in: [maxInputs]tensor.Dtype{tensor.Float32}, cost: 2 * goCost, loop: loop1(simd.Each32(erfcx32))})
	define("special.zeta", []tensor.Dtype{tensor.Float32}, &pointwise{out: tensor.Float32,
		in: [maxInputs]tensor.Dtype{tensor.Float32, tensor.Float32}, cost: 2 * goCost, loop: loop2(simd.Pairs32(hurwitz))})
	binary("special.zeta", pairwise(hurwitz))
}

// airyAi is gonum's function of complex numbers, after D. Amos (ACM Transactions on Mathematical Software 12, 1986,
// algorithm 644). Far from zero it decays below the least number, or swings faster than its argument is known.
func airyAi(x float64) float64 {
	switch {
	case x > 110:
		return 0
	case math.IsNaN(x) || math.IsInf(x, 0):
		return math.NaN()
	case x < -1e6: // the first term of the expansion (DLMF 9.7.9)
		z := 2. / 3 * math.Pow(-x, 1.5)
		return math.Sin(z+math.Pi/4) / (math.SqrtPi * math.Pow(-x, 0.25))
	}
	return real(mathext.AiryAi(complex(x, 0)))
}

func sphericalJ0(x float64) float64 {
	switch {
	case math.IsInf(x, 0):
		return 0
	case math.Abs(x) < 1e-4:
		return 1 - x*x/6
	}
	return math.Sin(x) / x
}

// erfcx is exp(x²) erfc(x): for large x by Laplace's continued fraction (DLMF 7.9.1).
func erfcx(x float64) float64 {
	switch {
	case x < -26.7:
		return math.Inf(1)
	case x < 2:
		return math.Exp(x*x) * math.Erfc(x)
	case x > 1e8:
		return 1 / (x * math.SqrtPi)
	}
	f := x
	for k := 16 + math.Floor(200/(x*x)); k > 0; k-- {
		f = x + k/2/f
	}
	return 1 / (f * math.SqrtPi)
}

func logNdtr(x float64) float64 {
	t := x / math.Sqrt2
	if x < -1 {
		return math.Log(erfcx(-t)/2) - t*t
	}
	return math.Log1p(-math.Erfc(t) / 2)
}

func ndtri(p float64) float64 {
	switch {
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case !(p > 0 && p < 1):
		return math.NaN()
	}
	return mathext.NormalQuantile(p)
}

// xlog1py is a log1p(b), 0 where a is and b is a number.
func xlog1py(round func(float64) float64) func(a, b float64) float64 {
	return func(a, b float64) float64 {
		if a == 0 && b == b {
			return 0
		}
		return a * round(math.Log1p(b))
	}
}

func ndtr(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// ndtrStepwise is ndtr in a half type, which PyTorch computes from the error function and rounds at every step.
func ndtrStepwise(c *tensor.Call) func(float64) float64 {
	round := stepwise(c)
	return func(x float64) float64 { return round(1+round(math.Erf(round(x/math.Sqrt2)))) / 2 }
}

// hurwitz is the Hurwitz zeta function: infinite at its poles, and no number where it is not real.
func hurwitz(s, q float64) float64 {
	switch {
	case s == 1:
		return math.Inf(1)
	case !(s > 1) || math.IsNaN(q):
		return math.NaN()
	case q <= 0 && q == math.Floor(q):
		return math.Inf(1)
	case q <= 0 && s != math.Floor(s):
		return math.NaN()
	}
	return mathext.Zeta(s, q)
}

// igamma is the regularized lower incomplete gamma function.
func igamma(a, x float64) float64 {
	switch {
	case !(a >= 0 && x >= 0) || a == 0 && x == 0 || math.IsInf(a, 1) && math.IsInf(x, 1):
		return math.NaN()
	case a == 0 || math.IsInf(x, 1):
		return 1
	case x == 0 || math.IsInf(a, 1):
		return 0
	}
	return mathext.GammaIncReg(a, x)
}

// igammac is the regularized upper incomplete gamma function.
func igammac(a, x float64) float64 {
	switch {
	case !(a >= 0 && x >= 0) || a == 0 && x == 0 || math.IsInf(a, 1) && math.IsInf(x, 1):
		return math.NaN()
	case a == 0 || math.IsInf(x, 1):
		return 0
	case x == 0 || math.IsInf(a, 1):
		return 1
	}
	return mathext.GammaIncRegComp(a, x)
}
