package std

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// Note: finalizers of cells
//
// runtime.SetFinalizer ends the process where its first argument is no pointer to the beginning of an object on the
// heap, and where the types do not fit. So the types are compared first, and the runtime is asked where the object
// begins. That function of the runtime cannot be called by name; it is found once, by a walk through the code of the
// runtime. Where it is not found, finalizers are refused. What runs is a goroutine of the session for each finalizer,
// as for timers: one that panics, prints or never ends does so as a goroutine of a cell, and holds no other one up.

// setFinalizer is runtime.SetFinalizer, and runtime.AddCleanup where obj is a list of the pointer, a place for the
// result and the argument: see packages/generic/runtime.go.txt.
func setFinalizer(e *env.Env) func(obj, finalizer any) {
	return func(obj, finalizer any) {
		if list, ok := rt.Raw(obj).([]any); ok && len(list) == 3 {
			if c, ok := rt.Raw(list[1]).(*runtime.Cleanup); ok {
				*c = addCleanup(e, reflect.ValueOf(rt.Raw(list[0])), reflect.ValueOf(rt.Raw(finalizer)), list[2])
				return
			}
		}
		const name = "runtime.SetFinalizer"
		p, f := reflect.ValueOf(rt.Raw(obj)), reflect.ValueOf(rt.Raw(finalizer))
		switch {
		case !p.IsValid():
			panic(rt.Fault(name + ": first argument is nil"))
		case p.Kind() != reflect.Pointer:
			panic(rt.Fault(fmt.Sprintf("%s: first argument is %s, not pointer", name, kindOf(p))))
		case p.IsNil():
			panic(rt.Fault(name + ": first argument is a nil pointer"))
		case !f.IsValid():
			if begins(name, p) {
				runtime.SetFinalizer(p.Interface(), nil)
			}
			return
		case f.Kind() != reflect.Func:
			panic(rt.Fault(fmt.Sprintf("%s: second argument is %s, not a function", name, kindOf(f))))
		case f.IsNil():
			panic(rt.Fault(name + ": the function is nil"))
		}
		t := f.Type()
		if t.NumIn() != 1 || t.IsVariadic() || !p.Type().AssignableTo(t.In(0)) {
			panic(rt.Fault(fmt.Sprintf("%s: cannot pass the pointer to the finalizer: it has another parameter", name)))
		}
		if !begins(name, p) {
			return // it lives as long as the process
		}
		call := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{p.Type()}, nil, false),
			func(args []reflect.Value) []reflect.Value {
				go timer(e, func() { f.Call(args) })()
				return nil
			})
		runtime.SetFinalizer(p.Interface(), nil)
		runtime.SetFinalizer(p.Interface(), call.Interface())
	}
}

// addCleanup is runtime.AddCleanup.
func addCleanup(e *env.Env, p, f reflect.Value, arg any) runtime.Cleanup {
	const name = "runtime.AddCleanup"
	switch {
	case p.Kind() != reflect.Pointer || p.IsNil():
		panic(rt.Fault(name + ": the pointer is nil"))
	case f.Kind() != reflect.Func || f.IsNil():
		panic(rt.Fault(name + ": the function is nil"))
	}
	in := f.Type().In(0)
	if in.Kind() != reflect.Interface {
		arg = rt.Raw(arg)
	}
	x := reflect.New(in).Elem()
	if arg != nil {
		x.Set(reflect.ValueOf(arg))
	}
	run := func() { f.Call([]reflect.Value{x}) }
	if base, _ := objectOf(name, p); base == 0 {
		return runtime.Cleanup{}
	}
	return runtime.AddCleanup((*byte)(p.UnsafePointer()), func(run func()) { go timer(e, run)() }, run)
}

// kindOf names what an argument is; types of cells have no name here.
func kindOf(v reflect.Value) string {
	if t := v.Type(); t.Kind() != reflect.Struct {
		return strings.ReplaceAll(t.String(), "interface {}", "any")
	}
	return "a struct"
}

// mostWithHeader is the size up to which an object with pointers has a word of the runtime before it.
const mostWithHeader, leastWithHeader = 32 << 10, 512 - 8

// begins reports whether the runtime takes a finalizer for a pointer. It is false for what is not on the heap, and
// panics for what is not where an object begins.
func begins(name string, p reflect.Value) bool {
	base, at := objectOf(name, p)
	if base == 0 {
		return false
	}
	t := p.Type().Elem()
	tiny := t.Size() < 16 && !hasPointers(t) && (at-base)%uintptr(t.FieldAlign()) == 0
	if at == base || tiny && at-base < 16 {
		return true
	}
	if at == base+8 && t.Size() > leastWithHeader && t.Size() < mostWithHeader && hasPointers(t) {
		panic(rt.Fault(name + ": a struct of " + rt.Count(int(t.Size())) + " bytes with pointers has none in cells"))
	}
	panic(rt.Fault(name + ": the pointer is not to the beginning of an object: it is to a field or an element"))
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128
}
