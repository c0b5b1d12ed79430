package cmath

import "math"

// large is where functions go from sinh and cosh to powers of e, below their overflow.
const large = 709

// timesExp is v·exp(x), which may be finite where exp(x) is not.
func timesExp(v, x float64) float64 {
	if v == 0 {
		return v
	}
	for i := 0; i < 3 && x > large; i++ {
		v *= 0x1p1022 // e to the power of 1022 ln 2
		x -= 1022 * ln2
	}
	return v * math.Exp(x)
}

// Exp is e to the power of z.
func Exp(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return complex(math.Exp(x), y)
	case isFinite(y):
		sin, cos := sincos(y)
		switch {
		case math.IsInf(x, 1):
			return complex(math.Copysign(x, cos), math.Copysign(x, sin))
		case math.IsInf(x, -1):
			return complex(math.Copysign(0, cos), math.Copysign(0, sin))
		}
		return complex(timesExp(cos, x), timesExp(sin, x))
	case math.IsInf(x, 1):
		return complex(x, nan)
	case math.IsInf(x, -1):
		return complex(0, math.Copysign(0, y))
	}
	return complex(nan, nan)
}

// Sinh is the hyperbolic sine.
func Sinh(z complex128) complex128 {
	x, y := real(z), imag(z)
	ax := math.Abs(x)
	switch {
	case x != x && y == 0:
		return complex(x, y)
	case x != x:
		return complex(x, nan)
	case isFinite(y):
		sin, cos := sincos(y)
		cos *= math.Copysign(1, x)
		switch {
		case math.IsInf(x, 0) && y == 0:
			return complex(x, y)
		case math.IsInf(x, 0):
			return complex(math.Copysign(ax, cos), math.Copysign(ax, sin))
		case ax > large:
			return complex(timesExp(cos/2, ax), timesExp(sin/2, ax))
		}
		return complex(math.Sinh(ax)*cos, math.Cosh(ax)*sin)
	case x == 0:
		return complex(x, nan)
	case math.IsInf(x, 0):
		return complex(ax, nan)
	}
	return complex(nan, nan)
}

// Cosh is the hyperbolic cosine.
func Cosh(z complex128) complex128 {
	x, y := real(z), imag(z)
	ax := math.Abs(x)
	switch {
	case x != x && y == 0:
		return complex(x, y)
	case x != x:
		return complex(x, nan)
	case isFinite(y):
		sin, cos := sincos(y)
		sin *= math.Copysign(1, x)
		switch {
		case math.IsInf(x, 0) && y == 0:
			return complex(ax, sin)
		case math.IsInf(x, 0):
			return complex(math.Copysign(ax, cos), math.Copysign(ax, sin))
		case ax > large:
			return complex(timesExp(cos/2, ax), timesExp(sin/2, ax))
		}
		return complex(math.Cosh(ax)*cos, math.Sinh(ax)*sin)
	case x == 0:
		return complex(nan, 0)
	case math.IsInf(x, 0):
		return complex(ax, nan)
	}
	return complex(nan, nan)
}

// Tanh is the hyperbolic tangent.
func Tanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	ax := math.Abs(x)
	switch {
	case math.IsInf(x, 0) && isFinite(y) && math.Abs(y) > 1:
		sin, cos := sincos(y)
		return complex(math.Copysign(1, x), math.Copysign(0, sin*cos))
	case math.IsInf(x, 0):
		return complex(math.Copysign(1, x), math.Copysign(0, y))
	case y == 0:
		return complex(math.Tanh(x), y)
	case x == 0 && !isFinite(y):
		return complex(x, nan)
	case x != x || !isFinite(y):
		return complex(nan, nan)
	}
	sin, cos := sincos(y)
	if ax > 22 { // the real part is 1 to the last bit
		return complex(math.Copysign(1, x), 4*sin*cos*math.Exp(-ax)*math.Exp(-ax))
	}
	sinh, cosh := math.Sinh(x), math.Cosh(x)
	d := sinh*sinh + cos*cos
	return complex(sinh*cosh/d, sin*cos/d)
}

func swap(z complex128) complex128 { return complex(imag(z), real(z)) }

// Sin is the sine.
func Sin(z complex128) complex128 { return swap(Sinh(swap(z))) }

// Cos is the cosine.
func Cos(z complex128) complex128 { return Cosh(complex(-imag(z), real(z))) }

// Tan is the tangent.
func Tan(z complex128) complex128 { return swap(Tanh(swap(z))) }
