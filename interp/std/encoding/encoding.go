// Package encoding has what the encoders for cells share. Host encoders look for methods by reflection, and values of
// types that cells declare have none that they could find; so each encoder makes a view of a value, or a mirror of
// it, in which the parts that have such methods are wrapped in host types that have them too.
package encoding

import (
	"encoding/xml"
	"reflect"

	"gotorch/interp/rt"
)

// Signatures of the methods that encode to and decode from bytes.
const (
	EncodeBytes = "func()([]uint8,error)"
	DecodeBytes = "func([]uint8)(error)"
)

// Bound returns the box on which a method can be called, of v or of its address.
func Bound(v reflect.Value, t *rt.Type, name, sig string) (rt.Box, bool) {
	switch {
	case t.Has(name, sig):
		return rt.Box{T: t, V: rt.Interface(v)}, true
	case v.CanAddr() && t.Ptr.Has(name, sig):
		return rt.Box{T: t.Ptr, V: v.Addr().Interface()}, true
	}
	return rt.Box{}, false
}

// Call calls a method with arguments; its last result is an error.
func Call(b rt.Box, name string, args ...any) ([]reflect.Value, error) {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	out := b.Bind(name).Call(in)
	err, _ := out[len(out)-1].Interface().(error)
	return out, err
}

// Bytes calls a method that encodes to bytes.
func Bytes(b rt.Box, name string) ([]byte, error) {
	out, err := Call(b, name)
	return out[0].Bytes(), err
}

// TextMarshaler is a box whose type has MarshalText.
type TextMarshaler struct{ B rt.Box }

// MarshalText calls the box's method.
func (m TextMarshaler) MarshalText() ([]byte, error) { return Bytes(m.B, "MarshalText") }

// Failed is a value whose view could not be made.
type Failed struct{ Err error }

// MarshalJSON returns the error.
func (f Failed) MarshalJSON() ([]byte, error) { return nil, f.Err }

// MarshalXML returns the error.
func (f Failed) MarshalXML(*xml.Encoder, xml.StartElement) error { return f.Err }

// Addressable is v, or a copy of it that has an address.
func Addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// Empty reports whether omitempty leaves v out.
func Empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
