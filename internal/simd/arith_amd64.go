package simd

func init() {
	register(func(l Level) {
		AddFloat32 = pick(l, add[float32], binary[float32](addFloat32AVX2), binary[float32](addFloat32AVX512))
		AddFloat64 = pick(l, add[float64], binary[float64](addFloat64AVX2), binary[float64](addFloat64AVX512))
		SubFloat32 = pick(l, sub[float32], binary[float32](subFloat32AVX2), binary[float32](subFloat32AVX512))
		SubFloat64 = pick(l, sub[float64], binary[float64](subFloat64AVX2), binary[float64](subFloat64AVX512))
		MulFloat32 = pick(l, mul[float32], binary[float32](mulFloat32AVX2), binary[float32](mulFloat32AVX512))
		MulFloat64 = pick(l, mul[float64], binary[float64](mulFloat64AVX2), binary[float64](mulFloat64AVX512))
	})
}
