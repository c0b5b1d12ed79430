package std

import (
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
		all := append([]reflect.Value{x}, args...)
		if m.Type().IsVariadic() {
			return fn.CallSlice(all)
		}
		return fn.Call(all)
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
	if fn.IsValid() && !fits(fn.Type(), t) {
		fn = reflect.Value{}
	}
	known.of.Store(key, fn)
	return fn
}

// fits reports whether a function takes a receiver.
func fits(fn, receiver reflect.Type) bool { return fn.NumIn() > 0 && receiver.AssignableTo(fn.In(0)) }

// reflectMethods find methods of compiled values.
var reflectMethods = map[string]func(*env.Env) any{
	"Value.MethodByName": func(e *env.Env) any {
		return func(v reflect.Value, name string) reflect.Value { return found(e, v, name, v.MethodByName(name)) }
	},
	"Value.Method": func(e *env.Env) any {
		return func(v reflect.Value, i int) reflect.Value { return found(e, v, v.Type().Method(i).Name, v.Method(i)) }
	},
}

func found(e *env.Env, v reflect.Value, name string, m reflect.Value) reflect.Value {
	if !m.IsValid() || !v.CanInterface() || e.Runtime == nil || e.Runtime.Bound == nil {
		return m
	}
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return e.Runtime.Bound(v, name, m)
}
