package simd

import "unsafe"

// Transpose32 sets dst[r*dstStep+c] = src[c*srcStep+r] for rows × cols elements of 4 bytes. Steps are in elements.
func Transpose32(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int) {
	transposeAll[uint32](dst, dstStep, src, srcStep, rows, cols, 8, transpose32)
}

// Transpose64 is Transpose32 for elements of 8 bytes.
func Transpose64(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int) {
	transposeAll[uint64](dst, dstStep, src, srcStep, rows, cols, 4, transpose64)
}

// transpose32 and transpose64 transpose bands: square blocks of 8 or 4 columns of src, blocks of them along dst's rows.
// Steps are in bytes.
var transpose32, transpose64 func(dst *byte, dstStep int, src *byte, srcStep, blocks int)

func transposeAll[T any](dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols, side int, band func(dst *byte, dstStep int, src *byte, srcStep, blocks int)) {
	size := int(unsafe.Sizeof(*new(T)))
	full, wide := 0, 0
	if band != nil && cols >= side {
		full, wide = rows/side*side, cols/side*side
		for r := 0; r < full; r += side {
			band((*byte)(unsafe.Add(dst, r*dstStep*size)), dstStep*size, (*byte)(unsafe.Add(src, r*size)), srcStep*size, wide/side)
		}
	}
	if full == 0 || wide == 0 {
		full, wide = 0, 0
	}
	for r := range rows {
		from := 0
		if r < full {
			from = wide
		}
		if from == cols {
			continue
		}
		d := unsafe.Slice((*T)(unsafe.Add(dst, r*dstStep*size)), cols)
		for c := from; c < cols; c++ {
			d[c] = *(*T)(unsafe.Add(src, (c*srcStep+r)*size))
		}
	}
}
