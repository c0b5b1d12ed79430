package xml

import (
	"encoding/xml"
	"errors"
	"io"
	"reflect"

	"gotorch/interp/rt"
	"gotorch/interp/std/encoding"
)

// Note: XML into cells' types
//
// Package encoding/xml decodes into a mirror, in which every part whose type has a method that decodes, or has
// something embedded, is an target: that stands for the part of the real value and decodes into it.

// Unmarshal decodes into what x points to; decode is how a host value is decoded.
func Unmarshal(x any, decode func(any) error) error {
	b, ok := rt.Norm(x).(rt.Box)
	if !ok {
		return decode(x)
	}
	v := reflect.ValueOf(b.V)
	if b.T.Kind != reflect.Pointer || !v.IsValid() {
		return errors.New("non-pointer passed to Unmarshal")
	}
	if v.IsNil() || b.T.Compiled != nil || !special(b.T, xmlIn) {
		return decode(b.V)
	}
	return decode(&target{v.Elem(), b.T.Elem})
}

// target is a part of a value that an element or an attribute is decoded into.
type target struct {
	v reflect.Value
	t *rt.Type
}

// part is what is decoded into: what pointers point to, a new element of a slice.
func (x *target) part() (reflect.Value, *rt.Type) {
	v, t := x.v, x.t
	for t.Compiled == nil {
		switch {
		case t.Kind == reflect.Pointer:
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v, t = v.Elem(), t.Elem
		case t.Kind == reflect.Slice && !t.HasAny(xmlIn) && v.Type().Elem().Kind() != reflect.Uint8:
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			v, t = v.Index(v.Len()-1), t.Elem
		default:
			return v, t
		}
	}
	return v, t
}

// UnmarshalXML decodes an element.
func (x *target) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	v, t := x.part()
	if b, ok := encoding.Bound(v, t, "UnmarshalXML", unmarshalXML); ok {
		_, err := encoding.Call(b, "UnmarshalXML", d, start)
		return err
	}
	if b, ok := encoding.Bound(v, t, "UnmarshalText", encoding.DecodeBytes); ok {
		var s string
		if err := d.DecodeElement(&s, &start); err != nil {
			return err
		}
		_, err := encoding.Call(b, "UnmarshalText", []byte(s))
		return err
	}
	if t.Kind != reflect.Struct || t.Compiled != nil || !special(t, xmlIn) {
		return d.DecodeElement(v.Addr().Interface(), &start)
	}
	m := mirror(v, t)
	err := d.DecodeElement(m.Addr().Interface(), &start)
	fromMirror(m, v, t)
	return err
}

// UnmarshalXMLAttr decodes an attribute.
func (x *target) UnmarshalXMLAttr(a xml.Attr) error {
	v, t := x.part()
	if b, ok := encoding.Bound(v, t, "UnmarshalXMLAttr", unmarshalXMLAttr); ok {
		_, err := encoding.Call(b, "UnmarshalXMLAttr", a)
		return err
	}
	if b, ok := encoding.Bound(v, t, "UnmarshalText", encoding.DecodeBytes); ok {
		_, err := encoding.Call(b, "UnmarshalText", []byte(a.Value))
		return err
	}
	holder := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "X", Type: v.Type(), Tag: `xml:"x,attr"`}}))
	start := xml.StartElement{Name: xml.Name{Local: "t"},
		Attr: []xml.Attr{{Name: xml.Name{Local: "x"}, Value: a.Value}}}
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

// embeds reports whether the fields of an embedded struct of a cell count as those of the struct around it.
func embeds(f rt.Field) bool {
	s := f.Struct()
	return f.Embedded && s.Kind == reflect.Struct && s.Compiled == nil
}

// mirror makes the mirror of a struct, with what is in it.
func mirror(v reflect.Value, t *rt.Type) reflect.Value {
	var fields []reflect.StructField
	var values []reflect.Value
	for i, f := range t.Fields {
		sf, x := reflect.StructField{Name: f.Name, Tag: reflect.StructTag(f.Tag)}, v.Field(i)
		switch {
		case embeds(f):
			if x.Kind() == reflect.Pointer {
				if x.IsNil() {
					x.Set(reflect.New(x.Type().Elem()))
				}
				x = x.Elem()
			}
			x = mirror(x, f.Struct())
			if sf.Anonymous = true; !f.Exported() {
				sf.Name = "E_" + sf.Name
			}
		case !f.Exported():
			continue
		case special(f.Type, xmlIn):
			x = reflect.ValueOf(&target{x, f.Type})
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

// fromMirror copies the plain fields of a mirror into the value. What was embedded by a pointer and has got nothing
// is nil again.
func fromMirror(m, v reflect.Value, t *rt.Type) {
	n := 0
	for i, f := range t.Fields {
		x := v.Field(i)
		switch {
		case embeds(f):
			p := x
			if x.Kind() == reflect.Pointer {
				x = x.Elem()
			}
			if fromMirror(m.Field(n), x, f.Struct()); p.Kind() == reflect.Pointer && x.IsZero() {
				p.SetZero()
			}
		case !f.Exported():
			continue
		case m.Field(n).Type() == x.Type():
			x.Set(m.Field(n))
		}
		n++
	}
}
