// Package xml is encoding/xml for cells: it sees the fields and the methods of the types that cells declare.
//
//	xml.go      the package's names
//	encode.go   values of cells' types as XML
//	decode.go   XML into such values
package xml

import (
	"bytes"
	"encoding/xml"
	"io"

	"gotorch/interp/std/env"
)

func names(e *env.Env, t env.Table) {
	marshal := func(v any, prefix, indent string) ([]byte, error) {
		var b bytes.Buffer
		enc := xml.NewEncoder(&b)
		enc.Indent(prefix, indent)
		if err := Marshal(enc, v); err != nil {
			return nil, err
		}
		if err := enc.Close(); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	}
	t.Set(map[string]any{
		"Marshal":       func(v any) ([]byte, error) { return marshal(v, "", "") },
		"MarshalIndent": marshal,
		"Unmarshal":     func(b []byte, v any) error { return decode(xml.NewDecoder(bytes.NewReader(b)), v, nil) },
		"NewDecoder":    func(r io.Reader) *xml.Decoder { return xml.NewDecoder(e.Waiting(r)) },
		"NewEncoder":    func(w io.Writer) *xml.Encoder { return xml.NewEncoder(e.Sink(w)) },
	})
}

func decode(d *xml.Decoder, v any, start *xml.StartElement) error {
	return Unmarshal(v, func(x any) error { return d.DecodeElement(x, start) })
}

// Patch is package encoding/xml for cells.
var Patch = env.Patch{Names: names, Methods: map[string]func(*env.Env) any{
	"Encoder.Encode": func(*env.Env) any { return func(enc *xml.Encoder, v any) error { return Marshal(enc, v) } },
	"Encoder.EncodeElement": func(*env.Env) any {
		return func(enc *xml.Encoder, v any, start xml.StartElement) error { return enc.EncodeElement(View(v), start) }
	},
	"Decoder.Decode": func(*env.Env) any { return func(d *xml.Decoder, v any) error { return decode(d, v, nil) } },
	"Decoder.DecodeElement": func(*env.Env) any {
		return func(d *xml.Decoder, v any, start *xml.StartElement) error { return decode(d, v, start) }
	},
}}
