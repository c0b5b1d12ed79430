package cmath

import "math"

// Note: the inverse functions are computed as T. E. Hull, T. F. Fairgrieve and P. T. P. Tang do ("Implementing the
// complex arcsine and arccosine functions using exception handling", ACM Transactions on Mathematical Software 23,
// 1997): with r and s, the distances of z from i and -i, and a = (r+s)/2, asinh z has the real part log(a + √(a²-1))
// and the imaginary part asin(y/a). What cancels (a-1, a-y) is computed from differences that do not.

const (
	inverseEpsilon = 1 / epsilon
	smallInverse   = 0x1p-27 // below, z is the inverse function of z
)

// Asinh is the inverse of Sinh.
func Asinh(z complex128) complex128 {
	x, y := real(z), imag(z)
	ax, ay := math.Abs(x), math.Abs(y)
	switch {
	case (x != x || y != y) && math.IsInf(x, 0):
		return complex(x, nan)
	case (x != x || y != y) && math.IsInf(y, 0):
		return complex(math.Abs(y), nan)
	case x != x && y == 0:
		return complex(x, y)
	case x != x || y != y:
		return complex(nan, nan)
	case ax > inverseEpsilon || ay > inverseEpsilon:
		return complex(math.Copysign(logAbs(ax, ay)+ln2, x), atan2(y, ax))
	case ax < smallInverse && ay < smallInverse:
		return z
	}
	h := hullOf(ax, ay)
	return complex(math.Copysign(h.log, x), math.Copysign(h.asin(), y))
}

// Asin is the inverse of Sin.
func Asin(z complex128) complex128 { return swap(Asinh(swap(z))) }

// Acos is the inverse of Cos.
func Acos(z complex128) complex128 {
	x, y := real(z), imag(z)
	ax, ay := math.Abs(x), math.Abs(y)
	switch {
	case (x != x || y != y) && math.IsInf(x, 0):
		return complex(nan, math.Inf(-1))
	case (x != x || y != y) && math.IsInf(y, 0):
		return complex(nan, -y)
	case x == 0 && y != y:
		return complex(math.Pi/2, nan)
	case x != x || y != y:
		return complex(nan, nan)
	case ax > inverseEpsilon || ay > inverseEpsilon:
		return complex(math.Abs(atan2(y, x)), math.Copysign(logAbs(ax, ay)+ln2, -y))
	case x == 1 && y == 0:
		return complex(0, -y)
	case ax < smallInverse && ay < smallInverse:
		return complex(math.Pi/2-x, -y)
	}
	h := hullOf(ay, ax)
	return complex(h.acos(math.Signbit(x)), math.Copysign(h.log, -y))
}

// Acosh is the inverse of Cosh.
func Acosh(z complex128) complex128 {
	w := Acos(z)
	x, y := real(w), imag(w)
	switch {
	case x != x && y != y:
		return complex(nan, nan)
	case x != x:
		return complex(math.Abs(y), x)
	case y != y:
		return complex(nan, x)
	}
	return complex(math.Abs(y), math.Copysign(x, imag(z)))
}

// hull is what asinh (x+iy) is made of, for x and y that are not negative.
type hull struct {
	log  float64 // the real part
	y    float64 // the tangent of the imaginary part is y/root
	root float64
}

func (h hull) asin() float64 { return math.Atan2(h.y, h.root) }

// acos is the angle whose cosine is ±y/a.
func (h hull) acos(negative bool) float64 {
	if negative {
		return math.Atan2(h.root, -h.y)
	}
	return math.Atan2(h.root, h.y)
}

func hullOf(x, y float64) hull {
	r, s := math.Hypot(x, y+1), math.Hypot(x, y-1)
	a := max((r+s)/2, 1)
	h := hull{y: y}
	near := x < epsilon*math.Abs(y-1) // z is all but on the imaginary axis
	switch {
	case a >= 10:
		h.log = math.Log(a + math.Sqrt(a*a-1))
	case y == 1 && x < epsilon*epsilon/128:
		h.log = math.Sqrt(x)
	case !near:
		am1 := excess(x, 1+y, r) + excess(x, 1-y, s)
		h.log = math.Log1p(am1 + math.Sqrt(am1*(a+1)))
	case y < 1:
		h.log = x / math.Sqrt((1-y)*(1+y))
	default:
		h.log = math.Log1p((y - 1) + math.Sqrt((y-1)*(y+1)))
	}
	switch {
	case y < 0x1p-500:
		h.root = a
	case y == 1 && x < epsilon/128:
		h.root = math.Sqrt(x) * math.Sqrt((a+y)/2)
	case !near:
		h.root = math.Sqrt((excess(x, y+1, r) + excess(x, y-1, s)) * (a + y))
	case y > 1:
		h.root = x * y / math.Sqrt((y+1)*(y-1))
		if h.root < tiny {
			h.root, h.y = x*0x1p104*y/math.Sqrt((y+1)*(y-1)), y*0x1p104
		}
	default:
		h.root = math.Sqrt((1 - y) * (1 + y))
	}
	return h
}

// excess is half of hypot(a, b) - b, given the former.
func excess(a, b, hypot float64) float64 {
	switch {
	case b < 0:
		return (hypot - b) / 2
	case b == 0:
		return a / 2
	}
	return a * (a / (hypot + b)) / 2
}

// Atanh is the inverse of Tanh: its real part is log1p(4x/((1-x)²+y²))/4.
func Atanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	ax, ay := math.Abs(x), math.Abs(y)
	switch {
	case y == 0 && ax <= 1:
		return complex(math.Atanh(x), y)
	case x == 0:
		return complex(x, math.Atan(y))
	case (x != x || y != y) && math.IsInf(x, 0):
		return complex(math.Copysign(0, x), nan)
	case (x != x || y != y) && math.IsInf(y, 0):
		return complex(math.Copysign(0, x), math.Copysign(math.Pi/2, y))
	case x != x || y != y:
		return complex(nan, nan)
	case ax > inverseEpsilon || ay > inverseEpsilon:
		return complex(realOfInverse(x, y), math.Copysign(math.Pi/2, y))
	case ax < smallInverse && ay < smallInverse:
		return z
	}
	var re, im float64
	if ax == 1 && ay < epsilon {
		re = (ln2 - log(ay)) / 2
	} else {
		re = math.Log1p(4*ax/((ax-1)*(ax-1)+ay*ay)) / 4
	}
	switch {
	case ax == 1:
		im = math.Atan2(2, -ay) / 2
	case ay < epsilon:
		im = math.Atan2(2*ay, (1-ax)*(1+ax)) / 2
	default:
		im = math.Atan2(2*ay, (1-ax)*(1+ax)-ay*ay) / 2
	}
	return complex(math.Copysign(re, x), math.Copysign(im, y))
}

// Atan is the inverse of Tan.
func Atan(z complex128) complex128 { return swap(Atanh(swap(z))) }

// realOfInverse is the real part of 1/(x+iy).
func realOfInverse(x, y float64) float64 {
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return math.Copysign(0, x)
	}
	r := math.Hypot(x, y)
	return x / r / r
}
