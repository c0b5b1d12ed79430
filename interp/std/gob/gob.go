// Package gob is encoding/gob for cells: it sees the fields and the methods of the types that cells declare.
package gob

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"gotorch/interp/rt"
	"gotorch/interp/std/encoding"
	"gotorch/interp/std/env"
)

// Note: gob of cells' types
//
// The interpreter's structs export all of their fields and have no methods. So what goes to package encoding/gob is a
// mirror: a value of a type made of the exported fields alone, in which a part whose type has GobEncode or
// MarshalBinary is the bytes that these gave. Types that need none of that go as they are.

var methods = map[string]string{"GobEncode": encoding.EncodeBytes, "GobDecode": encoding.DecodeBytes,
	"MarshalBinary": encoding.EncodeBytes, "UnmarshalBinary": encoding.DecodeBytes}

// Patch is package encoding/gob for cells.
var Patch = env.Patch{Names: names, Methods: map[string]func(*env.Env) any{
	"Encoder.Encode": func(*env.Env) any {
		return func(enc *gob.Encoder,
			v any) error {
			return Encode(v, enc.Encode)
		}
	},
	"Decoder.Decode": func(*env.Env) any { return func(d *gob.Decoder, v any) error { return Decode(v, d.Decode) } },
}}

func names(e *env.Env, t env.Table) {
	known := func(x any, register func()) {
		if b, ok := rt.Norm(x).(rt.Box); ok {
			panic(fmt.Sprintf("gob.Register cannot be used in a cell for %s: gob keeps a name for good, and a cell "+
				"can declare its type anew; give fields their type instead of an interface", b.T.Name))
		}
		register()
	}
	t.Set(map[string]any{
		"NewDecoder":   func(r io.Reader) *gob.Decoder { return gob.NewDecoder(e.Waiting(r)) },
		"NewEncoder":   func(w io.Writer) *gob.Encoder { return gob.NewEncoder(e.Sink(w)) },
		"Register":     func(x any) { known(x, func() { gob.Register(x) }) },
		"RegisterName": func(name string, x any) { known(x, func() { gob.RegisterName(name, x) }) },
	})
}

// gobBytes and binaryBytes are parts that methods of cells encode.
type (
	gobBytes    struct{ data []byte }
	binaryBytes struct{ data []byte }
)

func (b gobBytes) GobEncode() ([]byte, error)        { return b.data, nil }
func (b *gobBytes) GobDecode(p []byte) error         { b.data = append([]byte{}, p...); return nil }
func (b binaryBytes) MarshalBinary() ([]byte, error) { return b.data, nil }
func (b *binaryBytes) UnmarshalBinary(p []byte) error {
	b.data = append([]byte{}, p...)
	return nil
}

func hasGobMethod(t *rt.Type) bool {
	return t.Has("GobEncode", encoding.EncodeBytes) || t.Ptr.Has("GobEncode", encoding.EncodeBytes) ||
		t.Ptr.Has("GobDecode", encoding.DecodeBytes)
}

func special(t *rt.Type) bool {
	return t.Contains(func(t *rt.Type) bool {
		if t.HasAny(methods) {
			return true
		}
		for _, f := range t.Fields {
			if !f.Exported() {
				return true
			}
		}
		return false
	})
}

// Encode encodes a value; encode encodes a host value.
func Encode(x any, encode func(any) error) error {
	b, ok := rt.Norm(x).(rt.Box)
	if !ok {
		return explain(encode(x))
	}
	if !special(b.T) || b.V == nil {
		return explain(encode(b.V))
	}
	v := reflect.ValueOf(b.V)
	for t := b.T; v.Kind() == reflect.Pointer; { // gob sends what pointers point to
		if v.IsNil() {
			return errors.New("gob: cannot encode nil pointer of type " + t.Name)
		}
		v, b.T, t = v.Elem(), b.T.Elem, b.T.Elem
		if b.T == nil || b.T.Compiled != nil {
			return explain(encode(v.Interface()))
		}
	}
	mt, err := mirrorType(v.Type(), b.T, nil)
	if err != nil {
		return err
	}
	m := reflect.New(mt).Elem()
	if err := toMirror(m, encoding.Addressable(v), b.T); err != nil {
		return err
	}
	return explain(encode(m.Interface()))
}

// Decode decodes into what target points to; decode decodes into a host value.
func Decode(target any, decode func(any) error) error {
	b, ok := rt.Norm(target).(rt.Box)
	if !ok {
		return decode(target)
	}
	v := reflect.ValueOf(b.V)
	if b.T.Kind != reflect.Pointer || !v.IsValid() || v.IsNil() || !special(b.T) {
		return decode(b.V)
	}
	v, t := v.Elem(), b.T.Elem
	mt, err := mirrorType(v.Type(), t, nil)
	if err != nil {
		return err
	}
	m := reflect.New(mt)
	if err := toMirror(m.Elem(), v, t); err != nil { // what is not sent stays
		m = reflect.New(mt)
	}
	if err := decode(m.Interface()); err != nil {
		return err
	}
	return fromMirror(m.Elem(), v, t)
}

// explain says in a cell's words that an interface holds a value of a cell's type.
func explain(err error) error {
	if err != nil && strings.Contains(err.Error(), "rt.Box") {
		return errors.New("gob: an interface holds a value of a type that a cell declares, which gob.Register " +
			"cannot know: give the field its type, or use encoding/json")
	}
	return err
}

