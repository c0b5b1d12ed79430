package std

import (
	"image"
	"math"
	"reflect"
	"slices"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Note: the boundary
//
// What host code does with an argument cannot be stopped from outside: where it follows a value to its end the
// stack may, where it takes a number for a size memory may, where it reads a map that a goroutine writes all does. The
// table boundary says which arguments are of these kinds. It is generated from the types of all that cells can call
// (internal/gen/symbols), so that no function is forgotten; what it has too much is in the generator's table of
// exceptions. All calls of functions pass here, by a package's table, and all calls of methods of compiled types, by
// Method.

// kind says what host code may do with an argument.
type kind uint8

const (
	encodes     kind = iota // walks through it to its end: see rt.How
	detects                 // so, and finds out that it holds itself
	compares                // so, with all fields
	prints                  // writes it as fmt does
	hashes                  // compares or hashes it
	reads                   // reads a map
	writes                  // writes a map
	copies                  // goes through a map after it has returned: it gets a copy
	fills                   // walks through it, and writes the maps in it
	counts                  // makes as many elements
	parses                  // reads it by recursion
	doubles                 // makes a text twice as long as it
	swells                  // makes a text eight times as long
	splits                  // makes a list of its parts
	walks                   // goes through it, however long it is
	calls                   // calls it, perhaps forever
	makesMatrix             // all arguments: makes a matrix, see areas
)

// how is what package rt calls a kind.
var how = map[kind]rt.How{encodes: rt.Encodes, detects: rt.Detects, compares: rt.Compares, prints: rt.Prints,
	hashes: rt.Hashes, fills: rt.Fills}

// times is how many bytes a function returns for each byte of its argument.
var times = map[kind]int{doubles: 3, swells: 9, splits: 24}

// guarded is an argument, without the receiver, which is -1.
type guarded struct {
	kind kind
	arg  int
}

// guard checks the arguments of a function before it is called; receiver is 1 where a receiver stands first.
func guard(name string, fn reflect.Value, list []guarded, receiver int) reflect.Value {
	if len(list) == 0 {
		return fn
	}
	t := fn.Type()
	call := fn.Call
	if t.IsVariadic() {
		call = fn.CallSlice
	}
	unit := elementSize(t)
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		walked := 0
		for _, g := range list {
			if g.kind == makesMatrix {
				checkArea(name, args[receiver:])
				continue
			}
			i := g.arg + receiver
			if i >= len(args) {
				continue
			}
			switch g.kind {
			case encodes, detects, compares, prints, hashes, fills:
				defer rt.Follow(name, how[g.kind], followed(args, i, t)...)()
			case reads, writes:
				if t, m := task.Current(), valueOf(args[i]); t != nil && t.Several() && isMap(m) {
					defer t.Uses(m.Pointer(), g.kind == writes)()
				}
			case copies:
				if t, m := task.Current(), valueOf(args[i]); t != nil && t.Several() && isMap(m) {
					args[i] = reflect.ValueOf(rt.CopyMap(t, m))
				}
			case parses:
				rt.Nested(name, args[i].String())
			case doubles, swells, splits:
				if n := args[i].Len(); n >= 1<<20 {
					rt.Fits(name, times[g.kind]*n)
				}
			case walks:
				walked += length(args[i])
			case calls:
				args[i] = rt.Callback(name, args[i])
			case counts:
				n, size := count(args[i]), unit
				if receiver == 1 && args[0].Type() == reflectValue {
					size = elementOf(args[0])
				}
				if n > 0 {
					rt.Sized(name, n, size)
				}
			}
		}
		if walked >= long && !slices.ContainsFunc(args, env.CallsBack) {
			return alone(t, func() []reflect.Value { return call(args) })
		}
		return call(args)
	})
}

// followed are the values that the i-th argument stands for: those of a last parameter that takes any number each
// stand for themselves.
func followed(args []reflect.Value, i int, t reflect.Type) []reflect.Value {
	if !t.IsVariadic() || i != len(args)-1 {
		return []reflect.Value{valueOf(args[i])}
	}
	list := make([]reflect.Value, args[i].Len())
	for j := range list {
		list[j] = valueOf(args[i].Index(j))
	}
	return list
}

// long is the length of a text, or of a list, from which on what walks through it is left alone by an interrupt.
const long = 1 << 20

// length is how long a text or a list is, those in it included.
func length(v reflect.Value) int {
	if v.Kind() == reflect.Slice {
		switch v.Type().Elem().Kind() {
		case reflect.String, reflect.Slice:
			n := v.Len()
			for i := 0; i < v.Len() && n < long; i++ {
				n += length(v.Index(i))
			}
			return n
		}
	}
	return v.Len()
}

var reflectValue = reflect.TypeFor[reflect.Value]()

// isMap reports whether a value is a map that has been made.
func isMap(v reflect.Value) bool { return v.IsValid() && v.Kind() == reflect.Map && !v.IsNil() }

// valueOf is a value that may stand in one of reflection.
func valueOf(v reflect.Value) reflect.Value {
	if v.Type() == reflectValue {
		return v.Interface().(reflect.Value)
	}
	return v
}

// count is how many elements an argument asks for.
func count(v reflect.Value) int {
	switch {
	case v.CanInt():
		return int(v.Int())
	case v.CanUint():
		return int(min(v.Uint(), math.MaxInt))
	}
	if r, ok := v.Interface().(image.Rectangle); ok && r.Dx() > 0 && r.Dy() > 0 {
		if r.Dx() > math.MaxInt/r.Dy() {
			return math.MaxInt
		}
		return r.Dx() * r.Dy()
	}
	return 0
}

// elementSize is the size of the elements that a function makes, where its results show it.
func elementSize(t reflect.Type) int {
	size := 1
	for i := range t.NumOut() {
		switch r := t.Out(i); r.Kind() {
		case reflect.Slice:
			size = max(size, int(r.Elem().Size()))
		case reflect.Pointer:
			if r.Elem().PkgPath() == "container/ring" {
				size = int(r.Elem().Size())
			}
		}
	}
	return size
}

// elementOf is the size of the elements of a value of reflection that grows.
func elementOf(v reflect.Value) int {
	if v, ok := v.Interface().(reflect.Value); ok && v.IsValid() && v.Kind() == reflect.Slice {
		return max(1, int(v.Type().Elem().Size()))
	}
	return 1
}

// guardFunctions guards the functions of a package.
func guardFunctions(path string, t map[string]reflect.Value) {
	for name, list := range boundary[path] {
		if f, ok := t[name]; ok && f.Kind() == reflect.Func {
			t[name] = guard(path+"."+name, f, list, 0)
		}
	}
}
