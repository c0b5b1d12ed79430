package autograd

import (
	"fmt"
	"reflect"
	"slices"

	"gotorch/tensor"
)

// Note: trees. What people differentiate by is rarely one tensor: it is a list, a struct of weights, a map of such
// structs. Transforms work on lists of tensors; Flatten gives the tensors of a value in a fixed order, and Unflatten
// puts others in their places. Nothing is changed in place: what Unflatten sets is a copy.

var tensorType = reflect.TypeFor[*tensor.Tensor]()

// Flatten lists the tensors in v: a tensor, or slices, arrays, maps, structs, pointers and interfaces that hold
// tensors, as deep as they go. Elements come in order, fields as they are declared (exported ones), maps by their keys
// in order. A nil tensor is left out. Numbers, strings and functions hold none.
func Flatten(v any) []*tensor.Tensor {
	var out []*tensor.Tensor
	walkTensors(reflect.ValueOf(v), 0, func(x *tensor.Tensor) { out = append(out, x) })
	return out
}

// maxTree is how deep values may be nested; a value that points to itself is deeper.
const maxTree = 100

func tooDeep(op string, depth int) {
	if depth > maxTree {
		panic(tensor.Errorf(op, "the value is nested more than %d deep, or points to itself", maxTree))
	}
}

func walkTensors(v reflect.Value, depth int, each func(*tensor.Tensor)) {
	tooDeep("flatten", depth)
	if !v.IsValid() {
		return
	}
	if v.Type() == tensorType {
		if x := v.Interface().(*tensor.Tensor); x != nil {
			each(x)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walkTensors(v.Elem(), depth+1, each)
		}
	case reflect.Slice, reflect.Array:
		if holdsTensors(v.Type().Elem()) {
			for i := range v.Len() {
				walkTensors(v.Index(i), depth+1, each)
			}
		}
	case reflect.Map:
		if holdsTensors(v.Type().Elem()) {
			for _, k := range sortedKeys(v) {
				walkTensors(v.MapIndex(k), depth+1, each)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkTensors(v.Field(i), depth+1, each)
			}
		}
	}
}

// holdsTensors reports whether elements of type t may hold tensors, so that long lists of numbers are not walked.
func holdsTensors(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		return true
	}
	return false
}

func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.CanInt():
			return compare(a.Int(), b.Int())
		case a.CanUint():
			return compare(a.Uint(), b.Uint())
		case a.CanFloat():
			return compare(a.Float(), b.Float())
		}
		return compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return keys
}

func compare[T int64 | uint64 | float64 | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Unflatten puts xs in the places of the tensors that [Flatten] finds in *to. Lists, maps and structs behind pointers
// that hold tensors are copied before: values that shared them with *to stay as they were. It panics with an *Error
// where the number of tensors is another.
func Unflatten(to any, xs []*tensor.Tensor) {
	v := reflect.ValueOf(to)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type() == tensorType {
		panic(tensor.Errorf("unflatten", "wants a pointer to the value whose tensors are set, not %T", to))
	}
	if n := len(Flatten(to)); n != len(xs) {
		panic(tensor.Errorf("unflatten", "the value has %d tensors and is given %d", n, len(xs)))
	}
	v.Elem().Set(planted(v.Elem(), &xs, 0))
}

// planted is a copy of v with the first tensors of xs in the places of its own.
func planted(v reflect.Value, xs *[]*tensor.Tensor, depth int) reflect.Value {
	tooDeep("unflatten", depth)
	if v.Type() == tensorType {
		if v.IsNil() {
			return v
		}
		x := (*xs)[0]
		*xs = (*xs)[1:]
		return reflect.ValueOf(x)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || !hasTensor(v) {
			return v
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(planted(v.Elem(), xs, depth+1))
		return p
	case reflect.Interface:
		if v.IsNil() || !hasTensor(v) {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(planted(v.Elem(), xs, depth+1))
		return out
	case reflect.Slice:
		if v.IsNil() || !holdsTensors(v.Type().Elem()) {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(planted(v.Index(i), xs, depth+1))
		}
		return out
	case reflect.Map:
		if v.IsNil() || !holdsTensors(v.Type().Elem()) {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, k := range sortedKeys(v) {
			out.SetMapIndex(k, planted(v.MapIndex(k), xs, depth+1))
		}
		return out
	case reflect.Array, reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range members(v) {
			if v.Kind() == reflect.Array {
				out.Index(i).Set(planted(v.Index(i), xs, depth+1))
			} else if v.Type().Field(i).IsExported() {
				out.Field(i).Set(planted(v.Field(i), xs, depth+1))
			}
		}
		return out
	}
	return v
}

func members(v reflect.Value) int {
	if v.Kind() == reflect.Array {
		return v.Len()
	}
	return v.NumField()
}

func hasTensor(v reflect.Value) (yes bool) {
	walkTensors(v, 0, func(*tensor.Tensor) { yes = true })
	return yes
}
