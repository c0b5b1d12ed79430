package simd

// FMAFloat32 multiplies and adds numbers in registers, n times as many as it has lanes, and returns the operations
// done (a multiplication and an addition are two): no arithmetic of float32 on one CPU is faster than this.
var FMAFloat32 = fmaFloat32

func fmaFloat32(n int) (flops int) {
	half, one := float32(0.5), float32(1)
	a, b, c, d, e, f, g, h := one, one, one, one, one, one, one, one
	for range n {
		a, b, c, d = a*half+one, b*half+one, c*half+one, d*half+one
		e, f, g, h = e*half+one, f*half+one, g*half+one, h*half+one
	}
	keepFMA(max(a, b, c, d, e, f, g, h))
	return n * 8 * 2
}

// keepFMA takes a result, so that no compiler leaves the work out.
//
//go:noinline
func keepFMA(float32) {}
