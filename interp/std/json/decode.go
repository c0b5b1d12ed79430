package json

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"gotorch/interp/rt"
	"gotorch/interp/std/encoding"
)

// Note: JSON into cells' types
//
// The reverse of a view: package encoding/json decodes into a structure in which every special part is left as its
// text, and that is then decoded by the type's own method, part by part.

var rawType = reflect.TypeFor[json.RawMessage]()

var unmarshalers = []string{"UnmarshalJSON", "UnmarshalText"}

// Unmarshal is json.Unmarshal for what target points to; decode is how a host value is decoded.
func Unmarshal(data []byte, target any, decode func([]byte, any) error) error {
	b, ok := rt.Norm(target).(rt.Box)
	if !ok {
		return decode(data, target)
	}
	v := reflect.ValueOf(b.V)
	if b.T.Kind != reflect.Pointer || !v.IsValid() || v.IsNil() ||
		!special(b.T, encoding.DecodeBytes, unmarshalers, map[*rt.Type]bool{}) {
		return decode(data, b.V)
	}
	if !json.Valid(data) {
		return decode(data, new(any))
	}
	return unjson{decode}.into(data, v.Elem(), b.T.Elem)
}

type unjson struct{ decode func([]byte, any) error }

func (u unjson) into(data []byte, v reflect.Value, t *rt.Type) error {
	if t.Kind == reflect.Interface || !special(t, encoding.DecodeBytes, unmarshalers, map[*rt.Type]bool{}) {
		return u.decode(data, v.Addr().Interface())
	}
	null := string(data) == "null"
	if t.Kind == reflect.Pointer {
		if null {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return u.into(data, v.Elem(), t.Elem)
	}
	for _, name := range unmarshalers {
		b := rt.Box{T: t.Ptr, V: v.Addr().Interface()}
		if !t.Ptr.Has(name, encoding.DecodeBytes) {
			if !t.Has(name, encoding.DecodeBytes) {
				continue
			}
			b = rt.Box{T: t, V: v.Interface()}
		}
		if name == "UnmarshalText" {
			if null {
				return nil
			}
			var s string
			if err := json.Unmarshal(data, &s); err != nil {
				return &json.UnmarshalTypeError{Value: kindOf(data), Type: v.Type()}
			}
			data = []byte(s)
		}
		_, err := encoding.Call(b, name, data)
		return err
	}
	switch t.Kind {
	case reflect.Struct:
		m := reflect.New(mirror(v.Type(), t)).Elem()
		copyMirror(m, v, t, false)
		err := u.decode(data, m.Addr().Interface())
		if back := u.back(m, v, t); err == nil { // what was decoded before an error stays
			err = back
		}
		return err
	case reflect.Slice, reflect.Array:
		var parts []json.RawMessage
		if err := u.decode(data, &parts); err != nil {
			return err
		}
		if t.Kind == reflect.Slice {
			if null {
				v.SetZero()
				return nil
			}
			v.Set(reflect.MakeSlice(v.Type(), len(parts), len(parts)))
		}
		for i := range min(len(parts), v.Len()) {
			if err := u.into(parts[i], v.Index(i), t.Elem); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map:
		return u.intoMap(data, v, t)
	}
	return u.decode(data, v.Addr().Interface())
}

func (u unjson) intoMap(data []byte, v reflect.Value, t *rt.Type) error {
	var parts map[string]json.RawMessage
	if err := u.decode(data, &parts); err != nil || parts == nil {
		return err
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	for name, part := range parts {
		k, x := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		text, _ := json.Marshal(name)
		var err error
		switch {
		case t.MapKey.Ptr.Has("UnmarshalText", encoding.DecodeBytes) || k.Kind() == reflect.String:
			err = u.into(text, k, t.MapKey)
		case k.CanInt():
			n, e := strconv.ParseInt(name, 10, 64)
			if k.SetInt(n); e != nil || k.OverflowInt(n) {
				err = &json.UnmarshalTypeError{Value: "number " + name, Type: k.Type()}
			}
		case k.CanUint():
			n, e := strconv.ParseUint(name, 10, 64)
			if k.SetUint(n); e != nil || k.OverflowUint(n) {
				err = &json.UnmarshalTypeError{Value: "number " + name, Type: k.Type()}
			}
		default:
			err = fmt.Errorf("json: cannot unmarshal object into Go value of type %s", t.Name)
		}
		if err == nil {
			err = u.into(part, x, t.Elem)
		}
		if err != nil {
			return err
		}
		v.SetMapIndex(k, x)
	}
	return nil
}

// mirror is a struct's type with special fields left as text and embedded structs embedded.
func mirror(structure reflect.Type, t *rt.Type) reflect.Type {
	var fields []reflect.StructField
	for i, f := range t.Fields {
		sf := reflect.StructField{Name: f.Name, Type: structure.Field(i).Type, Tag: reflect.StructTag(f.Tag)}
		switch {
		case embeds(f):
			if sf.Type, sf.Anonymous = mirror(elemOf(sf.Type), f.Struct()), true; !f.Exported() {
				sf.Name = "E_" + sf.Name
			}
		case !f.Exported():
			continue
		case special(f.Type, encoding.DecodeBytes, unmarshalers, map[*rt.Type]bool{}) &&
			f.Type.Kind != reflect.Interface:
			sf.Type = rawType
		}
		fields = append(fields, sf)
	}
	return reflect.StructOf(fields)
}

func elemOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// embeds reports whether a field is a cell's struct, or a pointer to one, whose fields count as those of the struct
// around it.
func embeds(f rt.Field) bool {
	s := f.Struct()
	return f.Embedded && reflect.StructTag(f.Tag).Get("json") == "" && s.Kind == reflect.Struct && s.Compiled == nil
}

// copyMirror copies the plain fields of a struct into its mirror, or back.
func copyMirror(m, v reflect.Value, t *rt.Type, back bool) {
	n := 0
	for i, f := range t.Fields {
		x := v.Field(i)
		switch {
		case embeds(f):
			if x.Kind() == reflect.Pointer {
				if x.IsNil() && (!back || m.Field(n).IsZero()) {
					n++
					continue
				}
				if x.IsNil() {
					x.Set(reflect.New(x.Type().Elem()))
				}
				x = x.Elem()
			}
			copyMirror(m.Field(n), x, f.Struct(), back)
		case !f.Exported():
			continue
		case m.Field(n).Type() == x.Type():
			if back {
				x.Set(m.Field(n))
			} else {
				m.Field(n).Set(x)
			}
		}
		n++
	}
}

// back stores what was decoded into a mirror.
func (u unjson) back(m, v reflect.Value, t *rt.Type) error {
	copyMirror(m, v, t, true)
	n := 0
	for i, f := range t.Fields {
		x := v.Field(i)
		switch {
		case embeds(f):
			if x.Kind() == reflect.Pointer {
				x = x.Elem()
			}
			if x.IsValid() {
				if err := u.back(m.Field(n), x, f.Struct()); err != nil {
					return err
				}
			}
		case !f.Exported():
			continue
		case m.Field(n).Type() == rawType && x.Type() != rawType:
			if raw := m.Field(n).Bytes(); raw != nil {
				if err := u.into(raw, x, f.Type); err != nil {
					return err
				}
			}
		}
		n++
	}
	return nil
}

// kindOf is what package encoding/json calls a piece of JSON.
func kindOf(data []byte) string {
	switch data[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	}
	return "number"
}
