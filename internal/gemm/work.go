package gemm

import (
	"reflect"
	"sync"
	"unsafe"

	"gotorch/internal/hugepages"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Work is what one goroutine needs for products: a tile, and scratch for copies of blocks.
type Work[T Number] struct {
	call    Call[T]
	Tile    simd.GemmTile
	Row     simd.RowTile
	alpha   T
	Sums    [8]T
	dots    [64]T
	Off     [4]int32 // of taps whose sums are made at a time
	A, B, C []T
}

var (
	work32         = sync.Pool{New: func() any { return new(Work[float32]) }}
	work64         = sync.Pool{New: func() any { return new(Work[float64]) }}
	workComplex64  = sync.Pool{New: func() any { return new(Work[complex64]) }}
	workComplex128 = sync.Pool{New: func() any { return new(Work[complex128]) }}
)

var workPools sync.Map // a pool for each other type, by a zero element

// Take lends a Work, to be put back into pool after use.
func Take[T Number]() (*Work[T], *sync.Pool) {
	var zero T
	var pool *sync.Pool
	switch any(zero).(type) {
	case float32:
		pool = &work32
	case float64:
		pool = &work64
	case complex64:
		pool = &workComplex64
	case complex128:
		pool = &workComplex128
	default:
		v, ok := workPools.Load(any(zero))
		if !ok {
			v, _ = workPools.LoadOrStore(any(zero), &sync.Pool{New: func() any { return new(Work[T]) }})
		}
		pool = v.(*sync.Pool)
	}
	return pool.Get().(*Work[T]), pool
}

const hugeBytes = 1 << 18 // of a buffer that is worth huge pages

// Room makes buf at least n long.
func Room[T any](buf *[]T, n int) []T {
	if len(*buf) < n || n < 0 { // a product of sizes may have overflowed
		bytes := float64(uint(n)) * float64(reflect.TypeFor[T]().Size())
		tensor.MustFit("the memory of a kernel", bytes)
		*buf = make([]T, n)
		if bytes >= hugeBytes {
			hugepages.Advise(unsafe.Pointer(unsafe.SliceData(*buf)), int(bytes))
		}
	}
	return (*buf)[:n]
}

var portableKernels sync.Map // micro-kernels by a zero element

// Kernels returns the micro-kernels for T.
func Kernels[T Number]() *simd.GemmKernels[T] {
	var zero T
	switch any(zero).(type) {
	case float32:
		return any(simd.GemmFloat32).(*simd.GemmKernels[T])
	case float64:
		return any(simd.GemmFloat64).(*simd.GemmKernels[T])
	case complex64:
		return any(simd.GemmComplex64).(*simd.GemmKernels[T])
	case complex128:
		return any(simd.GemmComplex128).(*simd.GemmKernels[T])
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

// copyPanel writes columns [0, cols) of k rows of b to dst, rows width elements apart and filled up with zeros.
func copyPanel[T Number](ks *simd.GemmKernels[T], dst []T, width, cols, k int, b Matrix[T]) {
	if cols < width {
		clear(dst[:k*width])
	}
	switch {
	case b.CS == 1:
		if b.RS > 0 {
			ks.Panel(dst, width, b.P[b.Off:], b.RS, k, cols)
			return
		}
		for q := range k {
			copy(dst[q*width:][:cols], b.P[b.Off+q*b.RS:][:cols])
		}
	case b.RS == 1 && b.CS > 0:
		ks.Transpose(dst, width, b.P[b.Off:], b.CS, cols, k)
	default:
		for q := range k {
			at := b.Off + q*b.RS
			for j := range dst[q*width:][:cols] {
				dst[q*width+j] = b.P[at]
				at += b.CS
			}
		}
	}
}

// copyRows writes k columns of rows of a to dst, and returns the steps there: rows or columns lie one after the other,
// as in a, and are a little further apart than they are long, which spreads them over the cache.
func copyRows[T Number](dst *[]T, rows, k int, a Matrix[T]) (buf []T, rs, cs int) {
	if a.RS == 1 && a.CS != 1 {
		ld := rows + 16
		buf = Room(dst, k*ld)
		first, last := a.P[a.Off:][:rows], a.P[a.Off+(k-1)*a.CS:][:rows] // those in between are there too
		size := int(unsafe.Sizeof(last[0]))
		simd.CopyRuns(unsafe.Pointer(&buf[0]), ld*size, unsafe.Pointer(&first[0]), a.CS*size, rows*size, k)
		return buf, 1, ld
	}
	ld := k + 16
	buf = Room(dst, rows*ld)
	for i := range rows {
		row := buf[i*ld:][:k]
		if at := a.Off + i*a.RS; a.CS == 1 {
			copy(row, a.P[at:])
		} else {
			for q := range row {
				row[q] = a.P[at]
				at += a.CS
			}
		}
	}
	return buf, ld, 1
}
