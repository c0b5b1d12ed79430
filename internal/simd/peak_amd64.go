package simd

func init() {
	register(func(l Level) {
		FMAFloat32 = pick(l, fmaFloat32, lanesOfFMA(fmaFloat32AVX2, 8), lanesOfFMA(fmaFloat32AVX512, 16))
	})
}

// lanesOfFMA makes a kernel of an assembly routine with 12 vectors of so many lanes.
func lanesOfFMA(f func(half, one float32, n int) float32, lanes int) *func(n int) int {
	k := func(n int) int {
		keepFMA(f(0.5, 1, n))
		return n * 12 * lanes * 2
	}
	return &k
}
