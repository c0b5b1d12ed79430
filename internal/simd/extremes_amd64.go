package simd

import (
	"math"
	"unsafe"
)

func init() {
	max32, max64 := argRows[float32, int32](true), argRows[float64, int64](true)
	min32, min64 := argRows[float32, int32](false), argRows[float64, int64](false)
	register(func(l Level) {
		MaxFloat32 = pick(l, maxOf[float32], extreme32(maxFloat32AVX2), extreme32(maxFloat32AVX512))
		MaxFloat64 = pick(l, maxOf[float64], extreme64(maxFloat64AVX2), extreme64(maxFloat64AVX512))
		MinFloat32 = pick(l, minOf[float32], extreme32(minFloat32AVX2), extreme32(minFloat32AVX512))
		MinFloat64 = pick(l, minOf[float64], extreme64(minFloat64AVX2), extreme64(minFloat64AVX512))
		MaxRowsFloat32 = pick(l, maxRows[float32], rowsOf[float32, float32](maxRowsFloat32AVX2),
			rowsOf[float32, float32](maxRowsFloat32AVX512))
		MaxRowsFloat64 = pick(l, maxRows[float64], rowsOf[float64, float64](maxRowsFloat64AVX2),
			rowsOf[float64, float64](maxRowsFloat64AVX512))
		MinRowsFloat32 = pick(l, minRows[float32], rowsOf[float32, float32](minRowsFloat32AVX2),
			rowsOf[float32, float32](minRowsFloat32AVX512))
		MinRowsFloat64 = pick(l, minRows[float64], rowsOf[float64, float64](minRowsFloat64AVX2),
			rowsOf[float64, float64](minRowsFloat64AVX512))
		ArgMaxRowsFloat32 = pick(l, max32, argRowsOf[float32, int32](argMaxRowsFloat32AVX2),
			argRowsOf[float32, int32](argMaxRowsFloat32AVX512))
		ArgMaxRowsFloat64 = pick(l, max64, argRowsOf[float64, int64](argMaxRowsFloat64AVX2),
			argRowsOf[float64, int64](argMaxRowsFloat64AVX512))
		ArgMinRowsFloat32 = pick(l, min32, argRowsOf[float32, int32](argMinRowsFloat32AVX2),
			argRowsOf[float32, int32](argMinRowsFloat32AVX512))
		ArgMinRowsFloat64 = pick(l, min64, argRowsOf[float64, int64](argMinRowsFloat64AVX2),
			argRowsOf[float64, int64](argMinRowsFloat64AVX512))
		IndexFloat32 = pick(l, index[float32], indexOf(indexFloat32AVX2), indexOf(indexFloat32AVX512))
		IndexFloat64 = pick(l, index[float64], indexOf(indexFloat64AVX2), indexOf(indexFloat64AVX512))
	})
}

// extreme32 makes a kernel over slices of an assembly routine.
func extreme32(f func(a *byte, n int) (float32, bool)) *func(x []float32) float32 {
	k := func(x []float32) float32 {
		m, nan := f(first(x[:max(1, len(x))]), len(x))
		if nan {
			return float32(math.NaN())
		}
		return m
	}
	return &k
}

func extreme64(f func(a *byte, n int) (float64, bool)) *func(x []float64) float64 {
	k := func(x []float64) float64 {
		m, nan := f(first(x[:max(1, len(x))]), len(x))
		if nan {
			return math.NaN()
		}
		return m
	}
	return &k
}

func argRowsOf[T, I any](f func(acc, x *byte, stride, rows, n int, where *byte,
	at int)) *func(acc []T, where []I, x []T, stride, rows, n, at int) {
	k := func(acc []T, where []I, x []T, stride, rows, n, at int) {
		if rows > 0 && n > 0 {
			f(first(acc[:RowLen(n)]), first(x[:(rows-1)*stride+n]), stride*sizeOf[T](), rows, n, first(where[:RowLen(n)]), at)
		}
	}
	return &k
}

// indexOf searches whole vectors by assembly, and what is left in Go.
func indexOf[T float32 | float64](f func(a *byte, n int, v T) int) *func(x []T, v T) int {
	k := func(x []T, v T) int {
		n := len(x) &^ 15
		if v != v {
			return index(x, v)
		}
		if i := f(first(x), n, v); i < n {
			return i
		}
		if i := index(x[n:], v); i >= 0 {
			return n + i
		}
		return -1
	}
	return &k
}

// sizeOf is the size of an element in bytes.
func sizeOf[T any]() int {
	var z T
	return int(unsafe.Sizeof(z))
}
