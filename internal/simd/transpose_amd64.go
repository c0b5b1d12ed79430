package simd

func init() {
	register(func(l Level) {
		transpose32, transpose64, even32, even64 = nil, nil, nil, nil
		if l >= AVX2 {
			transpose32, transpose64, even32, even64 = transposeBand32, transposeBand64, evenBlocks32, evenBlocks64
		}
	})
}
