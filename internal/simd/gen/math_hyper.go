package main

import "math"

// Inverse hyperbolic functions, and sums of logarithms.

// large is where x² + 1 is x² to the last place; beyond, the functions are log(2x).
const large = 0x1p28

// asinh is log(|x| + √(x²+1)) with the sign of x, by log1p, which keeps its digits near zero.
func asinh(e *expr, x *node, full bool) *node {
	a := e.abs(x)
	big := e.cmp(gt, a, e.c(large))
	z := e.mul(a, a)
	t := e.add(a, e.div(z, e.add(e.c(1), e.sqrt(e.add(z, e.c(1))))))
	t = e.sel(big, e.sub(a, e.c(1)), t)
	y := e.add(log1p(e, t, full), e.where(big, e.c(math.Ln2)))
	return e.copysign(y, x)
}

// acosh is log(x + √(x²-1)), by log1p of what is beyond 1.
func acosh(e *expr, x *node, full bool) *node {
	big := e.cmp(gt, x, e.c(large))
	t := e.sub(x, e.c(1))
	u := e.add(t, e.sqrt(e.mul(t, e.add(t, e.c(2)))))
	u = e.sel(big, t, u)
	y := e.add(log1p(e, u, full), e.where(big, e.c(math.Ln2)))
	return e.sel(e.cmp(nge, x, e.c(1)), e.c(math.NaN()), y)
}

// atanh is half of log((1+x)/(1-x)).
func atanh(e *expr, x *node, full bool) *node {
	a := e.abs(x)
	t := e.div(e.add(a, a), e.sub(e.c(1), a))
	return e.copysign(e.mul(e.c(0.5), log1p(e, t, full)), x)
}

// logAddExp is log(e^a + e^b): the greater one and the logarithm of one plus what the lesser adds.
func logAddExp(e *expr, a, b *node, full bool) *node {
	return logAdded(e, a, b, math.Ln2, func(d *node) *node { return logUnit(e, exp(e, d, full), full) })
}

// logAddExp2 is logAddExp for base 2.
func logAddExp2(e *expr, a, b *node, full bool) *node {
	return logAdded(e, a, b, 1, func(d *node) *node { return e.mul(logUnit(e, exp2(e, d, full), full), e.c(math.Log2E)) })
}

// logAdded is the greater of a and b and f of minus their distance; most is f(0), infinities have no distance.
func logAdded(e *expr, a, b *node, most float64, f func(d *node) *node) *node {
	y := e.add(e.max(a, b), f(e.neg(e.abs(e.sub(a, b)))))
	y = e.sel(e.cmp(eq, a, b), e.add(a, e.c(most)), y)
	return e.sel(e.cmp(uno, a, b), e.add(a, b), y)
}

// xlogy is x·log(y), 0 where x is and y is a number.
func xlogy(e *expr, x, y *node, full bool) *node {
	v := e.mul(x, log(e, y, 1, math.Ln2, ln2Lo, full))
	return e.sel(e.mand(e.cmp(eq, x, e.c(0)), e.cmp(ord, y, y)), e.c(0), v)
}

// logit is log(x / (1-x)), the quotient rounded as PyTorch rounds it.
func logit(e *expr, x *node, full bool) *node {
	return log(e, e.div(x, e.sub(e.c(1), x)), 1, math.Ln2, ln2Lo, full)
}

// sinc is sin(πx) / (πx), 1 at zero, the product rounded as PyTorch rounds it.
func sinc(e *expr, x *node, full bool) *node {
	t := e.mul(x, e.c(math.Pi))
	return e.sel(e.cmp(eq, x, e.c(0)), e.c(1), e.div(sine(e, t, 0, full), t))
}

// entropy is -x·log(x), 0 at zero.
func entropy(e *expr, x *node, full bool) *node {
	y := e.mul(e.neg(x), log(e, x, 1, math.Ln2, ln2Lo, full))
	y = e.sel(e.cmp(lt, x, e.c(0)), e.c(math.Inf(-1)), y)
	return e.sel(e.cmp(eq, x, e.c(0)), e.c(0), y)
}
