package main

import "math"

// The gamma function's logarithm and its derivatives, and Bessel functions.

// lgamma is a polynomial to 3 and Stirling's series beyond, and in float64 another polynomial between. Below 1 it is
// stepped up by the logarithm, below 0 reflected.
func lgamma(e *expr, x *node, full bool) *node {
	a := e.abs(x)
	low := e.cmp(lt, a, e.c(1))
	t := e.sel(low, e.sub(a, e.c(1)), e.sub(e.min(e.c(3), a), e.c(2)))
	y := e.mul(e.mul(t, e.add(t, e.c(1))), e.poly2(t, e.pick(full, lgammaMidShortPoly, lgammaMidFullPoly)...))
	ln := log(e, a, 1, math.Ln2, ln2Lo, full)
	from := 3.0
	if full {
		from = 8
		y = e.when(e.mand(e.cmp(ge, a, e.c(3)), e.cmp(lt, a, e.c(from))), y, func() *node {
			return e.poly2(e.sub(a, e.c(5.5)), lgammaHighPoly...)
		})
	}
	y = e.when(e.cmp(ge, a, e.c(from)), y, func() *node {
		inv := e.div(e.c(1), a)
		series := e.mul(inv, e.poly(e.mul(inv, inv), e.pick(full, stirlingShortPoly, stirlingFullPoly)...))
		const rest = 0.41893853320467274178 // (log(2π) - 1) / 2
		return e.fma(e.sub(a, e.c(0.5)), e.sub(ln, e.c(1)), e.add(series, e.c(rest)))
	})
	positive := e.sub(y, e.where(low, ln))
	positive = e.sel(e.cmp(uno, x, x), x, positive)
	return e.when(e.cmp(lt, x, e.c(0)), positive, func() *node {
		r := e.sub(a, e.round(a, nearest))
		s := e.mul(e.abs(r), e.mul(e.poly(e.mul(r, r), e.pick(full, sinpiShortPoly, sinpiFullPoly)...), e.c(1/math.Pi)))
		z := e.neg(e.add(e.add(log(e, s, 1, math.Ln2, ln2Lo, full), y), e.sel(e.cmp(lt, a, e.c(1)), e.c(0), ln)))
		inf := e.c(math.Inf(1))
		return e.sel(e.mor(e.cmp(eq, r, e.c(0)), e.cmp(eq, a, inf)), inf, z) // at whole numbers
	})
}

// digamma is an asymptotic series from 8 or 10 on. Below, arguments are stepped up: what the steps take away is the
// derivative of a product by the product. Below 0 they are reflected.
func digamma(e *expr, x *node, full bool) *node {
	from := 8
	if full {
		from = 10
	}
	minus := e.cmp(lt, x, e.c(0))
	a := e.sel(minus, e.sub(e.c(1), x), x)
	small := e.cmp(lt, a, e.c(float64(from)))
	y := e.sel(small, e.add(a, e.c(float64(from))), a)
	inv := e.div(e.c(1), y)
	w := e.mul(inv, inv)
	v := e.sub(log(e, y, 1, math.Ln2, ln2Lo, full), e.fma(inv, e.c(0.5), e.mul(w, e.poly(w, e.pick(full, digammaShortPoly, digammaFullPoly)...))))
	v = e.when(small, v, func() *node {
		product, slope := a, e.c(1)
		for i := 1; i < from; i++ {
			q := e.add(a, e.c(float64(i)))
			slope = e.fma(slope, q, product)
			product = e.mul(product, q)
		}
		return e.sub(v, e.div(slope, product))
	})
	return e.when(minus, v, func() *node {
		r := e.sub(x, e.round(x, nearest))
		z := e.mul(r, r)
		cos := e.mul(e.fnma(z, e.c(4), e.c(1)), e.poly(z, e.pick(full, cospiShortPoly, cospiFullPoly)...))
		sin := e.mul(r, e.poly(z, e.pick(full, sinpiShortPoly, sinpiFullPoly)...))
		reflected := e.sub(v, e.div(e.mul(e.c(math.Pi), cos), sin))
		return e.sel(e.cmp(eq, r, e.c(0)), e.c(math.NaN()), reflected)
	})
}

// trigamma is the derivative of digamma, by the steps of its Go form.
func trigamma(e *expr, x *node, full bool) *node {
	one, pi := e.c(1), math.Pi
	minus := e.cmp(lt, x, e.c(0.5))
	sum := e.when(minus, e.c(0), func() *node {
		s := sine(e, e.mul(x, e.c(pi)), 0, full)
		if e.lane == f32 {
			pi = float64(float32(pi))
		}
		return e.div(e.neg(e.mul(e.c(pi), e.c(pi))), e.mul(s, s))
	})
	y := e.sel(minus, e.sub(one, x), x)
	for range 6 {
		sum = e.add(sum, e.div(one, e.mul(y, y)))
		y = e.add(y, one)
	}
	r := e.div(one, e.mul(y, y))
	series := e.mul(r, e.sub(e.c(1.0/6), e.mul(r, e.sub(e.c(1.0/30), e.mul(r, e.c(1.0/42))))))
	series = e.add(e.add(one, e.div(one, e.add(y, y))), series)
	sum = e.add(sum, e.div(series, y))
	return e.xor(sum, e.where(minus, e.signBit()))
}

// bessel is the modified Bessel function of the first kind and order 0 or 1 for float32: e^|x| times a polynomial.
func bessel(order int) func(e *expr, x *node) *node {
	small, large := i0SmallPoly, i0LargePoly
	if order == 1 {
		small, large = i1SmallPoly, i1LargePoly
	}
	return func(e *expr, x *node) *node {
		a := e.min(e.c(100), e.abs(x)) // beyond, the result is infinite
		y := e.poly2(e.sub(e.min(e.c(8), a), e.c(4)), small...)
		if order == 1 {
			y = e.mul(y, a)
		}
		y = e.when(e.cmp(gt, a, e.c(8)), y, func() *node {
			u := e.div(e.c(1), a)
			return e.mul(e.poly2(u, large...), e.sqrt(u))
		})
		y = e.add(e.mul(y, exp(e, a, false)), e.sub(x, x)) // PyTorch has no value at the infinities
		if order == 1 {
			y = e.copysign(y, x)
		}
		return y
	}
}
