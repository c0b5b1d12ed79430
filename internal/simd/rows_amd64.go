package simd

func init() {
	register(func(l Level) {
		gatherLong, copyLong = nil, nil
		if l >= AVX2 {
			gatherLong, copyLong = gatherRows, copyRuns
		}
	})
}
