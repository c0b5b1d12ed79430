package main

import (
	"math"
)

func init() { families["math"] = mathFunctions }

// Note: functions. Most are written for lanes of float64: with long polynomials for float64 itself, with short ones
// for float32, which is widened, computed to about 34 bits and rounded once. Those of float32 that are used most are
// written for lanes of float32 as well, where a vector has twice as many. Constants are split where a product must be
// exact.

// full reports whether the expression computes results in float64, rather than float32 in lanes of float64.
func (e *expr) pick(full bool, short, long []float64) []float64 {
	if full {
		return long
	}
	return short
}

// scale is p·2^k for an integral k; beyond the range of exponents it rounds once.
func (e *expr) scale(p, k *node) *node {
	if e.v.avx512 {
		return e.op2(e.by(VSCALEF[0], VSCALEF[1]), p, k)
	}
	half := e.round(e.mul(k, e.c(0.5)), down)
	return e.mul(e.mul(p, e.pow2(half)), e.pow2(e.sub(k, half)))
}

// pow2 is 2^k for an integral k that is the exponent of a normal number.
func (e *expr) pow2(k *node) *node {
	if e.lane == f32 {
		return e.iadd(e.shl(e.add(k, e.c(0x1.8p23)), 23), e.c(1))
	}
	return e.iadd(e.shl(e.add(k, e.c(0x1.8p52)), 52), e.c(1))
}

// split is one constant as two of the lanes' precision; the first has few bits, so that its products with small
// integers are exact.
func (e *expr) split(hi, lo float64) (*node, *node) {
	if e.lane == f32 {
		h := float64(float32(hi))
		return e.c(h), e.c(hi - h + lo)
	}
	return e.c(hi), e.c(lo)
}

// clampTo is x between lo and hi; NaN stays.
func (e *expr) clampTo(x *node, lo, hi float64) *node { return e.min(e.c(hi), e.max(e.c(lo), x)) }

const ln2Lo = 2.3190468138462996e-17 // log(2) - float64(log(2))

// reduceExp is x as k·log(2) + r with |r| ≤ log(2)/2.
func reduceExp(e *expr, x *node) (k, r *node) {
	k = e.round(e.mul(x, e.c(math.Log2E)), nearest)
	hi, lo := e.split(math.Ln2, ln2Lo)
	return k, e.fnma(k, lo, e.fnma(k, hi, x))
}

// exp is e^x.
func exp(e *expr, x *node, full bool) *node {
	if e.lane == f32 {
		k, r := reduceExp(e, e.clampTo(x, -105, 89))
		return e.scale(e.poly(r, exp32Poly...), k)
	}
	k, r := reduceExp(e, e.clampTo(x, -746, 710))
	return e.scale(e.poly2(r, e.pick(full, exp7Poly, expFullPoly)...), k)
}

// exp2 is 2^x.
func exp2(e *expr, x *node, full bool) *node {
	x = e.clampTo(x, -1076, 1025)
	k := e.round(x, nearest)
	r := e.mul(e.sub(x, k), e.c(math.Ln2))
	return e.scale(e.poly2(r, e.pick(full, exp7Poly, expFullPoly)...), k)
}

// expm1 is e^x - 1.
func expm1(e *expr, x *node, full bool) *node {
	least, most := -60.0, 710.0
	if e.lane == f32 { // about 1.6 units of the last place off above 0
		least, most = -20, 89
	}
	k, r := reduceExp(e, e.clampTo(x, least, most))
	p := e.fma(e.mul(r, r), e.poly2(r, e.pick(full, expm1ShortPoly, expm1FullPoly)...), r)
	// 2^k·p + 2^k - 1 in halves, as 2^1024 is no number
	s := e.pow2(e.sub(k, e.c(1)))
	y := e.fma(p, s, e.sub(s, e.c(0.5)))
	return e.sel(e.cmp(eq, k, e.c(0)), p, e.add(y, y))
}

// logParts is a positive x as 2^k·(1+f), 1+f between √½ and √2.
func logParts(e *expr, x *node) (k, f *node) {
	if e.lane == f32 {
		t := e.iadd(x, e.bits(0x3f800000-0x3f3504f3))
		k = e.sub(e.or(e.shr(t, 23), e.bits(0x4b000000)), e.c(0x1p23+127))
		m := e.iadd(e.and(t, e.bits(0x007fffff)), e.bits(0x3f3504f3))
		return k, e.sub(m, e.c(1))
	}
	t := e.iadd(x, e.bits(0x3ff0000000000000-0x3fe6a09e667f3bcd))
	k = e.sub(e.or(e.shr(t, 52), e.bits(0x4330000000000000)), e.c(0x1p52+1023))
	m := e.iadd(e.and(t, e.bits(0x000fffffffffffff)), e.bits(0x3fe6a09e667f3bcd))
	return k, e.sub(m, e.c(1))
}

