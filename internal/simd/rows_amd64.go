package simd

func init() {
	register(func(l Level) {
		gatherLong, copyLong, scatterLong, addRows32, addRows64 = nil, nil, nil, nil, nil
		if l >= AVX2 {
			gatherLong, copyLong = gatherRows, copyRuns
			scatterLong, addRows32, addRows64 = scatterRows, scatterSumFloat32, scatterSumFloat64
		}
	})
}
