package simd

import "math"

// FromHalf widens the bits of a float16; every one is a float32.
func FromHalf(h uint16) float32 {
	sign, exp, frac := uint32(h&0x8000)<<16, uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0x1f: // Inf, NaN
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	case 0: // zero, subnormal: frac units of 2^-24
		f := float32(frac) * 0x1p-24
		return math.Float32frombits(sign | math.Float32bits(f))
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// ToHalf rounds f to the bits of the nearest float16, ties to even; beyond 65504 it is an infinity.
func ToHalf(f float32) uint16 {
	b := math.Float32bits(f)
	sign, abs := uint16(b>>16&0x8000), b&0x7fffffff
	switch {
	case abs > 0x7f800000: // NaN stays a NaN, with its upper bits
		return sign | 0x7e00 | uint16(abs>>13&0x1ff)
	case abs >= 0x47800000: // 2^16 and more, Inf
		return sign | 0x7c00
	// below 2^-14: subnormal. Adding 0.5 aligns its unit, 2^-24, with the last bit of a float32 in [0.5, 1).
	case abs < 0x38800000:
		return sign | uint16(math.Float32bits(math.Float32frombits(abs)+0.5)-math.Float32bits(0.5))
	}
	abs += 0xfff + abs>>13&1 // round to nearest even at bit 13; a carry into the exponent is right, and into infinity too
	return sign | uint16((abs-(127-15)<<23)>>13)
}

// FromBF16 widens the bits of a bfloat16; every one is a float32.
func FromBF16(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

// ToBF16 rounds f to the bits of the nearest bfloat16, ties to even.
func ToBF16(f float32) uint16 {
	b := math.Float32bits(f)
	if b&0x7fffffff > 0x7f800000 {
		return uint16(b>>16 | 0x40)
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}