// logSpecials is y but for what has no logarithm, the logarithm of x.
func logSpecials(e *expr, x, y *node) *node {
	y = e.sel(e.cmp(eq, x, e.c(0)), e.c(math.Inf(-1)), y)
	y = e.sel(e.cmp(nge, x, e.c(0)), e.c(math.NaN()), y)
	return e.sel(e.cmp(eq, x, e.c(math.Inf(1))), x, y)
}

// normal makes a subnormal x normal; shift is to be added to its exponent.
func normal(e *expr, x *node) (y, shift *node) {
	least, up := 0x1p-126, 0x1p24
	if e.lane == f64 {
		least, up = 0x1p-1022, 0x1p54
	}
	small := e.cmp(lt, x, e.c(least))
	return e.sel(small, e.mul(x, e.c(up)), x), e.where(small, e.c(-math.Log2(up)))
}

// logTail is log(1+f) - f.
func logTail(e *expr, f *node, full bool) *node {
	s := e.div(f, e.add(f, e.c(2)))
	z := e.mul(s, s)
	half := e.mul(e.mul(f, f), e.c(0.5))
	r := e.mul(z, e.poly2(z, e.pick(full, logShortPoly, logFullPoly)...))
	return e.sub(e.mul(s, e.add(half, r)), half)
}

// log32Tail is logTail in lanes of float32.
func log32Tail(e *expr, f *node) *node {
	f2 := e.mul(f, f)
	return e.fnma(f2, e.c(0.5), e.mul(e.mul(f2, f), e.poly(f, log32Poly...)))
}

// logKernel is log(x)·scale for a positive normal x, scale·log(2) being hi + lo.
func logKernel(e *expr, x, shift *node, scale, hi, lo float64, full bool) *node {
	k, f := logParts(e, x)
	if shift != nil {
		k = e.add(k, shift)
	}
	if e.lane == f32 {
		t := log32Tail(e, f)
		h, l := e.split(hi, lo)
		if scale == 1 {
			return e.fma(k, h, e.add(f, e.fma(k, l, t)))
		}
		sh, sl := e.split(scale, 0)
		low := e.fma(f, sl, e.mul(t, sh))
		if hi == 1 {
			return e.add(k, e.fma(f, sh, low))
		}
		return e.fma(k, h, e.fma(f, sh, e.fma(k, l, low)))
	}
	t := logTail(e, f, full)
	switch {
	case scale == 1:
		return e.fma(k, e.c(hi), e.add(f, e.fma(k, e.c(lo), t)))
	case hi == 1:
		return e.add(k, e.fma(f, e.c(scale), e.mul(t, e.c(scale))))
	}
	return e.fma(k, e.c(hi), e.fma(f, e.c(scale), e.fma(k, e.c(lo), e.mul(t, e.c(scale)))))
}

// log is the logarithm; exact is its scale and the logarithm of 2 under it, in two parts.
func log(e *expr, x *node, scale, hi, lo float64, full bool) *node {
	y, shift := x, (*node)(nil)
	if e.lane == f32 || full {
		y, shift = normal(e, x)
	}
	return logSpecials(e, x, logKernel(e, y, shift, scale, hi, lo, full))
}

// log1p is log(1+x): the logarithm of the rounded sum and a correction.
func log1p(e *expr, x *node, full bool) *node {
	one := e.c(1)
	u := e.add(x, one)
	rest := e.sub(x, e.sub(u, one))
	if e.lane == f32 { // of the greater one where x is that
		rest = e.sel(e.cmp(gt, x, one), e.sub(one, e.sub(u, x)), rest)
		k, f := logParts(e, u)
		h, l := e.split(math.Ln2, ln2Lo)
		low := e.add(log32Tail(e, f), e.div(rest, u))
		y := logSpecials(e, u, e.fma(k, h, e.add(f, e.fma(k, l, low))))
		return e.sel(e.cmp(eq, x, e.c(0)), x, y)
	}
	y := e.add(logKernel(e, u, nil, 1, math.Ln2, ln2Lo, full), e.div(rest, u))
	y = logSpecials(e, u, y)
	return e.sel(e.cmp(eq, x, e.c(0)), x, y)
}

