package simd

func init() {
	register(func(l Level) {
		SumFloat32 = pick(l, sum32, run[float32](sumFloat32AVX2), run[float32](sumFloat32AVX512))
		SumAbsFloat32 = pick(l, sumAbs32, run[float32](sumAbsFloat32AVX2), run[float32](sumAbsFloat32AVX512))
		NanSumFloat32 = pick(l, nanSum32, run[float32](nanSumFloat32AVX2), run[float32](nanSumFloat32AVX512))
		DotFloat32 = pick(l, dot32, runs[float32](dotFloat32AVX2), runs[float32](dotFloat32AVX512))
		SumAbsDiffsFloat32 = pick(l, sumAbsDiffs32, runs[float32](sumAbsDiffsFloat32AVX2),
			runs[float32](sumAbsDiffsFloat32AVX512))
		SumSquaredDiffsFloat32 = pick(l, sumSquaredDiffs32, runs[float32](sumSquaredDiffsFloat32AVX2),
			runs[float32](sumSquaredDiffsFloat32AVX512))
		SumAbsDiffsFloat64 = pick(l, sumAbsDiffs64, runs[float64](sumAbsDiffsFloat64AVX2),
			runs[float64](sumAbsDiffsFloat64AVX512))
		SumSquaredDiffsFloat64 = pick(l, sumSquaredDiffs64, runs[float64](sumSquaredDiffsFloat64AVX2),
			runs[float64](sumSquaredDiffsFloat64AVX512))
		SumFloat64 = pick(l, sum64, run[float64](sumFloat64AVX2), run[float64](sumFloat64AVX512))
		SumAbsFloat64 = pick(l, sumAbs64, run[float64](sumAbsFloat64AVX2), run[float64](sumAbsFloat64AVX512))
		NanSumFloat64 = pick(l, nanSum64, run[float64](nanSumFloat64AVX2), run[float64](nanSumFloat64AVX512))
		DotFloat64 = pick(l, dot64, runs[float64](dotFloat64AVX2), runs[float64](dotFloat64AVX512))
		SumSquaresFloat32 = pick(l, sumSquares32, run[float32](sumSquaresFloat32AVX2), run[float32](sumSquaresFloat32AVX512))
		SumSquaresFloat64 = pick(l, sumSquares64, run[float64](sumSquaresFloat64AVX2), run[float64](sumSquaresFloat64AVX512))
		SumDeviationsFloat32 = pick(l, sumDeviations32, runFrom[float32](sumDeviationsFloat32AVX2),
			runFrom[float32](sumDeviationsFloat32AVX512))
		SumDeviationsFloat64 = pick(l, sumDeviations64, runFrom[float64](sumDeviationsFloat64AVX2),
			runFrom[float64](sumDeviationsFloat64AVX512))
		ProdFloat32 = pick(l, prodGroups[float32], prodOf(prodFloat32AVX2), prodOf(prodFloat32AVX512))
		ProdFloat64 = pick(l, prodGroups[float64], prodOf(prodFloat64AVX2), prodOf(prodFloat64AVX512))
		SumFloat16 = pick(l, sumHalf(FromHalf), halfRun(sumFloat16AVX2, FromHalf), halfRun(sumFloat16AVX512, FromHalf))
		SumBFloat16 = pick(l, sumHalf(FromBF16), halfRun(sumBFloat16AVX2, FromBF16), halfRun(sumBFloat16AVX512, FromBF16))
		SumBytes = pick(l, sumBytes, bytesRun(sumBytesAVX2), bytesRun(sumBytesAVX512))

		SumRowsFloat32 = pick(l, sumRowsTree, rowsOf[float64, float32](sumRowsFloat32AVX2),
			rowsOf[float64, float32](sumRowsFloat32AVX512))
		SumRowsFloat64 = pick(l, sumRows, rowsOf[float64, float64](sumRowsFloat64AVX2),
			rowsOf[float64, float64](sumRowsFloat64AVX512))
		SumSquaresRowsFloat32 = pick(l, sumSquaresRows[float32], rowsOf[float64, float32](sumSquaresRowsFloat32AVX2),
			rowsOf[float64, float32](sumSquaresRowsFloat32AVX512))
		SumSquaresRowsFloat64 = pick(l, sumSquaresRows[float64], rowsOf[float64, float64](sumSquaresRowsFloat64AVX2),
			rowsOf[float64, float64](sumSquaresRowsFloat64AVX512))
		SumDeviationsRowsFloat32 = pick(l, sumDeviationsRows[float32], rowsFrom[float32](sumDeviationsRowsFloat32AVX2),
			rowsFrom[float32](sumDeviationsRowsFloat32AVX512))
		SumDeviationsRowsFloat64 = pick(l, sumDeviationsRows[float64], rowsFrom[float64](sumDeviationsRowsFloat64AVX2),
			rowsFrom[float64](sumDeviationsRowsFloat64AVX512))
	})
}

// run makes a kernel over slices of an assembly routine that folds a run.
func run[T any](f func(a *byte, n int) float64) *func(x []T) float64 {
	k := func(x []T) float64 { return f(first(x), len(x)) }
	return &k
}

func runs[T any](f func(a, b *byte, n int) float64) *func(x, y []T) float64 {
	k := func(x, y []T) float64 { return f(first(x), first(y[:len(x)]), len(x)) }
	return &k
}

func runFrom[T any](f func(a *byte, n int, c float64) float64) *func(x []T, c float64) float64 {
	k := func(x []T, c float64) float64 { return f(first(x), len(x), c) }
	return &k
}

func prodOf[T float32 | float64](f func(a *byte, n int) T) *func(x []T) T {
	lanes := lanesOf[T]()
	k := func(x []T) T {
		n := len(x) &^ (lanes - 1)
		if n == 0 {
			return prodGroups(x)
		}
		p := f(first(x), n)
		for _, v := range x[n:] {
			p *= v
		}
		return p
	}
	return &k
}

func halfRun(f func(a *byte, n int) float64, widen func(uint16) float32) *func(x []uint16) float64 {
	k := func(x []uint16) float64 {
		n := len(x) &^ 15
		return addHalves(f(first(x), n), x[n:], widen)
	}
	return &k
}

func bytesRun(f func(a *byte, n int) int) *func(x []uint8) int {
	k := func(x []uint8) int {
		n := len(x) &^ 63
		return f(first(x), n) + sumBytes(x[n:])
	}
	return &k
}

// rowsOf makes a kernel over slices of an assembly routine that folds rows.
func rowsOf[A, T any](f func(acc, x *byte, stride, rows, n int)) *func(acc []A, x []T, stride, rows, n int) {
	k := func(acc []A, x []T, stride, rows, n int) {
		if rows > 0 && n > 0 {
			f(first(acc[:RowLen(n)]), first(x[:(rows-1)*stride+n]), stride*sizeOf[T](), rows, n)
		}
	}
	return &k
}

func rowsFrom[T any](f func(acc, x *byte, stride, rows, n int,
	c *byte)) *func(acc, c []float64, x []T, stride, rows, n int) {
	k := func(acc, c []float64, x []T, stride, rows, n int) {
		if rows > 0 && n > 0 {
			f(first(acc[:RowLen(n)]), first(x[:(rows-1)*stride+n]), stride*sizeOf[T](), rows, n, first(c[:RowLen(n)]))
		}
	}
	return &k
}
