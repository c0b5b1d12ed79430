package simd

func init() {
	register(func(l Level) {
		GemmComplex64 = pick(l, GemmGo[complex64](), &gemmComplex64AVX2, &gemmComplex64AVX512)
		GemmComplex128 = pick(l, GemmGo[complex128](), &gemmComplex128AVX2, &gemmComplex128AVX512)
	})
}

var gemmComplex64AVX2 = &GemmKernels[complex64]{
	Lanes: 4, MaxRows: [5]int{1: 6, 2: 3, 4: 1}, MaxDots: [2]int{4, 1}, Whole: true,
	tiles: [5][15]func(t *byte){
		1: {
			nil, tileComplex641x1AVX2, tileComplex642x1AVX2, tileComplex643x1AVX2, tileComplex644x1AVX2,
			tileComplex645x1AVX2, tileComplex646x1AVX2,
		},
		2: {
			nil, tileComplex641x2AVX2, tileComplex642x2AVX2, tileComplex643x2AVX2,
		},
		4: {
			nil, tileComplex641x4AVX2,
		},
	},
	dots: [5][3]func(t *byte){
		1: {nil, dotsComplex641x1AVX2}, 2: {nil, dotsComplex642x1AVX2}, 3: {nil, dotsComplex643x1AVX2},
		4: {nil, dotsComplex644x1AVX2},
	},
	addRows:      [5]func(y, w *byte, rowW int, x *byte, n int){1: addRowsComplex641AVX2, 4: addRowsComplex644AVX2},
	panel:        panelFloat32AVX2, // rows of two vectors of any type
	portableTile: GemmGo[complex64]().portableTile,
	transpose:    transposeFloat64AVX2, // elements of 8 bytes of any type
}

var gemmComplex64AVX512 = &GemmKernels[complex64]{
	Lanes: 8, MaxRows: [5]int{1: 14, 2: 7, 4: 3}, MaxDots: [2]int{4, 1}, Whole: false,
	tiles: [5][15]func(t *byte){
		1: {
			nil, tileComplex641x1AVX512, tileComplex642x1AVX512, tileComplex643x1AVX512, tileComplex644x1AVX512,
			tileComplex645x1AVX512, tileComplex646x1AVX512, tileComplex647x1AVX512, tileComplex648x1AVX512,
			tileComplex649x1AVX512, tileComplex6410x1AVX512, tileComplex6411x1AVX512, tileComplex6412x1AVX512,
			tileComplex6413x1AVX512, tileComplex6414x1AVX512,
		},
		2: {
			nil, tileComplex641x2AVX512, tileComplex642x2AVX512, tileComplex643x2AVX512, tileComplex644x2AVX512,
			tileComplex645x2AVX512, tileComplex646x2AVX512, tileComplex647x2AVX512,
		},
		4: {
			nil, tileComplex641x4AVX512, tileComplex642x4AVX512, tileComplex643x4AVX512,
		},
	},
	dots: [5][3]func(t *byte){
		1: {nil, dotsComplex641x1AVX512}, 2: {nil, dotsComplex642x1AVX512}, 3: {nil, dotsComplex643x1AVX512},
		4: {nil, dotsComplex644x1AVX512},
	},
	addRows:      [5]func(y, w *byte, rowW int, x *byte, n int){1: addRowsComplex641AVX512, 4: addRowsComplex644AVX512},
	panel:        panelFloat32AVX512, // rows of two vectors of any type
	portableTile: GemmGo[complex64]().portableTile,
	transpose:    transposeFloat64AVX512, // elements of 8 bytes of any type
}

var gemmComplex128AVX2 = &GemmKernels[complex128]{
	Lanes: 2, MaxRows: [5]int{1: 6, 2: 3, 4: 1}, MaxDots: [2]int{4, 1}, Whole: true,
	tiles: [5][15]func(t *byte){
		1: {
			nil, tileComplex1281x1AVX2, tileComplex1282x1AVX2, tileComplex1283x1AVX2, tileComplex1284x1AVX2,
			tileComplex1285x1AVX2, tileComplex1286x1AVX2,
		},
		2: {
			nil, tileComplex1281x2AVX2, tileComplex1282x2AVX2, tileComplex1283x2AVX2,
		},
		4: {
			nil, tileComplex1281x4AVX2,
		},
	},
	dots: [5][3]func(t *byte){
		1: {nil, dotsComplex1281x1AVX2}, 2: {nil, dotsComplex1282x1AVX2}, 3: {nil, dotsComplex1283x1AVX2},
		4: {nil, dotsComplex1284x1AVX2},
	},
	addRows:      [5]func(y, w *byte, rowW int, x *byte, n int){1: addRowsComplex1281AVX2, 4: addRowsComplex1284AVX2},
	panel:        panelFloat32AVX2, // rows of two vectors of any type
	portableTile: GemmGo[complex128]().portableTile,
}

var gemmComplex128AVX512 = &GemmKernels[complex128]{
	Lanes: 4, MaxRows: [5]int{1: 14, 2: 7, 4: 3}, MaxDots: [2]int{4, 1}, Whole: false,
	tiles: [5][15]func(t *byte){
		1: {
			nil, tileComplex1281x1AVX512, tileComplex1282x1AVX512, tileComplex1283x1AVX512, tileComplex1284x1AVX512,
			tileComplex1285x1AVX512, tileComplex1286x1AVX512, tileComplex1287x1AVX512, tileComplex1288x1AVX512,
			tileComplex1289x1AVX512, tileComplex12810x1AVX512, tileComplex12811x1AVX512, tileComplex12812x1AVX512,
			tileComplex12813x1AVX512, tileComplex12814x1AVX512,
		},
		2: {
			nil, tileComplex1281x2AVX512, tileComplex1282x2AVX512, tileComplex1283x2AVX512, tileComplex1284x2AVX512,
			tileComplex1285x2AVX512, tileComplex1286x2AVX512, tileComplex1287x2AVX512,
		},
		4: {
			nil, tileComplex1281x4AVX512, tileComplex1282x4AVX512, tileComplex1283x4AVX512,
		},
	},
	dots: [5][3]func(t *byte){
		1: {nil, dotsComplex1281x1AVX512}, 2: {nil, dotsComplex1282x1AVX512}, 3: {nil, dotsComplex1283x1AVX512},
		4: {nil, dotsComplex1284x1AVX512},
	},
	addRows:      [5]func(y, w *byte, rowW int, x *byte, n int){1: addRowsComplex1281AVX512, 4: addRowsComplex1284AVX512},
	panel:        panelFloat32AVX512, // rows of two vectors of any type
	portableTile: GemmGo[complex128]().portableTile,
}
