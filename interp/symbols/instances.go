package symbols

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"gotorch/tensor"
)

// Generic functions of compiled packages, which reflection does not show: the
// instances that cells can call, under the name with its type argument. A table
// row adds a type.
func init() {
	extend("gotorch/tensor", func() map[string]reflect.Value {
		t := map[string]reflect.Value{}
		elements[bool](t, "bool")
		elements[uint8](t, "uint8")
		elements[int8](t, "int8")
		elements[int16](t, "int16")
		elements[int32](t, "int32")
		elements[int64](t, "int64")
		elements[float32](t, "float32")
		elements[float64](t, "float64")
		elements[complex64](t, "complex64")
		elements[complex128](t, "complex128")
		t["Data[int]"] = reflect.ValueOf(tensor.Data[int])
		t["WithData[int]"] = reflect.ValueOf(tensor.WithData[int])
		t["FromSlice[int]"] = reflect.ValueOf(tensor.FromSlice[int])
		fusible[func(a *tensor.Tensor) *tensor.Tensor](t, 1)
		fusible[func(a, b *tensor.Tensor) *tensor.Tensor](t, 2)
		fusible[func(a, b, c *tensor.Tensor) *tensor.Tensor](t, 3)
		fusible[func(a, b, c, d *tensor.Tensor) *tensor.Tensor](t, 4)
		return t
	})
	extend("math/rand/v2", func() map[string]reflect.Value {
		t := map[string]reflect.Value{}
		numbers[int](t, "int")
		numbers[int8](t, "int8")
		numbers[int16](t, "int16")
		numbers[int32](t, "int32")
		numbers[int64](t, "int64")
		numbers[uint](t, "uint")
		numbers[uint8](t, "uint8")
		numbers[uint16](t, "uint16")
		numbers[uint32](t, "uint32")
		numbers[uint64](t, "uint64")
		numbers[uintptr](t, "uintptr")
		numbers[time.Duration](t, "time.Duration")
		return t
	})
}

func numbers[T int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | uintptr | time.Duration](
	t map[string]reflect.Value, name string) {
	t["N["+name+"]"] = reflect.ValueOf(rand.N[T])
}

func elements[T tensor.Element](t map[string]reflect.Value, name string) {
	t["Data["+name+"]"] = reflect.ValueOf(tensor.Data[T])
	t["WithData["+name+"]"] = reflect.ValueOf(tensor.WithData[T])
	t["FromSlice["+name+"]"] = reflect.ValueOf(tensor.FromSlice[T])
	t["DtypeOf["+name+"]"] = reflect.ValueOf(tensor.DtypeOf[T])
	t["Access1["+name+"]"] = reflect.ValueOf(tensor.Access1[T])
	t["Access2["+name+"]"] = reflect.ValueOf(tensor.Access2[T])
	t["Access3["+name+"]"] = reflect.ValueOf(tensor.Access3[T])
	t["Access4["+name+"]"] = reflect.ValueOf(tensor.Access4[T])
	t["Pointwise1["+name+"]"] = reflect.ValueOf(tensor.Pointwise1[T])
	t["Pointwise2["+name+"]"] = reflect.ValueOf(tensor.Pointwise2[T])
	t["Pointwise3["+name+"]"] = reflect.ValueOf(tensor.Pointwise3[T])
}

func fusible[F tensor.Fusible](t map[string]reflect.Value, args int) {
	const name = "*gotorch/tensor.Tensor"
	t["Fuse[func("+strings.Repeat(","+name, args)[1:]+")("+name+")]"] = reflect.ValueOf(tensor.Fuse[F])
}

var extensions = map[string]func() map[string]reflect.Value{}

// extend adds to a package's table.
func extend(path string, f func() map[string]reflect.Value) { extensions[path] = f }
