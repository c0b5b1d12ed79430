package simd

func init() {
	register(func(l Level) {
		ExpSumFloat32 = pick(l, expSum, map1Sum(expSumFloat32AVX2), map1Sum(expSumFloat32AVX512))
		ExpTotalFloat32 = pick(l, expTotal, total1(expTotalFloat32AVX2), total1(expTotalFloat32AVX512))
		ScaleFloat32 = pick(l, scaleBy, map1(scaleRunFloat32AVX2), map1(scaleRunFloat32AVX512))
		ShiftFloat32 = pick(l, shiftBy, map1With2(shiftFloat32AVX2), map1With2(shiftFloat32AVX512))
		ExpRowFloat32 = pick(l, expRow, binary[float32](expRowFloat32AVX2), binary[float32](expRowFloat32AVX512))
		ShiftRowFloat32 = pick(l, shiftRow, map3(shiftRowFloat32AVX2), map3(shiftRowFloat32AVX512))
		SoftmaxGradFloat32 = pick(l, softmaxGrad, map2With1(softmaxGradFloat32AVX2), map2With1(softmaxGradFloat32AVX512))
		LogSoftmaxGradFloat32 = pick(l, logSoftmaxGrad, map2With1(logSoftmaxGradFloat32AVX2),
			map2With1(logSoftmaxGradFloat32AVX512))
	})
}

// The functions below make kernels over slices of assembly routines that map runs of float32, by the number of inputs
// and parameters.

func map1(f func(dst, a *byte, n int, p float32)) *func(dst, a []float32, p float32) {
	k := func(dst, a []float32, p float32) { f(first(dst), first(a[:len(dst)]), len(dst), p) }
	return &k
}

func map1Sum(f func(dst, a *byte, n int, p float32) float64) *func(dst, a []float32, p float32) float64 {
	k := func(dst, a []float32, p float32) float64 { return f(first(dst), first(a[:len(dst)]), len(dst), p) }
	return &k
}

func total1(f func(a *byte, n int, p float32) float64) *func(a []float32, p float32) float64 {
	k := func(a []float32, p float32) float64 { return f(first(a), len(a), p) }
	return &k
}

func map1With2(f func(dst, a *byte, n int, p, q float32)) *func(dst, a []float32, p, q float32) {
	k := func(dst, a []float32, p, q float32) { f(first(dst), first(a[:len(dst)]), len(dst), p, q) }
	return &k
}

func map3(f func(dst, a, b, c *byte, n int)) *func(dst, a, b, c []float32) {
	k := func(dst, a, b, c []float32) {
		n := len(dst)
		f(first(dst), first(a[:n]), first(b[:n]), first(c[:n]), n)
	}
	return &k
}

func map2With1(f func(dst, a, b *byte, n int, p float32)) *func(dst, a, b []float32, p float32) {
	k := func(dst, a, b []float32, p float32) {
		n := len(dst)
		f(first(dst), first(a[:n]), first(b[:n]), n, p)
	}
	return &k
}
