package rt

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Note: JSON of cells' types
//
// The interpreter's values have no methods that package encoding/json could find, and their embedded structs are plain fields. So
// what goes to it is a view: the same value, with its structs made again where something is embedded, and with every value that has
// MarshalJSON or MarshalText in a wrapper that has it too. Values without any of that go as they are.

const (
	marshalJSON   = "func()([]uint8,error)"
	unmarshalJSON = "func([]uint8)(error)"
)

type jsonMarshaler struct{ b Box }

func (m jsonMarshaler) MarshalJSON() ([]byte, error) { return m.b.marshal("MarshalJSON") }

type textMarshaler struct{ b Box }

func (m textMarshaler) MarshalText() ([]byte, error) { return m.b.marshal("MarshalText") }

func (b Box) marshal(name string) ([]byte, error) {
	out := b.bind(name).Call(nil)
	err, _ := out[1].Interface().(error)
	return out[0].Bytes(), err
}

// MarshalJSON lets a box inside another value be written as its value is.
func (b Box) MarshalJSON() ([]byte, error) { return json.Marshal(JSON(b)) }

// MarshalJSON writes what the error is made of.
func (e boxError) MarshalJSON() ([]byte, error) { return e.b.MarshalJSON() }

// JSON gives what package encoding/json should see of a value.
func JSON(x any) any {
	b, ok := Norm(x).(Box)
	if !ok {
		return x
	}
	return view(reflect.ValueOf(b.V), b.T, 0)
}

// has reports whether t has a method of that name and signature.
func (t *Type) has(name, sig string) bool {
	if t == nil {
		return false
	}
	m, ok := t.method(name)
	return ok && m.sig == sig
}

// special reports whether the JSON of a type is more than that of its structure, because of methods with these names or of embedded fields.
func (t *Type) special(sig string, names []string, seen map[*Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	if seen[t] = true; t.Compiled != nil {
		return t.Kind == reflect.Interface
	}
	for _, n := range names {
		if t.has(n, sig) || t.Ptr.has(n, sig) {
			return true
		}
	}
	for _, f := range t.Fields {
		if f.Embedded || f.exported() && f.Type.special(sig, names, seen) {
			return true
		}
	}
	return t.Elem.special(sig, names, seen) || t.MapKey.special(sig, names, seen) || t.Kind == reflect.Interface
}

func (f Field) exported() bool {
	r, _ := utf8.DecodeRuneInString(f.Name)
	return unicode.IsUpper(r)
}

func view(v reflect.Value, t *Type, depth int) any {
	if !v.IsValid() {
		return nil
	}
	if depth++; depth > 2000 {
		return failed{fmt.Errorf("json: unsupported value: encountered a cycle via %s", t.Name)}
	}
	if !t.special(marshalJSON, []string{"MarshalJSON", "MarshalText"}, map[*Type]bool{}) {
		return v.Interface()
	}
	if t.Kind == reflect.Interface {
		return JSON(iface(v))
	}
	isNil := v.Kind() == reflect.Pointer && v.IsNil()
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		b := Box{t, iface(v)}
		if !t.has(name, marshalJSON) {
			if !v.CanAddr() || !t.Ptr.has(name, marshalJSON) {
				continue
			}
			b = Box{t.Ptr, v.Addr().Interface()}
		}
		switch {
		case isNil:
			return nil
		case name == "MarshalJSON":
			return jsonMarshaler{b}
		}
		return textMarshaler{b}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if isNil {
			return nil
		}
		return view(v.Elem(), t.Elem, depth)
	case reflect.Struct:
		return viewStruct(v, t, depth)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return nil
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = view(v.Index(i), t.Elem, depth)
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
		out := map[string]any{}
		for it := v.MapRange(); it.Next(); {
			k, err := mapKey(it.Key(), t.MapKey)
			if err != nil {
				return failed{err}
			}
			out[k] = view(it.Value(), t.Elem, depth)
		}
		return out
	}
	return v.Interface()
}

// failed is a value whose view could not be made.
type failed struct{ err error }

func (f failed) MarshalJSON() ([]byte, error) { return nil, f.err }

func mapKey(k reflect.Value, t *Type) (string, error) {
	if k.Kind() != reflect.String {
		if t.has("MarshalText", marshalJSON) {
			b, err := textMarshaler{Box{t, k.Interface()}}.MarshalText()
			return string(b), err
		}
		if m, ok := k.Interface().(encoding.TextMarshaler); ok {
			b, err := m.MarshalText()
			return string(b), err
		}
	}
	switch {
	case k.Kind() == reflect.String:
		return k.String(), nil
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	return "", fmt.Errorf("json: unsupported type: map with keys of type %s", t.Name)
}

// viewStruct makes a struct again: embedded ones embedded, special fields as views.
func viewStruct(v reflect.Value, t *Type, depth int) any {
	var fields []reflect.StructField
	var values []reflect.Value
	for i, f := range t.Fields {
		if !f.exported() && !f.Embedded {
			continue
		}
		sf := reflect.StructField{Name: f.Name, Type: v.Field(i).Type(), Tag: reflect.StructTag(f.Tag)}
		x := v.Field(i)
		name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if f.Embedded && name == "" {
			for x.Kind() == reflect.Pointer && !x.IsNil() {
				x = x.Elem()
			}
			if ft := f.Type; x.Kind() == reflect.Struct {
				if ft.Kind == reflect.Pointer {
					ft = ft.Elem
				}
				if ft.Compiled == nil {
					x = reflect.ValueOf(viewStruct(x, ft, depth))
				}
				if sf.Type, sf.Anonymous = x.Type(), x.Type().NumMethod() == 0; !f.exported() {
					sf.Name = "E_" + sf.Name
				}
				fields, values = append(fields, sf), append(values, x)
				continue
			}
			if !f.exported() || x.Kind() == reflect.Pointer {
				continue
			}
		}
		if !f.exported() {
			continue
		}
		if f.Type.special(marshalJSON, []string{"MarshalJSON", "MarshalText"}, map[*Type]bool{}) {
			sf.Type = reflect.TypeFor[any]()
			if strings.Contains(opts, "omitempty") && empty(x) || strings.Contains(opts, "omitzero") && x.IsZero() {
				continue
			}
			if y := view(x, f.Type, depth); y != nil {
				x = reflect.ValueOf(y)
			} else {
				x = reflect.Zero(sf.Type)
			}
		}
		fields, values = append(fields, sf), append(values, x)
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i, x := range values {
		out.Field(i).Set(x)
	}
	return out.Interface()
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
