package simd

func init() {
	register(func(l Level) {
		SumTapsFloat32 = pick(l, sumTaps, new(tapKernel(sumTapsAVX2)), new(tapKernel(sumTapsAVX512)))
		PickTapsFloat32 = pick(l, pickTaps, new(tapKernel(pickTapsAVX2)), new(tapKernel(pickTapsAVX512)))
	})
}
