package xml

import (
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"

	"gotorch/interp/rt"
	"gotorch/interp/std/encoding"
)

// Note: XML of cells' types
//
// As with JSON, package encoding/xml gets a view: the same value, with its structs made again where something is
// embedded, and with every value that has MarshalXML or its like in a wrapper that has it too. The name of a type,
// which the outermost element has, is the runtime's to give.

const (
	marshalXML       = "func(*encoding/xml.Encoder,encoding/xml.StartElement)(error)"
	unmarshalXML     = "func(*encoding/xml.Decoder,encoding/xml.StartElement)(error)"
	marshalXMLAttr   = "func(encoding/xml.Name)(encoding/xml.Attr,error)"
	unmarshalXMLAttr = "func(encoding/xml.Attr)(error)"
)

var (
	xmlOut = map[string]string{"MarshalXML": marshalXML, "MarshalXMLAttr": marshalXMLAttr,
		"MarshalText": encoding.EncodeBytes}
	xmlIn = map[string]string{"UnmarshalXML": unmarshalXML, "UnmarshalXMLAttr": unmarshalXMLAttr,
		"UnmarshalText": encoding.DecodeBytes}
)

// xmlSpecial reports whether a type's XML is more than that of its structure.
func special(t *rt.Type, methods map[string]string) bool {
	return t.Contains(func(t *rt.Type) bool {
		if t.HasAny(methods) {
			return true
		}
		for _, f := range t.Fields {
			if f.Embedded {
				return true
			}
		}
		return false
	})
}

type marshaler struct{ b rt.Box }

func (m marshaler) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	_, err := encoding.Call(m.b, "MarshalXML", e, start)
	return err
}

type attrMarshaler struct{ b rt.Box }

func (m attrMarshaler) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	out, err := encoding.Call(m.b, "MarshalXMLAttr", name)
	a, _ := out[0].Interface().(xml.Attr)
	return a, err
}

// Encode writes a box that a host encoder meets inside another value.
func Encode(b rt.Box, e *xml.Encoder, start xml.StartElement) error {
	if start.Name.Local == "Box" && start.Name.Space == "" {
		return Marshal(e, b)
	}
	y := view(reflect.ValueOf(b.V), b.T, 0)
	if y == nil {
		return nil
	}
	return e.EncodeElement(y, start)
}

// View is what package encoding/xml should see of a value whose element has a name.
func View(x any) any {
	b, ok := rt.Norm(x).(rt.Box)
	if !ok {
		return x
	}
	return view(reflect.ValueOf(b.V), b.T, 0)
}

// Marshal is Encoder.Encode.
func Marshal(e *xml.Encoder, x any) error {
	b, ok := rt.Norm(x).(rt.Box)
	if !ok {
		return e.Encode(x)
	}
	return outermost(e, reflect.ValueOf(b.V), b.T)
}

// outermost writes an element that has the name of its type.
func outermost(e *xml.Encoder, v reflect.Value, t *rt.Type) error {
	for t != nil && t.Compiled == nil && t.Kind == reflect.Pointer && !t.Has("MarshalXML", marshalXML) &&
		!t.Has("MarshalText", encoding.EncodeBytes) {
		if !v.IsValid() || v.IsNil() {
			return nil
		}
		v, t = v.Elem(), t.Elem
	}
	if t.Compiled != nil || !v.IsValid() {
		return e.Encode(View(rt.Interface(v)))
	}
	if (t.Kind == reflect.Slice || t.Kind == reflect.Array) && !t.HasAny(xmlOut) {
		for i := range v.Len() {
			if err := outermost(e, v.Index(i), t.Elem); err != nil {
				return err
			}
		}
		return nil
	}
	named := t
	if t.Kind == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		named = t.Elem
	}
	y := view(v, t, 0)
	if y == nil {
		return nil
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(named.Name, "main."), "[")
	if !named.Named || t.Kind == reflect.Map || t.Kind == reflect.Func || t.Kind == reflect.Chan ||
		t.Kind == reflect.Struct && !t.HasAny(xmlOut) && namesElement(v, t) {
		return e.Encode(y)
	}
	return e.EncodeElement(y, xml.StartElement{Name: xml.Name{Local: name}})
}

