package std

import (
	"reflect"
	"slices"

	"gotorch/interp/std/env"
	"gotorch/interp/std/packages"
	"gotorch/interp/task"
)

// Note: host code that waits
//
// A call of a host function that reads, waits or computes for long cannot be stopped from outside. Such functions are
// called on a goroutine of their own; the cell's goroutine waits for the result or for the interrupt, whichever is
// first, and an interrupt leaves the call alone, with nothing of the interpreter on its stack: its result is dropped
// when it comes. Functions that call back into cells are not called so: the callbacks would run on the wrong
// goroutine, and they stop by themselves.

// detach turns a host function into one that an interrupt need not wait for.
func detach(name string, fn reflect.Value) reflect.Value {
	t := fn.Type()
	call := fn.Call
	if t.IsVariadic() {
		call = fn.CallSlice
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		checkBig(name, args)
		if slices.ContainsFunc(args, env.CallsBack) {
			return call(args)
		}
		return alone(t, func() []reflect.Value { return call(args) })
	})
}

// alone makes a call of a function of type t that an interrupt need not wait for.
func alone(t reflect.Type, call func() []reflect.Value) (out []reflect.Value) {
	var got []reflect.Value // not to be touched where the call was left alone
	if task.Detach(func() { got = call() }) {
		return got
	}
	for i := range t.NumOut() {
		out = append(out, reflect.Zero(t.Out(i)))
	}
	return out
}

// detachFunctions detaches the functions of a package that may take long.
func detachFunctions(path string, t env.Table) {
	for _, name := range packages.Blocking(path) {
		if f, ok := t[name]; ok && f.Kind() == reflect.Func {
			t[name] = detach(name, f)
		}
	}
}

// blockingMethod finds a method that may take long, as a function with the receiver first. Methods that take
// functions are called as they are, and so are those of interfaces.
func blockingMethod(e *env.Env, path, typ, method string, pointer bool) (m reflect.Value, ok bool) {
	blocking := packages.Blocking(path)
	if !slices.Contains(blocking, typ+"."+method) && !slices.Contains(blocking, typ+".*") {
		return m, false
	}
	m, ok = hostMethod(e, path, typ, method, pointer)
	if !ok {
		return m, false
	}
	for i := range m.Type().NumIn() {
		if m.Type().In(i).Kind() == reflect.Func {
			return m, false
		}
	}
	return m, true
}

// hostMethod finds a method of a type that is no interface, as a function with the receiver first.
func hostMethod(e *env.Env, path, typ, method string, pointer bool) (m reflect.Value, ok bool) {
	t, ok := TypeOf(e, path, typ)
	if !ok || t.Kind() == reflect.Interface {
		return m, false
	}
	if pointer {
		t = reflect.PointerTo(t)
	}
	found, ok := t.MethodByName(method)
	if !ok {
		return m, false
	}
	return found.Func, true
}
