package main

import "math"

// pow is a^b: e to the power of b·log|a|, with the sign of a where b is odd.
func pow(e *expr, a, b *node, full bool) *node {
	x := e.abs(a)
	var y *node
	if full {
		y = powPositive(e, x, b)
	} else {
		y = exp(e, e.mul(b, log(e, x, 1, math.Ln2, ln2Lo, false)), false)
	}
	one, inf := e.c(1), e.c(math.Inf(1))
	whole := e.cmp(eq, e.round(b, towardZero), b)
	h := e.mul(b, e.c(0.5))
	odd := e.mand(whole, e.cmp(ne, e.round(h, towardZero), h))
	y = e.sel(e.mand(e.cmp(eq, x, one), e.cmp(eq, e.abs(b), inf)), one, y)
	bad := e.mand(e.mand(e.cmp(lt, a, e.c(0)), e.mnot(whole)), e.cmp(lt, x, inf))
	y = e.sel(bad, e.c(math.NaN()), y)
	y = e.sel(e.mand(odd, e.signMask(a)), e.neg(y), y)
	y = e.sel(e.cmp(uno, a, b), e.add(a, b), y)
	return e.sel(e.mor(e.cmp(eq, a, one), e.cmp(eq, b, e.c(0))), one, y)
}

// powPositive is x^b for float64: the logarithm is computed to about 65 bits, as a sum of two numbers, since b may
// shift its last places to the front of the result. x is positive or zero, or infinite.
func powPositive(e *expr, x, b *node) *node {
	hi, lo := logPair(e, x)
	p := e.mul(b, hi)
	low := e.fma(b, lo, e.fms(b, hi, p))
	// where p is out of range, so is the result, and low is no number
	fits := e.cmp(lt, e.abs(p), e.c(750))
	low = e.where(fits, low)
	p = e.clampTo(p, -746, 710)
	k := e.round(e.mul(p, e.c(math.Log2E)), nearest)
	r := e.add(e.fnma(k, e.c(ln2Lo), e.fnma(k, e.c(math.Ln2), p)), low)
	y := e.scale(e.poly2(r, expFullPoly...), k)
	// 0 and infinity have no logarithm that multiplies
	inf := e.c(math.Inf(1))
	edge := e.mor(e.cmp(eq, x, e.c(0)), e.cmp(eq, x, inf))
	grows := e.mxor(e.cmp(eq, x, e.c(0)), e.cmp(gt, b, e.c(0)))
	return e.sel(edge, e.where(grows, inf), y)
}

// logPair is the logarithm of a positive x as the sum of two numbers: 2s + s³·(⅔ + s²·Q(s²)) + k·log(2) with s =
// f/(2+f).
func logPair(e *expr, x *node) (hi, lo *node) {
	y, shift := normal(e, x)
	k, f := logParts(e, y)
	k = e.add(k, shift)
	m := e.add(f, e.c(1))
	den := e.add(m, e.c(1))
	denLo := e.sub(e.c(1), e.sub(den, m))
	inv := e.div(e.c(1), den)
	s := e.mul(f, inv)
	sLo := e.mul(e.fnma(s, denLo, e.fnma(s, den, f)), inv)
	z := e.mul(s, s)
	zLo := e.fma(e.add(s, s), sLo, e.fms(s, s, z))
	// w = ⅔ + z·Q(z)
	const third2, third2Lo = 2.0 / 3, 3.700743415417188e-17
	q := e.mul(z, e.poly2(z, logPairPoly...))
	w := e.add(q, e.c(third2))
	wLo := e.add(e.sub(q, e.sub(w, e.c(third2))), e.c(third2Lo))
	p := e.mul(z, w)
	pLo := e.fma(z, wLo, e.fma(zLo, w, e.fms(z, w, p)))
	t := e.mul(s, p)
	tLo := e.fma(s, pLo, e.fma(sLo, p, e.fms(s, p, t)))
	// k·log(2) has no more than 53 bits in its greater part
	const l2, l2Lo = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45
	kl := e.mul(k, e.c(l2))
	twice := e.add(s, s)
	h := e.add(kl, twice)
	rest := e.sub(twice, e.sub(h, kl))
	hi = e.add(h, t)
	rest = e.add(rest, e.sub(t, e.sub(hi, h)))
	lo = e.add(rest, e.fma(k, e.c(l2Lo), e.fma(sLo, e.c(2), tLo)))
	return hi, lo
}

// hypot is the length of (x, y). Numbers whose squares are out of range are scaled by a power of two.
func hypot(e *expr, x, y *node, full bool) *node {
	inf := e.c(math.Inf(1))
	ax, ay := e.abs(x), e.abs(y)
	infinite := e.mor(e.cmp(eq, ax, inf), e.cmp(eq, ay, inf))
	if !full {
		return e.sel(infinite, inf, e.sqrt(e.fma(x, x, e.mul(y, y))))
	}
	most := e.max(ax, ay)
	up, down := e.c(0x1p600), e.c(0x1p-600)
	large, small := e.cmp(gt, most, e.c(0x1p500)), e.cmp(lt, most, e.c(0x1p-450))
	scale := e.sel(large, down, e.sel(small, up, e.c(1)))
	back := e.sel(large, up, e.sel(small, down, e.c(1)))
	ax, ay = e.mul(ax, scale), e.mul(ay, scale)
	return e.sel(infinite, inf, e.mul(e.sqrt(e.fma(ax, ax, e.mul(ay, ay))), back))
}
