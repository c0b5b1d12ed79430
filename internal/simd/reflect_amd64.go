package simd

func init() {
	avx2, avx512 := reflectFloat64AVX2, reflectFloat64AVX512
	register(func(l Level) { reflectRows = pick(l, reflectGo, &avx2, &avx512) })
}
