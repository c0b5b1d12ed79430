package cpu

import (
	"math"
	mathbits "math/bits"
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: conversions. convertTable[from][to] moves n elements with steps on both sides, converted as PyTorch converts:
// to bool anything but zero is true; from floating point to integers by truncation; from complex to real the real
// part; to the half types by rounding to even. Kernels gather operands of other dtypes or strides with it, and copy_
// is made of it.

// converter moves n elements; steps are in elements of each side.
type converter func(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int, n int)

const numDtypes = int(tensor.Float8E5m2) + 1

var convertTable [numDtypes][numDtypes]converter

type integer interface {
	uint8 | int8 | int16 | int32 | int64
}

type float interface{ float32 | float64 }

type realNumber interface{ integer | float }

func at[T any](p unsafe.Pointer, i int) *T {
	var z T
	return (*T)(unsafe.Add(p, i*int(unsafe.Sizeof(z))))
}

func slice[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

func init() {
	fromInteger[uint8]()
	fromInteger[int8]()
	fromInteger[int16]()
	fromInteger[int32]()
	fromInteger[int64]()
	fromFloat[float32]()
	fromFloat[float64]()
	fromBool()
	fromComplex()
	set[tensor.Half, float32](halfToFloat)
	set[tensor.BF16, float32](bf16ToFloat)
	set[float32, tensor.Half](floatToHalf)
	set[float32, tensor.BF16](floatToBF16)
	for d := tensor.Bool; d <= tensor.Complex128; d++ {
		convertTable[d][d] = copierOf(d.Size())
		for _, h := range []tensor.Dtype{tensor.Float16, tensor.Bfloat16} {
			if convertTable[d][h] == nil && d != h {
				convertTable[d][h] = through(d, h)
			}
			if convertTable[h][d] == nil && d != h {
				convertTable[h][d] = through(h, d)
			}
		}
	}
	castByKernels()
}

// castByKernels uses the kernels of package simd where both sides are contiguous.
func castByKernels() {
	for from := tensor.Bool; from <= tensor.Complex128; from++ {
		for to := tensor.Bool; to <= tensor.Complex128; to++ {
			f, strided := simd.Get("cast "+to.String()+" "+from.String()), convertTable[from][to]
			if f == nil || strided == nil {
				continue
			}
			convertTable[from][to] = func(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
				if ds == 1 && ss == 1 {
					f(n, bytePtr(dst), bytePtr(src), nil, nil, nil)
					return
				}
				strided(dst, ds, src, ss, n)
			}
		}
	}
	for to := tensor.Uint8; to <= tensor.Complex128; to++ { // bools are the bytes 0 and 1
		if size := to.Size(); size > 1 && to != tensor.Float16 && to != tensor.Bfloat16 {
			convertTable[tensor.Bool][to] = convertTable[tensor.Uint8][to]
		}
	}
}

func set[S, T tensor.Element](f converter) {
	convertTable[tensor.DtypeOf[S]()][tensor.DtypeOf[T]()] = f
}

// through converts through float32, one of a and b being a half type.
func through(a, b tensor.Dtype) converter {
	return func(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
		first, second := convertTable[a][tensor.Float32], convertTable[tensor.Float32][b]
		l := newLender()
		defer l.end()
		buf := lent[float32](&l, blockLen)
		mid := unsafe.Pointer(&buf[0])
		for i := 0; i < n; i += len(buf) {
			k := min(len(buf), n-i)
			first(mid, 1, unsafe.Add(src, i*ss*a.Size()), ss, k)
			second(unsafe.Add(dst, i*ds*b.Size()), ds, mid, 1, k)
		}
	}
}

// copierOf moves elements of a size without looking at them.
func copierOf(size int) converter { return copiers[mathbits.TrailingZeros(uint(size))] }

var copiers = [...]converter{copier[uint8]("fill int8", nil), copier[uint16]("fill int16", nil),
	copier[uint32]("fill int32", simd.Even32),
	copier[uint64]("fill int64", simd.Even64), copyElems[[2]uint64]}

// copier is copyElems with vectors for one value and for every second one.
func copier[T any](fill string, even func(n int, dst, src unsafe.Pointer)) converter {
	fillAll := simd.Get(fill)
	return func(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
		switch {
		case ds == 1 && ss == 1:
			copy(slice[T](dst, n), slice[T](src, n))
		case ds == 1 && ss == 0:
			fillAll(n, bytePtr(dst), nil, nil, nil, bytePtr(src))
		case ds == 1 && ss == 2 && even != nil:
			even(n, dst, src)
		case ds == 1 && ss == -1:
			copyReversed[T](dst, src, n)
		default:
			copyElems[T](dst, ds, src, ss, n)
		}
	}
}

// copyReversed copies n elements, the first at src and the others in front of it, in words of eight bytes whose
// elements are swapped.
func copyReversed[T any](dst, src unsafe.Pointer, n int) {
	size := int(unsafe.Sizeof(*new(T)))
	per := 8 / size
	words := n / per
	if words > 0 {
		last := words - 1
		d := slice[uint64](dst, words)
		s := slice[uint64](unsafe.Add(src, -(words*per-1)*size), words)[:len(d)]
		switch size {
		case 8:
			for i := range d {
				d[i] = s[last-i]
			}
		case 4:
			for i := range d {
				d[i] = mathbits.RotateLeft64(s[last-i], 32)
			}
		case 2:
			const low = 0x00ff00ff00ff00ff
			for i := range d {
				x := mathbits.ReverseBytes64(s[last-i])
				d[i] = x>>8&low | x&low<<8
			}
		case 1:
			for i := range d {
				d[i] = mathbits.ReverseBytes64(s[last-i])
			}
		}
	}
	for i := words * per; i < n; i++ {
		*at[T](dst, i) = *at[T](src, -i)
	}
}

func copyElems[T any](dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	if ds == 1 {
		d := slice[T](dst, n)
		for i := range d {
			d[i] = *at[T](src, i*ss)
		}
		return
	}
	for i := range n {
		*at[T](dst, i*ds) = *at[T](src, i*ss)
	}
}

// plain converts between numbers as Go does, which is exact wherever the value fits.
func plain[S, T realNumber](dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[T](dst, i*ds) = T(*at[S](src, i*ss))
	}
}

// truncate converts floating point to integers. What does not fit in an int64 becomes the least one, before it is
// narrowed.
func truncate[S float, T integer](dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[T](dst, i*ds) = T(truncInt(float64(*at[S](src, i*ss))))
	}
}

