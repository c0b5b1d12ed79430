package rt

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Note: gob of cells' types
//
// The interpreter's structs export all of their fields and have no methods. So what goes to package encoding/gob is a mirror: a value of a type made
// of the exported fields alone, in which a part whose type has GobEncode or MarshalBinary is the bytes that these gave. Types that need none of
// that go as they are.

const (
	encodeBytes = "func()([]uint8,error)"
	decodeBytes = "func([]uint8)(error)"
)

var gobMethods = map[string]string{"GobEncode": encodeBytes, "GobDecode": decodeBytes, "MarshalBinary": encodeBytes, "UnmarshalBinary": decodeBytes}

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

func (t *Type) gobEncodes() bool {
	return t.has("GobEncode", encodeBytes) || t.Ptr.has("GobEncode", encodeBytes) || t.Ptr.has("GobDecode", decodeBytes)
}

func (t *Type) gobSpecial() bool {
	return t.within(func(t *Type) bool {
		if t.hasAny(gobMethods) {
			return true
		}
		for _, f := range t.Fields {
			if !f.exported() {
				return true
			}
		}
		return false
	})
}

// GobEncode encodes a value; encode is what does so with a compiled one.
func GobEncode(x any, encode func(any) error) error {
	b, ok := Norm(x).(Box)
	if !ok {
		return gobError(encode(x))
	}
	if !b.T.gobSpecial() || b.V == nil {
		return gobError(encode(b.V))
	}
	v := reflect.ValueOf(b.V)
	for t := b.T; v.Kind() == reflect.Pointer; { // gob sends what pointers point to
		if v.IsNil() {
			return errors.New("gob: cannot encode nil pointer of type " + t.Name)
		}
		v, b.T, t = v.Elem(), b.T.Elem, b.T.Elem
		if b.T == nil || b.T.Compiled != nil {
			return gobError(encode(v.Interface()))
		}
	}
	mt, err := gobType(v.Type(), b.T, nil)
	if err != nil {
		return err
	}
	m := reflect.New(mt).Elem()
	if err := toGob(m, addressable(v), b.T); err != nil {
		return err
	}
	return gobError(encode(m.Interface()))
}

// GobDecode decodes into what target points to; decode is what does so with a compiled target.
func GobDecode(target any, decode func(any) error) error {
	b, ok := Norm(target).(Box)
	if !ok {
		return decode(target)
	}
	v := reflect.ValueOf(b.V)
	if b.T.Kind != reflect.Pointer || !v.IsValid() || v.IsNil() || !b.T.gobSpecial() {
		return decode(b.V)
	}
	v, t := v.Elem(), b.T.Elem
	mt, err := gobType(v.Type(), t, nil)
	if err != nil {
		return err
	}
	m := reflect.New(mt)
	if err := toGob(m.Elem(), v, t); err != nil { // what is not sent stays
		m = reflect.New(mt)
	}
	if err := decode(m.Interface()); err != nil {
		return err
	}
	return fromGob(m.Elem(), v, t)
}

// gobError says in a cell's words that an interface holds a value of a cell's type.
func gobError(err error) error {
	if err != nil && strings.Contains(err.Error(), "rt.Box") {
		return errors.New("gob: an interface holds a value of a type that a cell declares, which gob.Register cannot know: give the field its type, or use encoding/json")
	}
	return err
}

// gobType is the type of a mirror.
func gobType(rt reflect.Type, t *Type, outer []*Type) (reflect.Type, error) {
	if !t.gobSpecial() {
		return rt, nil
	}
	for _, o := range outer {
		if o == t {
			return nil, fmt.Errorf("gob: in cells %s cannot be encoded: it contains itself, and it has fields that are not exported or methods that encode", t.Name)
		}
	}
	outer = append(outer, t)
	switch {
	case t.Kind == reflect.Pointer:
	case t.gobEncodes():
		return reflect.TypeFor[gobBytes](), nil
	case t.hasAny(gobMethods):
		return reflect.TypeFor[binaryBytes](), nil
	}
	elem := func() (reflect.Type, error) { return gobType(rt.Elem(), t.Elem, outer) }
	switch t.Kind {
	case reflect.Struct:
		var fields []reflect.StructField
		for i, f := range t.Fields {
			if !f.exported() {
				continue
			}
			ft, err := gobType(rt.Field(i).Type, f.Type, outer)
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
		return reflect.ArrayOf(rt.Len(), e), nil
	case reflect.Map:
		k, err := gobType(rt.Key(), t.MapKey, outer)
		if err != nil {
			return nil, err
		}
		e, err := elem()
		if err != nil {
			return nil, err
		}
		return reflect.MapOf(k, e), nil
	}
	return rt, nil
}

// toGob copies a value into its mirror.
func toGob(m, v reflect.Value, t *Type) (err error) {
	if m.Type() == v.Type() {
		m.Set(v)
		return nil
	}
	for _, name := range []string{"GobEncode", "MarshalBinary"} {
		b, ok := bound(v, t, name, encodeBytes)
		if !ok || m.Kind() != reflect.Struct {
			continue
		}
		out := b.bind(name).Call(nil)
		if err := failure(out); err != nil {
			return err
		}
		switch p := m.Addr().Interface().(type) {
		case *gobBytes:
			p.data = out[0].Bytes()
			return nil
		case *binaryBytes:
			p.data = out[0].Bytes()
			return nil
		}
	}
	switch t.Kind {
	case reflect.Struct:
		n := 0
		for i, f := range t.Fields {
			if !f.exported() || n >= m.NumField() {
				continue
			}
			if err := toGob(m.Field(n), v.Field(i), f.Type); err != nil {
				return err
			}
			n++
		}
	case reflect.Pointer:
		if !v.IsNil() {
			m.Set(reflect.New(m.Type().Elem()))
			return toGob(m.Elem(), v.Elem(), t.Elem)
		}
	case reflect.Slice, reflect.Array:
		if t.Kind == reflect.Slice {
			if v.IsNil() {
				return nil
			}
			m.Set(reflect.MakeSlice(m.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			if err := toGob(m.Index(i), v.Index(i), t.Elem); err != nil {
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
			if err := errors.Join(toGob(k, addressable(it.Key()), t.MapKey), toGob(e, addressable(it.Value()), t.Elem)); err != nil {
				return err
			}
			m.SetMapIndex(k, e)
		}
	}
	return nil
}

// fromGob copies a mirror into the value.
func fromGob(m, v reflect.Value, t *Type) error {
	if m.Type() == v.Type() {
		v.Set(m)
		return nil
	}
	decode := func(name string, data []byte) error {
		b, ok := bound(v, t, name, decodeBytes)
		if data == nil || !ok { // it was not sent
			return nil
		}
		return failure(b.bind(name).Call([]reflect.Value{reflect.ValueOf(data)}))
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
			if !f.exported() {
				continue
			}
			if err := fromGob(m.Field(n), v.Field(i), f.Type); err != nil {
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
		return fromGob(m.Elem(), v.Elem(), t.Elem)
	case reflect.Slice, reflect.Array:
		if t.Kind == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), m.Len(), m.Len()))
		}
		for i := range m.Len() {
			if err := fromGob(m.Index(i), v.Index(i), t.Elem); err != nil {
				return err
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMapWithSize(v.Type(), m.Len()))
		for it := m.MapRange(); it.Next(); {
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			if err := errors.Join(fromGob(addressable(it.Key()), k, t.MapKey), fromGob(addressable(it.Value()), e, t.Elem)); err != nil {
				return err
			}
			v.SetMapIndex(k, e)
		}
	}
	return nil
}
