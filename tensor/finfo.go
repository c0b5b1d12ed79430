package tensor

import (
	"fmt"
	"math"
)

// FloatInfo are the limits of a floating point dtype, of the parts of a complex one.
type FloatInfo struct {
	Dtype      Dtype
	Bits       int     // of one number
	Eps        float64 // the distance from 1 to the next number
	Max, Min   float64 // the greatest number, and the least
	Tiny       float64 // the least positive normal number
	Resolution float64 // the decimal digits that every number keeps: 1e-06 for float32
}

// Finfo returns the limits of a floating point or complex dtype, as torch.finfo does; other dtypes are an error.
func Finfo(dt Dtype) FloatInfo {
	var digits, emax, bits int // of the significand, and of the exponent
	switch dt.ToReal() {
	case Float8E4m3fn: // has no infinities, so that its exponents go one further
		return FloatInfo{Dtype: dt, Bits: 8, Eps: 0x1p-3, Max: 448, Min: -448, Tiny: 0x1p-6, Resolution: 1}
	case Float8E5m2:
		digits, emax, bits = 3, 15, 8
	case Float64:
		digits, emax, bits = 53, 1023, 64
	case Float32:
		digits, emax, bits = 24, 127, 32
	case Float16:
		digits, emax, bits = 11, 15, 16
	case Bfloat16:
		digits, emax, bits = 8, 127, 16
	default:
		panic(Errorf("finfo", "expected a floating point dtype, got %s", dt).WithHint("Iinfo has those of integers"))
	}
	eps := math.Ldexp(1, 1-digits)
	most := math.Ldexp(2-eps, emax)
	return FloatInfo{Dtype: dt, Bits: bits, Eps: eps, Max: most, Min: -most, Tiny: math.Ldexp(1, 1-emax),
		Resolution: math.Pow(10, -math.Floor(float64(digits-1)*math.Log10(2)))}
}

// String is PyTorch's text.
func (f FloatInfo) String() string {
	g := func(v float64) string { return fmt.Sprintf("%.6g", v) }
	return fmt.Sprintf("finfo(resolution=%s, min=%s, max=%s, eps=%s, smallest_normal=%s, tiny=%s, dtype=%s)",
		g(f.Resolution), g(f.Min), g(f.Max), g(f.Eps), g(f.Tiny), g(f.Tiny), f.Dtype.ToReal())
}

// IntInfo are the limits of an integer dtype.
type IntInfo struct {
	Dtype Dtype
	Bits  int
	Max   uint64
	Min   int
}

// Iinfo returns the limits of an integer dtype, as torch.iinfo does; other dtypes are an error.
func Iinfo(dt Dtype) IntInfo {
	if !dt.IsIntegral() {
		panic(Errorf("iinfo", "expected an integer dtype, got %s", dt).WithHint("Finfo has those of floating point dtypes"))
	}
	bits := 8 * dt.Size()
	if dt == Uint8 || dt.isUnsigned() {
		return IntInfo{dt, bits, math.MaxUint64 >> (64 - bits), 0}
	}
	most := uint64(1)<<(bits-1) - 1
	return IntInfo{dt, bits, most, -int(most) - 1}
}

// String is PyTorch's text.
func (i IntInfo) String() string {
	return fmt.Sprintf("iinfo(min=%d, max=%d, dtype=%s)", i.Min, i.Max, i.Dtype)
}