// logUnit is log(1+t) for t in [0, 1].
func logUnit(e *expr, t *node, full bool) *node {
	s := e.div(t, e.add(t, e.c(2)))
	z := e.mul(s, s)
	p := e.poly2(z, e.pick(full, logUnitShortPoly, logUnitFullPoly)...)
	return e.fma(e.mul(s, z), p, e.add(s, s))
}

// tanh is expm1(2|x|) / (expm1(2|x|) + 2) with the sign of x.
func tanh(e *expr, x *node, full bool) *node {
	a := e.min(e.c(22), e.abs(x))
	t := expm1(e, e.add(a, a), full)
	return e.copysign(e.div(t, e.add(t, e.c(2))), x)
}

// sinh is (t + t/(t+1)) / 2 with t = expm1(|x|).
func sinh(e *expr, x *node, full bool) *node {
	a := e.abs(x)
	limit := 100.0
	if full {
		limit = 30
	}
	t := expm1(e, e.min(e.c(limit), a), full)
	y := e.mul(e.c(0.5), e.add(t, e.div(t, e.add(t, e.c(1)))))
	if full { // in halves: e^|x| may overflow where the result does not
		h := exp(e, e.mul(a, e.c(0.5)), full)
		y = e.sel(e.cmp(gt, a, e.c(30)), e.mul(e.mul(h, e.c(0.5)), h), y)
	}
	y = e.sel(e.cmp(uno, x, x), x, y)
	return e.copysign(y, x)
}

// cosh is (u + 1/u) / 2 with u = e^|x|.
func cosh(e *expr, x *node, full bool) *node {
	a := e.abs(x)
	u := exp(e, e.mul(a, e.c(0.5)), full)
	s := e.mul(u, u)
	if full {
		s = exp(e, e.min(e.c(30), a), full)
	}
	y := e.mul(e.c(0.5), e.add(s, e.div(e.c(1), s)))
	return e.sel(e.cmp(gt, a, e.c(30)), e.mul(e.mul(u, e.c(0.5)), u), y)
}

// sigmoid is 1 / (1 + e^-x), or e^x / (1 + e^x) below 0, where nothing overflows.
func sigmoid(e *expr, x *node, full bool) *node {
	t := exp(e, e.neg(e.abs(x)), full)
	return e.div(e.sel(e.cmp(lt, x, e.c(0)), t, e.c(1)), e.add(e.c(1), t))
}

// silu is x·sigmoid(x).
func silu(e *expr, x *node, full bool) *node {
	t := exp(e, e.neg(e.abs(x)), full)
	return e.div(e.sel(e.cmp(lt, x, e.c(0)), e.mul(x, t), x), e.add(e.c(1), t))
}

// softplus is log(1 + e^x).
func softplus(e *expr, x *node, full bool) *node {
	return e.add(e.max(e.c(0), x), logUnit(e, exp(e, e.neg(e.abs(x)), full), full))
}

// Parts of π/2 whose products with integers of 23 bits are exact.
const (
	pio2a = 1.5707963267341256e+00
	pio2b = 6.0771005063039660e-11
	pio2c = 2.0222662487959506e-21
	pio2h = 1.5707963267948966192 // as one number and a rest
	pio2l = 6.123233995736766e-17
)

// reduceTrig is x as q·π/2 + r, |r| ≤ π/4, and the bits of q. Vectors with a greater |x| end the kernel.
func reduceTrig(e *expr, x *node, full bool) (r, q *node) {
	limit := 0x1p27
	if full {
		limit = 0x1p20
	}
	if e.lane == f32 {
		limit = 8192
	}
	a := e.abs(x)
	e.bail(e.mand(e.cmp(gt, a, e.c(limit)), e.cmp(lt, a, e.c(math.Inf(1)))))
	magic := e.c(0x1.8p52)
	if e.lane == f32 {
		magic = e.c(0x1.8p23)
	}
	y := e.fma(x, e.c(2/math.Pi), magic)
	k := e.sub(y, magic)
	switch {
	case e.lane == f32: // three parts of 24 bits
		h := float64(float32(pio2h))
		m := float64(float32(pio2h - h))
		l := pio2h - h - m + pio2l
		r = e.fnma(k, e.c(l), e.fnma(k, e.c(m), e.fnma(k, e.c(h), x)))
	case full:
		r = e.fnma(k, e.c(pio2c), e.fnma(k, e.c(pio2b), e.fnma(k, e.c(pio2a), x)))
	default:
		r = e.fnma(k, e.c(pio2l), e.fnma(k, e.c(pio2h), x))
	}
	return r, y
}

