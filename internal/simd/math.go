package simd

import "math"

// realFunctions are functions of one number: their Go forms compute float32 in float64 and round once. Errors are in
// units of the last place against the exact value, where that is a normal number; float64 forms in Go are those of
// package math.
var realFunctions = []struct {
	name       string
	f          func(x float64) float64
	ulp, ulp64 float64 // greatest errors of the assembly
}{
	{"exp", exp, 1, 1},
	{"exp2", math.Exp2, 1, 2},
	{"expm1", math.Expm1, 1, 2},
	{"log", log, 1, 1},
	{"log2", math.Log2, 1, 2},
	{"log10", log10, 1, 2},
	{"log1p", math.Log1p, 1, 2},
	{"sinh", sinh, 1, 3},
	{"cosh", cosh, 1, 3},
	{"tanh", math.Tanh, 1, 3},
	{"sigmoid", sigmoid, 2, 2},
	{"silu", silu, 3, 2},
	{"softplus", func(x float64) float64 {
		if x > 20 {
			return x
		}
		return softplus(x)
	}, 1, 2},
	{"logsigmoid", func(x float64) float64 { return math.Min(x, 0) - math.Log1p(exp(-math.Abs(x))) }, 1, 2},
	{"mish", func(x float64) float64 { return x * math.Tanh(softplus(x)) }, 1, 4},
	{"asinh", math.Asinh, 1, 3},
	{"acosh", math.Acosh, 1, 3},
	{"atanh", math.Atanh, 1, 3},
	{"entropy", entropy, 2, 2},
	{"lgamma", lgamma, 1, 8},
	{"digamma", digamma, 1, 8},
	{"i0", besselI0, 1, 4},
	{"i1", besselI1, 1, 4},
	{"atan", math.Atan, 1, 2},
	{"asin", math.Asin, 1, 2},
	{"acos", math.Acos, 1, 2},
	{"erf", math.Erf, 2, 2},
	{"erfc", math.Erfc, 1, 4},
	{"gelu", gelu, 8, 8},
	{"gelu_tanh", geluTanh, 1, 64},
	{"sin", sin, 2, 1},
	{"cos", cos, 2, 1},
	{"tan", func(x float64) float64 { return sin(x) / cos(x) }, 1, 2},
}

// exp is math.Exp, which is infinite too early on amd64.
func exp(x float64) float64 {
	if x > 709 {
		return math.Exp(x-1) * math.E
	}
	return math.Exp(x)
}

// log is math.Log, which is wrong for subnormal numbers on amd64.
func log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

// log10 is log for base 10.
func log10(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log10(x*0x1p54) - 54*(math.Ln2/math.Ln10)
	}
	return math.Log10(x)
}