// namesElement reports whether a struct says by XMLName what its element is called.
func namesElement(v reflect.Value, t *rt.Type) bool {
	for i, f := range t.Fields {
		if f.Name == "XMLName" {
			name, _ := v.Field(i).Interface().(xml.Name)
			tag, _, _ := strings.Cut(reflect.StructTag(f.Tag).Get("xml"), ",")
			return tag != "" || name.Local != ""
		}
	}
	for i, f := range t.Fields {
		if s := f.Struct(); f.Embedded && s.Kind == reflect.Struct && s.Compiled == nil &&
			f.Type.Kind == reflect.Struct && namesElement(v.Field(i), s) {
			return true
		}
	}
	return false
}

func view(v reflect.Value, t *rt.Type, depth int) any {
	if !v.IsValid() {
		return nil
	}
	if depth++; depth > 2000 {
		return encoding.Failed{Err: fmt.Errorf("xml: unsupported value: encountered a cycle via %s", t.Name)}
	}
	isNil := v.Kind() == reflect.Pointer && v.IsNil()
	switch {
	case t.Compiled != nil || !special(t, xmlOut):
		return rt.Interface(v)
	case isNil:
		return nil
	}
	if b, ok := encoding.Bound(v, t, "MarshalXML", marshalXML); ok {
		return marshaler{b}
	}
	if b, ok := encoding.Bound(v, t, "MarshalText", encoding.EncodeBytes); ok {
		return encoding.TextMarshaler{B: b}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return view(v.Elem(), t.Elem, depth)
	case reflect.Struct:
		return viewStruct(v, t, depth)
	case reflect.Slice, reflect.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = view(v.Index(i), t.Elem, depth)
		}
		return out
	}
	return rt.Interface(v)
}

// viewField is the view of a field; one that is no element has no use for MarshalXML.
func viewField(x reflect.Value, t *rt.Type, opts string, depth int) any {
	if !strings.Contains(opts, "attr") && !strings.Contains(opts, "data") {
		return view(x, t, depth)
	}
	if x.Kind() == reflect.Pointer && x.IsNil() {
		return nil
	}
	if b, ok := encoding.Bound(x, t, "MarshalXMLAttr", marshalXMLAttr); ok && strings.Contains(opts, "attr") {
		return attrMarshaler{b}
	}
	if b, ok := encoding.Bound(x, t, "MarshalText", encoding.EncodeBytes); ok {
		return encoding.TextMarshaler{B: b}
	}
	return rt.Interface(x)
}

// viewStruct makes a struct again: embedded ones embedded, special fields as views.
func viewStruct(v reflect.Value, t *rt.Type, depth int) any {
	var fields []reflect.StructField
	var values []reflect.Value
	for i, f := range t.Fields {
		sf, x := reflect.StructField{Name: f.Name, Type: v.Field(i).Type(), Tag: reflect.StructTag(f.Tag)}, v.Field(i)
		tag := sf.Tag.Get("xml")
		_, opts, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
			continue
		case embeds(f):
			if x.Kind() == reflect.Pointer {
				if x.IsNil() {
					continue
				}
				x = x.Elem()
			}
			x = reflect.ValueOf(viewStruct(x, f.Struct(), depth))
			if sf.Type, sf.Anonymous = x.Type(), true; !f.Exported() {
				sf.Name = "E_" + sf.Name
			}
		case !f.Exported():
			continue
		case special(f.Type, xmlOut):
			if strings.Contains(opts, "omitempty") && encoding.Empty(x) {
				continue
			}
			y := viewField(x, f.Type, opts, depth)
			if y == nil {
				continue
			}
			x = reflect.ValueOf(y)
			sf.Type = x.Type()
		}
		fields, values = append(fields, sf), append(values, x)
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i, x := range values {
		out.Field(i).Set(x)
	}
	return out.Interface()
}
