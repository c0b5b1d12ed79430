package simd

// Extremes. NaN beats every number; which of two zeros of different sign is the extreme depends on the level.

var (
	MaxFloat32 = maxOf[float32] // MaxFloat32 is the greatest of one or more elements, NaN if one is.
	MaxFloat64 = maxOf[float64] // MaxFloat64 is MaxFloat32 for float64.
	MinFloat32 = minOf[float32] // MinFloat32 is the least of one or more elements, NaN if one is.
	MinFloat64 = minOf[float64] // MinFloat64 is MinFloat32 for float64.

	// MaxRowsFloat32 replaces the n columns of acc, which has [RowLen] of n elements, with the greatest of theirs and
	// those of rows, stride elements apart in x.
	MaxRowsFloat32 = maxRows[float32]
	MaxRowsFloat64 = maxRows[float64] // MaxRowsFloat64 is MaxRowsFloat32 for float64.
	MinRowsFloat32 = minRows[float32] // MinRowsFloat32 is MaxRowsFloat32 for the least.
	MinRowsFloat64 = minRows[float64] // MinRowsFloat64 is MaxRowsFloat32 for the least and float64.

	// ArgMaxRowsFloat32 is MaxRowsFloat32 and sets where[j] to the number of the row, counted from at on, where acc[j]
	// changes. Equal elements change nothing, and nothing takes the place of NaN. where has as many elements as acc.
	ArgMaxRowsFloat32 = argRows[float32, int32](true)
	ArgMaxRowsFloat64 = argRows[float64, int64](true)  // ArgMaxRowsFloat64 is ArgMaxRowsFloat32 for float64.
	ArgMinRowsFloat32 = argRows[float32, int32](false) // ArgMinRowsFloat32 is ArgMaxRowsFloat32 for the least.
	// ArgMinRowsFloat64 is ArgMaxRowsFloat32 for the least and float64.
	ArgMinRowsFloat64 = argRows[float64, int64](false)

	// IndexFloat32 is the place of the first element that equals v, or the first NaN if v is; -1 if none.
	IndexFloat32 = index[float32]
	IndexFloat64 = index[float64] // IndexFloat64 is IndexFloat32 for float64.
)

func maxOf[T float32 | float64](x []T) T {
	var acc [4]T
	for i := range acc {
		acc[i] = x[0]
	}
	for ; len(x) >= 4; x = x[4:] {
		acc[0], acc[1], acc[2], acc[3] = max(acc[0], x[0]), max(acc[1], x[1]), max(acc[2], x[2]), max(acc[3], x[3])
	}
	for i, v := range x {
		acc[i] = max(acc[i], v)
	}
	return max(max(acc[0], acc[1]), max(acc[2], acc[3]))
}

func minOf[T float32 | float64](x []T) T {
	var acc [4]T
	for i := range acc {
		acc[i] = x[0]
	}
	for ; len(x) >= 4; x = x[4:] {
		acc[0], acc[1], acc[2], acc[3] = min(acc[0], x[0]), min(acc[1], x[1]), min(acc[2], x[2]), min(acc[3], x[3])
	}
	for i, v := range x {
		acc[i] = min(acc[i], v)
	}
	return min(min(acc[0], acc[1]), min(acc[2], acc[3]))
}

func maxRows[T float32 | float64](acc, x []T, stride, rows, n int) {
	for r := range rows {
		acc := acc[:n]
		for j, v := range x[r*stride:][:n] {
			acc[j] = max(acc[j], v)
		}
	}
}

func minRows[T float32 | float64](acc, x []T, stride, rows, n int) {
	for r := range rows {
		acc := acc[:n]
		for j, v := range x[r*stride:][:n] {
			acc[j] = min(acc[j], v)
		}
	}
}

func argRows[T float32 | float64, I int32 | int64](
	greatest bool) func(acc []T, where []I, x []T, stride, rows, n, at int) {
	return func(acc []T, where []I, x []T, stride, rows, n, at int) {
		for r := range rows {
			acc, where, i := acc[:n], where[:n], I(at+r)
			for j, v := range x[r*stride:][:n] {
				if a := acc[j]; (v > a) == greatest && v != a && a == a || v != v && a == a {
					acc[j], where[j] = v, i
				}
			}
		}
	}
}

func index[T float32 | float64](x []T, v T) int {
	if v != v {
		for i, w := range x {
			if w != w {
				return i
			}
		}
		return -1
	}
	for i, w := range x {
		if w == v {
			return i
		}
	}
	return -1
}
