package simd

func init() {
	register(func(l Level) {
		gatherLong = nil
		if l >= AVX2 {
			gatherLong = gatherRows
		}
	})
}
