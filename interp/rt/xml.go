package rt

import (
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"
)

// Note: XML of cells' types
//
// As with JSON, package encoding/xml gets a view: the same value, with its structs made again where something is embedded, and with every value
// that has MarshalXML or its like in a wrapper that has it too. The name of a type, which the outermost element has, is the runtime's to give.

const (
	marshalXML       = "func(*encoding/xml.Encoder,encoding/xml.StartElement)(error)"
	unmarshalXML     = "func(*encoding/xml.Decoder,encoding/xml.StartElement)(error)"
	marshalXMLAttr   = "func(encoding/xml.Name)(encoding/xml.Attr,error)"
	unmarshalXMLAttr = "func(encoding/xml.Attr)(error)"
)

var (
	xmlOut = map[string]string{"MarshalXML": marshalXML, "MarshalXMLAttr": marshalXMLAttr, "MarshalText": encodeBytes}
	xmlIn  = map[string]string{"UnmarshalXML": unmarshalXML, "UnmarshalXMLAttr": unmarshalXMLAttr, "UnmarshalText": decodeBytes}
)

// xmlSpecial reports whether a type's XML is more than that of its structure.
func (t *Type) xmlSpecial(methods map[string]string) bool {
	return t.within(func(t *Type) bool {
		if t.hasAny(methods) {
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

type xmlMarshaler struct{ b Box }

func (m xmlMarshaler) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	return failure(m.b.bind("MarshalXML").Call([]reflect.Value{reflect.ValueOf(e), reflect.ValueOf(start)}))
}

type xmlAttr struct{ b Box }

func (m xmlAttr) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	out := m.b.bind("MarshalXMLAttr").Call([]reflect.Value{reflect.ValueOf(name)})
	a, _ := out[0].Interface().(xml.Attr)
	return a, failure(out)
}

// MarshalXML writes a box inside of another value as its value is written.
func (b Box) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	if start.Name.Local == "Box" && start.Name.Space == "" {
		return XMLEncode(e, b)
	}
	y := xmlView(reflect.ValueOf(b.V), b.T, 0)
	if y == nil {
		return nil
	}
	return e.EncodeElement(y, start)
}

// MarshalXML writes what the error is made of.
func (e boxError) MarshalXML(enc *xml.Encoder, start xml.StartElement) error {
	if start.Name.Local == "boxError" {
		start.Name.Local = "Box"
	}
	return e.b.MarshalXML(enc, start)
}

// XMLView is what package encoding/xml should see of a value whose element has a name.
func XMLView(x any) any {
	b, ok := Norm(x).(Box)
	if !ok {
		return x
	}
	return xmlView(reflect.ValueOf(b.V), b.T, 0)
}

// XMLEncode is Encoder.Encode.
func XMLEncode(e *xml.Encoder, x any) error {
	b, ok := Norm(x).(Box)
	if !ok {
		return e.Encode(x)
	}
	return xmlOutermost(e, reflect.ValueOf(b.V), b.T)
}

// xmlOutermost writes an element that has the name of its type.
func xmlOutermost(e *xml.Encoder, v reflect.Value, t *Type) error {
	for t != nil && t.Compiled == nil && t.Kind == reflect.Pointer && !t.has("MarshalXML", marshalXML) && !t.has("MarshalText", encodeBytes) {
		if !v.IsValid() || v.IsNil() {
			return nil
		}
		v, t = v.Elem(), t.Elem
	}
	if t.Compiled != nil || !v.IsValid() {
		return e.Encode(XMLView(iface(v)))
	}
	if (t.Kind == reflect.Slice || t.Kind == reflect.Array) && !t.hasAny(xmlOut) {
		for i := range v.Len() {
			if err := xmlOutermost(e, v.Index(i), t.Elem); err != nil {
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
	y := xmlView(v, t, 0)
	if y == nil {
		return nil
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(named.Name, "main."), "[")
	if !named.Named || t.Kind == reflect.Map || t.Kind == reflect.Func || t.Kind == reflect.Chan || t.Kind == reflect.Struct && !t.hasAny(xmlOut) && xmlNamed(v, t) {
		return e.Encode(y)
	}
	return e.EncodeElement(y, xml.StartElement{Name: xml.Name{Local: name}})
}

// xmlNamed reports whether a struct says by XMLName what its element is called.
func xmlNamed(v reflect.Value, t *Type) bool {
	for i, f := range t.Fields {
		if f.Name == "XMLName" {
			name, _ := v.Field(i).Interface().(xml.Name)
			tag, _, _ := strings.Cut(reflect.StructTag(f.Tag).Get("xml"), ",")
			return tag != "" || name.Local != ""
		}
	}
	for i, f := range t.Fields {
		if s := f.structType(); f.Embedded && s.Kind == reflect.Struct && s.Compiled == nil && f.Type.Kind == reflect.Struct && xmlNamed(v.Field(i), s) {
			return true
		}
	}
	return false
}

func xmlView(v reflect.Value, t *Type, depth int) any {
	if !v.IsValid() {
		return nil
	}
	if depth++; depth > 2000 {
		return failed{fmt.Errorf("xml: unsupported value: encountered a cycle via %s", t.Name)}
	}
	isNil := v.Kind() == reflect.Pointer && v.IsNil()
	switch {
	case t.Compiled != nil || !t.xmlSpecial(xmlOut):
		return iface(v)
	case isNil:
		return nil
	}
	if b, ok := bound(v, t, "MarshalXML", marshalXML); ok {
		return xmlMarshaler{b}
	}
	if b, ok := bound(v, t, "MarshalText", encodeBytes); ok {
		return textMarshaler{b}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return xmlView(v.Elem(), t.Elem, depth)
	case reflect.Struct:
		return xmlStruct(v, t, depth)
	case reflect.Slice, reflect.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = xmlView(v.Index(i), t.Elem, depth)
		}
		return out
	}
	return iface(v)
}

// MarshalXML gives the error.
func (f failed) MarshalXML(*xml.Encoder, xml.StartElement) error { return f.err }

// xmlField is the view of a field; one that is no element has no use for MarshalXML.
func xmlField(x reflect.Value, t *Type, opts string, depth int) any {
	if !strings.Contains(opts, "attr") && !strings.Contains(opts, "data") {
		return xmlView(x, t, depth)
	}
	if x.Kind() == reflect.Pointer && x.IsNil() {
		return nil
	}
	if b, ok := bound(x, t, "MarshalXMLAttr", marshalXMLAttr); ok && strings.Contains(opts, "attr") {
		return xmlAttr{b}
	}
	if b, ok := bound(x, t, "MarshalText", encodeBytes); ok {
		return textMarshaler{b}
	}
	return iface(x)
}

// xmlStruct makes a struct again: embedded ones embedded, special fields as views.
func xmlStruct(v reflect.Value, t *Type, depth int) any {
	var fields []reflect.StructField
	var values []reflect.Value
	for i, f := range t.Fields {
		sf, x := reflect.StructField{Name: f.Name, Type: v.Field(i).Type(), Tag: reflect.StructTag(f.Tag)}, v.Field(i)
		tag := sf.Tag.Get("xml")
		_, opts, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
			continue
		case f.xmlEmbeds():
			if x.Kind() == reflect.Pointer {
				if x.IsNil() {
					continue
				}
				x = x.Elem()
			}
			x = reflect.ValueOf(xmlStruct(x, f.structType(), depth))
			if sf.Type, sf.Anonymous = x.Type(), true; !f.exported() {
				sf.Name = "E_" + sf.Name
			}
		case !f.exported():
			continue
		case f.Type.xmlSpecial(xmlOut):
			if strings.Contains(opts, "omitempty") && empty(x) {
				continue
			}
			y := xmlField(x, f.Type, opts, depth)
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
