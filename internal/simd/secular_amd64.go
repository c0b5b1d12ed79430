package simd

import "unsafe"

func init() {
	register(func(l Level) {
		secularSums = pick(l, secularSumsGo, secularSummer(secularSumsAVX2), secularSummer(secularSumsAVX512))
		secularWeights = pick(l, secularWeightsGo, secularWeigher(secularWeightsAVX2),
			secularWeigher(secularWeightsAVX512))
		secularVector = pick(l, secularVectorGo, secularMaker(secularVectorAVX2), secularMaker(secularVectorAVX512))
	})
}

func secularSummer(f func(gap, d, z, p *byte, n int)) *func(gap, d, z []float64, p *SecularPoint) {
	k := func(gap, d, z []float64, p *SecularPoint) {
		f(bytesOf(gap), bytesOf(d), bytesOf(z), (*byte)(unsafe.Pointer(p)), len(d))
	}
	return &k
}

func secularWeigher(f func(w, gap, d, p *byte, n int)) *func(w, gap, d []float64, p *SecularPoint) {
	k := func(w, gap, d []float64, p *SecularPoint) {
		f(bytesOf(w), bytesOf(gap), bytesOf(d), (*byte)(unsafe.Pointer(p)), len(d))
	}
	return &k
}

func secularMaker(f func(x, y, z, gap, d, p *byte, n int)) *func(x, y, z, gap, d []float64) (xx, yy float64) {
	k := func(x, y, z, gap, d []float64) (xx, yy float64) {
		var sums [2]float64
		f(bytesOf(x), bytesOf(y), bytesOf(z), bytesOf(gap), bytesOf(d), bytesOf(sums[:]), len(d))
		return sums[0], sums[1]
	}
	return &k
}
