package rt

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"unicode/utf8"

	"gotorch/internal/bytesize"
)

// Args prepares arguments for fmt's functions without a format: boxes of plain strings and numbers without methods
// become their values, so that fmt puts spaces where it does in Go.
func Args(args []any) []any {
	out := args
	for i, a := range args {
		b, ok := a.(Box)
		if !ok {
			if in, ok := inside(a); ok {
				if &out[0] == &args[0] {
					out = append([]any(nil), args...)
				}
				out[i] = in
			}
			continue
		}
		switch b.T.Kind {
		case reflect.Struct, reflect.Map, reflect.Slice, reflect.Array, reflect.Pointer, reflect.Func, reflect.Chan,
			reflect.Interface:
			continue
		}
		b.T.mu.RLock()
		n := len(b.T.methods)
		b.T.mu.RUnlock()
		if n > 0 {
			continue
		}
		if &out[0] == &args[0] {
			out = append([]any(nil), args...)
		}
		out[i] = b.V
	}
	return out
}

// Rune is the rune that begins at the i-th byte of a string, and how many bytes it takes.
func Rune(s string, i int) (rune, int) { return utf8.DecodeRuneInString(s[i:]) }

// Clear is the builtin clear.
func Clear(x any) { reflect.ValueOf(x).Clear() }

// Shift checks how far a value is shifted: by a negative number the interpreter would shift everything out.
func Shift(n int) int {
	if n < 0 {
		panic(Fault("runtime error: negative shift amount"))
	}
	return n
}

// Yes returns true; the interpreter cannot fold it when it compiles.
func Yes() bool { return true }

// Thrown is the value that panic is called with: an error in place of nil.
func Thrown(x any) any {
	if x == nil {
		return new(runtime.PanicNilError)
	}
	return x
}

// MakeLimit is the number of bytes that one make may request.
var MakeLimit = int(min(int64(1)<<36, math.MaxInt))

// Len checks a length or capacity for make, for elements of size bytes.
func Len(n, size int) int {
	if n < 0 {
		panic(Fault("runtime error: makeslice: len out of range"))
	}
	fits("make", n, size, func() string {
		return fmt.Sprintf("%d elements of %d bytes are %s", n, size, bytesize.Text(float64(n)*float64(size)))
	})
	return n
}

// Bundle calls the method MIMEBundle of a value whose type cells declared.
func (b Box) Bundle() (data map[string]any, ok bool) {
	m, ok := b.T.method("MIMEBundle")
	if !ok || m.sig != "func()(map[string]interface{})" {
		return nil, false
	}
	data, ok = b.Bind("MIMEBundle").Call(nil)[0].Interface().(map[string]any)
	return data, ok
}

// Hidden is the reason why host code does not find a method or a promoted field of that name in a value, or in its
// fields. It is empty if there is no such name.
func (t *Type) Hidden(name string) string { return t.hidden(name, map[*Type]bool{}) }

func (t *Type) hidden(name string, seen map[*Type]bool) string {
	if t == nil || seen[t] {
		return ""
	}
	seen[t] = true
	for _, o := range []*Type{t, t.Ptr} {
		if o != nil {
			if _, ok := o.method(name); ok {
				return fmt.Sprintf("%s is a method of %s, and of types that cells declare templates see only the "+
					"fields: give the template a function with Funcs", name, o.Name)
			}
		}
	}
	for _, f := range t.Fields {
		if f.Embedded {
			for _, g := range f.Struct().Fields {
				if g.Name == name {
					return fmt.Sprintf("of types that cells declare templates see embedded fields by their name "+
						"alone: write .%s.%s", f.Name, name)
				}
			}
		}
		if why := f.Type.hidden(name, seen); why != "" {
			return why
		}
	}
	if why := t.Elem.hidden(name, seen); why != "" {
		return why
	}
	return t.MapKey.hidden(name, seen)
}
