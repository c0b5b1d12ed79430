package yaegi

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	"gotorch/interp/rt"
)

// Encoder is json.Encoder for cells: it sees the methods of their types.
type Encoder struct{ *json.Encoder }

// Encode writes v and a newline.
func (e *Encoder) Encode(v any) error { return e.Encoder.Encode(rt.JSON(v)) }

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
	return rt.Unmarshal(raw, v, func(b []byte, v any) error {
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

func patchJSON(e *Engine, t map[string]reflect.Value) {
	set(t, map[string]any{
		"Marshal": func(v any) ([]byte, error) { return json.Marshal(rt.JSON(v)) },
		"MarshalIndent": func(v any, prefix, indent string) ([]byte, error) {
			return json.MarshalIndent(rt.JSON(v), prefix, indent)
		},
		"Unmarshal":  func(b []byte, v any) error { return rt.Unmarshal(b, v, json.Unmarshal) },
		"NewEncoder": func(w io.Writer) *Encoder { return &Encoder{json.NewEncoder(e.sink(w))} },
		"NewDecoder": func(r io.Reader) *Decoder { return &Decoder{Decoder: json.NewDecoder(e.waiting(r))} },
		"Encoder":    (*Encoder)(nil), "Decoder": (*Decoder)(nil),
	})
}
