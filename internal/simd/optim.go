package simd

import "math"

// Kernels of optimizer steps. They are exact: every operation is rounded by itself.

func init() {
	optimizerSteps[float32]()
	optimizerSteps[float64]()
}

func optimizerSteps[T float]() {
	t := " " + nameOf[T]()
	define2p("blend"+t, func(dst, a, b, p []T) { // dst = p0·a + p1·b
		p0, p1 := p[0], p[1]
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = T(p0*a[i]) + T(p1*b[i])
		}
	}, 0.9, 0.1)
	define2p("blend_square"+t, func(dst, a, b, p []T) { // dst = p0·a + p1·b·b
		p0, p1 := p[0], p[1]
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			dst[i] = T(p0*a[i]) + T(T(p1*b[i])*b[i])
		}
	}, 0.999, 0.001)
	define3p("root_step"+t, func(dst, a, b, c, p []T) { // dst = p0·a - p1·(b / (√c/p2 + p3))
		keep, step, root, eps := p[0], p[1], p[2], p[3]
		a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
		for i := range dst {
			dst[i] = T(keep*a[i]) - T(step*(b[i]/(T(math.Sqrt(float64(c[i])))/root+eps)))
		}
	}, 0.99, 1e-3, 0.5, 1e-8)
}
