package simd

func init() {
	register(func(l Level) {
		GemmFloat32 = pick(l, gemmFloat32(), &gemmFloat32AVX2, &gemmFloat32AVX512)
		GemmFloat64 = pick(l, GemmGo[float64](), &gemmFloat64AVX2, &gemmFloat64AVX512)
		GemmInt32 = pick(l, GemmGo[int32](), &gemmInt32AVX2, &gemmInt32AVX512)
		GemmInt64 = pick(l, GemmGo[int64](), nil, &gemmInt64AVX512)
	})
}

// withRows is the portable kernels but for the sums of rows.
func withRows[T GemmNumber](one, four func(y, w *byte, rowW int, x *byte, n int)) *GemmKernels[T] {
	g := GemmGo[T]()
	g.Rows, g.addRows = true, [5]func(y, w *byte, rowW int, x *byte, n int){1: one, 4: four}
	return g
}

var (
	gemmInt32AVX2   = withRows[int32](addRowsInt321AVX2, addRowsInt324AVX2)
	gemmInt32AVX512 = withRows[int32](addRowsInt321AVX512, addRowsInt324AVX512)
	gemmInt64AVX512 = withRows[int64](addRowsInt641AVX512, addRowsInt644AVX512)
)

var gemmFloat32AVX2 = &GemmKernels[float32]{
	Lanes: 8, MaxRows: [5]int{1: 6, 2: 6, 4: 2}, MaxDots: [2]int{4, 2}, Whole: true,
	tiles: [5][15]func(t *byte){
		1: {
			nil, tileFloat321x1AVX2, tileFloat322x1AVX2, tileFloat323x1AVX2, tileFloat324x1AVX2, tileFloat325x1AVX2,
			tileFloat326x1AVX2,
		},
		2: {
			nil, tileFloat321x2AVX2, tileFloat322x2AVX2, tileFloat323x2AVX2, tileFloat324x2AVX2, tileFloat325x2AVX2,
			tileFloat326x2AVX2,
		},
		4: {
			nil, tileFloat321x4AVX2, tileFloat322x4AVX2,
		},
	},
	indirect: [5][15]func(t *byte){
		1: {
			nil, indirectFloat321x1AVX2, indirectFloat322x1AVX2, indirectFloat323x1AVX2, indirectFloat324x1AVX2,
			indirectFloat325x1AVX2, indirectFloat326x1AVX2,
		},
		2: {
			nil, indirectFloat321x2AVX2, indirectFloat322x2AVX2, indirectFloat323x2AVX2, indirectFloat324x2AVX2,
			indirectFloat325x2AVX2, indirectFloat326x2AVX2,
		},
		4: {
			nil, indirectFloat321x4AVX2, indirectFloat322x4AVX2,
		},
	},
	groups: true,
	dots: [5][3]func(t *byte){
		1: {nil, dotsFloat321x1AVX2, dotsFloat321x2AVX2},
		2: {nil, dotsFloat322x1AVX2, dotsFloat322x2AVX2},
		3: {nil, dotsFloat323x1AVX2, dotsFloat323x2AVX2},
		4: {nil, dotsFloat324x1AVX2, dotsFloat324x2AVX2},
	},
	addRows:   [5]func(y, w *byte, rowW int, x *byte, n int){1: addRowsFloat321AVX2, 4: addRowsFloat324AVX2},
	transpose: transposeFloat32AVX2,
	panel:     panelFloat32AVX2,
}

