package tensor

import (
	"fmt"
	"math"
	"reflect"
)

//gotorch:internal
type (
	// Operand is a *Tensor or a Go number. A number takes part in type promotion as PyTorch's wrapped numbers do.
	Operand = any
	// Number is a Go number or bool.
	Number = any
	// Ints is an int or a []int.
	Ints = any
	// Ix is a list of indices: ints, ranges, Ellipsis, None, Colon, tensors, lists.
	Ix = []any
)

type numberKind uint8

const (
	noNumber numberKind = iota
	boolNumber
	intNumber
	bigNumber // an integer beyond the greatest int64
	floatNumber
	complexNumber
)

// Scalar is a number that an operator was given: a bool, an integer, a float or a complex number, kept exactly.
//
//gotorch:internal
type Scalar struct { // four fields: the compiler keeps a struct of five in memory, not in registers
	kind numberKind
	i    int64 // the bits of a uint64 where kind is bigNumber
	f    float64
	im   float64
}

// ScalarOf reads a Go number; ok is false for anything else.
//
//gotorch:internal
func ScalarOf(v any) (s Scalar, ok bool) {
	switch v := v.(type) {
	case int:
		return Scalar{kind: intNumber, i: int64(v)}, true
	case float64:
		return Scalar{kind: floatNumber, f: v}, true
	case bool:
		if v {
			return Scalar{kind: boolNumber, i: 1}, true
		}
		return Scalar{kind: boolNumber}, true
	case int64:
		return Scalar{kind: intNumber, i: v}, true
	case int32:
		return Scalar{kind: intNumber, i: int64(v)}, true
	case int16:
		return Scalar{kind: intNumber, i: int64(v)}, true
	case int8:
		return Scalar{kind: intNumber, i: int64(v)}, true
	case uint8:
		return Scalar{kind: intNumber, i: int64(v)}, true
	case uint16:
		return Scalar{kind: intNumber, i: int64(v)}, true
	case uint32:
		return Scalar{kind: intNumber, i: int64(v)}, true
	case uint64:
		return uintScalar(v), true
	case uint:
		return uintScalar(uint64(v)), true
	case float32:
		return Scalar{kind: floatNumber, f: float64(v)}, true
	case complex128:
		return Scalar{kind: complexNumber, f: real(v), im: imag(v)}, true
	case complex64:
		return Scalar{kind: complexNumber, f: float64(real(v)), im: float64(imag(v))}, true
	case Half:
		return Scalar{kind: floatNumber, f: float64(v.Float32())}, true
	case BF16:
		return Scalar{kind: floatNumber, f: float64(v.Float32())}, true
	case F8E4M3FN:
		return Scalar{kind: floatNumber, f: float64(v.Float32())}, true
	case F8E5M2:
		return Scalar{kind: floatNumber, f: float64(v.Float32())}, true
	case ComplexHalf:
		return Scalar{kind: complexNumber, f: float64(v.Re.Float32()), im: float64(v.Im.Float32())}, true
	case Scalar:
		return v, v.kind != noNumber
	}
	return namedScalar(v)
}

// namedScalar reads a number of a declared type, such as time.Duration; this package's own, a Dtype say, are no
// numbers.
func namedScalar(v any) (Scalar, bool) {
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Type().PkgPath() == reflect.TypeFor[Scalar]().PkgPath() {
		return Scalar{}, false
	}
	switch {
	case r.CanInt():
		return Scalar{kind: intNumber, i: r.Int()}, true
	case r.CanUint():
		return uintScalar(r.Uint()), true
	case r.CanFloat():
		return Scalar{kind: floatNumber, f: r.Float()}, true
	case r.CanComplex():
		return Scalar{kind: complexNumber, f: real(r.Complex()), im: imag(r.Complex())}, true
	case r.Kind() == reflect.Bool:
		return ScalarOf(r.Bool())
	}
	return Scalar{}, false
}

// IntScalar and FloatScalar make scalars without an interface.
//
//gotorch:internal
func IntScalar(i int64) Scalar { return Scalar{kind: intNumber, i: i} }

// uintScalar is an integer that an int64 may be too small for.
func uintScalar(u uint64) Scalar {
	if u > math.MaxInt64 {
		return Scalar{kind: bigNumber, i: int64(u)}
	}
	return Scalar{kind: intNumber, i: int64(u)}
}

//gotorch:internal
func FloatScalar(f float64) Scalar { return Scalar{kind: floatNumber, f: f} }

// Uint is the number as an unsigned integer; one below zero wraps around.
func (s Scalar) Uint() uint64 {
	if (s.kind == floatNumber || s.kind == complexNumber) && s.f >= 1<<63 && s.f < 1<<64 {
		return uint64(s.f)
	}
	return uint64(s.Int())
}

// IsBig reports whether the number is an integer beyond the greatest int64.
func (s Scalar) IsBig() bool { return s.kind == bigNumber }

// Int is the number as an integer, truncated; one beyond the greatest int64 wraps around.
func (s Scalar) Int() int64 {
	switch s.kind {
	case floatNumber, complexNumber:
		return floatToInt(s.f)
	}
	return s.i
}

// Float is the number as a float64 (the real part of a complex one).
func (s Scalar) Float() float64 {
	switch s.kind {
	case floatNumber, complexNumber:
		return s.f
	}
	if s.IsBig() {
		return float64(uint64(s.i))
	}
	return float64(s.i)
}

// Complex is the number as a complex128.
func (s Scalar) Complex() complex128 { return complex(s.Float(), s.im) }

// Bool reports whether the number is not zero.
func (s Scalar) Bool() bool { return s.i != 0 || s.f != 0 || s.im != 0 }

// IsBool, IsInt, IsFloat and IsComplex tell which kind of number was given.
func (s Scalar) IsBool() bool    { return s.kind == boolNumber }
func (s Scalar) IsInt() bool     { return s.kind == intNumber || s.kind == bigNumber }
func (s Scalar) IsFloat() bool   { return s.kind == floatNumber }
func (s Scalar) IsComplex() bool { return s.kind == complexNumber }

// Dtype is the dtype that a tensor made of the number has: bool, int64, the default float or its complex.
func (s Scalar) Dtype() Dtype {
	switch s.kind {
	case boolNumber:
		return Bool
	case intNumber, bigNumber:
		return Int64
	case floatNumber:
		return DefaultDtype()
	case complexNumber:
		return DefaultDtype().ToComplex()
	}
	return NoDtype
}

// Any is the number as a Go value: bool, int64 (uint64 beyond it), float64 or complex128.
func (s Scalar) Any() any {
	switch s.kind {
	case boolNumber:
		return s.i != 0
	case intNumber:
		return s.i
	case bigNumber:
		return uint64(s.i)
	case floatNumber:
		return s.f
	case complexNumber:
		return complex(s.f, s.im)
	}
	return nil
}

// String is the number as Python writes it.
func (s Scalar) String() string {
	switch v := s.Any().(type) {
	case bool:
		if v {
			return "True"
		}
		return "False"
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e16 {
			return fmt.Sprintf("%.1f", v)
		}
		return fmt.Sprint(v)
	default:
		return fmt.Sprint(v)
	}
}

// floatToInt truncates; what does not fit becomes the smallest int64, as amd64's instruction has it, on every machine.
func floatToInt(f float64) int64 {
	if f >= -0x1p63 && f < 0x1p63 {
		return int64(f)
	}
	return math.MinInt64
}

func boolScalar(b bool) Scalar {
	s, _ := ScalarOf(b)
	return s
}