// sinh and cosh are those of package math, which overflow too early on amd64.
func sinh(x float64) float64 {
	if a := math.Abs(x); a > 700 {
		h := exp(a / 2)
		return math.Copysign(h/2*h, x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if a := math.Abs(x); a > 700 {
		h := exp(a / 2)
		return h / 2 * h
	}
	return math.Cosh(x)
}

// quadrant is x as q·π/2 + r, exact enough for results near zero, to 2^20; beyond package math reduces.
func quadrant(x float64) (q int, r float64, ok bool) {
	if !(math.Abs(x) < 1<<20) {
		return 0, x, false
	}
	k := math.RoundToEven(x * (2 / math.Pi))
	r = math.FMA(-k, 1.5707963267948966, x)
	return int(k) & 3, math.FMA(-k, 6.123233995736766e-17, r), true
}

// sin is math.Sin, with its digits near multiples of π.
func sin(x float64) float64 {
	q, r, ok := quadrant(x)
	switch {
	case !ok || x == 0:
		return math.Sin(x)
	case q == 0:
		return math.Sin(r)
	case q == 1:
		return math.Cos(r)
	case q == 2:
		return -math.Sin(r)
	}
	return -math.Cos(r)
}

// cos is math.Cos, with its digits near odd multiples of π/2.
func cos(x float64) float64 {
	q, r, ok := quadrant(x)
	switch {
	case !ok:
		return math.Cos(x)
	case q == 0:
		return math.Cos(r)
	case q == 1:
		return -math.Sin(r)
	case q == 2:
		return -math.Cos(r)
	}
	return math.Sin(r)
}

func sigmoid(x float64) float64 { return 1 / (1 + exp(-x)) }

func silu(x float64) float64 { return x / (1 + exp(-x)) }

func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(exp(-math.Abs(x))) }

// gelu is x·erfc(-x/√2)/2; what rounding takes from the argument matters where erfc falls steeply.
func gelu(x float64) float64 {
	t := -x * (math.Sqrt2 / 2)
	y := math.Erfc(t)
	if t > 1 && y > 0 {
		rest := math.FMA(-x, math.Sqrt2/2, -t) + x*4.833646656726457e-17
		y -= 2 * t * rest * y
	}
	return 0.5 * x * y
}

// geluTanh is x·sigmoid(2u), which is x/2·(1 + tanh(u)), for u = √(2/π)·(x + 0.044715x³).
func geluTanh(x float64) float64 {
	return x / (1 + exp(-2*math.Sqrt2/math.SqrtPi*(x+0.044715*x*x*x)))
}

func init() {
	for _, r := range realFunctions {
		k := define1(r.name+" float32", Each32(r.f))
		k.ULP = r.ulp
		k = define1(r.name+" float64", each64(r.f))
		k.ULP = r.ulp64
	}
	define1("trigamma float32", each1(trigamma[float32])).ULP = 4
	define1("trigamma float64", each1(trigamma[float64])).ULP = 4
	// where the functions cross zero beside poles
	for name, error := range map[string]float64{"lgamma": 1e-8, "digamma": 1e-8} {
		kernels[name+" float32"].abs = error
		kernels[name+" float64"].abs = 1e-14
	}
	elu32 := define1p("elu float32", func(dst, a, p []float32) {
		Each32(func(x float64) float64 { return elu(x, float64(p[0]), float64(p[1]), float64(p[2])) })(dst, a)
	}, 1.7580993, 1.0507010, 1)
	elu64 := define1p("elu float64", func(dst, a, p []float64) {
		for i, x := range a {
			dst[i] = elu(x, p[0], p[1], p[2])
		}
	}, 1.7580993408473766, 1.0507009873554805, 1)
	elu32.ULP, elu64.ULP = 2, 2
	scaled32 := define1p("softplus_scaled float32", func(dst, a, p []float32) {
		Each32(func(x float64) float64 { return softplusScaled(x, float64(p[0]), float64(p[1]), float64(p[2])) })(dst, a)
	}, 2, 20, 0.5)
	scaled64 := define1p("softplus_scaled float64", func(dst, a, p []float64) {
		for i, x := range a {
			dst[i] = softplusScaled(x, p[0], p[1], p[2])
		}
	}, 2, 20, 0.5)
	scaled32.ULP, scaled64.ULP = 1, 2
	halfMath()
}

// elu is scale·x above 0, below·expm1(inner·x) elsewhere.
func elu(x, below, scale, inner float64) float64 {
	if x > 0 {
		return x * scale
	}
	return below * math.Expm1(x*inner)
}

// softplusScaled is softplus of beta·x over beta; x itself where beta·x is above the threshold.
func softplusScaled(x, beta, threshold, inverse float64) float64 {
	if x*beta > threshold {
		return x
	}
	return softplus(x*beta) * inverse
}

// each64 makes the loop of a function of one number.
func each64(f func(float64) float64) func(dst, a []float64) {
	return func(dst, a []float64) {
		for i, v := range a {
			dst[i] = f(v)
		}
	}
}

// Each32 makes the loop over float32 of a function of float64. It widens a block at a time: converting each number
// beside the call would make every call wait for the one before.
func Each32(f func(float64) float64) func(dst, a []float32) {
	return func(dst, a []float32) {
		var buf [128]float64
		for len(a) > 0 {
			n := min(len(a), len(buf))
			b := buf[:n]
			for i, v := range a[:n] {
				b[i] = float64(v)
			}
			for i, v := range b {
				b[i] = f(v)
			}
			for i, v := range b {
				dst[i] = float32(v)
			}
			dst, a = dst[n:], a[n:]
		}
	}
}

// Pairs32 is Each32 for functions of two numbers.
func Pairs32(f func(a, b float64) float64) func(dst, a, b []float32) {
	return func(dst, a, b []float32) {
		var x, y [128]float64
		for len(a) > 0 {
			n := min(len(a), len(x))
			for i, v := range a[:n] {
				x[i] = float64(v)
			}
			for i, v := range b[:n] {
				y[i] = float64(v)
			}
			for i := range n {
				x[i] = f(x[i], y[i])
			}
			for i, v := range x[:n] {
				dst[i] = float32(v)
			}
			dst, a, b = dst[n:], a[n:], b[n:]
		}
	}
}
