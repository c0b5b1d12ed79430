package simd

import "unsafe"

// GatherRows copies rows of row bytes to dst, one after the other: row k begins base + index[k]·step bytes behind src,
// where negative indices are wrap less. Rows that come are fetched while others are copied.
func GatherRows(dst, src unsafe.Pointer, base int, index []int64, row, step, wrap int) {
	if len(index) == 0 || row == 0 {
		return
	}
	if gatherLong != nil && row >= 32 {
		gatherLong((*byte)(dst), (*byte)(src), base, unsafe.SliceData(index), len(index), row, step, wrap)
		return
	}
	for k, v := range index {
		from := unsafe.Add(src, base+(int(v)+wrap&int(v>>63))*step)
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, k*row)), row), unsafe.Slice((*byte)(from), row))
	}
}

// gatherLong is GatherRows for n rows of 32 bytes or more.
var gatherLong func(dst, src *byte, base int, index *int64, n, row, step, wrap int)

// ScatterRows copies rows of row bytes, which are from bytes apart in src, one after the other: row k to where base +
// index[k]·step bytes behind dst are, negative indices being wrap less. The memory of rows that come is fetched while
// others are copied.
func ScatterRows(dst, src unsafe.Pointer, base int, index []int64, row, from, step, wrap int) {
	if len(index) == 0 || row == 0 {
		return
	}
	if scatterLong != nil && row >= 32 {
		scatterLong((*byte)(dst), (*byte)(src), base, unsafe.SliceData(index), len(index), row, from, step, wrap)
		return
	}
	for k, v := range index {
		to := unsafe.Add(dst, base+(int(v)+wrap&int(v>>63))*step)
		copy(unsafe.Slice((*byte)(to), row), unsafe.Slice((*byte)(unsafe.Add(src, k*from)), row))
	}
}

// AddRows is ScatterRows for sums: it adds rows of numbers to those of dst.
func AddRows[T float32 | float64](dst, src unsafe.Pointer, base int, index []int64, row, from, step, wrap int) {
	if len(index) == 0 || row == 0 {
		return
	}
	f, size := addRows32, int(unsafe.Sizeof(*new(T)))
	if size == 8 {
		f = addRows64
	}
	if f != nil {
		f((*byte)(dst), (*byte)(src), base, unsafe.SliceData(index), len(index), row, from, step, wrap)
		return
	}
	n := row / size
	for k, v := range index {
		to := unsafe.Slice((*T)(unsafe.Add(dst, base+(int(v)+wrap&int(v>>63))*step)), n)
		for i, e := range unsafe.Slice((*T)(unsafe.Add(src, k*from)), n) {
			to[i] += e
		}
	}
}

// scatterLong is ScatterRows for n rows of 32 bytes or more; addRows32 and addRows64 are AddRows.
var scatterLong, addRows32, addRows64 func(dst, src *byte, base int, index *int64, n, row, from, step, wrap int)

// CopyRuns copies rows of row bytes, whose beginnings are dstStep and srcStep bytes apart.
func CopyRuns(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, row, rows int) {
	switch {
	case rows <= 0 || row <= 0:
	case row < longRow && row%4 == 0 && copyRowsWords != nil:
		copyRowsWords((*byte)(dst), dstStep, (*byte)(src), srcStep, rows, row/4)
	case row < longRow && row >= 32 && copyLong != nil:
		copyLong((*byte)(dst), dstStep, (*byte)(src), srcStep, row, rows)
	default:
		for r := range rows {
			copy(unsafe.Slice((*byte)(unsafe.Add(dst, r*dstStep)), row), unsafe.Slice((*byte)(unsafe.Add(src, r*srcStep)), row))
		}
	}
}

const longRow = 1024 // bytes: the runtime copies longer rows as fast

var (
	copyLong      func(dst *byte, dstStep int, src *byte, srcStep, row, rows int)   // rows of 32 bytes or more
	copyRowsWords func(dst *byte, dstStep int, src *byte, srcStep, rows, words int) // rows of words of 4 bytes
)
