package interp

import (
	"reflect"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/tensor"
)

// tensorsHeld notes which tensors the session's variables hold, through pointers, structs, lists and maps, and gives
// the function that puts them back.
func (s *Session) tensorsHeld() (restore func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := held{seen: map[seenAt]bool{}}
	for _, d := range s.env.Names() {
		if d.Kind != check.Var {
			continue
		}
		if sym, ok := d.Engine.(*lower.Symbol); ok && sym.Slot != nil {
			h.visit(reflect.ValueOf(sym.Slot).Elem(), 0)
		}
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
	heldDepth  = 12
	heldValues = 200_000
)

// seenAt is a place that was visited.
type seenAt struct {
	at uintptr
	t  reflect.Type
}

type held struct {
	places []func()
	seen   map[seenAt]bool
	values int
}

// visit notes what v, an addressable value or a map's, holds. Slices and interfaces are put back whole: they may have
// been replaced.
func (h *held) visit(v reflect.Value, depth int) {
	if h.values++; depth > heldDepth || h.values > heldValues || !v.IsValid() {
		return
	}
	if !mayHold(v.Type(), 0) {
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
func (h *held) visitMap(v reflect.Value, depth int) {
	if v.IsNil() || !v.CanInterface() {
		return
	}
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

// mayHold reports whether values of a type may hold tensors.
func mayHold(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return t == tensorType || depth > 6 || mayHold(t.Elem(), depth+1)
	case reflect.Struct:
		if t == reflect.TypeFor[tensor.Tensor]() {
			return false
		}
		for i := range t.NumField() {
			if depth > 6 || mayHold(t.Field(i).Type, depth+1) {
				return true
			}
		}
	}
	return false
}
