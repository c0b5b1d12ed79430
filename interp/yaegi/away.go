package yaegi

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Note: compiled code that waits
//
// A call of a compiled function that reads, waits or computes for long cannot
// be stopped from outside. Such functions are called on a goroutine of their
// own; the cell's goroutine waits for the result or for the interrupt, whichever
// is first, and an interrupt leaves the call alone, with nothing of the
// interpreter on its stack: its result is dropped when it comes. Functions that
// call back into cells are not called so: the callbacks would run on the wrong
// goroutine, and they stop by themselves.

// waits are the functions and methods of compiled packages that may take long:
// "Name" is a function, "Type.Name" a method; a * for the name means all of a
// type's.
var waits = map[string][]string{
	"os": {"ReadFile", "WriteFile", "Open", "OpenFile", "Create", "ReadDir", "RemoveAll", "CopyFS", "File.Read", "File.ReadAt", "File.ReadFrom", "File.Write",
		"File.WriteString", "File.WriteTo", "File.Sync", "File.ReadDir", "Process.Wait"},
	"io":              {"ReadAll", "ReadFull", "ReadAtLeast", "Copy", "CopyN", "CopyBuffer", "WriteString", "PipeReader.Read", "PipeWriter.Write"},
	"bufio":           {"Reader.Read", "Reader.ReadByte", "Reader.ReadBytes", "Reader.ReadLine", "Reader.ReadRune", "Reader.ReadSlice", "Reader.ReadString", "Reader.Peek", "Reader.Discard", "Reader.WriteTo", "Scanner.Scan", "Writer.Flush", "Writer.ReadFrom"},
	"bytes":           {"Buffer.ReadFrom", "Buffer.WriteTo"},
	"math/big":        {"Int.Exp", "Int.Lsh", "Int.SetBit", "Int.Mul", "Int.MulRange", "Int.Binomial", "Int.Quo", "Int.Div", "Int.DivMod", "Int.QuoRem", "Int.Mod", "Int.Rem", "Int.GCD", "Int.ModInverse", "Int.ModSqrt", "Int.Sqrt", "Int.ProbablyPrime", "Int.SetString", "Int.String", "Int.Text", "Int.Append", "Float.Sqrt", "Float.Text", "Float.String", "Float.Mul", "Float.Quo", "Float.SetString", "Rat.SetString", "Rat.String", "Rat.Mul", "Rat.Add", "Rat.Quo", "Rat.FloatString"},
	"regexp":          {"Match", "MatchString", "MatchReader", "Regexp.*"},
	"encoding/json":   {"Decoder.Decode", "Decoder.Token"},
	"encoding/csv":    {"Reader.Read", "Reader.ReadAll"},
	"encoding/binary": {"Read"},
	"image":           {"Decode", "DecodeConfig"},
	"image/png":       {"Decode", "Encode"},
	"image/jpeg":      {"Decode", "Encode"},
	"image/gif":       {"Decode", "DecodeAll", "Encode", "EncodeAll"},
	"reflect":         {"Value.Recv", "Value.Send"},
	"path/filepath":   {"Glob"},
	"strings":         {"Count", "Index", "Replace", "ReplaceAll", "Split", "Fields", "Contains"},
	"archive/zip":     {"OpenReader", "NewReader"},
	"crypto/rand":     {"Prime", "Read"},
	"sort":            {"Ints", "Float64s", "Strings"},
}

// away makes of a compiled function one that an interrupt need not wait for.
func (e *Engine) away(name string, fn reflect.Value) reflect.Value {
	t := fn.Type()
	call := fn.Call
	if t.IsVariadic() {
		call = fn.CallSlice
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		checkBig(name, args)
		if slices.ContainsFunc(args, callsBack) {
			return call(args)
		}
		var got []reflect.Value // not to be touched where the call was left alone
		if e.leave(func() { got = call(args) }) {
			return got
		}
		var out []reflect.Value
		for i := range t.NumOut() {
			out = append(out, reflect.Zero(t.Out(i)))
		}
		return out
	})
}

