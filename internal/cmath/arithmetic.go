package cmath

import "math"

// Div is a/b by the schoolbook formula (ac+bd)/(c²+d²) of PyTorch: a number divided by zero, or by an infinity, is NaN
// in both parts. Among finite numbers it neither overflows nor underflows on the way.
func Div(a, b complex128) complex128 {
	c, d := real(b), imag(b)
	s := c*c + d*d
	if s > 0x1p-900 && s < 0x1p900 && math.Abs(real(a)) < 0x1p400 && math.Abs(imag(a)) < 0x1p400 ||
		b == 0 || !isFinite(c) || !isFinite(d) || !isFinite(real(a)) || !isFinite(imag(a)) {
		return complex((real(a)*c+imag(a)*d)/s, (imag(a)*c-real(a)*d)/s)
	}
	_, k := math.Frexp(max(math.Abs(c), math.Abs(d)))
	_, m := math.Frexp(max(math.Abs(real(a)), math.Abs(imag(a))))
	z := Div(scale(a, -m), scale(b, -k))
	return scale(z, m-k)
}

// scale is z·2ⁿ.
func scale(z complex128, n int) complex128 {
	return complex(math.Ldexp(real(z), n), math.Ldexp(imag(z), n))
}

// mul is a·b after Annex G: infinite where a factor is, although its parts may be NaN.
func mul(z, w complex128) complex128 {
	p := z * w
	if real(p) == real(p) || imag(p) == imag(p) {
		return p
	}
	a, b, c, d := real(z), imag(z), real(w), imag(w)
	recalculate := false
	unit := func(x float64) float64 { // an infinity becomes 1, others 0
		if math.IsInf(x, 0) {
			return math.Copysign(1, x)
		}
		return math.Copysign(0, x)
	}
	number := func(x *float64) {
		if *x != *x {
			*x = math.Copysign(0, *x)
		}
	}
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		a, b = unit(a), unit(b)
		number(&c)
		number(&d)
		recalculate = true
	}
	if math.IsInf(c, 0) || math.IsInf(d, 0) {
		c, d = unit(c), unit(d)
		number(&a)
		number(&b)
		recalculate = true
	}
	if !recalculate {
		return p
	}
	inf := math.Inf(1)
	return complex(inf*(a*c-b*d), inf*(a*d+b*c))
}

// Pow is a to the power of b, exp(b·log a): 0 to the power of 0 is NaN in both parts, as in std::pow.
func Pow(a, b complex128) complex128 {
	l := Log(a)
	e := mul(b, l)
	r := Exp(e)
	x := real(e)
	if !isFinite(x) || !isFinite(imag(e)) || math.Abs(x) < 1 || math.Abs(x) > 700 {
		return r
	}
	// the rounding of x, times x, is lost in exp(x): the power of real numbers keeps it
	f := math.Pow(Abs(a), real(b)) * math.Exp(-imag(b)*imag(l))
	sin, cos := sincos(imag(e))
	if isFinite(f) && f != 0 {
		return complex(f*cos, f*sin)
	}
	return r
}
