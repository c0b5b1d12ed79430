package cpu

import (
	"unsafe"

	"gotorch/tensor"
)

// Note: conversions of the dtypes that are for storage. Unsigned integers have loops to and from integers and floating
// point; float8 has them to and from float32, complex32 to and from complex64. Every other pair goes through these.

type unsigned interface{ uint16 | uint32 | uint64 }

func init() {
	fromUnsigned[uint16]()
	fromUnsigned[uint32]()
	fromUnsigned[uint64]()
	set[tensor.F8E4M3FN, float32](mapped(tensor.F8E4M3FN.Float32))
	set[tensor.F8E5M2, float32](mapped(tensor.F8E5M2.Float32))
	set[float32, tensor.F8E4M3FN](mapped(tensor.ToF8E4M3FN))
	set[float32, tensor.F8E5M2](mapped(tensor.ToF8E5M2))
	set[tensor.ComplexHalf, complex64](mapped(func(z tensor.ComplexHalf) complex64 {
		return complex(z.Re.Float32(), z.Im.Float32())
	}))
	set[complex64, tensor.ComplexHalf](mapped(func(z complex64) tensor.ComplexHalf {
		return tensor.ComplexHalf{Re: tensor.ToHalf(real(z)), Im: tensor.ToHalf(imag(z))}
	}))
	wide := map[tensor.Dtype]tensor.Dtype{tensor.Float8E4m3fn: tensor.Float32, tensor.Float8E5m2: tensor.Float32,
		tensor.Complex32: tensor.Complex64, tensor.Uint16: tensor.Float32, tensor.Uint32: tensor.Float32,
		tensor.Uint64: tensor.Float32}
	for _, d := range []tensor.Dtype{tensor.Uint16, tensor.Uint32, tensor.Uint64, tensor.Float8E4m3fn, tensor.Float8E5m2,
		tensor.Complex32} { // each finds the pairs of those before it made
		convertTable[d][d] = copierOf(d.Size())
		for e := tensor.Bool; e < tensor.Dtype(numDtypes); e++ {
			if w := wide[d]; convertTable[d][e] == nil && convertTable[w][e] != nil {
				convertTable[d][e] = via(d, w, e)
			}
			if w := wide[d]; convertTable[e][d] == nil && convertTable[e][w] != nil {
				convertTable[e][d] = via(e, w, d)
			}
		}
	}
}

// mapped converts element by element.
func mapped[S, T any](f func(S) T) converter {
	return func(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
		for i := range n {
			*at[T](dst, i*ds) = f(*at[S](src, i*ss))
		}
	}
}

// via converts from a to b through mid.
func via(a, mid, b tensor.Dtype) converter {
	return func(dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
		first, second := convertTable[a][mid], convertTable[mid][b]
		var buf [256]complex64
		p := unsafe.Pointer(&buf)
		for i := 0; i < n; i += len(buf) {
			k := min(len(buf), n-i)
			first(p, 1, unsafe.Add(src, i*ss*a.Size()), ss, k)
			second(unsafe.Add(dst, i*ds*b.Size()), ds, p, 1, k)
		}
	}
}

// fromUnsigned defines the conversions between U and what numbers there are in Go. Floating point numbers below zero
// become integers first, as in C on amd64.
func fromUnsigned[U interface {
	unsigned
	tensor.Element
}]() {
	set[U, uint8](between[U, uint8])
	set[U, int8](between[U, int8])
	set[U, int16](between[U, int16])
	set[U, int32](between[U, int32])
	set[U, int64](between[U, int64])
	set[U, uint16](between[U, uint16])
	set[U, uint32](between[U, uint32])
	set[U, uint64](between[U, uint64])
	set[U, float32](between[U, float32])
	set[U, float64](between[U, float64])
	set[U, bool](notZero[U])
	set[U, complex64](mapped(func(u U) complex64 { return complex(float32(u), 0) }))
	set[U, complex128](mapped(func(u U) complex128 { return complex(float64(u), 0) }))
	set[uint8, U](between[uint8, U])
	set[int8, U](between[int8, U])
	set[int16, U](between[int16, U])
	set[int32, U](between[int32, U])
	set[int64, U](between[int64, U])
	set[bool, U](mapped(func(b uint8) U { return U(b) }))
	set[float32, U](mapped(func(f float32) U { return floatToUnsigned[U](float64(f)) }))
	set[float64, U](mapped(floatToUnsigned[U]))
	set[complex64, U](mapped(func(z complex64) U { return floatToUnsigned[U](float64(real(z))) }))
	set[complex128, U](mapped(func(z complex128) U { return floatToUnsigned[U](real(z)) }))
}

func between[S, T unsigned | realNumber](dst unsafe.Pointer, ds int, src unsafe.Pointer, ss int, n int) {
	for i := range n {
		*at[T](dst, i*ds) = T(*at[S](src, i*ss))
	}
}

func floatToUnsigned[U unsigned](f float64) U {
	if f >= 0x1p63 && f < 0x1p64 {
		return U(uint64(f))
	}
	return U(truncInt(f))
}
