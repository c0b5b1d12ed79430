package simd

import (
	enc "encoding/binary"
	"unsafe"
)

// Transpose32 sets dst[r*dstStep+c] = src[c*srcStep+r] for rows × cols elements of 4 bytes. Steps are in elements.
func Transpose32(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int) {
	transposeAll[uint32](dst, dstStep, src, srcStep, rows, cols, 8, transpose32)
}

// Transpose64 is Transpose32 for elements of 8 bytes.
func Transpose64(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int) {
	transposeAll[uint64](dst, dstStep, src, srcStep, rows, cols, 4, transpose64)
}

// Transpose8 is Transpose32 for elements of one byte.
func Transpose8(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int) {
	transposeAll[uint8](dst, dstStep, src, srcStep, rows, cols, 8, transpose8)
}

// Transpose16 is Transpose32 for elements of 2 bytes.
func Transpose16(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int) {
	transposeAll[uint16](dst, dstStep, src, srcStep, rows, cols, 4, transpose16)
}

// Transpose128 is Transpose32 for elements of 16 bytes.
func Transpose128(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int) {
	transposeAll[[2]uint64](dst, dstStep, src, srcStep, rows, cols, 1, nil)
}

// transpose32 and transpose64 transpose bands: square blocks of 8 or 4 columns of src, which are dstNext and srcNext
// apart. Steps are in bytes.
var transpose32, transpose64 transposeBand

type transposeBand = func(dst *byte, dstStep, dstNext int, src *byte, srcStep, srcNext, blocks int)

func transposeAll[T any](dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols, side int,
	band transposeBand) {
	size := int(unsafe.Sizeof(*new(T)))
	full, wide := 0, 0
	if band != nil && cols >= side && rows >= side {
		full, wide = rows/side*side, cols/side*side
		// few columns go in bands down the rows of dst, others along them
		across, down := side*srcStep*size, side*dstStep*size
		if wide <= 2*side && wide < full {
			for c := 0; c < wide; c += side {
				band((*byte)(unsafe.Add(dst, c*size)), dstStep*size, down, (*byte)(unsafe.Add(src, c*srcStep*size)),
					srcStep*size, side*size, full/side)
			}
		} else {
			for r := 0; r < full; r += side {
				band((*byte)(unsafe.Add(dst, r*dstStep*size)), dstStep*size, side*size, (*byte)(unsafe.Add(src, r*size)),
					srcStep*size, across, wide/side)
			}
		}
		transposeRest[T](dst, dstStep, src, srcStep, full, wide, cols)
		if full == rows { // pointers behind the last row may leave their objects
			return
		}
		dst, src, rows = unsafe.Add(dst, full*dstStep*size), unsafe.Add(src, full*size), rows-full
	}
	const part = 64 // columns whose lines of src stay in the nearest cache
	for c := 0; c < cols; c += part {
		transposeRest[T](dst, dstStep, src, srcStep, rows, c, min(c+part, cols))
	}
}

// transposeRest transposes columns [from, to) of dst element by element.
func transposeRest[T any](dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, from, to int) {
	size := int(unsafe.Sizeof(*new(T)))
	if from == to {
		return
	}
	step := srcStep * size
	for r := range rows {
		d := unsafe.Slice((*T)(unsafe.Add(dst, (r*dstStep+from)*size)), to-from)
		at := from*step + r*size
		for c := range d {
			d[c] = *(*T)(unsafe.Add(src, at))
			at += step
		}
	}
}

