package cpu

import (
	"math"
	"unsafe"

	"gotorch/tensor"
)

// Note: orthogonal polynomials. Each has its values of degree 0 and 1 and a recurrence of three terms (DLMF 18.9). The
// Chebyshev polynomials have closed forms inside of their interval, by cosines of multiples of an angle, which are
// used from some degree on, and values at its ends.

// recurrence says how a family goes on.
type recurrence[T float] struct {
	first func(x T) T                  // degree 1; degree 0 is 1
	next  func(x, p, q T, k float64) T // degree k+1 from degrees k-1 (p) and k (q)
	known func(x T, n int) (T, bool)   // values that are not computed by steps, nil for none
	shift bool                         // the argument is 2x - 1
}

// value is the polynomial of degree n, cut to a whole number, at x.
func (r *recurrence[T]) value(x, degree T) T {
	if !(degree > -1) { // a degree that is no number too
		return 0
	}
	if math.IsInf(float64(degree), 1) {
		return T(math.NaN())
	}
	n := int(degree)
	if r.shift {
		x = T(x+x) - 1
	}
	if r.known != nil {
		if v, ok := r.known(x, n); ok {
			return v
		}
	}
	if n == 0 {
		return 1
	}
	p, q := T(1), r.first(x)
	for k := 1; k < n && q == q; k++ {
		p, q = q, r.next(x, p, q, float64(k))
	}
	return q
}

// chebyshev is the family whose degree 1 is 2x + c, or x for the first kind.
func chebyshev[T float](first func(x T) T, known func(x T, n int) (T, bool), shift bool) *recurrence[T] {
	return &recurrence[T]{first, func(x, p, q T, _ float64) T { return T((x+x)*q) - p }, known, shift}
}

// sign is v, for odd n and negative x with the other sign.
func parity[T float](v, x T, n int) T {
	if x < 0 && n%2 != 0 {
		return -v
	}
	return v
}

// The values of Chebyshev polynomials at the ends of their interval, and inside of it for degrees above from.

func knownT[T float](from int) func(x T, n int) (T, bool) {
	return func(x T, n int) (T, bool) {
		switch a := T(math.Abs(float64(x))); {
		case a == 1:
			return parity(1, x, n), true
		case n > from && a < 1:
			return cosOf(T(n) * acosOf(x)), true
		}
		return 0, false
	}
}

func knownU[T float](from int) func(x T, n int) (T, bool) {
	return func(x T, n int) (T, bool) {
		switch a := T(math.Abs(float64(x))); {
		case a == 1:
			return parity(T(n+1), x, n), true
		case n > from && a < 1:
			t := acosOf(x)
			if s := sinOf(t); s != 0 {
				return sinOf(T(n+1)*t) / s, true
			}
			return T(n+1) * cosOf(T(n+1)*t) / x, true
		}
		return 0, false
	}
}

func knownV[T float](from int) func(x T, n int) (T, bool) {
	return func(x T, n int) (T, bool) {
		switch a := T(math.Abs(float64(x))); {
		case a == 1 && x > 0:
			return 1, true
		case a == 1:
			return parity(T(n+n+1), x, n), true
		case n > from && a < 1:
			t := acosOf(x)
			if s := sinOf(t / 2); s != 1 {
				return cosOf((T(n)+0.5)*t) / cosOf(t/2), true
			}
			return parity(T(n+n+1), -1, n), true
		}
		return 0, false
	}
}

func knownW[T float](from int) func(x T, n int) (T, bool) {
	return func(x T, n int) (T, bool) {
		switch a := T(math.Abs(float64(x))); {
		case a == 1 && x > 0:
			return T(n + n + 1), true
		case a == 1:
			return parity(1, x, n), true
		case n > from && a < 1:
			t := acosOf(x)
			if c := cosOf(t / 2); c != 1 {
				return sinOf((T(n)+0.5)*t) / sinOf(t/2), true
			}
			if x > 0 {
				return T(n + n + 1), true
			}
			return parity(1, x, n), true
		}
		return 0, false
	}
}

// fused is x·y - z, rounded once.
func fused[T float](x, y, z T) T {
	if unsafe.Sizeof(x) == 4 {
		return T(float64(x)*float64(y) - float64(z)) // the product is exact
	}
	return T(math.FMA(float64(x), float64(y), -float64(z)))
}

func cosOf[T float](x T) T  { return T(math.Cos(float64(x))) }
func sinOf[T float](x T) T  { return T(math.Sin(float64(x))) }
func acosOf[T float](x T) T { return T(math.Acos(float64(x))) }

// families lists the polynomials by name.
func families[T float]() map[string]*recurrence[T] {
	x1 := func(x T) T { return x }
	x2 := func(x T) T { return x + x }
	minus := func(x T) T { return T(x+x) - 1 }
	plus := func(x T) T { return T(x+x) + 1 }
	ends := func(x T, n int) (T, bool) {
		if x == 1 || x == -1 {
			return parity(1, x, n), true
		}
		return 0, false
	}
	return map[string]*recurrence[T]{
		"chebyshev_polynomial_t":         chebyshev(x1, knownT[T](6), false),
		"chebyshev_polynomial_u":         chebyshev(x2, knownU[T](8), false),
		"chebyshev_polynomial_v":         chebyshev(minus, knownV[T](8), false),
		"chebyshev_polynomial_w":         chebyshev(plus, knownW[T](8), false),
		"shifted_chebyshev_polynomial_t": chebyshev(x1, knownT[T](6), true),
		"shifted_chebyshev_polynomial_u": chebyshev(x2, knownU[T](6), true),
		"shifted_chebyshev_polynomial_v": chebyshev(minus, knownV[T](6), true),
		"shifted_chebyshev_polynomial_w": chebyshev(plus, knownW[T](4), true),
		"hermite_polynomial_h": {first: x2,
			next: func(x, p, q T, k float64) T { return fused(x+x, q, T(T(k+k)*p)) }},
		"hermite_polynomial_he": {first: x1, next: func(x, p, q T, k float64) T { return fused(x, q, T(T(k)*p)) }},
		"laguerre_polynomial_l": {first: func(x T) T { return 1 - x }, next: func(x, p, q T, k float64) T {
			return (T((T(k+k)+(1-x))*q) - T(T(k)*p)) / T(k+1)
		}},
		"legendre_polynomial_p": {first: x1, known: ends, next: func(x, p, q T, k float64) T {
			return (T(T(T(k+k+1)*x)*q) - T(T(k)*p)) / T(k+1)
		}},
	}
}

func init() {
	polynomials[float32]()
	polynomials[float64]()
}

func polynomials[T interface {
	float
	tensor.Element
}]() {
	d := tensor.DtypeOf[T]()
	for name, r := range families[T]() {
		f := func(dst, x, n []T) {
			for i := range dst {
				dst[i] = r.value(x[i], n[i])
			}
		}
		define("special."+name, []tensor.Dtype{d}, &pointwise{out: d, in: [maxInputs]tensor.Dtype{d, d},
			cost: 2 * goCost, loop: loop2(f)})
	}
}
