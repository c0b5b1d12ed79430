package simd

func init() {
	register(func(l Level) {
		WindowFloat32 = pick(l, WindowGo[float32](), &windowFloat32AVX2, &windowFloat32AVX512)
		WindowFloat64 = pick(l, WindowGo[float64](), &windowFloat64AVX2, &windowFloat64AVX512)
		copyRowsWords = pick(l, nil, new(copyRowsAVX2), new(copyRowsAVX512))
		interleaveWords = pick(l, nil, new(interleaveAVX2), new(interleaveAVX512))
		interleaveShort = pick(l, nil, new(interleaveAVX2), new(interleaveAVX2))
		interleaveLanes = pick(l, 1, new(8), new(16))
		MaxRows1 = pick(l, maxRowsGo(1), new(wholeMaxRows(1, 8, maxRowsFloat321AVX2, maxRowsOnlyFloat321AVX2)),
			new(wholeMaxRows(1, 1, maxRowsFloat321AVX512, maxRowsOnlyFloat321AVX512)))
		MaxRows2 = pick(l, maxRowsGo(2), new(wholeMaxRows(2, 8, maxRowsFloat322AVX2, maxRowsOnlyFloat322AVX2)),
			new(wholeMaxRows(2, 1, maxRowsFloat322AVX512, maxRowsOnlyFloat322AVX512)))
	})
}

var (
	windowFloat32AVX2 = &WindowKernels[float32]{
		Lanes: 8, Most: 32, Taps: 4,
		filter: [5]func(t *byte){nil, filterRowsFloat321AVX2, filterRowsFloat322AVX2, filterRowsFloat323AVX2,
			filterRowsFloat324AVX2},
		dots: [5]func(t *byte){nil, dotRowsFloat321AVX2, dotRowsFloat322AVX2, dotRowsFloat323AVX2, dotRowsFloat324AVX2},
	}
	windowFloat64AVX2 = &WindowKernels[float64]{
		Lanes: 4, Most: 16, Taps: 4,
		filter: [5]func(t *byte){nil, filterRowsFloat641AVX2, filterRowsFloat642AVX2, filterRowsFloat643AVX2,
			filterRowsFloat644AVX2},
		dots: [5]func(t *byte){nil, dotRowsFloat641AVX2, dotRowsFloat642AVX2, dotRowsFloat643AVX2, dotRowsFloat644AVX2},
	}
	windowFloat32AVX512 = &WindowKernels[float32]{
		Lanes: 16, Most: 64, Taps: 4,
		filter: [5]func(t *byte){nil, filterRowsFloat321AVX512, filterRowsFloat322AVX512, filterRowsFloat323AVX512,
			filterRowsFloat324AVX512},
		dots: [5]func(t *byte){nil, dotRowsFloat321AVX512, dotRowsFloat322AVX512, dotRowsFloat323AVX512,
			dotRowsFloat324AVX512},
	}
	windowFloat64AVX512 = &WindowKernels[float64]{
		Lanes: 8, Most: 32, Taps: 4,
		filter: [5]func(t *byte){nil, filterRowsFloat641AVX512, filterRowsFloat642AVX512, filterRowsFloat643AVX512,
			filterRowsFloat644AVX512},
		dots: [5]func(t *byte){nil, dotRowsFloat641AVX512, dotRowsFloat642AVX512, dotRowsFloat643AVX512,
			dotRowsFloat644AVX512},
	}
)
