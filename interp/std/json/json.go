// Package json is encoding/json for cells: it sees the methods of the types that cells declare.
//
//	json.go     the package's names
//	encode.go   values of cells' types as JSON
//	decode.go   JSON into such values
package json

import (
	"bytes"
	"encoding/json"
	"io"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
)

// Encoder is json.Encoder for cells: it sees the methods of their types.
type Encoder struct{ *json.Encoder }

// Encode writes v and a newline.
func (e *Encoder) Encode(v any) error { return e.Encoder.Encode(Whole(v)) }

// Decoder is json.Decoder for cells: it sees the methods of their types.
type Decoder struct {
	*json.Decoder
	numbers, strict bool
}

// UseNumber makes numbers json.Numbers where nothing says what they are.
func (d *Decoder) UseNumber() { d.numbers = true; d.Decoder.UseNumber() }

// DisallowUnknownFields makes fields that the target lacks an error.
func (d *Decoder) DisallowUnknownFields() { d.strict = true; d.Decoder.DisallowUnknownFields() }

// Decode reads the next value into what v points to.
func (d *Decoder) Decode(v any) error {
	if _, ours := rt.Norm(v).(rt.Box); !ours {
		return d.Decoder.Decode(v)
	}
	var raw json.RawMessage
	if err := d.Decoder.Decode(&raw); err != nil {
		return err
	}
	return Unmarshal(raw, v, func(b []byte, v any) error {
		in := json.NewDecoder(bytes.NewReader(b))
		if d.numbers {
			in.UseNumber()
		}
		if d.strict {
			in.DisallowUnknownFields()
		}
		return in.Decode(v)
	})
}

// Patch is package encoding/json for cells.
var Patch = env.Patch{Names: func(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Marshal": func(v any) ([]byte, error) { return json.Marshal(Whole(v)) },
		"MarshalIndent": func(v any, prefix, indent string) ([]byte, error) {
			return json.MarshalIndent(Whole(v), prefix, indent)
		},
		"Unmarshal":  func(b []byte, v any) error { return Unmarshal(b, v, unmarshal) },
		"NewEncoder": func(w io.Writer) *Encoder { return &Encoder{json.NewEncoder(e.Sink(w))} },
		"NewDecoder": func(r io.Reader) *Decoder { return &Decoder{Decoder: json.NewDecoder(e.Waiting(r))} },
		"Encoder":    (*Encoder)(nil), "Decoder": (*Decoder)(nil),
	})
}}

// unmarshal is json.Unmarshal, which can be stopped.
func unmarshal(data []byte, v any) error {
	return env.Decode(data, func(data []byte) error { return json.Unmarshal(data, v) })
}

// Encode encodes a box that a host encoder meets inside another value.
func Encode(b rt.Box) ([]byte, error) { return json.Marshal(View(b)) }
