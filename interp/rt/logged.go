package rt

import "log/slog"

// Note: values of cells' types in package slog
//
// A handler looks for LogValuer, error, encoding.TextMarshaler and json.Marshaler: a box that has one of them is handed on in a form that has it
// too. Attributes that are given back to cells are boxes again (Norm).

type logValuer struct{ b Box }

func (v logValuer) LogValue() slog.Value {
	x, _ := v.b.bind("LogValue").Call(nil)[0].Interface().(slog.Value)
	return LogAttr(slog.Attr{Value: x}).Value
}

type logText struct{ Box }

func (t logText) MarshalText() ([]byte, error) { return t.Box.marshal("MarshalText") }

type logError struct{ err error }

func (e logError) Error() string { return e.err.Error() }
func (e logError) Unwrap() error { return e.err }

// LogAttr is an attribute as a handler sees it.
func LogAttr(a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindAny, slog.KindLogValuer:
		if b, ok := Norm(a.Value.Any()).(Box); ok {
			a.Value = slog.AnyValue(b.logged())
		}
	case slog.KindGroup:
		var out []slog.Attr
		for _, b := range a.Value.Group() {
			out = append(out, LogAttr(b))
		}
		a.Value = slog.GroupValue(out...)
	}
	return a
}

func (b Box) logged() any {
	switch {
	case b.T.has("LogValue", "func()(log/slog.Value)"):
		return logValuer{b}
	case b.T.has("Error", "func()(string)") && !b.T.has("MarshalJSON", marshalJSON):
		return logError{b.asError()}
	case b.T.has("MarshalText", marshalJSON):
		return logText{b}
	}
	return b
}
