package yaegi

import (
	"reflect"
	"unsafe"
)

// Note: the frame of globals
//
// yaegi keeps all globals in one slice, and puts a longer copy in its place for
// every cell that declares one. Goroutines of earlier cells read the slice
// meanwhile. So it is made longer than is needed, here; a new global then fills
// a place that nobody looks at yet.

// globals are the interpreter's.
type globals struct {
	types *[]reflect.Type  // of all that were declared
	frame *[]reflect.Value // room for them
	made  int              // how many have their places
}

// globalsAhead is the least number of globals that there is room for.
const globalsAhead = 1 << 12

func globalsOf(interpreter reflect.Value) globals {
	in := func(name, field, typ string) unsafe.Pointer {
		f := interpreter.FieldByName(name).Elem().FieldByName(field)
		if !f.IsValid() || f.Type().String() != typ {
			panic("interp/yaegi: yaegi's " + name + " has no field " + field + " " + typ + ": this package knows v0.16.1")
		}
		return f.Addr().UnsafePointer()
	}
	return globals{types: (*[]reflect.Type)(in("universe", "types", "[]reflect.Type")), frame: (*[]reflect.Value)(in("frame", "data", "[]reflect.Value"))}
}

// grow gives a place to each global that was declared since the last time.
func (g *globals) grow() {
	if n := len(*g.types); n > len(*g.frame) {
		room := make([]reflect.Value, max(globalsAhead, 2*n))
		copy(room, (*g.frame)[:g.made])
		*g.frame = room
	}
	for ; g.made < len(*g.types); g.made++ {
		(*g.frame)[g.made] = reflect.New((*g.types)[g.made]).Elem()
	}
}

// Stable returns a copy of a variable that was not changed while it was copied; ok is false where it changes all the time.
func Stable(x reflect.Value) (c reflect.Value, ok bool) {
	a, b := reflect.New(x.Type()).Elem(), reflect.New(x.Type()).Elem()
	raw := func(v reflect.Value) string {
		return unsafe.String((*byte)(v.Addr().UnsafePointer()), v.Type().Size())
	}
	for range 10 {
		a.Set(x)
		b.Set(x)
		if raw(a) == raw(b) {
			return a, true
		}
	}
	return x, false
}
