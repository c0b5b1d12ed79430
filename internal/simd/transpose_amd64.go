package simd

func init() {
	register(func(l Level) {
		transpose32, transpose64, even32, even64 = nil, nil, nil, nil
		if l >= AVX2 {
			transpose32, transpose64 = transposeBand32, transposeBand64
			even32, even64 = evenRows32AVX2, evenRows64AVX2
		}
		if l >= AVX512 {
			even32, even64 = evenRows32AVX512, evenRows64AVX512
		}
	})
}
