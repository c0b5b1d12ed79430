package cpu

import (
	"math"
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: keys. Everything that orders elements does so by an unsigned number for each of them, which grows with the
// element: integers with the sign bit flipped, floating-point numbers with their bits laid out so, both zeros alike
// and NaN above all. One sort then serves all dtypes. Dtypes of up to 32 bits have keys of 32 bits, which sort in half
// the memory.

// A keyType is the type of keys.
type keyType interface{ uint32 | uint64 }

// keysOf returns the keys of x's elements, row by row.
func keysOf(op string, x *tensor.Tensor) []uint64 {
	if x.Dtype().IsComplex() {
		panic(tensor.Errorf(op, "not implemented for %s: complex numbers have no order", x.Dtype()))
	}
	x = contiguous(op, x, x.Dtype())
	out, size := asUnsigned(largeBuffer[int64](op, x.Numel())), x.ElementSize()
	parallel.For(len(out), grainSize, func(lo, hi int) {
		tensor.Interrupted(op)
		src := unsafe.Add(x.Ptr(), lo*size)
		if narrowKeys(x.Dtype()) {
			widenKeys(x.Dtype(), out[lo:hi], src)
			return
		}
		keyers64[x.Dtype()](out[lo:hi], src)
	})
	runtime.KeepAlive(x)
	return out
}

// asUnsigned is x's memory as unsigned numbers.
func asUnsigned(x []int64) []uint64 {
	return slice[uint64](unsafe.Pointer(unsafe.SliceData(x)), len(x))
}

// widenKeys makes 64-bit keys of narrow dtypes; NaN has the key of all ones.
func widenKeys(dt tensor.Dtype, out []uint64, src unsafe.Pointer) {
	l := newLender()
	defer l.end()
	buf := lent[uint32](&l, blockLen)
	for i := 0; i < len(out); i += len(buf) {
		n := min(len(buf), len(out)-i)
		keyers32[dt](buf[:n], unsafe.Add(src, i*dt.Size()))
		for j, k := range buf[:n] {
			out[i+j] = uint64(k)
		}
		if dt.IsFloatingPoint() {
			for j, k := range buf[:n] {
				if k == math.MaxUint32 {
					out[i+j] = math.MaxUint64
				}
			}
		}
	}
}

// narrowKeys reports whether keys of dt have 32 bits.
func narrowKeys(dt tensor.Dtype) bool { return keyers32[dt] != nil }

// Keyers write the keys of contiguous elements.
var (
	keyers32 [numDtypes]func(dst []uint32, src unsafe.Pointer)
	keyers64 [numDtypes]func(dst []uint64, src unsafe.Pointer)
)

func init() {
	keyers32[tensor.Bool] = unsignedKeys
	keyers32[tensor.Uint8] = unsignedKeys
	keyers32[tensor.Int8] = signedKeys[int8]
	keyers32[tensor.Int16] = signedKeys[int16]
	keyers32[tensor.Int32] = signedKeys[int32]
	keyers32[tensor.Float32] = func(dst []uint32, src unsafe.Pointer) {
		simd.KeysFloat32(dst, slice[float32](src, len(dst)))
	}
	keyers32[tensor.Float16] = func(dst []uint32, src unsafe.Pointer) {
		for i, v := range slice[tensor.Half](src, len(dst))[:len(dst)] {
			dst[i] = float32Key(v.Float32())
		}
	}
	keyers32[tensor.Bfloat16] = func(dst []uint32, src unsafe.Pointer) {
		for i, v := range slice[tensor.BF16](src, len(dst))[:len(dst)] {
			dst[i] = float32Key(v.Float32())
		}
	}
	keyers64[tensor.Int64] = func(dst []uint64, src unsafe.Pointer) {
		for i, v := range slice[uint64](src, len(dst))[:len(dst)] {
			dst[i] = v ^ 1<<63
		}
	}
	keyers64[tensor.Float64] = func(dst []uint64, src unsafe.Pointer) {
		simd.KeysFloat64(dst, slice[float64](src, len(dst)))
	}
}

func unsignedKeys(dst []uint32, src unsafe.Pointer) {
	for i, v := range slice[uint8](src, len(dst))[:len(dst)] {
		dst[i] = uint32(v)
	}
}

func signedKeys[T int8 | int16 | int32](dst []uint32, src unsafe.Pointer) {
	for i, v := range slice[T](src, len(dst))[:len(dst)] {
		dst[i] = uint32(int32(v)) ^ 1<<31
	}
}

func floatKey(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float64bits(v + 0) // -0 + 0 is 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

func float32Key(v float32) uint32 {
	if v != v {
		return math.MaxUint32
	}
	b := math.Float32bits(v + 0)
	return b ^ (uint32(int32(b)>>31) | 1<<31)
}
