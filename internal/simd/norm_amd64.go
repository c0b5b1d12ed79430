package simd

func init() {
	register(func(l Level) {
		LayerNormFloat32 = pick(l, layerNorm, map3With2(layerNormFloat32AVX2), map3With2(layerNormFloat32AVX512))
		ChannelNormFloat32 = pick(l, channelNorm, map1With3(channelNormFloat32AVX2), map1With3(channelNormFloat32AVX512))
		LayerGradSumsFloat32 = pick(l, layerGradSums, totals3(layerGradSumsFloat32AVX2), totals3(layerGradSumsFloat32AVX512))
		LayerGradFloat32 = pick(l, layerGrad, map3With4(layerGradFloat32AVX2), map3With4(layerGradFloat32AVX512))
		WeightGradFloat32 = pick(l, weightGrad, map3With2(weightGradFloat32AVX2), map3With2(weightGradFloat32AVX512))
		ChannelGradSumsFloat32 = pick(l, channelGradSums, totals2(channelGradSumsFloat32AVX2),
			totals2(channelGradSumsFloat32AVX512))
		ChannelGradFloat32 = pick(l, channelGrad, map2With4(channelGradFloat32AVX2), map2With4(channelGradFloat32AVX512))
	})
}

func map3With2(f func(dst, a, b, c *byte, n int, p, q float32)) *func(dst, a, b, c []float32, p, q float32) {
	k := func(dst, a, b, c []float32, p, q float32) {
		n := len(dst)
		f(first(dst), first(a[:n]), first(b[:n]), first(c[:n]), n, p, q)
	}
	return &k
}

func map1With3(f func(dst, a *byte, n int, p, q, r float32)) *func(dst, a []float32, p, q, r float32) {
	k := func(dst, a []float32, p, q, r float32) { f(first(dst), first(a[:len(dst)]), len(dst), p, q, r) }
	return &k
}

func totals3(f func(a, b, c *byte, n int, p,
	q float32) (s, t float64)) *func(a, b, c []float32, p, q float32) (s, t float64) {
	k := func(a, b, c []float32, p, q float32) (s, t float64) {
		n := len(a)
		return f(first(a), first(b[:n]), first(c[:n]), n, p, q)
	}
	return &k
}

func map3With4(f func(dst, a, b, c *byte, n int, p, q, r,
	t float32)) *func(dst, a, b, c []float32, p, q, r, t float32) {
	k := func(dst, a, b, c []float32, p, q, r, t float32) {
		n := len(dst)
		f(first(dst), first(a[:n]), first(b[:n]), first(c[:n]), n, p, q, r, t)
	}
	return &k
}

func totals2(f func(a, b *byte, n int, p float32) (s, t float64)) *func(a, b []float32, p float32) (s, t float64) {
	k := func(a, b []float32, p float32) (s, t float64) { return f(first(a), first(b[:len(a)]), len(a), p) }
	return &k
}

func map2With4(f func(dst, a, b *byte, n int, p, q, r, t float32)) *func(dst, a, b []float32, p, q, r, t float32) {
	k := func(dst, a, b []float32, p, q, r, t float32) {
		n := len(dst)
		f(first(dst), first(a[:n]), first(b[:n]), n, p, q, r, t)
	}
	return &k
}
