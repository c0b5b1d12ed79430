package rt

import (
	"fmt"
	"reflect"
)

// nested is a box inside of another value, where fmt writes a pointer as its address.
type nested struct{ Box }

// Format writes the box as fmt writes a nested value.
func (n nested) Format(f fmt.State, verb rune) {
	p := printer{f: f, verb: verb, sharp: f.Flag('#') && verb == 'v', plus: f.Flag('+') && verb == 'v'}
	p.value(reflect.ValueOf(n.V), n.T, 1, true)
}

var anyType = reflect.TypeFor[any]()

// inside returns a list or a map of any in which the boxes of pointers are nested, if there are some: a copy.
func inside(a any) (any, bool) {
	v := reflect.ValueOf(a)
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
	default:
		return nil, false
	}
	if v.Type().Elem() != anyType || v.Len() == 0 {
		return nil, false
	}
	changed := false
	change := func(e reflect.Value) reflect.Value {
		x := e.Interface()
		if b, ok := x.(Box); ok && b.T.Kind == reflect.Pointer {
			changed = true
			return reflect.ValueOf(nested{b})
		}
		if in, ok := inside(x); ok {
			changed = true
			return reflect.ValueOf(in)
		}
		return e
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(change(v.Index(i)))
		}
	case reflect.Map:
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), change(it.Value()))
		}
	}
	return out.Interface(), changed
}

// allInside does so with all arguments.
func allInside(args []any) []any {
	out := args
	for i, a := range args {
		if in, ok := inside(a); ok {
			if &out[0] == &args[0] {
				out = append([]any(nil), args...)
			}
			out[i] = in
		}
	}
	return out
}
