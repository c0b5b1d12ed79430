package nn

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// maxStack is how many functions of a stack are looked at.
const maxStack = 128

// interpreter is how the names of the functions begin that run the code of cells.
const interpreter = "gotorch/interp/"

// callers are the functions on the stack, the innermost first; below are those that code of a cell called, or all.
func callers() (out []string, below int) {
	pcs := make([]uintptr, maxStack)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "nn.Summary") || !more {
			return out, below
		}
		out = append(out, f.Function)
		if below == len(out)-1 && !strings.HasPrefix(f.Function, interpreter) {
			below++
		}
	}
}

// methodOf reports whether a function is a method of a type, or stands in one.
func methodOf(f string, t reflect.Type) bool {
	if t == nil || t.Name() == "" {
		return false
	}
	return strings.HasPrefix(f, t.PkgPath()+".(*"+t.Name()+").") || strings.HasPrefix(f, t.PkgPath()+"."+t.Name()+".")
}

// attribute gives calls without parameters to a module: the one whose method called it, else the one that the calls
// around them have in common. A module whose parameter is taken once more has been called again, so that what lies
// between is not its own.
func (r *summaryRun) attribute() {
	var before *summaryCall
	for i := range r.calls {
		c := &r.calls[i]
		if c.owned {
			before = c
			continue
		}
		k := i + 1
		for k < len(r.calls) && !r.calls[k].owned {
			k++
		}
		var after *summaryCall
		if k < len(r.calls) {
			after = &r.calls[k]
		}
		if name, ok := r.caller(c, before, after); ok {
			c.owner = name
			continue
		}
		if before == nil || after == nil {
			continue
		}
		if c.owner = common(before.owner, after.owner); before.param == after.param {
			c.owner, _ = cutLast(c.owner)
		}
	}
}

// caller is the module whose method made a call: of those around the calls before and after it.
func (r *summaryRun) caller(c, before, after *summaryCall) (name string, ok bool) {
	var around []string // the innermost first
	for _, o := range []*summaryCall{before, after} {
		if o != nil {
			p := prefixes(o.owner)
			slices.Reverse(p)
			around = append(around, p...)
		}
	}
	around = append(around, "")
	compiled := func(stack []string) (string, bool) {
		for _, f := range stack {
			for _, name := range around {
				if methodOf(f, r.types[name]) {
					return name, true
				}
			}
		}
		return "", false
	}
	if name, ok = compiled(c.stack[:c.below]); ok {
		return name, true
	}
	for _, recv := range c.cells {
		if name, ok = r.receiver(recv, around); ok {
			return name, true
		}
	}
	return compiled(c.stack[c.below:])
}

// receiver is the module that a method was called of; of a copy it is one of those around with its type.
func (r *summaryRun) receiver(recv reflect.Value, around []string) (name string, ok bool) {
	if !recv.IsValid() {
		return "", false
	}
	if recv.Kind() == reflect.Pointer {
		name, ok = r.places[place{recv.Pointer(), recv.Type().Elem()}]
		return name, ok
	}
	for _, name := range around {
		if r.types[name] == recv.Type() {
			return name, true
		}
	}
	return "", false
}

// common is the module that two modules are parts of; of two calls of one module it is that module.
func common(a, b string) string {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return strings.Join(x[:n], ".")
}
