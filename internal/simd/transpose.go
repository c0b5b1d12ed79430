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

// Even32 sets dst[i] = src[2*i] for n elements of 4 bytes.
func Even32(n int, dst, src unsafe.Pointer) { evenAll[uint32](n, dst, src, 16, even32) }

// Even64 is Even32 for elements of 8 bytes.
func Even64(n int, dst, src unsafe.Pointer) { evenAll[uint64](n, dst, src, 8, even64) }

// even32 and even64 compute blocks of 16 or 8 elements, of which they read twice as many.
var even32, even64 func(dst, src *byte, blocks int)

func evenAll[T any](n int, dst, src unsafe.Pointer, side int, f func(dst, src *byte, blocks int)) {
	done := 0
	if f != nil && n > side { // the element behind the last one may not be readable
		blocks := (n - 1) / side
		f((*byte)(dst), (*byte)(src), blocks)
		done = blocks * side
	}
	size := int(unsafe.Sizeof(*new(T)))
	d := unsafe.Slice((*T)(dst), n)
	for i := done; i < n; i++ {
		d[i] = *(*T)(unsafe.Add(src, 2*i*size))
	}
}