// sinCos are sin(r) and cos(r) for |r| ≤ π/4.
func sinCos(e *expr, r *node, full bool) (sin, cos *node) {
	s, c := e.pick(full, sinShortPoly, sinFullPoly), e.pick(full, cosShortPoly, cosFullPoly)
	if e.lane == f32 {
		s, c = sin32Poly, cos32Poly
	}
	z := e.mul(r, r)
	sin = e.fma(e.mul(r, z), e.poly(z, s...), r)
	cos = e.fma(e.mul(z, z), e.poly(z, c...), e.fnma(z, e.c(0.5), e.c(1)))
	return sin, cos
}

// sine is the sine of x, or with turn 1 the cosine.
func sine(e *expr, x *node, turn uint64, full bool) *node {
	r, q := reduceTrig(e, x, full)
	sin, cos := sinCos(e, r, full)
	if turn != 0 {
		q = e.iadd(q, e.bits(turn))
	}
	top := uint64(8*e.lane.size - 1)
	sign := e.and(e.shl(q, top-1), e.signBit())
	odd := e.oddMask(q)
	y := e.xor(e.sel(odd, cos, sin), sign)
	if turn == 0 { // the sign of zero
		y = e.sel(e.cmp(eq, x, e.c(0)), x, y)
	}
	return y
}

// oddMask holds where an integer is odd.
func (e *expr) oddMask(q *node) *node {
	lane := elem{name: "int", size: e.lane.size, signed: true}
	was := e.lane
	e.lane = lane
	m := e.icmp(lt, e.shl(q, uint64(8*lane.size-1)), e.bits(0))
	e.lane = was
	return m
}

// tan is sin/cos, or -cos/sin where the quotient is odd.
func tan(e *expr, x *node, full bool) *node {
	r, q := reduceTrig(e, x, full)
	sin, cos := sinCos(e, r, full)
	odd := e.oddMask(q)
	y := e.div(e.sel(odd, e.neg(cos), sin), e.sel(odd, sin, cos))
	return e.sel(e.cmp(eq, x, e.c(0)), x, y)
}

// atanKernel is the arc tangent of a in [0, 1].
func atanKernel(e *expr, a *node, full bool) *node {
	z := e.mul(a, a)
	return e.fma(e.mul(a, z), e.poly2(z, e.pick(full, atanShortPoly, atanFullPoly)...), a)
}

// atan is the arc tangent: π/2 less that of 1/|x| beyond 1.
func atan(e *expr, x *node, full bool) *node {
	a := e.abs(x)
	big := e.cmp(gt, a, e.c(1))
	y := atanKernel(e, e.sel(big, e.div(e.c(1), a), a), full)
	return e.copysign(e.sel(big, e.sub(e.c(pio2h), e.sub(y, e.c(pio2l))), y), x)
}

// atan2 is the angle of the point (x, y).
func atan2(e *expr, y, x *node, full bool) *node {
	ay, ax := e.abs(y), e.abs(x)
	inf := e.c(math.Inf(1))
	swap := e.cmp(gt, ay, ax)
	num, den := e.sel(swap, ax, ay), e.sel(swap, ay, ax)
	q := e.div(num, den)
	q = e.where(e.cmp(12, num, e.c(0)), q) // 0/0 is 0
	q = e.sel(e.mand(e.cmp(eq, ax, inf), e.cmp(eq, ay, inf)), e.c(1), q)
	t := atanKernel(e, q, full)
	t = e.sel(swap, e.sub(e.c(pio2h), e.sub(t, e.c(pio2l))), t)
	t = e.sel(e.signMask(x), e.sub(e.c(math.Pi), e.sub(t, e.c(2*pio2l))), t)
	t = e.copysign(t, y)
	return e.sel(e.cmp(uno, x, y), e.add(x, y), t)
}

// signMask holds where the sign bit is set.
func (e *expr) signMask(x *node) *node {
	was := e.lane
	e.lane = elem{name: "int", size: was.size, signed: true}
	m := e.icmp(lt, x, e.bits(0))
	e.lane = was
	return m
}

// asinParts is asin(|x|) as small for |x| ≤ ½ and as π/2 - 2·tail beyond.
func asinParts(e *expr, x *node, full bool) (big, t *node) {
	a := e.abs(x)
	big = e.cmp(gt, a, e.c(0.5))
	w := e.mul(e.sub(e.c(1), a), e.c(0.5))
	z := e.sel(big, w, e.mul(a, a))
	s := e.sel(big, e.sqrt(w), a)
	return big, e.fma(e.mul(s, z), e.poly2(z, e.pick(full, asinShortPoly, asinFullPoly)...), s)
}

