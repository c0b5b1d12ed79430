package simd

import "math"

// Kernels of softmax for float32. The exponentials are within 1.5 ULP, also where they are denormal, and at most 2 ULP
// apart from level to level; exp of -Inf is 0, NaN stays NaN.

var (
	ExpSumFloat32   = expSum   // ExpSumFloat32 sets dst[i] = exp(a[i] - p) and adds that up.
	ExpTotalFloat32 = expTotal // ExpTotalFloat32 adds up exp(a[i] - p).
	ScaleFloat32    = scaleBy  // ScaleFloat32 sets dst[i] = a[i] * p.
	ShiftFloat32    = shiftBy  // ShiftFloat32 sets dst[i] = (a[i] - p) - q.
	ExpRowFloat32   = expRow   // ExpRowFloat32 sets dst[i] = exp(a[i] - b[i]).
	ShiftRowFloat32 = shiftRow // ShiftRowFloat32 sets dst[i] = (a[i] - b[i]) - c[i].

	// SoftmaxGradFloat32 sets dst[i] = (a[i] - p) * b[i].
	SoftmaxGradFloat32 = softmaxGrad
	// LogSoftmaxGradFloat32 sets dst[i] = a[i] - exp(b[i]) * p.
	LogSoftmaxGradFloat32 = logSoftmaxGrad
)

// exp32 is the exponential of a float32, computed as the vector kernels do.
func exp32(x float32) float32 {
	const magic = 1.5 * (1 << 23) // added and subtracted, it rounds to an integer
	switch {
	case x != x:
		return x
	case x > 104:
		x = 104
	case x < -104:
		x = -104
	}
	k := float32(float32(x*math.Log2E)+magic) - magic
	r := float32(x-float32(k*0.693359375)) - float32(k*-2.12194440e-4)
	p := float32(1.9875691500e-4)
	p = p*r + 1.3981999507e-3
	p = p*r + 8.3334519073e-3
	p = p*r + 4.1665795894e-2
	p = p*r + 1.6666665459e-1
	p = p*r + 5.0000001201e-1
	p = p*r*r + r + 1
	n := int32(k)
	half := n >> 1
	return p * math.Float32frombits(uint32(half+127)<<23) * math.Float32frombits(uint32(n-half+127)<<23)
}

func expSum(dst, a []float32, p float32) (s float64) {
	a = a[:len(dst)]
	for i, v := range a {
		e := exp32(v - p)
		dst[i] = e
		s += float64(e)
	}
	return s
}

func expTotal(a []float32, p float32) (s float64) {
	for _, v := range a {
		s += float64(exp32(v - p))
	}
	return s
}

func scaleBy(dst, a []float32, p float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * p
	}
}

func shiftBy(dst, a []float32, p, q float32) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = (a[i] - p) - q
	}
}

func expRow(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = exp32(a[i] - b[i])
	}
}

func shiftRow(dst, a, b, c []float32) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = (a[i] - b[i]) - c[i]
	}
}

func softmaxGrad(dst, a, b []float32, p float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = (a[i] - p) * b[i]
	}
}

func logSoftmaxGrad(dst, a, b []float32, p float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - exp32(b[i])*p
	}
}
