package rt

import (
	"encoding/xml"
	"errors"
	"io"
	"reflect"
)

// Note: XML into cells' types
//
// Package encoding/xml decodes into a mirror, in which every part whose type has a method that decodes, or has something embedded, is an
// xmlTarget: that stands for the part of the real value and decodes into it.

// XMLDecode decodes into what target points to; decode is how a compiled value is decoded.
func XMLDecode(target any, decode func(any) error) error {
	b, ok := Norm(target).(Box)
	if !ok {
		return decode(target)
	}
	v := reflect.ValueOf(b.V)
	if b.T.Kind != reflect.Pointer || !v.IsValid() {
		return errors.New("non-pointer passed to Unmarshal")
	}
	if v.IsNil() || b.T.Compiled != nil || !b.T.xmlSpecial(xmlIn) {
		return decode(b.V)
	}
	return decode(&xmlTarget{v.Elem(), b.T.Elem})
}

// XMLPlain reports whether decoding into a value calls no method of a cell.
func XMLPlain(target any) bool {
	b, ok := Norm(target).(Box)
	return !ok || !b.T.within(func(t *Type) bool { return t.hasAny(xmlIn) })
}

// xmlTarget is a part of a value that an element or an attribute is decoded into.
type xmlTarget struct {
	v reflect.Value
	t *Type
}

// part is what is decoded into: what pointers point to, a new element of a slice.
func (x *xmlTarget) part() (reflect.Value, *Type) {
	v, t := x.v, x.t
	for t.Compiled == nil {
		switch {
		case t.Kind == reflect.Pointer:
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v, t = v.Elem(), t.Elem
		case t.Kind == reflect.Slice && !t.hasAny(xmlIn) && v.Type().Elem().Kind() != reflect.Uint8:
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			v, t = v.Index(v.Len()-1), t.Elem
		default:
			return v, t
		}
	}
	return v, t
}

// UnmarshalXML decodes an element.
func (x *xmlTarget) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	v, t := x.part()
	if b, ok := bound(v, t, "UnmarshalXML", unmarshalXML); ok {
		return failure(b.bind("UnmarshalXML").Call([]reflect.Value{reflect.ValueOf(d), reflect.ValueOf(start)}))
	}
	if b, ok := bound(v, t, "UnmarshalText", decodeBytes); ok {
		var s string
		if err := d.DecodeElement(&s, &start); err != nil {
			return err
		}
		return failure(b.bind("UnmarshalText").Call([]reflect.Value{reflect.ValueOf([]byte(s))}))
	}
	if t.Kind != reflect.Struct || t.Compiled != nil || !t.xmlSpecial(xmlIn) {
		return d.DecodeElement(v.Addr().Interface(), &start)
	}
	m := xmlMirror(v, t)
	err := d.DecodeElement(m.Addr().Interface(), &start)
	fromXML(m, v, t)
	return err
}

// UnmarshalXMLAttr decodes an attribute.
func (x *xmlTarget) UnmarshalXMLAttr(a xml.Attr) error {
	v, t := x.part()
	if b, ok := bound(v, t, "UnmarshalXMLAttr", unmarshalXMLAttr); ok {
		return failure(b.bind("UnmarshalXMLAttr").Call([]reflect.Value{reflect.ValueOf(a)}))
	}
	if b, ok := bound(v, t, "UnmarshalText", decodeBytes); ok {
		return failure(b.bind("UnmarshalText").Call([]reflect.Value{reflect.ValueOf([]byte(a.Value))}))
	}
	holder := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "X", Type: v.Type(), Tag: `xml:"x,attr"`}}))
	start := xml.StartElement{Name: xml.Name{Local: "t"}, Attr: []xml.Attr{{Name: xml.Name{Local: "x"}, Value: a.Value}}}
	err := xml.NewTokenDecoder(&tokens{start, start.End()}).Decode(holder.Interface())
	v.Set(holder.Elem().Field(0))
	return err
}

// tokens are those of an element.
type tokens []xml.Token

func (t *tokens) Token() (xml.Token, error) {
	if len(*t) == 0 {
		return nil, io.EOF
	}
	first := (*t)[0]
	*t = (*t)[1:]
	return first, nil
}

// xmlEmbeds: the fields of an embedded struct of a cell count as those of the struct around it.
func (f Field) xmlEmbeds() bool {
	s := f.structType()
	return f.Embedded && s.Kind == reflect.Struct && s.Compiled == nil
}

// xmlMirror makes the mirror of a struct, with what is in it.
func xmlMirror(v reflect.Value, t *Type) reflect.Value {
	var fields []reflect.StructField
	var values []reflect.Value
	for i, f := range t.Fields {
		sf, x := reflect.StructField{Name: f.Name, Tag: reflect.StructTag(f.Tag)}, v.Field(i)
		switch {
		case f.xmlEmbeds():
			if x.Kind() == reflect.Pointer {
				if x.IsNil() {
					x.Set(reflect.New(x.Type().Elem()))
				}
				x = x.Elem()
			}
			x = xmlMirror(x, f.structType())
			if sf.Anonymous = true; !f.exported() {
				sf.Name = "E_" + sf.Name
			}
		case !f.exported():
			continue
		case f.Type.xmlSpecial(xmlIn):
			x = reflect.ValueOf(&xmlTarget{x, f.Type})
		}
		sf.Type = x.Type()
		fields, values = append(fields, sf), append(values, x)
	}
	m := reflect.New(reflect.StructOf(fields)).Elem()
	for i, x := range values {
		m.Field(i).Set(x)
	}
	return m
}

// fromXML copies the plain fields of a mirror into the value. What was embedded by a pointer and has got nothing is nil again.
func fromXML(m, v reflect.Value, t *Type) {
	n := 0
	for i, f := range t.Fields {
		x := v.Field(i)
		switch {
		case f.xmlEmbeds():
			p := x
			if x.Kind() == reflect.Pointer {
				x = x.Elem()
			}
			if fromXML(m.Field(n), x, f.structType()); p.Kind() == reflect.Pointer && x.IsZero() {
				p.SetZero()
			}
		case !f.exported():
			continue
		case m.Field(n).Type() == x.Type():
			x.Set(m.Field(n))
		}
		n++
	}
}
