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
	define3p("root_ratio"+t, func(dst, a, b, c, p []T) { // dst = √(a+p0) / √(b+p0) · c
		eps := p[0]
		a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
		for i := range dst {
			dst[i] = T(T(math.Sqrt(float64(a[i]+eps)))/T(math.Sqrt(float64(b[i]+eps)))) * c[i]
		}
	}, 1e-6)
	define2p("decayed_maximum"+t, func(dst, a, b, p []T) { // dst = max(p0·a, |b|+p1)
		keep, eps := p[0], p[1]
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			u, v := keep*a[i], abs(b[i])+eps
			if u > v {
				v = u
			}
			dst[i] = v
		}
	}, 0.999, 1e-8)
	define3p("rprop_size"+t, func(dst, a, b, c, p []T) { // dst = a·p1 where b·c > 0, a·p0 where b·c < 0; from p2 to p3
		minus, plus, least, most := p[0], p[1], p[2], p[3]
		a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
		for i := range dst {
			v := a[i]
			switch same := b[i] * c[i]; {
			case same > 0:
				v *= plus
			case same < 0:
				v *= minus
			}
			if v < least {
				v = least
			}
			if v > most {
				v = most
			}
			dst[i] = v
		}
	}, 0.5, 1.2, 1e-6, 50)
	define2("rprop_grad"+t, func(dst, a, b []T) { // dst = a, 0 where a·b < 0
		a, b = a[:len(dst)], b[:len(dst)]
		for i := range dst {
			v := a[i]
			if v*b[i] < 0 {
				v = 0
			}
			dst[i] = v
		}
	})
	define3("rprop_step"+t, func(dst, a, b, c []T) { // dst = a - b where c > 0, a + b where c < 0
		a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
		for i := range dst {
			v := a[i]
			switch {
			case c[i] > 0:
				v -= b[i]
			case c[i] < 0:
				v += b[i]
			}
			dst[i] = v
		}
	})
}

func abs[T float](x T) T { return T(math.Abs(float64(x))) }