func truncInt32[S float](dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		f := float64(*at[S](src, i*ss))
		v := int32(math.MinInt32)
		if f > -0x1p31-1 && f < 0x1p31 {
			v = int32(f)
		}
		*at[int32](dst, i*ds) = v
	}
}

func truncInt(f float64) int64 {
	if f >= -0x1p63 && f < 0x1p63 {
		return int64(f)
	}
	return math.MinInt64
}

func notZero[S comparable](dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	var zero S
	for i := range n {
		*at[bool](dst, i*ds) = *at[S](src, i*ss) != zero
	}
}

func toComplex64[S realNumber](dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[complex64](dst, i*ds) = complex(float32(*at[S](src, i*ss)), 0)
	}
}

func toComplex128[S realNumber](dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[complex128](dst, i*ds) = complex(float64(*at[S](src, i*ss)), 0)
	}
}

func fromInteger[S integer]() {
	set[S, uint8](plain[S, uint8])
	set[S, int8](plain[S, int8])
	set[S, int16](plain[S, int16])
	set[S, int32](plain[S, int32])
	set[S, int64](plain[S, int64])
	fromReal[S]()
}

func fromFloat[S float]() {
	set[S, uint8](truncate[S, uint8])
	set[S, int8](truncate[S, int8])
	set[S, int16](truncate[S, int16])
	set[S, int32](truncInt32[S])
	set[S, int64](truncate[S, int64])
	fromReal[S]()
}

func fromReal[S interface {
	realNumber
	tensor.Element
}]() {
	set[S, bool](notZero[S])
	set[S, float32](plain[S, float32])
	set[S, float64](plain[S, float64])
	set[S, complex64](toComplex64[S])
	set[S, complex128](toComplex128[S])
}

// fromBool reads bools as the bytes 0 and 1.
func fromBool() {
	for d := tensor.Uint8; d <= tensor.Complex128; d++ {
		convertTable[tensor.Bool][d] = convertTable[tensor.Uint8][d]
	}
	set[bool, uint8](copyElems[uint8])
	set[bool, int8](copyElems[uint8])
}

// fromComplex takes the real part as an element of twice the step.
func fromComplex() {
	realPart := func(f converter) converter {
		return func(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) { f(dst, ds, src, 2*ss, n) }
	}
	for d := tensor.Uint8; d <= tensor.Float64; d++ {
		if f := convertTable[tensor.Float32][d]; f != nil {
			convertTable[tensor.Complex64][d] = realPart(f)
		}
		if f := convertTable[tensor.Float64][d]; f != nil {
			convertTable[tensor.Complex128][d] = realPart(f)
		}
	}
	set[complex64, float32](realPart(copyElems[float32]))
	set[complex128, float64](realPart(copyElems[float64]))
	set[complex64, bool](notZero[complex64])
	set[complex128, bool](notZero[complex128])
	set[complex64, complex128](func(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
		for i := range n {
			*at[complex128](dst, i*ds) = complex128(*at[complex64](src, i*ss))
		}
	})
	set[complex128, complex64](func(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
		for i := range n {
			*at[complex64](dst, i*ds) = complex64(*at[complex128](src, i*ss))
		}
	})
}

func halfToFloat(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[float32](dst, i*ds) = (*at[tensor.Half](src, i*ss)).Float32()
	}
}

func bf16ToFloat(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[float32](dst, i*ds) = (*at[tensor.BF16](src, i*ss)).Float32()
	}
}

func floatToHalf(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[tensor.Half](dst, i*ds) = tensor.ToHalf(*at[float32](src, i*ss))
	}
}

func floatToBF16(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[tensor.BF16](dst, i*ds) = tensor.ToBF16(*at[float32](src, i*ss))
	}
}