// mirrorType is the type of a mirror.
func mirrorType(r reflect.Type, t *rt.Type, outer []*rt.Type) (reflect.Type, error) {
	if !special(t) {
		return r, nil
	}
	for _, o := range outer {
		if o == t {
			return nil, fmt.Errorf("gob: in cells %s cannot be encoded: it contains itself, and it has fields that "+
				"are not exported or methods that encode", t.Name)
		}
	}
	outer = append(outer, t)
	switch {
	case t.Kind == reflect.Pointer:
	case hasGobMethod(t):
		return reflect.TypeFor[gobBytes](), nil
	case t.HasAny(methods):
		return reflect.TypeFor[binaryBytes](), nil
	}
	elem := func() (reflect.Type, error) { return mirrorType(r.Elem(), t.Elem, outer) }
	switch t.Kind {
	case reflect.Struct:
		var fields []reflect.StructField
		for i, f := range t.Fields {
			if !f.Exported() {
				continue
			}
			ft, err := mirrorType(r.Field(i).Type, f.Type, outer)
			if err != nil {
				return nil, err
			}
			fields = append(fields, reflect.StructField{Name: f.Name, Type: ft})
		}
		if len(fields) == 0 {
			return nil, fmt.Errorf("gob: type %s has no exported fields", t.Name)
		}
		return reflect.StructOf(fields), nil
	case reflect.Pointer:
		e, err := elem()
		if err != nil {
			return nil, err
		}
		return reflect.PointerTo(e), nil
	case reflect.Slice:
		e, err := elem()
		if err != nil {
			return nil, err
		}
		return reflect.SliceOf(e), nil
	case reflect.Array:
		e, err := elem()
		if err != nil {
			return nil, err
		}
		return reflect.ArrayOf(r.Len(), e), nil
	case reflect.Map:
		k, err := mirrorType(r.Key(), t.MapKey, outer)
		if err != nil {
			return nil, err
		}
		e, err := elem()
		if err != nil {
			return nil, err
		}
		return reflect.MapOf(k, e), nil
	}
	return r, nil
}

// toMirror copies a value into its mirror.
func toMirror(m, v reflect.Value, t *rt.Type) (err error) {
	if m.Type() == v.Type() {
		m.Set(v)
		return nil
	}
	for _, name := range []string{"GobEncode", "MarshalBinary"} {
		b, ok := encoding.Bound(v, t, name, encoding.EncodeBytes)
		if !ok || m.Kind() != reflect.Struct {
			continue
		}
		data, err := encoding.Bytes(b, name)
		if err != nil {
			return err
		}
		switch p := m.Addr().Interface().(type) {
		case *gobBytes:
			p.data = data
			return nil
		case *binaryBytes:
			p.data = data
			return nil
		}
	}
	switch t.Kind {
	case reflect.Struct:
		n := 0
		for i, f := range t.Fields {
			if !f.Exported() || n >= m.NumField() {
				continue
			}
			if err := toMirror(m.Field(n), v.Field(i), f.Type); err != nil {
				return err
			}
			n++
		}
	case reflect.Pointer:
		if !v.IsNil() {
			m.Set(reflect.New(m.Type().Elem()))
			return toMirror(m.Elem(), v.Elem(), t.Elem)
		}
	case reflect.Slice, reflect.Array:
		if t.Kind == reflect.Slice {
			if v.IsNil() {
				return nil
			}
			m.Set(reflect.MakeSlice(m.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			if err := toMirror(m.Index(i), v.Index(i), t.Elem); err != nil {
				return err
			}
		}
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
		m.Set(reflect.MakeMapWithSize(m.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			k, e := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
			if err := errors.Join(toMirror(k, encoding.Addressable(it.Key()), t.MapKey),
				toMirror(e, encoding.Addressable(it.Value()), t.Elem)); err != nil {
				return err
			}
			m.SetMapIndex(k, e)
		}
	}
	return nil
}

// fromMirror copies a mirror into the value.
func fromMirror(m, v reflect.Value, t *rt.Type) error {
	if m.Type() == v.Type() {
		v.Set(m)
		return nil
	}
	decode := func(name string, data []byte) error {
		b, ok := encoding.Bound(v, t, name, encoding.DecodeBytes)
		if data == nil || !ok { // it was not sent
			return nil
		}
		_, err := encoding.Call(b, name, data)
		return err
	}
	switch x := m.Addr().Interface().(type) {
	case *gobBytes:
		return decode("GobDecode", x.data)
	case *binaryBytes:
		return decode("UnmarshalBinary", x.data)
	}
	if k := m.Kind(); (k == reflect.Slice || k == reflect.Map) && m.IsNil() {
		v.SetZero()
		return nil
	}
	switch t.Kind {
	case reflect.Struct:
		n := 0
		for i, f := range t.Fields {
			if !f.Exported() {
				continue
			}
			if err := fromMirror(m.Field(n), v.Field(i), f.Type); err != nil {
				return err
			}
			n++
		}
	case reflect.Pointer:
		if m.IsNil() {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return fromMirror(m.Elem(), v.Elem(), t.Elem)
	case reflect.Slice, reflect.Array:
		if t.Kind == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), m.Len(), m.Len()))
		}
		for i := range m.Len() {
			if err := fromMirror(m.Index(i), v.Index(i), t.Elem); err != nil {
				return err
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMapWithSize(v.Type(), m.Len()))
		for it := m.MapRange(); it.Next(); {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			if err := errors.Join(fromMirror(encoding.Addressable(it.Key()), k, t.MapKey),
				fromMirror(encoding.Addressable(it.Value()), e, t.Elem)); err != nil {
				return err
			}
			v.SetMapIndex(k, e)
		}
	}
	return nil
}
