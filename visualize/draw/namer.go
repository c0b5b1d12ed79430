package draw

import (
	"reflect"
	"strconv"

	"gotorch/tensor"
)

// Limits of the search for tensors in one variable.
const (
	namesDeep = 4 // blocks[3].Query.Weight
	namesMany = 1024
)

// Namer returns a function that knows the names of the tensors which variables hold: a variable's own, those of its
// elements, ws[0], and of its exported fields, m.Weight. vars are pointers to the variables, by name; they are looked
// at each time when it is called.
//
//	visualize.Namer(map[string]any{"x": &x, "model": &model})()
func Namer(vars map[string]any) func() map[*tensor.Tensor]string {
	return func() map[*tensor.Tensor]string {
		names := map[*tensor.Tensor]string{}
		for name, p := range vars {
			if v := reflect.ValueOf(p); v.Kind() == reflect.Pointer && !v.IsNil() {
				NameTensors(names, name, v.Elem())
			}
		}
		return names
	}
}

// NameTensors puts the names of the tensors that a variable holds into names. Of several names of one tensor the
// shortest is taken, and of those the first.
func NameTensors(names map[*tensor.Tensor]string, name string, v reflect.Value) {
	left := namesMany
	findTensors(v, name, namesDeep, &left, func(x *tensor.Tensor, name string) {
		if old, ok := names[x]; !ok || len(name) < len(old) || len(name) == len(old) && name < old {
			names[x] = name
		}
	})
}

var tensorType = reflect.TypeFor[*tensor.Tensor]()

// findTensors calls found for the tensors that v holds, directly and as elements and exported fields, depth levels
// down.
func findTensors(v reflect.Value, name string, depth int, left *int, found func(*tensor.Tensor, string)) {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || *left <= 0 {
		return
	}
	if v.Type() == tensorType {
		if *left--; !v.IsNil() && v.CanInterface() {
			found(v.Interface().(*tensor.Tensor), name)
		}
		return
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if depth == 0 || !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		if !holds(v.Type().Elem()) {
			return
		}
		for i := 0; i < v.Len() && *left > 0; i++ {
			findTensors(v.Index(i), name+"["+strconv.Itoa(i)+"]", depth-1, left, found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && holds(f.Type) {
				findTensors(v.Field(i), name+"."+f.Name, depth-1, left, found)
			}
		}
	}
}

// holds reports whether values of type t may hold tensors.
func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Array, reflect.Struct:
		return true
	}
	return false
}