// transpose8 transposes blocks of 8×8 bytes in words: it swaps bytes, then pairs and quadruples of them, between
// words.
func transpose8(dst *byte, dstStep, dstNext int, src *byte, srcStep, srcNext, blocks int) {
	for b := range blocks {
		to, from := unsafe.Add(unsafe.Pointer(dst), b*dstNext), unsafe.Add(unsafe.Pointer(src), b*srcNext)
		var w [8]uint64
		for i := range w {
			w[i] = loadWord(unsafe.Add(from, i*srcStep))
		}
		for i := 0; i < 8; i += 2 {
			w[i], w[i+1] = swapParts(w[i], w[i+1], 8, 0x00ff00ff00ff00ff)
		}
		for i := range 8 {
			if i&2 == 0 {
				w[i], w[i+2] = swapParts(w[i], w[i+2], 16, 0x0000ffff0000ffff)
			}
		}
		for i := range 4 {
			w[i], w[i+4] = swapParts(w[i], w[i+4], 32, 0x00000000ffffffff)
		}
		for i := range w {
			storeWord(unsafe.Add(to, i*dstStep), w[i])
		}
	}
}

// transpose16 transposes blocks of 4×4 elements of 2 bytes in words.
func transpose16(dst *byte, dstStep, dstNext int, src *byte, srcStep, srcNext, blocks int) {
	for b := range blocks {
		to, from := unsafe.Add(unsafe.Pointer(dst), b*dstNext), unsafe.Add(unsafe.Pointer(src), b*srcNext)
		w0, w1 := loadWord(from), loadWord(unsafe.Add(from, srcStep))
		w2, w3 := loadWord(unsafe.Add(from, 2*srcStep)), loadWord(unsafe.Add(from, 3*srcStep))
		w0, w1 = swapParts(w0, w1, 16, 0x0000ffff0000ffff)
		w2, w3 = swapParts(w2, w3, 16, 0x0000ffff0000ffff)
		w0, w2 = swapParts(w0, w2, 32, 0x00000000ffffffff)
		w1, w3 = swapParts(w1, w3, 32, 0x00000000ffffffff)
		storeWord(to, w0)
		storeWord(unsafe.Add(to, dstStep), w1)
		storeWord(unsafe.Add(to, 2*dstStep), w2)
		storeWord(unsafe.Add(to, 3*dstStep), w3)
	}
}

// swapParts exchanges the high parts of a, shift bits above those that mask selects, with the low parts of b.
func swapParts(a, b uint64, shift uint, mask uint64) (uint64, uint64) {
	x := (a>>shift ^ b) & mask
	return a ^ x<<shift, b ^ x
}

func loadWord(p unsafe.Pointer) uint64     { return enc.LittleEndian.Uint64((*[8]byte)(p)[:]) }
func storeWord(p unsafe.Pointer, w uint64) { enc.LittleEndian.PutUint64((*[8]byte)(p)[:], w) }

// Even32 sets dst[i] = src[2*i] for n elements of 4 bytes.
func Even32(n int, dst, src unsafe.Pointer) { EvenRows32(n, 1, dst, 0, src, 0) }

// Even64 is Even32 for elements of 8 bytes.
func Even64(n int, dst, src unsafe.Pointer) { EvenRows64(n, 1, dst, 0, src, 0) }

// EvenRows32 is Even32 for rows of n elements, whose beginnings are dstStep and srcStep bytes apart.
func EvenRows32(n, rows int, dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int) {
	evenRows[uint32](n, rows, dst, dstStep, src, srcStep, even32)
}

// EvenRows64 is EvenRows32 for elements of 8 bytes.
func EvenRows64(n, rows int, dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int) {
	evenRows[uint64](n, rows, dst, dstStep, src, srcStep, even64)
}

// even32 and even64 are EvenRows32 and EvenRows64 for one element and row or more.
var even32, even64 func(dst *byte, dstStep int, src *byte, srcStep, n, rows int)

func evenRows[T any](n, rows int, dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int,
	f func(dst *byte, dstStep int, src *byte, srcStep, n, rows int)) {
	if n <= 0 || rows <= 0 {
		return
	}
	if f != nil {
		f((*byte)(dst), dstStep, (*byte)(src), srcStep, n, rows)
		return
	}
	for r := range rows {
		d := unsafe.Slice((*T)(unsafe.Add(dst, r*dstStep)), n)
		s := unsafe.Slice((*T)(unsafe.Add(src, r*srcStep)), 2*n-1)
		for i := range d {
			d[i] = s[2*i]
		}
	}
}
