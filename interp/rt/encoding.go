package rt

import (
	"encoding/xml"
	"reflect"
	"unicode"
	"unicode/utf8"
)

// EncodingMethods are the names of the methods that packages json, xml and gob look for, on pointers too.
var EncodingMethods = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalXML",
	"UnmarshalXML", "MarshalXMLAttr", "UnmarshalXMLAttr",
	"GobEncode", "GobDecode", "MarshalBinary", "UnmarshalBinary"}

// MarshalJSON lets a box inside another value be encoded as its value is.
func (b Box) MarshalJSON() ([]byte, error) { return b.T.runtime.Codec.JSON(b) }

// MarshalJSON encodes the value of the error.
func (e boxError) MarshalJSON() ([]byte, error) { return e.b.MarshalJSON() }

// MarshalXML encodes a box inside another value as its value is encoded.
func (b Box) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return b.T.runtime.Codec.XML(b, e, start)
}

// MarshalXML encodes the value of the error.
func (e boxError) MarshalXML(enc *xml.Encoder, start xml.StartElement) error {
	if start.Name.Local == "boxError" {
		start.Name.Local = "Box"
	}
	return e.b.MarshalXML(enc, start)
}

// Has reports whether t has a method of that name and signature.
func (t *Type) Has(name, sig string) bool {
	if t == nil {
		return false
	}
	m, ok := t.method(name)
	return ok && m.sig == sig
}

// HasAny reports whether a type, or the pointer to it, has one of the methods, given by name with their signatures.
func (t *Type) HasAny(methods map[string]string) bool {
	for name, sig := range methods {
		if t.Has(name, sig) || t.Ptr.Has(name, sig) {
			return true
		}
	}
	return false
}

// Contains reports whether f is true of a type or of the types that it contains, of those that cells declare.
func (t *Type) Contains(is func(*Type) bool) bool { return t.search(is, map[*Type]bool{}) }

func (t *Type) search(is func(*Type) bool, seen map[*Type]bool) bool {
	if t == nil || seen[t] || t.Compiled != nil {
		return false
	}
	if seen[t] = true; is(t) {
		return true
	}
	for _, f := range t.Fields {
		if f.Type.search(is, seen) {
			return true
		}
	}
	return t.Elem.search(is, seen) || t.MapKey.search(is, seen)
}

// Exported reports whether a field's name is.
func (f Field) Exported() bool {
	r, _ := utf8.DecodeRuneInString(f.Name)
	return unicode.IsUpper(r)
}

// Struct is the type of a field, of what it points to for a pointer.
func (f Field) Struct() *Type {
	if f.Type.Kind == reflect.Pointer && f.Type.Elem != nil {
		return f.Type.Elem
	}
	return f.Type
}
