package rt

import "reflect"

// Finite panics if a value that is to be written as text holds itself through
// lists, maps and interfaces: fmt would follow it until the stack is full, which
// ends the process. Pointers inside of a value are written as addresses.
func Finite(x any) {
	switch x.(type) {
	case nil, string, bool, int, int64, float64, error:
		return
	}
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.IsValid() && mayCycle(v.Type(), 0) {
		w := walker{on: map[spot]bool{}, left: 1 << 20}
		w.walk(v, 0)
	}
}

// spot is a list or map that is being walked through.
type spot struct {
	at  uintptr
	len int
	t   reflect.Type
}

type walker struct {
	on   map[spot]bool
	left int // values that may still be looked at
}

// deepest is the depth to which text is written.
const deepest = 100_000

func (w *walker) walk(v reflect.Value, depth int) {
	if w.left--; w.left < 0 || !v.IsValid() {
		return
	}
	if depth > deepest {
		panic(Fault("the value is nested too deep to be written as text"))
	}
	switch v.Kind() {
	case reflect.Interface:
		w.walk(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			w.walk(v.Field(i), depth+1)
		}
	case reflect.Array:
		if mayCycle(v.Type().Elem(), 0) {
			for i := range v.Len() {
				w.walk(v.Index(i), depth+1)
			}
		}
	case reflect.Slice, reflect.Map:
		if v.Len() == 0 || !mayCycle(v.Type().Elem(), 0) {
			return
		}
		s := spot{v.Pointer(), v.Len(), v.Type()}
		if w.on[s] {
			panic(Fault("the value holds itself and cannot be written as text"))
		}
		w.on[s] = true
		defer delete(w.on, s)
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				w.walk(v.Index(i), depth+1)
			}
			return
		}
		for it := v.MapRange(); it.Next(); {
			w.walk(it.Value(), depth+1)
		}
	}
}

// mayCycle reports whether values of a type may hold themselves other than
// through pointers.
func mayCycle(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Map, reflect.Array:
		return depth > 8 || mayCycle(t.Elem(), depth+1)
	case reflect.Struct:
		for i := range t.NumField() {
			if depth > 8 || mayCycle(t.Field(i).Type, depth+1) {
				return true
			}
		}
	}
	return false
}
