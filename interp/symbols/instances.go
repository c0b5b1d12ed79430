package symbols

import (
	"reflect"

	"gotorch/tensor"
)

// Generic functions of gotorch's packages, which reflection does not show: the
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
		return t
	})
}

func elements[T tensor.Element](t map[string]reflect.Value, name string) {
	t["Data["+name+"]"] = reflect.ValueOf(tensor.Data[T])
	t["WithData["+name+"]"] = reflect.ValueOf(tensor.WithData[T])
	t["FromSlice["+name+"]"] = reflect.ValueOf(tensor.FromSlice[T])
	t["DtypeOf["+name+"]"] = reflect.ValueOf(tensor.DtypeOf[T])
}

var extensions = map[string]func() map[string]reflect.Value{}

// extend adds to a package's table.
func extend(path string, f func() map[string]reflect.Value) { extensions[path] = f }
