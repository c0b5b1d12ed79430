package rt

import (
	"reflect"
	"sync/atomic"

	"gotorch/interp/task"
)

// Receivers are those of the methods of cells that run on one goroutine, while somebody asks: whose module an operator
// belongs to. Nobody asks nearly always, and then a call costs one look at On.
type Receivers struct {
	goroutine atomic.Uintptr // that is watched, 0 for none
	list      []reflect.Value
}

// On is not 0 while somebody asks.
func (r *Receivers) On() *atomic.Uintptr { return &r.goroutine }

// Watch runs f. Meanwhile inside gives the first arguments of the functions of cells that run on this goroutine and
// were called within f, the innermost first: a method's receiver, or an invalid value where there is none. While
// another goroutine watches it gives nothing.
func (r *Receivers) Watch(f func(inside func() []reflect.Value)) {
	id := task.ID()
	if !r.goroutine.CompareAndSwap(0, id) {
		if r.goroutine.Load() != id {
			f(func() []reflect.Value { return nil })
			return
		}
	} else {
		defer r.goroutine.Store(0)
	}
	from := len(r.list)
	defer func() { clear(r.list[from:]); r.list = r.list[:from] }()
	f(func() []reflect.Value {
		var out []reflect.Value
		for i := len(r.list) - 1; i >= from; i-- {
			out = append(out, r.list[i])
		}
		return out
	})
}

// Enter notes that a function with that first argument begins; leave is called at its end.
func (r *Receivers) Enter(first reflect.Value) (leave func()) {
	if id := task.ID(); r.goroutine.Load() != id || id == 0 {
		return func() {}
	}
	n := len(r.list)
	r.list = append(r.list, first)
	return func() {
		if n < len(r.list) {
			clear(r.list[n:])
			r.list = r.list[:n]
		}
	}
}

// DeclaredType is the type of what is in the box, see [Type.Part].
func (b Box) DeclaredType() any { return b.T }

// DeclaredName is the name of a type that cells declare, without its package: Go's reflection knows a struct without
// a name. It is "" for a type without one.
func (t *Type) DeclaredName() string {
	if t == nil || !t.Named {
		return ""
	}
	return bare(t.Name)
}

// Part is the type of a struct's field with that number, or of the elements of others; nil where it is not known.
func (t *Type) Part(i int) any {
	switch {
	case t == nil:
		return nil
	case t.Kind != reflect.Struct:
		if t.Elem != nil {
			return t.Elem
		}
	case i < len(t.Fields) && t.Fields[i].Type != nil:
		return t.Fields[i].Type
	}
	return nil
}