var gemmFloat64AVX2 = &GemmKernels[float64]{
	Lanes: 4, MaxRows: [5]int{1: 6, 2: 6, 4: 2}, MaxDots: [2]int{4, 2}, Whole: true,
	tiles: [5][15]func(t *byte){
		1: {
			nil, tileFloat641x1AVX2, tileFloat642x1AVX2, tileFloat643x1AVX2, tileFloat644x1AVX2, tileFloat645x1AVX2,
			tileFloat646x1AVX2,
		},
		2: {
			nil, tileFloat641x2AVX2, tileFloat642x2AVX2, tileFloat643x2AVX2, tileFloat644x2AVX2, tileFloat645x2AVX2,
			tileFloat646x2AVX2,
		},
		4: {
			nil, tileFloat641x4AVX2, tileFloat642x4AVX2,
		},
	},
	indirect: [5][15]func(t *byte){
		1: {
			nil, indirectFloat641x1AVX2, indirectFloat642x1AVX2, indirectFloat643x1AVX2, indirectFloat644x1AVX2,
			indirectFloat645x1AVX2, indirectFloat646x1AVX2,
		},
		2: {
			nil, indirectFloat641x2AVX2, indirectFloat642x2AVX2, indirectFloat643x2AVX2, indirectFloat644x2AVX2,
			indirectFloat645x2AVX2, indirectFloat646x2AVX2,
		},
		4: {
			nil, indirectFloat641x4AVX2, indirectFloat642x4AVX2,
		},
	},
	groups: true,
	dots: [5][3]func(t *byte){
		1: {nil, dotsFloat641x1AVX2, dotsFloat641x2AVX2},
		2: {nil, dotsFloat642x1AVX2, dotsFloat642x2AVX2},
		3: {nil, dotsFloat643x1AVX2, dotsFloat643x2AVX2},
		4: {nil, dotsFloat644x1AVX2, dotsFloat644x2AVX2},
	},
	addRows:   [5]func(y, w *byte, rowW int, x *byte, n int){1: addRowsFloat641AVX2, 4: addRowsFloat644AVX2},
	transpose: transposeFloat64AVX2,
	panel:     panelFloat64AVX2,
}

var gemmFloat32AVX512 = &GemmKernels[float32]{
	Lanes: 16, MaxRows: [5]int{1: 14, 2: 14, 4: 6}, MaxDots: [2]int{4, 2}, Whole: false,
	tiles: [5][15]func(t *byte){
		1: {
			nil, tileFloat321x1AVX512, tileFloat322x1AVX512, tileFloat323x1AVX512, tileFloat324x1AVX512,
			tileFloat325x1AVX512, tileFloat326x1AVX512, tileFloat327x1AVX512, tileFloat328x1AVX512,
			tileFloat329x1AVX512, tileFloat3210x1AVX512, tileFloat3211x1AVX512, tileFloat3212x1AVX512,
			tileFloat3213x1AVX512, tileFloat3214x1AVX512,
		},
		2: {
			nil, tileFloat321x2AVX512, tileFloat322x2AVX512, tileFloat323x2AVX512, tileFloat324x2AVX512,
			tileFloat325x2AVX512, tileFloat326x2AVX512, tileFloat327x2AVX512, tileFloat328x2AVX512,
			tileFloat329x2AVX512, tileFloat3210x2AVX512, tileFloat3211x2AVX512, tileFloat3212x2AVX512,
			tileFloat3213x2AVX512, tileFloat3214x2AVX512,
		},
		4: {
			nil, tileFloat321x4AVX512, tileFloat322x4AVX512, tileFloat323x4AVX512, tileFloat324x4AVX512,
			tileFloat325x4AVX512, tileFloat326x4AVX512,
		},
	},
	indirect: [5][15]func(t *byte){
		1: {
			nil, indirectFloat321x1AVX512, indirectFloat322x1AVX512, indirectFloat323x1AVX512,
			indirectFloat324x1AVX512, indirectFloat325x1AVX512, indirectFloat326x1AVX512, indirectFloat327x1AVX512,
			indirectFloat328x1AVX512, indirectFloat329x1AVX512, indirectFloat3210x1AVX512, indirectFloat3211x1AVX512,
			indirectFloat3212x1AVX512, indirectFloat3213x1AVX512, indirectFloat3214x1AVX512,
		},
		2: {
			nil, indirectFloat321x2AVX512, indirectFloat322x2AVX512, indirectFloat323x2AVX512,
			indirectFloat324x2AVX512, indirectFloat325x2AVX512, indirectFloat326x2AVX512, indirectFloat327x2AVX512,
			indirectFloat328x2AVX512, indirectFloat329x2AVX512, indirectFloat3210x2AVX512, indirectFloat3211x2AVX512,
			indirectFloat3212x2AVX512, indirectFloat3213x2AVX512, indirectFloat3214x2AVX512,
		},
		4: {
			nil, indirectFloat321x4AVX512, indirectFloat322x4AVX512, indirectFloat323x4AVX512,
			indirectFloat324x4AVX512, indirectFloat325x4AVX512, indirectFloat326x4AVX512,
		},
	},
	groups: true,
	dots: [5][3]func(t *byte){
		1: {nil, dotsFloat321x1AVX512, dotsFloat321x2AVX512},
		2: {nil, dotsFloat322x1AVX512, dotsFloat322x2AVX512},
		3: {nil, dotsFloat323x1AVX512, dotsFloat323x2AVX512},
		4: {nil, dotsFloat324x1AVX512, dotsFloat324x2AVX512},
	},
	addRows:   [5]func(y, w *byte, rowW int, x *byte, n int){1: addRowsFloat321AVX512, 4: addRowsFloat324AVX512},
	transpose: transposeFloat32AVX512,
	panel:     panelFloat32AVX512,
}

