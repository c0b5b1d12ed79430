package simd

import "math"

// KeysFloat32 sets dst[i] to a number that grows with a[i]: both zeros have the same one, NaN the greatest.
var KeysFloat32 = keysFloat32

// KeysFloat64 is KeysFloat32 for float64.
var KeysFloat64 = keysFloat64

func keysFloat32(dst []uint32, a []float32) {
	a = a[:len(dst)]
	for i, v := range a {
		b := math.Float32bits(v + 0) // -0 + 0 is 0
		b ^= uint32(int32(b)>>31) | 1<<31
		if v != v {
			b = math.MaxUint32
		}
		dst[i] = b
	}
}

func keysFloat64(dst []uint64, a []float64) {
	a = a[:len(dst)]
	for i, v := range a {
		b := math.Float64bits(v + 0)
		b ^= uint64(int64(b)>>63) | 1<<63
		if v != v {
			b = math.MaxUint64
		}
		dst[i] = b
	}
}
