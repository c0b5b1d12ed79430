package rt

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"gotorch/internal/valuetext"
	"gotorch/interp/task"
)

// Format writes a box as fmt writes a value of a declared type: with its
// methods Error and String, nested ones too, and the names of its fields.
func (b Box) Format(f fmt.State, verb rune) {
	p := printer{f: f, verb: verb, sharp: f.Flag('#') && verb == 'v', plus: f.Flag('+') && verb == 'v'}
	v := reflect.ValueOf(b.V)
	p.value(v, b.T, 0, true)
}

// text calls a method without arguments that returns a string.
func (b Box) text(name string) string {
	if task.Quiet() {
		return ValueText(b, Brief, nil)
	}
	out := b.Bind(name).Call(nil)[0]
	fitsCaller(b.T.Name+"."+name, out)
	return out.String()
}

type printer struct {
	f     fmt.State
	verb  rune
	sharp bool // %#v
	plus  bool // %+v
}

func (p printer) str(s string) { io.WriteString(p.f, s) }

// byMethod writes the value by its method Error or String.
func (p printer) byMethod(v reflect.Value, t *Type) (done bool) {
	if task.Quiet() {
		return false
	}
	name := ""
	if m, ok := t.method("Format"); ok && m.sig == "func(fmt.State,int32)" {
		Box{t, Interface(v)}.Bind("Format").Call([]reflect.Value{reflect.ValueOf(&p.f).Elem(),
			reflect.ValueOf(p.verb)})
		return true
	}
	switch {
	case p.sharp:
		if m, ok := t.method("GoString"); ok && m.sig == "func()(string)" {
			p.str(Box{t, Interface(v)}.text("GoString"))
			return true
		}
		return false
	case strings.ContainsRune("vsxXq", p.verb):
		for _, n := range []string{"Error", "String"} {
			if m, ok := t.method(n); ok && m.sig == "func()(string)" {
				name = n
				break
			}
		}
	}
	if name == "" {
		return false
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		defer func() {
			if recover() != nil {
				p.str("<nil>")
				done = true
			}
		}()
	}
	s := Box{t, Interface(v)}.text(name)
	fmt.Fprintf(p.f, fmt.FormatString(p.f, p.verb), s)
	return true
}

// Interface returns the value of v, nil where v is invalid.
func Interface(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	return v.Interface()
}

// value writes v, which is of type t; methods reports whether fmt would call its methods (it does not inside of
// unexported fields).
func (p printer) value(v reflect.Value, t *Type, depth int, methods bool) {
	if t == nil || t.Compiled != nil && t.Kind != reflect.Interface {
		p.compiled(v, depth, methods)
		return
	}
	if methods && t.Kind != reflect.Interface && p.byMethod(v, t) {
		return
	}
	if !v.IsValid() {
		p.str("<nil>")
		return
	}
	switch t.Kind {
	case reflect.Struct:
		if p.sharp {
			p.str(t.Name)
		}
		p.str("{")
		for i, f := range t.Fields {
			if i > 0 {
				p.sep()
			}
			if p.plus || p.sharp {
				p.str(f.Name + ":")
			}
			r, _ := utf8.DecodeRuneInString(f.Name)
			p.value(v.Field(i), f.Type, depth+1, methods && unicode.IsUpper(r))
		}
		p.str("}")
	case reflect.Slice, reflect.Array:
		if t.Kind == reflect.Slice && p.sharp && v.IsNil() {
			p.str(t.Name + "(nil)")
			return
		}
		if v.Type().Elem().Kind() == reflect.Uint8 && strings.ContainsRune("sqxX", p.verb) {
			p.compiled(v, depth, methods)
			return
		}
		open, end := "[", "]"
		if p.sharp {
			open, end = t.Name+"{", "}"
		}
		p.str(open)
		p.list(v, t.Elem, depth, methods)
		p.str(end)
	case reflect.Map:
		if p.sharp && v.IsNil() {
			p.str(t.Name + "(nil)")
			return
		}
		open, end := "map[", "]"
		if p.sharp {
			open, end = t.Name+"{", "}"
		}
		p.str(open)
		p.pairs(v, t.MapKey, t.Elem, depth, methods)
		p.str(end)
	case reflect.Interface:
		x := Interface(v)
		switch b := Norm(x).(type) {
		case nil:
			if p.sharp {
				p.str(t.Name + "(nil)")
				return
			}
			p.str("<nil>")
		case Box:
			p.value(reflect.ValueOf(b.V), b.T, depth+1, methods)
		default:
			p.compiled(reflect.ValueOf(x), depth+1, methods)
		}
	case reflect.Pointer:
		if depth == 0 && !v.IsNil() && p.verb != 'p' {
			switch v.Elem().Kind() {
			case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
				p.str("&")
				p.value(v.Elem(), t.Elem, depth+1, methods)
				return
			}
		}
		p.pointer(v, t.Name)
	case reflect.Func, reflect.Chan:
		p.pointer(v, t.Name)
	default:
		p.compiled(v, depth, methods)
	}
}

