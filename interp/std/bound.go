package std

import (
	"iter"
	"reflect"
	"sync"

	"gotorch/interp/std/env"
)

// Note: methods that are found while a cell runs, by an interface that a cell declares or by reflection, pass the
// boundary as those do that the cell names. Package rt and package reflect ask Bound for them.

// boundMethods are the functions in place of methods, nil where the method is called as it is.
type boundMethods struct{ of sync.Map } // by methodOf

type methodOf struct {
	t    reflect.Type
	name string
}

// Bound is a method of a compiled value, as a function of its arguments; m is the method itself.
func Bound(e *env.Env, x reflect.Value, name string, m reflect.Value) reflect.Value {
	t := x.Type()
	fn := bound(e, t, name)
	if !fn.IsValid() {
		return m
	}
	return reflect.MakeFunc(m.Type(), func(args []reflect.Value) []reflect.Value {
		return callAll(fn, append([]reflect.Value{x}, args...))
	})
}

// bound is the function in place of a method, with the receiver first.
func bound(e *env.Env, t reflect.Type, name string) (fn reflect.Value) {
	known := env.State(e, func() *boundMethods { return &boundMethods{} })
	key := methodOf{t, name}
	if fn, ok := known.of.Load(key); ok {
		return fn.(reflect.Value)
	}
	named, pointer := t, t.Kind() == reflect.Pointer
	if pointer {
		named = t.Elem()
	}
	if named.Name() != "" {
		if _, f, ok := Method(e, named.PkgPath(), named.Name(), name, pointer); ok {
			fn = f()
		}
	}
	if !fn.IsValid() && t.Implements(reflectType) { // its compiled type has another name
		if _, f, ok := Method(e, "reflect", "Type", name, false); ok {
			fn = f()
		}
	}
	if fn.IsValid() && !fits(fn.Type(), t) {
		switch {
		case pointer && fits(fn.Type(), named):
			fn = pointedTo(fn, t)
		default:
			fn = reflect.Value{}
		}
	}
	known.of.Store(key, fn)
	return fn
}

var reflectType = reflect.TypeFor[reflect.Type]()

// pointedTo turns a method of values into one of pointers to them, of type t.
func pointedTo(fn reflect.Value, t reflect.Type) reflect.Value {
	old := fn.Type()
	in, out := []reflect.Type{t}, []reflect.Type{}
	for i := 1; i < old.NumIn(); i++ {
		in = append(in, old.In(i))
	}
	for i := range old.NumOut() {
		out = append(out, old.Out(i))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, old.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		return callAll(fn, append([]reflect.Value{args[0].Elem()}, args[1:]...))
	})
}

// callAll calls a function that reflection made: its last argument is a list where it is variadic.
func callAll(fn reflect.Value, args []reflect.Value) []reflect.Value {
	if fn.Type().IsVariadic() {
		return fn.CallSlice(args)
	}
	return fn.Call(args)
}

// fits reports whether a function takes a receiver.
func fits(fn, receiver reflect.Type) bool { return fn.NumIn() > 0 && receiver.AssignableTo(fn.In(0)) }

// reflectMethods find methods of compiled values and types.
var reflectMethods = map[string]func(*env.Env) any{
	"Value.MethodByName": func(e *env.Env) any {
		return func(v reflect.Value, name string) reflect.Value { return found(e, v, name, v.MethodByName(name)) }
	},
	"Value.Method": func(e *env.Env) any {
		return func(v reflect.Value, i int) reflect.Value { return found(e, v, v.Type().Method(i).Name, v.Method(i)) }
	},
	"Value.Methods": func(e *env.Env) any {
		return func(v reflect.Value) iter.Seq2[reflect.Method, reflect.Value] {
			return func(yield func(reflect.Method, reflect.Value) bool) {
				for m, f := range v.Methods() {
					if !yield(ofType(e, v.Type(), m), found(e, v, m.Name, f)) {
						return
					}
				}
			}
		}
	},
	"Type.Method": func(e *env.Env) any {
		return func(t reflect.Type, i int) reflect.Method { return ofType(e, t, t.Method(i)) }
	},
	"Type.MethodByName": func(e *env.Env) any {
		return func(t reflect.Type, name string) (reflect.Method, bool) {
			m, ok := t.MethodByName(name)
			return ofType(e, t, m), ok
		}
	},
	"Type.Methods": func(e *env.Env) any {
		return func(t reflect.Type) iter.Seq[reflect.Method] {
			return func(yield func(reflect.Method) bool) {
				for m := range t.Methods() {
					if !yield(ofType(e, t, m)) {
						return
					}
				}
			}
		}
	},
}

// found is a method of a value in cells.
func found(e *env.Env, v reflect.Value, name string, m reflect.Value) reflect.Value {
	if !m.IsValid() || !v.CanInterface() || e.Runtime == nil || e.Runtime.Bound == nil {
		return m
	}
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return e.Runtime.Bound(v, name, m)
}

// ofType is a method of a type in cells, whose function takes the receiver first; those of interfaces have none.
func ofType(e *env.Env, t reflect.Type, m reflect.Method) reflect.Method {
	if m.Func.IsValid() {
		if fn := bound(e, t, m.Name); fn.IsValid() {
			m.Func = reflect.MakeFunc(m.Func.Type(), func(args []reflect.Value) []reflect.Value {
				return callAll(fn, args)
			})
		}
	}
	return m
}
