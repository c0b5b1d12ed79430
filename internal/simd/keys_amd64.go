package simd

func init() {
	register(func(l Level) {
		KeysFloat32 = pick(l, keysFloat32, unary[float32, uint32](keysFloat32AVX2),
			unary[float32, uint32](keysFloat32AVX512))
		KeysFloat64 = pick(l, keysFloat64, unary[float64, uint64](keysFloat64AVX2),
			unary[float64, uint64](keysFloat64AVX512))
	})
}
