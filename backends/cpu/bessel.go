package cpu

import "math"

// Note: modified Bessel functions. Small arguments have a power series, whose terms all have one sign; large ones the
// asymptotic expansion of Hankel (DLMF 10.40). Between them the second kind has Temme's continued fraction (N. Temme,
// "On the numerical evaluation of the modified Bessel function of the third kind", Journal of Computational Physics
// 19, 1975). The scaled forms, without the exponential, are the ones computed.

// besselI is exp(-|x|) times the modified Bessel function of the first kind of order n, which is 0 or 1.
func besselI(n int, x float64) float64 {
	a := math.Abs(x)
	sign := 1.0
	if n == 1 && x < 0 {
		sign = -1
	}
	if math.IsInf(a, 1) {
		return 0
	}
	v := float64(n)
	if a < 30 {
		t, sum, q := 1.0, 1.0, a*a/4
		if n == 1 {
			t, sum = a/2, a/2
		}
		for k := 1.0; t > sum*1e-17; k++ {
			t *= q / (k * (k + v))
			sum += t
		}
		return sign * sum * math.Exp(-a)
	}
	return sign * hankel(v, -8*a) / math.Sqrt(2*math.Pi*a)
}

// hankel is the sum Σ (4v²-1)(4v²-9)…(4v²-(2k-1)²) / (k! z^k) as far as its terms decrease.
func hankel(v, z float64) float64 {
	t, sum := 1.0, 1.0
	for k := 1.0; k < 60; k++ {
		next := t * (4*v*v - (2*k-1)*(2*k-1)) / (k * z)
		if math.Abs(next) >= math.Abs(t) || math.Abs(next) < 1e-17*math.Abs(sum) {
			break
		}
		t = next
		sum += t
	}
	return sum
}

func besselI0(x float64) float64 { return besselI(0, x) * math.Exp(math.Abs(x)) }

// besselK is exp(x) times the modified Bessel function of the second kind of order n, which is 0 or 1. At zero it is
// infinite; negative numbers have none.
func besselK(n int, x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(1)
	case !(x > 0):
		return math.NaN()
	case x <= 2:
		return math.Exp(x) * besselKSeries(n, x)
	case x > 1e8:
		return math.Sqrt(math.Pi / (2 * x))
	}
	// The continued fraction, by Steed's method, for K0, and K1 from what it leaves: the loop is that of Thompson and
	// Barnett (Computer Physics Communications 47, 1987) for order 0.
	b := 2 * (1 + x)
	d := 1 / b
	h, delta := d, d
	q1, q2, a1 := 0.0, 1.0, 0.25
	q, c, a := a1, a1, -a1
	s := 1 + q*delta
	for i := 2.0; i < 10000; i++ {
		a -= 2 * (i - 1)
		c = -a * c / i
		next := (q1 - b*q2) / a
		q1, q2 = q2, next
		q += c * next
		b += 2
		d = 1 / (b + a*d)
		delta *= b*d - 1
		h += delta
		step := q * delta
		s += step
		if math.Abs(step/s) < 1e-16 {
			break
		}
	}
	h *= a1
	k0 := math.Sqrt(math.Pi/(2*x)) / s
	if n == 0 {
		return k0
	}
	return k0 * (x + 0.5 - h) / x
}

// besselKSeries is the function itself for x up to 2, by its power series (DLMF 10.31).
func besselKSeries(n int, x float64) float64 {
	const euler = 0.57721566490153286060651209008240243
	q := x * x / 4
	if n == 0 {
		t, harmonic, i0, sum := 1.0, 0.0, 1.0, 0.0
		for k := 1.0; t > 1e-18; k++ {
			t *= q / (k * k)
			harmonic += 1 / k
			i0 += t
			sum += t * harmonic
		}
		return -(math.Log(x/2)+euler)*i0 + sum
	}
	// K1 = 1/x + log(x/2) I1 - x/4 Σ (ψ(k+1)+ψ(k+2)) q^k / (k! (k+1)!)
	t, low, high, i1, sum := 1.0, -euler, 1-euler, 0.0, 0.0
	for k := 1.0; t > 1e-18; k++ {
		i1 += t
		sum += t * (low + high)
		t *= q / (k * (k + 1))
		low += 1 / k
		high += 1 / (k + 1)
	}
	return 1/x + math.Log(x/2)*i1*x/2 - x/4*sum
}
