package cpu

import "math"

// polygamma is the n-th derivative of digamma for n > 1: (-1)^(n+1) n! ζ(n+1, x).
func polygamma(n int) func(x float64) float64 {
	factor := math.Gamma(float64(n) + 1)
	if n%2 == 0 {
		factor = -factor
	}
	return func(x float64) float64 { return factor * zeta(n+1, x) }
}

// bernoulli are the numbers B(2j) / (2j)!.
var bernoulli = [...]float64{1. / 12, -1. / 720, 1. / 30240, -1. / 1209600, 1. / 47900160, -691. / 1307674368000,
	1. / 74724249600,
	-3617. / 10670622842880000, 43867. / 5109094217170944000}

// zeta is the Hurwitz zeta function, the sum of (k+q)^-s for k ≥ 0: the first terms, and the rest by the formula of
// Euler and Maclaurin.
func zeta(s int, q float64) float64 {
	if q <= 0 && q == math.Floor(q) {
		return math.Inf(1)
	}
	sum := 0.0
	for ; q < 12; q++ {
		sum += power(1/q, s)
	}
	b, x := power(1/q, s), float64(s)
	sum += b*q/(x-1) + b/2
	f, square := x*b/q, q*q
	for _, c := range bernoulli {
		sum += f * c
		f *= (x + 1) * (x + 2) / square
		x += 2
	}
	return sum
}

// power is x^n.
func power(x float64, n int) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			y *= x
		}
		x *= x
	}
	return y
}
