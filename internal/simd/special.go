package simd

import "math"

// The Go forms of special functions.

// lgamma is math.Lgamma, which is wrong for subnormal numbers on amd64, with the value of the C library at minus
// infinity.
func lgamma(x float64) float64 {
	switch {
	case math.IsInf(x, -1):
		return math.Inf(1)
	case math.Abs(x) < 1e-300:
		return -log(math.Abs(x))
	}
	v, _ := math.Lgamma(x)
	return v
}

// digamma is the derivative of lgamma. At zero it is the infinity of the other sign, at negative whole numbers there
// is none. Arguments are stepped up to where the asymptotic series holds, negative ones reflected first.
func digamma(x float64) float64 {
	switch {
	case x == 0:
		return math.Copysign(math.Inf(1), -x)
	case x < 0:
		r := x - math.RoundToEven(x)
		if !(r != 0) || math.IsInf(x, 0) {
			return math.NaN()
		}
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*r)
	}
	sum := 0.0
	for ; x < 10; x++ {
		sum += 1 / x
	}
	w := 1 / (x * x)
	series := w * (1./12 - w*(1./120-w*(1./252-w*(1./240-w*(1./132-w*(691./32760-w/12))))))
	return log(x) - 0.5/x - series - sum
}

// trigamma is the derivative of digamma, in the precision of T throughout, as PyTorch has it: beside a pole float32
// shows it. Arguments below a half are reflected, small ones stepped up to where the asymptotic series holds.
func trigamma[T float](x T) T {
	var sum, sign T = 0, 1
	if x < 0.5 {
		sign = -1
		s := T(sin(float64(T(math.Pi) * x)))
		sum = -T(math.Pi) * T(math.Pi) / (s * s)
		x = 1 - x
	}
	for range 6 {
		sum += 1 / (x * x)
		x++
	}
	r := 1 / (x * x)
	sum += (1 + 1/(2*x) + r*(T(1)/6-r*(T(1)/30-r*(T(1)/42)))) / x
	return sign * sum
}

// besselI0 is the modified Bessel function of the first kind and order 0.
func besselI0(x float64) float64 {
	x = math.Abs(x)
	if x < 30 { // the power series in x²/4, whose terms are all positive
		t, sum, q := 1.0, 1.0, x*x/4
		for k := 1.0; t > sum*1e-17; k++ {
			t *= q / (k * k)
			sum += t
		}
		return sum
	}
	if math.IsInf(x, 1) { // as PyTorch, which multiplies infinity by zero
		return math.NaN()
	}
	// the asymptotic series: e^x / sqrt(2πx) · Σ ((2k-1)!!)² / (k! (8x)^k)
	t, sum := 1.0, 1.0
	for k := 1.0; k < 60; k++ {
		next := t * (2*k - 1) * (2*k - 1) / (k * 8 * x)
		if next >= t || next < sum*1e-17 {
			break
		}
		t = next
		sum += t
	}
	h := math.Exp(x / 2) // in two steps: e^x overflows before the result does
	return h / math.Sqrt(2*math.Pi*x) * sum * h
}

// besselI1 is the modified Bessel function of the first kind and order 1, as besselI0 is made.
func besselI1(x float64) float64 {
	a := math.Abs(x)
	if a < 30 {
		t, sum, q := x/2, x/2, x*x/4
		for k := 1.0; math.Abs(t) > math.Abs(sum)*1e-17; k++ {
			t *= q / (k * (k + 1))
			sum += t
		}
		return sum
	}
	if math.IsInf(x, 0) {
		return math.NaN()
	}
	t, sum := 1.0, 1.0
	for k := 1.0; k < 60; k++ {
		next := t * ((2*k-1)*(2*k-1) - 4) / (k * 8 * a)
		if math.Abs(next) >= math.Abs(t) || math.Abs(next) < math.Abs(sum)*1e-17 {
			break
		}
		t = next
		sum += t
	}
	h := math.Exp(a / 2)
	return math.Copysign(h/math.Sqrt(2*math.Pi*a)*sum*h, x)
}
