package simd

// Sums of rows add rows of n elements, stride elements apart in x, to acc, column by column. acc, and c where there is
// one, have whole vectors: [RowLen] of n elements, of which those from n on are not used.
//
// Rows of float32 are added by eights in float32 first, while 32 or more are left, then by fours, while 16 or more
// are; the last ones, and everything else, row by row in float64. Results are the same at every level.

var (
	SumRowsFloat32        = sumRowsTree             // SumRowsFloat32 adds rows.
	SumRowsFloat64        = sumRows                 // SumRowsFloat64 adds rows.
	SumSquaresRowsFloat32 = sumSquaresRows[float32] // SumSquaresRowsFloat32 adds the squares of rows.
	SumSquaresRowsFloat64 = sumSquaresRows[float64] // SumSquaresRowsFloat64 adds the squares of rows.

	// SumDeviationsRowsFloat32 adds the squares of the differences between rows and c.
	SumDeviationsRowsFloat32 = sumDeviationsRows[float32]
	// SumDeviationsRowsFloat64 adds the squares of the differences between rows and c.
	SumDeviationsRowsFloat64 = sumDeviationsRows[float64]
)

// RowLen is the length of a row of sums or extremes of n columns: n up to whole vectors.
func RowLen(n int) int { return (n + 15) &^ 15 }

func sumRowsTree(acc []float64, x []float32, stride, rows, n int) {
	for ; rows >= 32; rows -= 8 {
		a, b, c, d := x[:n], x[stride:][:n], x[2*stride:][:n], x[3*stride:][:n]
		e, f, g, h := x[4*stride:][:n], x[5*stride:][:n], x[6*stride:][:n], x[7*stride:][:n]
		acc := acc[:n]
		for j := range acc {
			acc[j] += float64(((a[j] + b[j]) + (c[j] + d[j])) + ((e[j] + f[j]) + (g[j] + h[j])))
		}
		x = x[8*stride:]
	}
	for ; rows >= 16; rows -= 4 {
		a, b, c, d := x[:n], x[stride:][:n], x[2*stride:][:n], x[3*stride:][:n]
		acc := acc[:n]
		for j := range acc {
			acc[j] += float64((a[j] + b[j]) + (c[j] + d[j]))
		}
		x = x[4*stride:]
	}
	for r := range rows {
		for j, v := range x[r*stride:][:n] {
			acc[j] += float64(v)
		}
	}
}

func sumRows(acc, x []float64, stride, rows, n int) {
	for r := range rows {
		acc, row := acc[:n], x[r*stride:][:n]
		for j, v := range row {
			acc[j] += v
		}
	}
}

func sumSquaresRows[T float32 | float64](acc []float64, x []T, stride, rows, n int) {
	for r := range rows {
		acc, row := acc[:n], x[r*stride:][:n]
		for j, v := range row {
			acc[j] += float64(float64(v) * float64(v))
		}
	}
}

func sumDeviationsRows[T float32 | float64](acc, c []float64, x []T, stride, rows, n int) {
	for r := range rows {
		acc, c, row := acc[:n], c[:n], x[r*stride:][:n]
		for j, v := range row {
			d := float64(v) - c[j]
			acc[j] += float64(d * d)
		}
	}
}
