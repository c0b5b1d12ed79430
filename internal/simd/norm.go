package simd

// Kernels of normalizations of float32. A normalized element is x·p + q, with p the reciprocal deviation and q =
// -mean·p, or (x - p)·q + r with p the mean. x·p + q is rounded once, which matters where the deviation is next to
// nothing.

var (
	LayerNormFloat32   = layerNorm   // LayerNormFloat32 sets dst[i] = (a[i]*p + q)*b[i] + c[i].
	ChannelNormFloat32 = channelNorm // ChannelNormFloat32 sets dst[i] = (a[i] - p)*q + r.

	// LayerGradSumsFloat32 adds up a[i]*b[i] and a[i]*b[i]*(c[i]*p + q).
	LayerGradSumsFloat32 = layerGradSums
	// LayerGradFloat32 sets dst[i] = (a[i]*b[i] - r - (c[i]*p + q)*t) * p.
	LayerGradFloat32 = layerGrad
	// WeightGradFloat32 sets dst[i] = a[i] + b[i]*(c[i]*p + q).
	WeightGradFloat32 = weightGrad
	// ChannelGradSumsFloat32 adds up a[i] and a[i]*(b[i] - p).
	ChannelGradSumsFloat32 = channelGradSums
	// ChannelGradFloat32 sets dst[i] = (a[i] - q - (b[i] - p)*r) * t.
	ChannelGradFloat32 = channelGrad
)

// fma32 is a*b + c, rounded to float32 once but for the rounding to float64 before.
func fma32(a, b, c float32) float32 { return float32(float64(a)*float64(b) + float64(c)) }

func layerNorm(dst, a, b, c []float32, p, q float32) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = fma32(fma32(a[i], p, q), b[i], c[i])
	}
}

func channelNorm(dst, a []float32, p, q, r float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = (a[i]-p)*q + r
	}
}

func layerGradSums(a, b, c []float32, p, q float32) (s, t float64) {
	b, c = b[:len(a)], c[:len(a)]
	for i, g := range a {
		g *= b[i]
		s += float64(g)
		t += float64(g * (c[i]*p + q))
	}
	return s, t
}

func layerGrad(dst, a, b, c []float32, p, q, r, t float32) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = (float32(a[i]*b[i]) - r - fma32(c[i], p, q)*t) * p
	}
}

func weightGrad(dst, a, b, c []float32, p, q float32) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]*fma32(c[i], p, q)
	}
}

func channelGradSums(a, b []float32, p float32) (s, t float64) {
	b = b[:len(a)]
	for i, g := range a {
		s += float64(g)
		t += float64(g * (b[i] - p))
	}
	return s, t
}

func channelGrad(dst, a, b []float32, p, q, r, t float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = (a[i] - q - (b[i]-p)*r) * t
	}
}
