package tensor

import "math"

// F8E4M3FN is PyTorch's float8_e4m3fn: a sign, 4 bits of exponent, 3 of fraction. It has no infinities: all bits of
// exponent and fraction set are NaN, and the greatest number is 448.
//
//gotorch:internal
type F8E4M3FN uint8

// F8E5M2 is PyTorch's float8_e5m2: a sign, 5 bits of exponent, 2 of fraction, with infinities and NaN as IEEE 754 has
// them. It is the upper half of a float16.
//
//gotorch:internal
type F8E5M2 uint8

// ComplexHalf is an element of complex32: two numbers of float16.
//
//gotorch:internal
type ComplexHalf struct{ Re, Im Half }

// float8Format is a format of 8 bits: how many are the fraction, and the bias of the exponent.
type float8Format struct{ fraction, bias int }

var (
	formatE4M3FN = float8Format{3, 7}
	formatE5M2   = float8Format{2, 15}
)

// round returns the bits of the number nearest to |f|, ties to even, for finite f; beyond the greatest number the bits
// run on into those of infinity and NaN, and further.
func (t float8Format) round(f float32) uint32 {
	bits := math.Float32bits(f) &^ (1 << 31)
	drop := 23 - t.fraction
	if int(bits>>23) >= 128-t.bias { // normal
		bits += 1<<(drop-1) - 1 + bits>>drop&1
		return bits>>drop - uint32(127-t.bias)<<t.fraction
	}
	// subnormal: this sum's last bit is the unit of the subnormal numbers
	unit := math.Float32bits(1) + uint32(23+1-t.bias-t.fraction)<<23
	return math.Float32bits(math.Float32frombits(bits)+math.Float32frombits(unit)) - unit
}

// value is the number of finite bits without their sign.
func (t float8Format) value(bits uint8) float64 {
	exponent, fraction := int(bits>>t.fraction), int(bits&(1<<t.fraction-1))
	if exponent == 0 {
		exponent = 1
	} else {
		fraction |= 1 << t.fraction
	}
	return math.Ldexp(float64(fraction), exponent-t.bias-t.fraction)
}

// ToF8E4M3FN rounds f to the nearest F8E4M3FN, ties to even. As in PyTorch what rounds to more than 448 is NaN.
//
//gotorch:internal
func ToF8E4M3FN(f float32) F8E4M3FN {
	sign := uint32(math.Float32bits(f) >> 24 & 0x80)
	if !(math.Abs(float64(f)) < 512) {
		return F8E4M3FN(sign | 0x7f)
	}
	return F8E4M3FN(sign | min(formatE4M3FN.round(f), 0x7f))
}

// ToF8E5M2 rounds f to the nearest F8E5M2, ties to even; what rounds to more than 57344 is an infinity.
//
//gotorch:internal
func ToF8E5M2(f float32) F8E5M2 {
	sign := uint32(math.Float32bits(f) >> 24 & 0x80)
	switch {
	case f != f:
		return F8E5M2(sign | 0x7f)
	case math.IsInf(float64(f), 0):
		return F8E5M2(sign | 0x7c)
	}
	return F8E5M2(sign | min(formatE5M2.round(f), 0x7c))
}

// Float32 widens v; every F8E4M3FN is a float32.
func (v F8E4M3FN) Float32() float32 { return e4m3fnValues[v] }

// Float32 widens v; every F8E5M2 is a float32.
func (v F8E5M2) Float32() float32 { return e5m2Values[v] }

var e4m3fnValues, e5m2Values = func() (a, b [256]float32) {
	for i := range 128 {
		x, y := formatE4M3FN.value(uint8(i)), formatE5M2.value(uint8(i))
		if i == 0x7f {
			x = math.NaN()
		}
		if i == 0x7c {
			y = math.Inf(1)
		} else if i > 0x7c {
			y = math.NaN()
		}
		a[i], a[i|0x80] = float32(x), float32(-x)
		b[i], b[i|0x80] = float32(y), float32(-y)
	}
	return a, b
}()