var gemmFloat64AVX512 = &GemmKernels[float64]{
	Lanes: 8, MaxRows: [5]int{1: 14, 2: 14, 4: 6}, MaxDots: [2]int{4, 2}, Whole: false,
	tiles: [5][15]func(t *byte){
		1: {
			nil, tileFloat641x1AVX512, tileFloat642x1AVX512, tileFloat643x1AVX512, tileFloat644x1AVX512,
			tileFloat645x1AVX512, tileFloat646x1AVX512, tileFloat647x1AVX512, tileFloat648x1AVX512,
			tileFloat649x1AVX512, tileFloat6410x1AVX512, tileFloat6411x1AVX512, tileFloat6412x1AVX512,
			tileFloat6413x1AVX512, tileFloat6414x1AVX512,
		},
		2: {
			nil, tileFloat641x2AVX512, tileFloat642x2AVX512, tileFloat643x2AVX512, tileFloat644x2AVX512,
			tileFloat645x2AVX512, tileFloat646x2AVX512, tileFloat647x2AVX512, tileFloat648x2AVX512,
			tileFloat649x2AVX512, tileFloat6410x2AVX512, tileFloat6411x2AVX512, tileFloat6412x2AVX512,
			tileFloat6413x2AVX512, tileFloat6414x2AVX512,
		},
		4: {
			nil, tileFloat641x4AVX512, tileFloat642x4AVX512, tileFloat643x4AVX512, tileFloat644x4AVX512,
			tileFloat645x4AVX512, tileFloat646x4AVX512,
		},
	},
	indirect: [5][15]func(t *byte){
		1: {
			nil, indirectFloat641x1AVX512, indirectFloat642x1AVX512, indirectFloat643x1AVX512,
			indirectFloat644x1AVX512, indirectFloat645x1AVX512, indirectFloat646x1AVX512, indirectFloat647x1AVX512,
			indirectFloat648x1AVX512, indirectFloat649x1AVX512, indirectFloat6410x1AVX512, indirectFloat6411x1AVX512,
			indirectFloat6412x1AVX512, indirectFloat6413x1AVX512, indirectFloat6414x1AVX512,
		},
		2: {
			nil, indirectFloat641x2AVX512, indirectFloat642x2AVX512, indirectFloat643x2AVX512,
			indirectFloat644x2AVX512, indirectFloat645x2AVX512, indirectFloat646x2AVX512, indirectFloat647x2AVX512,
			indirectFloat648x2AVX512, indirectFloat649x2AVX512, indirectFloat6410x2AVX512, indirectFloat6411x2AVX512,
			indirectFloat6412x2AVX512, indirectFloat6413x2AVX512, indirectFloat6414x2AVX512,
		},
		4: {
			nil, indirectFloat641x4AVX512, indirectFloat642x4AVX512, indirectFloat643x4AVX512,
			indirectFloat644x4AVX512, indirectFloat645x4AVX512, indirectFloat646x4AVX512,
		},
	},
	groups: true,
	dots: [5][3]func(t *byte){
		1: {nil, dotsFloat641x1AVX512, dotsFloat641x2AVX512},
		2: {nil, dotsFloat642x1AVX512, dotsFloat642x2AVX512},
		3: {nil, dotsFloat643x1AVX512, dotsFloat643x2AVX512},
		4: {nil, dotsFloat644x1AVX512, dotsFloat644x2AVX512},
	},
	addRows:   [5]func(y, w *byte, rowW int, x *byte, n int){1: addRowsFloat641AVX512, 4: addRowsFloat644AVX512},
	transpose: transposeFloat64AVX512,
	panel:     panelFloat64AVX512,
}
