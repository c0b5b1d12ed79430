package tensor

import (
	"math"
)

// largest are the greatest finite numbers of floating point dtypes.
var largest = map[Dtype]float64{Float16: 65504, Bfloat16: 0x1.fep127, Float32: math.MaxFloat32,
	Float64:   math.MaxFloat64,
	Complex32: 65504, Complex64: math.MaxFloat32, Complex128: math.MaxFloat64, Float8E4m3fn: 448, Float8E5m2: 57344}

// holds reports whether dt has the number s, rounded: numbers with an imaginary part need a complex dtype, finite ones
// its range, and integers have neither NaN nor infinities. As in PyTorch uint8 takes negative numbers down to -255,
// and bool takes all.
func holds(dt Dtype, s Scalar) bool {
	if s.IsComplex() {
		z := s.Complex()
		if !dt.IsComplex() {
			return imag(z) == 0 && holds(dt, FloatScalar(real(z)))
		}
		return holds(dt, FloatScalar(real(z))) && holds(dt, FloatScalar(imag(z)))
	}
	switch {
	case dt == Bool:
		return true
	case dt == Uint8 && s.IsInt() && !s.IsBig():
		return s.Int() >= -math.MaxUint8 && s.Int() <= math.MaxUint8
	case dt.IsIntegral():
		return fits(dt, s)
	}
	f := math.Abs(s.Float())
	return math.IsInf(f, 1) || !(f > largest[dt])
}

// mustFit rejects argument i where it is a number that a tensor of dt, which it is written to, cannot hold.
func (c *Call) mustFit(i int, dt Dtype) {
	if s, ok := c.Scalar(i); ok && !holds(dt, s) {
		name := c.Op.Params[i].Name
		panic(Errorf(c.Name(), "value %v cannot be converted to %v without overflow", s.Any(), dt).OnArg(name))
	}
}
