package values

import (
	"reflect"

	"gotorch/interp/rt"
	"gotorch/tensor"
)

// Snapshot records which tensors variables hold, through pointers, structs, lists and maps, and returns the function
// that restores them.
func Snapshot(vars []reflect.Value) (restore func()) {
	h := snapshot{seen: map[seenAt]bool{}}
	for _, v := range vars {
		h.visit(v, 0)
	}
	return func() {
		for _, p := range h.places {
			p()
		}
	}
}

var tensorType = reflect.TypeFor[*tensor.Tensor]()

// Limits of the search: how deep, and how many values.
const (
	snapshotDepth  = 12
	snapshotValues = 200_000
)

// seenAt is a place that was visited.
type seenAt struct {
	at uintptr
	t  reflect.Type
}

type snapshot struct {
	places []func()
	seen   map[seenAt]bool
	values int
}

// visit notes what v, an addressable value or a map's, holds. Slices and interfaces are put back whole: they may have
// been replaced.
func (h *snapshot) visit(v reflect.Value, depth int) {
	if h.values++; depth > snapshotDepth || h.values > snapshotValues || !v.IsValid() {
		return
	}
	if !MayHold(v.Type(), 0) {
		return
	}
	if v.CanSet() {
		switch v.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Interface, reflect.Map:
			old := reflect.New(v.Type()).Elem()
			old.Set(v)
			h.places = append(h.places, func() { v.Set(old) })
		}
	}
	switch v.Kind() {
	case reflect.Interface:
		h.visit(v.Elem(), depth+1)
	case reflect.Pointer:
		if v.IsNil() || v.Type() == tensorType {
			return
		}
		if k := (seenAt{v.Pointer(), v.Type()}); !h.seen[k] {
			h.seen[k] = true
			h.visit(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			h.visit(v.Field(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			h.visit(v.Index(i), depth+1)
		}
	case reflect.Slice:
		if k := (seenAt{v.Pointer(), v.Type()}); v.Len() > 0 && !h.seen[k] {
			h.seen[k] = true
			for i := range v.Len() {
				h.visit(v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		h.visitMap(v, depth)
	}
}

// visitMap notes a map's entries; those that are new are taken out again.
func (h *snapshot) visitMap(v reflect.Value, depth int) {
	if v.IsNil() || !v.CanInterface() {
		return
	}
	done, ok := rt.Reading(v)
	if !ok {
		return
	}
	defer done()
	old := map[any]reflect.Value{}
	for it := v.MapRange(); it.Next(); {
		old[it.Key().Interface()] = it.Value()
		h.visit(it.Value(), depth+1)
	}
	h.places = append(h.places, func() {
		for _, k := range v.MapKeys() {
			if _, ok := old[k.Interface()]; !ok {
				v.SetMapIndex(k, reflect.Value{})
			}
		}
		for k, e := range old {
			v.SetMapIndex(reflect.ValueOf(k).Convert(v.Type().Key()), e)
		}
	})
}

// MayHold reports whether values of a type may hold tensors; depth is 0.
func MayHold(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return t == tensorType || depth > 6 || MayHold(t.Elem(), depth+1)
	case reflect.Struct:
		if t == reflect.TypeFor[tensor.Tensor]() {
			return false
		}
		for i := range t.NumField() {
			if depth > 6 || MayHold(t.Field(i).Type, depth+1) {
				return true
			}
		}
	}
	return false
}