// leave runs f on another goroutine; false where the run is stopped before f
// has ended.
func (e *Engine) leave(f func()) bool {
	b, ok := belongs.Load(goroutine())
	if !ok {
		f()
		return true
	}
	r := b.(*member).run
	done := make(chan any, 1)
	exited := false
	left := e.begins(nil)
	go func() {
		unregister := e.register(r, true)
		normal := false
		defer func() {
			unregister()
			left()
			v := recover()
			if !normal && v == nil {
				exited = true
			}
			done <- v
		}()
		f()
		normal = true
	}()
	select {
	case v := <-done:
		if v != nil {
			panic(v)
		}
		if exited {
			runtime.Goexit()
		}
		return true
	case <-r.stop:
		if r.over() { // a goroutine whose cell has ended must not go on
			runtime.Goexit()
		}
		return false
	}
}

// callsBack reports whether compiled code that is given a value may call
// functions of cells through it.
func callsBack(v reflect.Value) bool {
	for v.IsValid() && (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	if !v.IsValid() {
		return false
	}
	if v.Kind() == reflect.Func {
		return true
	}
	p := v.Type().PkgPath()
	return strings.HasPrefix(p, "gotorch/interp") || strings.Contains(p, "traefik/yaegi") || wrapsCell(v, 0)
}

// wrapsCell reports whether a reader or writer of packages bufio and io is one of a cell's beneath.
func wrapsCell(v reflect.Value, depth int) bool {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() || depth > 4 {
		return false
	}
	t := v.Type()
	switch p := t.PkgPath(); {
	case t == reflect.TypeFor[cellReader](), p == "gotorch/interp/symbols", p == "gotorch/interp/rt", strings.Contains(p, "traefik/yaegi"):
		return true
	case p != "io" && p != "bufio" || t.Kind() != reflect.Struct:
		return false
	}
	for i := range t.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Interface:
			if wrapsCell(f, depth+1) {
				return true
			}
		case reflect.Slice:
			if f.Type().Elem().Kind() == reflect.Interface && f.Len() > 0 && wrapsCell(f.Index(0), depth+1) {
				return true
			}
		}
	}
	return false
}

// waitsIn gives a package's functions that may take long another form.
func (e *Engine) waitsIn(path string, table map[string]reflect.Value) {
	for _, name := range waits[path] {
		if f, ok := table[name]; ok && f.Kind() == reflect.Func {
			table[name] = e.away(name, f)
		}
	}
}

// WaitingMethod gives the function of package rt· that stands for a method which
// may take long, or means something else in cells, of the compiled type path.typ
// or of a pointer to it; the receiver is its first argument. ok is false for
// other methods.
func (e *Engine) WaitingMethod(path, typ, method string, pointer bool) (name string, ok bool) {
	if own := methods[path+"."+typ+"."+method]; own != nil {
		name = "Own_" + strings.NewReplacer("/", "_", ".", "_").Replace(path) + "_" + typ + "_" + method
		if !e.extended[name] {
			e.extended[name] = true
			e.extend(name, reflect.ValueOf(own(e)))
		}
		return name, true
	}
	if !slices.Contains(waits[path], typ+"."+method) && !slices.Contains(waits[path], typ+".*") {
		return "", false
	}
	name = "Wait_" + strings.NewReplacer("/", "_", ".", "_").Replace(path) + "_" + typ + "_" + method
	if e.extended[name] {
		return name, true
	}
	t, found := e.TypeOf(path, typ)
	if !found {
		return "", false
	}
	if pointer {
		t = reflect.PointerTo(t)
	}
	m, found := t.MethodByName(method)
	if !found || t.Kind() == reflect.Interface {
		return "", false
	}
	for i := range m.Type.NumIn() {
		if m.Type.In(i).Kind() == reflect.Func {
			return "", false
		}
	}
	e.extended[name] = true
	e.extend(name, e.away(typ+"."+method, m.Func))
	return name, true
}

// sleep is time.Sleep.
func sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-here():
		give()
	}
}
