package simd

func init() {
	register(func(l Level) {
		mtNextRun = pick(l, mtNext, mtRun(mtNextAVX2), mtRun(mtNextAVX512))
		MTTemper = pick(l, mtTemper, unary[uint32, uint32](mtTemperAVX2), unary[uint32, uint32](mtTemperAVX512))
		UniformFloat32 = pick(l, uniformFloat32, fromDraws[float32](uniformFloat32AVX2, 1),
			fromDraws[float32](uniformFloat32AVX512, 1))
		UniformFloat64 = pick(l, uniformFloat64, fromDraws[float64](uniformFloat64AVX2, 2),
			fromDraws[float64](uniformFloat64AVX512, 2))
		BoxMullerFloat32 = pick(l, boxMullerFloat32, inGroups[float32](boxMullerFloat32AVX2),
			inGroups[float32](boxMullerFloat32AVX2))
		BoxMullerFloat64 = pick(l, boxMullerFloat64, inGroups[float64](boxMullerFloat64AVX2),
			inGroups[float64](boxMullerFloat64AVX512))
		Log1mFloat64 = pick(l, log1mFloat64, unary[float64, float64](log1mFloat64AVX2),
			unary[float64, float64](log1mFloat64AVX512))
	})
}

func mtRun(f func(dst, m *byte, n int)) *func(dst, m []uint32) {
	k := func(dst, m []uint32) {
		n := len(dst) - 1
		f(first(dst), first(m[:n]), n)
	}
	return &k
}

// fromDraws makes a kernel of an assembly routine that turns draws, each times as many as there are results, into T.
func fromDraws[T any](f func(dst, a *byte, n int, width, low T),
	each int) *func(dst []T, draws []uint32, width, low T) {
	k := func(dst []T, draws []uint32, width, low T) {
		if n := len(dst); n > 0 {
			f(first(dst), first(draws[:each*n]), n, width, low)
		}
	}
	return &k
}

// inGroups makes a kernel of an assembly routine over groups of 16 elements.
func inGroups[T any](f func(x *byte, n int, mean, std T)) *func(x []T, mean, std T) {
	k := func(x []T, mean, std T) {
		if n := len(x); n >= 16 {
			f(first(x), n, mean, std)
		}
	}
	return &k
}
