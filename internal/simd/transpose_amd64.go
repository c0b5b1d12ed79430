package simd

func init() {
	register(func(l Level) {
		transpose32, transpose64 = nil, nil
		if l >= AVX2 {
			transpose32, transpose64 = transposeBand32, transposeBand64
		}
	})
}
