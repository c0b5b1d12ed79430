package simd

func init() {
	register(func(l Level) {
		AbsDiffsFloat32 = pick(l, absDiffs[float32], pointSums[float32](absDiffsFloat32AVX2),
			pointSums[float32](absDiffsFloat32AVX512))
		AbsDiffsFloat64 = pick(l, absDiffs[float64], pointSums[float64](absDiffsFloat64AVX2),
			pointSums[float64](absDiffsFloat64AVX512))
		SquaredDiffsFloat32 = pick(l, squaredDiffs[float32], pointSums[float32](squaredDiffsFloat32AVX2),
			pointSums[float32](squaredDiffsFloat32AVX512))
		SquaredDiffsFloat64 = pick(l, squaredDiffs[float64], pointSums[float64](squaredDiffsFloat64AVX2),
			pointSums[float64](squaredDiffsFloat64AVX512))
	})
}

// pointSums makes a kernel over slices of an assembly routine that compares a point with many.
func pointSums[T float](f func(dst, a, b *byte, n, m, stride int)) *func(dst, a, b []T, stride int) {
	k := func(dst, a, b []T, stride int) {
		if len(dst) > 0 {
			f(first(dst), first(a), first(b[:(len(a)-1)*stride+len(dst)]), len(dst), len(a), stride*sizeOf[T]())
		}
	}
	return &k
}