func asin(e *expr, x *node, full bool) *node {
	big, t := asinParts(e, x, full)
	y := e.sel(big, e.sub(e.c(pio2h), e.sub(e.add(t, t), e.c(pio2l))), t)
	return e.copysign(y, x)
}

func acos(e *expr, x *node, full bool) *node {
	big, t := asinParts(e, x, full)
	two := e.add(t, t)
	minus := e.signMask(x)
	wide := e.sel(minus, e.sub(e.c(math.Pi), e.sub(two, e.c(2*pio2l))), two)
	mid := e.sub(e.c(pio2h), e.sub(e.xor(t, e.and(x, e.signBit())), e.c(pio2l)))
	return e.sel(big, wide, mid)
}

// erfcPositive is erfc(z) for z ≥ 0; square and rest are z², rest being what rounding took from square where that
// matters.
func erfcPositive(e *expr, z, square, rest *node, full bool) *node {
	t := e.div(e.c(1), e.fma(z, e.c(0.4), e.c(1)))
	p, mid := e.pick(full, erfcShortPoly, erfcFullPoly), 0.6
	switch {
	case e.lane == f32:
		p = erfc32Poly
	case full:
		mid = 0.55
	}
	q := e.mul(t, e.poly2(e.sub(t, e.c(mid)), p...))
	y := e.mul(q, exp(e, e.neg(square), full))
	if rest != nil {
		y = e.fnma(rest, y, y)
	}
	return y
}

// erfcOf is erfc(a) for a ≥ 0.
func erfcOf(e *expr, a *node, full bool) *node {
	limit := 10.6
	if full {
		limit = 27.3
	}
	z := e.min(e.c(limit), a)
	square, rest := e.mul(z, z), (*node)(nil)
	if e.lane == f32 || full {
		rest = e.fms(z, z, square)
	}
	return erfcPositive(e, z, square, rest, full)
}

// erf is x·P(x²) to 1, 1 - erfc(|x|) beyond.
func erf(e *expr, x *node, full bool) *node {
	a := e.abs(x)
	z := e.mul(x, x)
	poly := e.pick(full, erfSmallPoly, erfSmallFullPoly)
	first, rest := e.split(poly[0], 0)
	small := e.fma(x, first, e.mul(x, e.fma(z, e.poly(z, poly[1:]...), rest)))
	y := e.copysign(e.sub(e.c(1), erfcOf(e, a, full)), x)
	return e.sel(e.cmp(nge, a, e.c(1)), small, y)
}

// erfc keeps its digits where it is small.
func erfc(e *expr, x *node, full bool) *node {
	a := e.abs(x)
	y := erfcOf(e, a, full)
	y = e.sel(e.cmp(lt, x, e.c(0)), e.sub(e.c(2), y), y)
	return e.sel(e.cmp(uno, x, x), x, y)
}

// gelu is x·Φ(x), with Φ(x) = erfc(-x/√2)/2.
func gelu(e *expr, x *node, full bool) *node {
	limit := 14.9
	if full {
		limit = 38.6
	}
	a := e.min(e.c(limit), e.abs(x))
	h := e.mul(a, a)
	half := e.mul(e.c(0.5), erfcPositive(e, e.mul(a, e.c(math.Sqrt2/2)), e.mul(e.c(0.5), h), e.mul(e.c(0.5), e.fms(a, a, h)), full))
	return e.mul(x, e.sel(e.cmp(gt, x, e.c(0)), e.sub(e.c(1), half), half))
}

// geluTanh is x·sigmoid(2√(2/π)·(x + 0.044715x³)), which is the approximation by tanh.
func geluTanh(e *expr, x *node, full bool) *node {
	c := 2 * math.Sqrt2 / math.SqrtPi
	u := e.mul(x, e.fma(e.mul(x, x), e.c(0.044715*c), e.c(c)))
	return e.div(x, e.add(e.c(1), exp(e, e.neg(u), full)))
}

// elu is scale·x above 0, alpha·expm1(inner·x) below: parameters alpha·scale, scale and inner.
func elu(e *expr, x *node, full bool) *node {
	y := e.mul(e.param(0), expm1(e, e.mul(x, e.param(2)), full))
	return e.sel(e.cmp(gt, x, e.c(0)), e.mul(x, e.param(1)), y)
}
