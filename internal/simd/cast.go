package simd

import (
	"math"
	"reflect"
)

func init() {
	fromInteger[uint8]()
	fromInteger[int8]()
	fromInteger[int16]()
	fromInteger[int32]()
	fromInteger[int64]()
	fromFloat[float32]()
	fromFloat[float64]()
	define1("cast float64 float32", plain[float64, float32])
	define1("cast float32 float64", plain[float32, float64])
	define1("cast float32 float16", each1(func(h uint16) float32 { return FromHalf(h) }))
	define1("cast float32 bfloat16", each1(func(h uint16) float32 { return FromBF16(h) }))
	define1("cast float64 float16", each1(func(h uint16) float64 { return float64(FromHalf(h)) }))
	define1("cast float64 bfloat16", each1(func(h uint16) float64 { return float64(FromBF16(h)) }))
	define1("cast float16 float32", each1(ToHalf))
	define1("cast bfloat16 float32", each1(ToBF16))
}

// plain converts between numbers as Go does, which is exact wherever the value fits.
func plain[R, A number](dst []R, a []A) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = R(a[i])
	}
}

// truncate converts floating point to integers. What does not fit in an int64 becomes the least one, before it is
// narrowed.
func truncate[R integer, A float](dst []R, a []A) {
	for i, v := range a {
		f, n := float64(v), int64(math.MinInt64)
		if f >= -0x1p63 && f < 0x1p63 {
			n = int64(f)
		}
		dst[i] = R(n)
	}
}

// truncate32 is truncate for int32: what does not fit becomes the least one.
func truncate32[A float](dst []int32, a []A) {
	for i, v := range a {
		f, n := float64(v), int32(math.MinInt32)
		if f > -0x1p31-1 && f < 0x1p31 {
			n = int32(f)
		}
		dst[i] = n
	}
}

func fromInteger[A integer]() {
	defineCast[uint8](plain[uint8, A])
	defineCast[int8](plain[int8, A])
	defineCast[int16](plain[int16, A])
	defineCast[int32](plain[int32, A])
	defineCast[int64](plain[int64, A])
	defineCast[float32](plain[float32, A])
	defineCast[float64](plain[float64, A])
}

func fromFloat[A float]() {
	defineCast[uint8](truncate[uint8, A])
	defineCast[int8](truncate[int8, A])
	defineCast[int16](truncate[int16, A])
	defineCast[int32](truncate32[A])
	defineCast[int64](truncate[int64, A])
}

// defineCast adds a conversion, but of a dtype to itself.
func defineCast[R, A number](f func(dst []R, a []A)) {
	if reflect.TypeFor[R]() != reflect.TypeFor[A]() {
		define1("cast "+nameOf[R]()+" "+nameOf[A](), f)
	}
}
