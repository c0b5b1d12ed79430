package cpu

import (
	"reflect"
	"sync"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// gemmWork is what one goroutine needs for products: a tile, and scratch for copies of blocks.
type gemmWork[T number] struct {
	call    gemmCall[T]
	tile    simd.GemmTile
	row     simd.RowTile
	alpha   T
	sums    [8]T
	off     [4]int32 // of taps whose sums are made at a time
	a, b, c []T
}

var work32, work64 = sync.Pool{New: func() any { return new(gemmWork[float32]) }},
	sync.Pool{New: func() any { return new(gemmWork[float64]) }}

var workPools sync.Map // a pool for each other type, by a zero element

func takeWork[T number]() (*gemmWork[T], *sync.Pool) {
	var zero T
	var pool *sync.Pool
	switch any(zero).(type) {
	case float32:
		pool = &work32
	case float64:
		pool = &work64
	default:
		v, ok := workPools.Load(any(zero))
		if !ok {
			v, _ = workPools.LoadOrStore(any(zero), &sync.Pool{New: func() any { return new(gemmWork[T]) }})
		}
		pool = v.(*sync.Pool)
	}
	return pool.Get().(*gemmWork[T]), pool
}

// room makes buf at least n long.
func room[T any](buf *[]T, n int) []T {
	if len(*buf) < n || n < 0 { // a product of sizes may have overflowed
		bytes := float64(uint(n)) * float64(reflect.TypeFor[T]().Size())
		tensor.MustFit("the memory of a kernel", bytes)
		*buf = make([]T, n)
	}
	return (*buf)[:n]
}

var portableKernels sync.Map // micro-kernels by a zero element

// kernelsOf returns the micro-kernels for T.
func kernelsOf[T number]() *simd.GemmKernels[T] {
	var zero T
	switch any(zero).(type) {
	case float32:
		return any(simd.GemmFloat32).(*simd.GemmKernels[T])
	case float64:
		return any(simd.GemmFloat64).(*simd.GemmKernels[T])
	case int32:
		return any(simd.GemmInt32).(*simd.GemmKernels[T])
	case int64:
		return any(simd.GemmInt64).(*simd.GemmKernels[T])
	}
	v, ok := portableKernels.Load(any(zero))
	if !ok {
		v, _ = portableKernels.LoadOrStore(any(zero), simd.GemmGo[T]())
	}
	return v.(*simd.GemmKernels[T])
}

// windowKernelsOf returns the kernels of sliding windows for T.
func windowKernelsOf[T number]() *simd.WindowKernels[T] {
	var zero T
	switch any(zero).(type) {
	case float32:
		return any(simd.WindowFloat32).(*simd.WindowKernels[T])
	case float64:
		return any(simd.WindowFloat64).(*simd.WindowKernels[T])
	}
	return simd.WindowGo[T]()
}

// copyPanel writes columns [0, cols) of k rows of b to dst, rows width elements apart and filled up with zeros.
func copyPanel[T number](ks *simd.GemmKernels[T], dst []T, width, cols, k int, b matrix[T]) {
	if cols < width {
		clear(dst[:k*width])
	}
	switch {
	case b.cs == 1:
		if b.rs > 0 {
			ks.Panel(dst, width, b.p[b.off:], b.rs, k, cols)
			return
		}
		for q := range k {
			copy(dst[q*width:][:cols], b.p[b.off+q*b.rs:][:cols])
		}
	case b.rs == 1 && b.cs > 0:
		ks.Transpose(dst, width, b.p[b.off:], b.cs, cols, k)
	default:
		for q := range k {
			at := b.off + q*b.rs
			for j := range dst[q*width:][:cols] {
				dst[q*width+j] = b.p[at]
				at += b.cs
			}
		}
	}
}

// copyRows writes k columns of rows of a to dst, and returns the steps there: rows or columns lie one after the other,
// as in a, and are a little further apart than they are long, which spreads them over the cache.
func copyRows[T number](dst *[]T, rows, k int, a matrix[T]) (buf []T, rs, cs int) {
	if a.rs == 1 && a.cs != 1 {
		ld := rows + 16
		buf = room(dst, k*ld)
		for q := range k {
			copy(buf[q*ld:][:rows], a.p[a.off+q*a.cs:][:rows])
		}
		return buf, 1, ld
	}
	ld := k + 16
	buf = room(dst, rows*ld)
	for i := range rows {
		row := buf[i*ld:][:k]
		if at := a.off + i*a.rs; a.cs == 1 {
			copy(row, a.p[at:])
		} else {
			for q := range row {
				row[q] = a.p[at]
				at += a.cs
			}
		}
	}
	return buf, ld, 1
}
