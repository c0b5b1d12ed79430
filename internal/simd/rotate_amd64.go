package simd

func init() {
	register(func(l Level) {
		rotateRows = pick(l, rotateGo, rotations(rotateFloat64AVX2), rotations(rotateFloat64AVX512))
	})
}

func rotations(f func(x *byte, step int, cs *byte, n int)) *func(x []float64, at, step int, cs []float64) {
	k := func(x []float64, at, step int, cs []float64) { f(bytesOf(x[at:]), 8*step, bytesOf(cs), len(cs)/2) }
	return &k
}
