package slog

import (
	"log/slog"

	"gotorch/interp/rt"
	"gotorch/interp/std/encoding"
)

// Note: values of cells' types in package slog
//
// A handler looks for LogValuer, error, encoding.TextMarshaler and json.Marshaler: a box that has one of them is
// passed on in a form that has it too. Attributes that are returned to cells are boxes again (Norm).

type valuer struct{ b rt.Box }

func (v valuer) Unbox() any { return v.b }

func (v valuer) LogValue() slog.Value {
	x, _ := v.b.Bind("LogValue").Call(nil)[0].Interface().(slog.Value)
	return attr(slog.Attr{Value: x}).Value
}

type textValue struct{ rt.Box }

func (t textValue) Unbox() any { return t.Box }

func (t textValue) MarshalText() ([]byte, error) { return encoding.Bytes(t.Box, "MarshalText") }

type errorValue struct{ err error }

func (e errorValue) Unbox() any { return e.err }

func (e errorValue) Error() string { return e.err.Error() }
func (e errorValue) Unwrap() error { return e.err }

// attr is an attribute as a handler sees it.
func attr(a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindAny, slog.KindLogValuer:
		if b, ok := rt.Norm(a.Value.Any()).(rt.Box); ok {
			a.Value = slog.AnyValue(logged(b))
		}
	case slog.KindGroup:
		var out []slog.Attr
		for _, b := range a.Value.Group() {
			out = append(out, attr(b))
		}
		a.Value = slog.GroupValue(out...)
	}
	return a
}

// logged is a box as a handler sees it.
func logged(b rt.Box) any {
	switch {
	case b.T.Has("LogValue", "func()(log/slog.Value)"):
		return valuer{b}
	case b.T.Has("Error", "func()(string)") && !b.T.Has("MarshalJSON", encoding.EncodeBytes):
		return errorValue{b.AsError()}
	case b.T.Has("MarshalText", encoding.EncodeBytes):
		return textValue{b}
	}
	return b
}
