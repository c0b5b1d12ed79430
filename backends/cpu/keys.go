package cpu

import (
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: keys. Everything that orders elements does so by a uint64 for each of them, which grows with the element: integers with the sign
// turned over, floating point numbers with their bits laid out so, both zeros alike and NaN above all. One sort then serves all dtypes.

// noNaN is what nanKey gives for dtypes without NaN: the key of no element of theirs.
const noNaN = math.MaxUint64 - 1

// keysOf gives the keys of x's elements, row by row.
func keysOf(op string, x *tensor.Tensor) []uint64 {
	f := keyers[x.Dtype()]
	if f == nil {
		tensor.Errorf(op, "not implemented for %s: complex numbers have no order", x.Dtype())
	}
	return f(op, contiguous(op, x, x.Dtype()))
}

// nanKey is the key of NaN among the keys of dt.
func nanKey(dt tensor.Dtype) uint64 {
	if dt.IsFloatingPoint() {
		return math.MaxUint64
	}
	return noNaN
}

var keyers [numDtypes]func(op string, x *tensor.Tensor) []uint64

func init() {
	keyer(func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	})
	keyer(intKey[uint8])
	keyer(intKey[int8])
	keyer(intKey[int16])
	keyer(intKey[int32])
	keyer(func(v int64) uint64 { return uint64(v) ^ 1<<63 })
	keyer(func(v tensor.Half) uint64 { return floatKey(float64(v.Float32())) })
	keyer(func(v tensor.BF16) uint64 { return floatKey(float64(v.Float32())) })
	keyer(func(v float32) uint64 { return float32Key(v) })
	keyer(floatKey)
}

func keyer[T tensor.Element](key func(T) uint64) {
	keyers[tensor.DtypeOf[T]()] = func(op string, x *tensor.Tensor) []uint64 {
		src, out := tensor.Elems[T](x), make([]uint64, x.Numel())
		parallel.For(len(out), grainSize, func(lo, hi int) {
			tensor.Interrupted(op)
			for i := lo; i < hi; i++ {
				out[i] = key(src[i])
			}
		})
		runtime.KeepAlive(x)
		return out
	}
}

// intKey keeps narrow integers narrow: fewer digits to sort by.
func intKey[T uint8 | int8 | int16 | int32](v T) uint64 { return uint64(int64(v) + 1<<31) }

func floatKey(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float64bits(v + 0) // -0 + 0 is 0
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// float32Key has 32 bits, but for NaN.
func float32Key(v float32) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float32bits(v + 0)
	if b>>31 != 0 {
		return uint64(^b)
	}
	return uint64(b | 1<<31)
}
