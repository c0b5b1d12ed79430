package simd

import "math"

// Whether all elements of a run are numbers, neither infinite nor NaN.
var (
	FiniteFloat32 = finite32
	FiniteFloat64 = finite64
)

// Exponents of infinities and NaN, in the highest word, shifted by one bit so that the sign is away.
const (
	notFinite32 = 0xff << 24
	notFinite64 = 0x7ff << 21
)

func finite32(x []float32) bool {
	most := uint32(0)
	for _, v := range x {
		most = max(most, math.Float32bits(v)<<1)
	}
	return most < notFinite32
}

func finite64(x []float64) bool {
	most := uint64(0)
	for _, v := range x {
		most = max(most, math.Float64bits(v)<<1)
	}
	return most < notFinite64<<32
}
