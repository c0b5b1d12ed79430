package simd

import "math"

// realPairs are functions of two numbers: their Go forms compute float32 in float64 and round once. Errors are in
// units of the last place as those of realFunctions. The sums of logarithms cancel where the greater number is
// negative, and lose places there.
var realPairs = []struct {
	name       string
	f          func(a, b float64) float64
	ulp, ulp64 float64
}{
	{"pow", pow, 1, 1},
	{"atan2", atan2, 1, 2},
	{"hypot", math.Hypot, 1, 1},
	{"logaddexp", func(a, b float64) float64 { return logAdd(a, b, exp, math.Log1p) }, 1, 64},
	{"logaddexp2", func(a, b float64) float64 {
		return logAdd(a, b, math.Exp2, func(x float64) float64 { return math.Log1p(x) / math.Ln2 })
	}, 1, 64},
	{"xlogy", func(a, b float64) float64 {
		if a == 0 && b == b {
			return 0
		}
		return a * log(b)
	}, 2, 2},
}

func init() {
	for _, r := range realPairs {
		define2(r.name+" float32", Pairs32(r.f)).ULP = r.ulp
		define2(r.name+" float64", each2(r.f)).ULP = r.ulp64
	}
	stepwise("logit", func(x float64, round func(float64) float64) float64 { return log(round(x / round(1-x))) }, 2, 2)
	stepwise("sinc", func(x float64, round func(float64) float64) float64 {
		if x == 0 {
			return 1
		}
		t := round(round(math.Pi) * x)
		return round(sin(t)) / t
	}, 2, 2)
}

// stepwise defines a function that PyTorch computes in several steps, each of which is rounded.
func stepwise(name string, f func(x float64, round func(float64) float64) float64, ulp, ulp64 float64) {
	define1(name+" float32", Each32(func(x float64) float64 {
		return f(x, func(x float64) float64 { return float64(float32(x)) })
	})).ULP = ulp
	define1(name+" float64", each64(func(x float64) float64 {
		return f(x, func(x float64) float64 { return x })
	})).ULP = ulp64
}

// atan2 is math.Atan2, which has the wrong sign where y/x is too small to be a number.
func atan2(y, x float64) float64 { return math.Copysign(math.Atan2(math.Abs(y), x), y) }

// logAdd is log(base^a + base^b): the greater one, and the logarithm of one plus what the lesser adds.
func logAdd(a, b float64, exp, log1p func(float64) float64) float64 {
	if math.IsInf(a, 0) && a == b {
		return a
	}
	m := math.Max(a, b)
	return m + log1p(exp(-math.Abs(a-b)))
}

// entropy is -x·log(x), 0 at zero.
func entropy(x float64) float64 {
	switch {
	case x == 0:
		return 0
	case x < 0:
		return math.Inf(-1)
	}
	return -x * log(x)
}

// pow is math.Pow with all its digits: that multiplies, and doubles the error of a number with every square.
func pow(a, b float64) float64 {
	x := math.Abs(a)
	if !(x > 0 && x <= math.MaxFloat64) || x == 1 || b == 0 || !(math.Abs(b) <= math.MaxFloat64) {
		return math.Pow(a, b)
	}
	negative := false
	if a < 0 {
		whole := math.Trunc(b)
		if whole != b {
			return math.NaN()
		}
		negative = math.Trunc(b/2) != b/2
	}
	y := expPair(mulPair(b, x))
	if negative {
		y = -y
	}
	return y
}

// mulPair is b·log(x) as the sum of two numbers.
func mulPair(b, x float64) (hi, lo float64) {
	h, l := logPair(x)
	p := b * h
	return p, math.FMA(b, l, math.FMA(b, h, -p))
}

// expPair is e to the power of the sum of two numbers.
func expPair(hi, lo float64) float64 {
	if !(math.Abs(hi) < 750) {
		return math.Exp(hi)
	}
	k := math.RoundToEven(hi * math.Log2E)
	r := math.FMA(-k, math.Ln2, hi) - k*2.3190468138462996e-17 + lo
	return math.Ldexp(math.Exp(r), int(k))
}

// logPair is the logarithm of a positive number as the sum of two: k·log(2) + 2s + s³·(⅔ + ⅖s² + …), s = f/(2+f), to
// about 65 bits.
func logPair(x float64) (hi, lo float64) {
	const ln2, ln2Lo, third2, third2Lo = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45, 2.0 / 3, 3.700743415417188e-17
	m, exp := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, exp = 2*m, exp-1
	}
	k, f := float64(exp), m-1
	den := m + 1
	denLo := 1 - (den - m)
	s := f / den
	sLo := (math.FMA(-s, den, f) - s*denLo) / den
	z := s * s
	zLo := math.FMA(s, s, -z) + 2*s*sLo
	q := 0.0
	for n := 21.0; n >= 5; n -= 2 {
		q = q*z + 2/n
	}
	q *= z
	w := q + third2
	wLo := q - (w - third2) + third2Lo
	p := z * w
	pLo := math.FMA(z, w, -p) + z*wLo + zLo*w
	t := s * p
	tLo := math.FMA(s, p, -t) + s*pLo + sLo*p
	h := k*ln2 + 2*s
	rest := 2*s - (h - k*ln2)
	hi = h + t
	return hi, rest + (t - (hi - h)) + (k*ln2Lo + 2*sLo + tLo)
}
