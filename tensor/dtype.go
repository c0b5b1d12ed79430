package tensor

import "fmt"

// Dtype is the type of a tensor's elements.
type Dtype uint8

// The dtypes. A Dtype is an [Option] by itself: x.To(tensor.Float64). Those from Complex32 on are for storage: they
// are made, converted, copied, indexed and saved, and few operators compute in them; see [StorageDtypes].
const (
	//gotorch:internal
	NoDtype Dtype = iota // "not given"
	Bool
	Uint8
	Int8
	Int16
	Int32
	Int64
	Float16
	Bfloat16
	Float32
	Float64
	Complex64
	Complex128
	Complex32
	Uint16
	Uint32
	Uint64
	Float8E4m3fn
	Float8E5m2
	numDtypes
)

type category uint8

const (
	boolean category = iota + 1
	integral
	floating
	complexes
)

var dtypeTable = [numDtypes]struct {
	name string
	size int
	cat  category
}{
	NoDtype:    {"no dtype", 0, 0},
	Bool:       {"bool", 1, boolean},
	Uint8:      {"uint8", 1, integral},
	Int8:       {"int8", 1, integral},
	Int16:      {"int16", 2, integral},
	Int32:      {"int32", 4, integral},
	Int64:      {"int64", 8, integral},
	Float16:    {"float16", 2, floating},
	Bfloat16:   {"bfloat16", 2, floating},
	Float32:    {"float32", 4, floating},
	Float64:    {"float64", 8, floating},
	Complex64:  {"complex64", 8, complexes},
	Complex128: {"complex128", 16, complexes},

	Complex32:    {"complex32", 4, complexes},
	Uint16:       {"uint16", 2, integral},
	Uint32:       {"uint32", 4, integral},
	Uint64:       {"uint64", 8, integral},
	Float8E4m3fn: {"float8_e4m3fn", 1, floating},
	Float8E5m2:   {"float8_e5m2", 1, floating},
}

// Dtypes lists the dtypes that operators compute in, from bool to complex128.
func Dtypes() []Dtype { return dtypesBetween(Bool, Complex128) }

// StorageDtypes lists the dtypes that are for storage, as in PyTorch 2: the unsigned integers beside uint8, float8,
// and complex32. An operator that does not compute in them is an error that names the dtype to convert to.
func StorageDtypes() []Dtype { return dtypesBetween(Complex128+1, numDtypes-1) }

func dtypesBetween(first, last Dtype) []Dtype {
	var out []Dtype
	for d := first; d <= last; d++ {
		out = append(out, d)
	}
	return out
}

// forStorage reports whether few operators compute in d.
func (d Dtype) forStorage() bool { return d > Complex128 }

func (d Dtype) isFloat8() bool { return d == Float8E4m3fn || d == Float8E5m2 }

// isUnsigned reports whether d is an unsigned integer beside uint8, which promotes with no other integer.
func (d Dtype) isUnsigned() bool { return d == Uint16 || d == Uint32 || d == Uint64 }

// ConvertHint says how tensors of d, a dtype for storage, come to one that operators compute in; "" for other dtypes.
//
//gotorch:internal
func (d Dtype) ConvertHint() string {
	switch {
	case !d.forStorage():
		return ""
	case d == Complex32:
		return "x.Cfloat() converts to complex64"
	case d.isFloat8():
		return "x.Float() converts to float32"
	}
	return "x.Long() converts to int64, x.Float() to float32"
}

// ParseDtype finds a dtype by PyTorch's name: "float32", also "float", "double", "half", "long", "int", "short",
// "cfloat", "cdouble", "chalf".
func ParseDtype(name string) (Dtype, bool) {
	for d := Bool; d < numDtypes; d++ {
		if dtypeTable[d].name == name {
			return d, true
		}
	}
	d, ok := map[string]Dtype{"float": Float32, "double": Float64, "half": Float16, "long": Int64, "int": Int32,
		"short":  Int16,
		"cfloat": Complex64, "cdouble": Complex128, "chalf": Complex32}[name]
	return d, ok
}

// String is PyTorch's name without "torch.": float32.
func (d Dtype) String() string {
	if d < numDtypes {
		return dtypeTable[d].name
	}
	return fmt.Sprintf("Dtype(%d)", uint8(d))
}

// Size is the number of bytes of one element.
func (d Dtype) Size() int { return dtypeTable[d].size }

// IsFloatingPoint reports whether d is float16, bfloat16, float32, float64 or a float8.
func (d Dtype) IsFloatingPoint() bool { return dtypeTable[d].cat == floating }

// IsComplex reports whether d is complex32, complex64 or complex128.
func (d Dtype) IsComplex() bool { return dtypeTable[d].cat == complexes }

// IsIntegral reports whether d is an integer type (bool is not).
func (d Dtype) IsIntegral() bool { return dtypeTable[d].cat == integral }

// IsDifferentiable reports whether tensors of d can require grad.
func (d Dtype) IsDifferentiable() bool { return dtypeTable[d].cat >= floating }

// ToReal is the dtype of a complex dtype's parts; other dtypes are their own.
func (d Dtype) ToReal() Dtype {
	switch d {
	case Complex32:
		return Float16
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return d
}

// ToComplex is the complex dtype whose parts are d: complex128 for float64, complex32 for float16, complex64 for other
// real dtypes.
func (d Dtype) ToComplex() Dtype {
	switch d {
	case Float64, Complex128:
		return Complex128
	case Float16, Complex32:
		return Complex32
	}
	return Complex64
}

// Accumulate is the dtype in which sums over d are kept: float32 for the half types, d itself otherwise.
func (d Dtype) Accumulate() Dtype {
	if d == Float16 || d == Bfloat16 {
		return Float32
	}
	return d
}
