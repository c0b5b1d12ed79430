package rt

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"gotorch/interp/symbols"
)

// boxError is a box that host code sees as an error.
type boxError struct{ b Box }

func (e boxError) Error() string                 { return e.b.text("Error") }
func (e boxError) Format(f fmt.State, verb rune) { e.b.Format(f, verb) }

// boxErrors is a box that wraps several errors.
type boxErrors struct{ boxError }

func (e boxErrors) Unwrap() []error {
	errs, _ := e.b.Bind("Unwrap").Call(nil)[0].Interface().([]error)
	return errs
}

// AsError returns the box as an error, which its type must be.
func (b Box) AsError() error {
	if m, ok := b.T.method("Unwrap"); ok && m.sig == "func()([]error)" {
		return boxErrors{boxError{b}}
	}
	return boxError{b}
}

// Unwrap, Is and As answer as a type without the method would, if it has none.

func (e boxError) Unwrap() error {
	if m, ok := e.b.T.method("Unwrap"); ok && m.sig == "func()(error)" {
		err, _ := e.b.Bind("Unwrap").Call(nil)[0].Interface().(error)
		return err
	}
	return nil
}

func (e boxError) Is(target error) bool {
	if Equal(e, target) {
		return true
	}
	if m, ok := e.b.T.method("Is"); ok && m.sig == "func(error)(bool)" {
		return e.b.Bind("Is").Call([]reflect.Value{reflect.ValueOf(&target).Elem()})[0].Bool()
	}
	return false
}

var errorType = reflect.TypeFor[error]()

// Underlying is the value without its type, for host code that walks through values by reflection.
func (b Box) Underlying() any { return b.V }

// Adapt turns a box into a value that implements a host interface. A value
// that implements it is returned as it is; nil stays nil.
func Adapt(x any, iface reflect.Type) any {
	b, ok := x.(Box)
	if !ok {
		if n, ok := Norm(x).(Box); ok {
			b = n
		} else {
			return x
		}
	}
	if iface == errorType {
		return b.AsError()
	}
	w := wrapperOf(iface)
	if w == nil {
		panic(Fault(fmt.Sprintf("a %s of a cell cannot be given to compiled code as %s", b.T.Name, iface)))
	}
	p := reflect.New(w)
	p.Elem().Field(0).Set(reflect.ValueOf(b))
	for i := 1; i < w.NumField(); i++ {
		f := w.Field(i)
		m := b.Bind(f.Name[1:])
		p.Elem().Field(i).Set(m.Convert(f.Type))
	}
	if iface == contextType {
		return boxContext{p.Interface().(context.Context), b}
	}
	return p.Interface()
}

var wrappers struct {
	sync.Mutex
	of map[reflect.Type]reflect.Type // interface → its struct
	is map[reflect.Type]bool
}

// wrapperOf returns the struct by which a host interface is implemented.
func wrapperOf(iface reflect.Type) reflect.Type {
	wrappers.Lock()
	defer wrappers.Unlock()
	if w := wrappers.of[iface]; w != nil {
		return w
	}
	p, ok := symbols.Lookup(iface.PkgPath())
	if !ok {
		return nil
	}
	v, ok := p.Symbols()["_"+iface.Name()]
	if !ok {
		return nil
	}
	w := v.Type().Elem()
	if wrappers.of == nil {
		wrappers.of, wrappers.is = map[reflect.Type]reflect.Type{}, map[reflect.Type]bool{}
	}
	wrappers.of[iface], wrappers.is[w] = w, true
	return w
}

func isWrapper(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	wrappers.Lock()
	defer wrappers.Unlock()
	return wrappers.is[t]
}

// ErrorsAs is errors.As for cells: it knows the types that cells declare.
func (r *Runtime) ErrorsAs(err error, target any) bool {
	b, ok := target.(Box)
	if !ok {
		return errors.As(err, target)
	}
	if b.T.Kind != reflect.Pointer || b.V == nil || reflect.ValueOf(b.V).IsNil() {
		panic("errors: target must be a non-nil pointer")
	}
	dest := reflect.ValueOf(b.V).Elem()
	for err != nil {
		if v, ok := r.as(Norm(err), b.T.Elem); ok {
			dest.Set(reflect.ValueOf(v))
			return true
		}
		switch u := err.(type) {
		case interface{ Unwrap() error }:
			err = u.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range u.Unwrap() {
				if r.ErrorsAs(e, target) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// AsError returns a box whose type is an error as one; other values as they are.
func AsError(x any) any {
	if b, ok := x.(Box); ok {
		if m, ok := b.T.method("Error"); ok && m.sig == "func()(string)" {
			return b.AsError()
		}
	}
	return x
}