// list writes the elements of a list.
func (p printer) list(v reflect.Value, elem *Type, depth int, methods bool) {
	for i := range v.Len() {
		if i > 0 {
			p.sep()
		}
		p.value(v.Index(i), elem, depth+1, methods)
	}
}

// pairs writes the entries of a map.
func (p printer) pairs(v reflect.Value, key, elem *Type, depth int, methods bool) {
	for i, k := range valuetext.SortedKeys(v) {
		if i > 0 {
			p.sep()
		}
		p.value(k, key, depth+1, methods)
		p.str(":")
		p.value(v.MapIndex(k), elem, depth+1, methods)
	}
}

func (p printer) sep() {
	if p.sharp {
		p.str(", ")
	} else {
		p.str(" ")
	}
}

func (p printer) pointer(v reflect.Value, name string) {
	switch {
	case p.sharp && v.IsNil():
		p.str("(" + name + ")(nil)")
	case p.sharp:
		fmt.Fprintf(p.f, "(%s)(%#x)", name, v.Pointer())
	case p.verb == 'v' && v.IsNil():
		p.str("<nil>")
	case p.verb == 'v':
		fmt.Fprintf(p.f, "%#x", v.Pointer())
	case strings.ContainsRune("pbodxX", p.verb):
		fmt.Fprintf(p.f, fmt.FormatString(p.f, p.verb), v.UnsafePointer())
	case v.IsNil():
		fmt.Fprintf(p.f, "%%!%c(%s=<nil>)", p.verb, name)
	default:
		fmt.Fprintf(p.f, "%%!%c(%s=%#x)", p.verb, name, v.Pointer())
	}
}

// compiled writes a value of a host type.
func (p printer) compiled(v reflect.Value, depth int, methods bool) {
	if !v.IsValid() {
		p.str("<nil>")
		return
	}
	if p.verb == 'v' && v.Type().Name() == "" && holdsAny(v.Type()) { // boxes in it must know how deep they are
		p.parts(v, depth, methods)
		return
	}
	x := v.Interface()
	if depth > 0 && v.Kind() == reflect.Pointer {
		_, formatter := x.(fmt.Formatter)
		_, stringer := x.(fmt.Stringer)
		_, err := x.(error)
		if p.sharp {
			_, stringer = x.(fmt.GoStringer)
			err = false
		}
		if !methods || !formatter && !stringer && !err {
			p.pointer(v, v.Type().String())
			return
		}
	}
	fmt.Fprintf(p.f, fmt.FormatString(p.f, p.verb), x)
}

// holdsAny reports whether values of a type have empty interfaces as their elements, or elements that do.
func holdsAny(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return t.NumMethod() == 0
	case reflect.Slice, reflect.Array, reflect.Map:
		return t.Name() == "" && holdsAny(t.Elem())
	}
	return false
}

// parts writes an interface, a list or a map that holdsAny reports.
func (p printer) parts(v reflect.Value, depth int, methods bool) {
	k, open, end := v.Kind(), "[", "]"
	switch {
	case k == reflect.Interface:
		switch b := Norm(Interface(v)).(type) {
		case nil:
			p.str("<nil>")
		case Box:
			p.value(reflect.ValueOf(b.V), b.T, depth, methods)
		default:
			p.compiled(v.Elem(), depth, methods)
		}
		return
	case p.sharp && k != reflect.Array && v.IsNil():
		p.str(v.Type().String() + "(nil)")
		return
	case p.sharp:
		open, end = v.Type().String()+"{", "}"
	case k == reflect.Map:
		open = "map["
	}
	p.str(open)
	if k == reflect.Map {
		p.pairs(v, nil, nil, depth, methods)
	} else {
		p.list(v, nil, depth, methods)
	}
	p.str(end)
}
