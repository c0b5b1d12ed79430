package rt

import (
	"fmt"
	"go/types"
	"reflect"

	"gotorch/internal/valuetext"
	"gotorch/interp/task"
)

// Limits bound a text.
type Limits = valuetext.Limits

// Usual are the limits of the value that a cell ends with, Brief those of a line in a table of variables.
var Usual, Brief = valuetext.Usual, valuetext.Brief

// ValueText is a value as a cell shows it, within the limits. static, if not nil, is the type that the cell gives
// it.
func ValueText(x any, l Limits, static types.Type) string {
	l.Reading = Reading
	p := valuetext.Printer{Limits: l, Unbox: unbox}
	if b, ok := x.(Box); ok {
		return p.Text(reflect.ValueOf(b.V), typeOf(b.T), static)
	}
	return p.Text(reflect.ValueOf(x), nil, static)
}

// LookText is ValueText without any method of a cell's type: it might not return.
func LookText(x any, l Limits) (text string) {
	task.Quietly(func() { text = ValueText(x, l, nil) })
	return text
}

// Reading says that a map is read until release is called; ok is false where a goroutine goes on writing it.
func Reading(m reflect.Value) (release func(), ok bool) { return task.Reading(m.Pointer()) }

func unbox(x any) (v reflect.Value, t valuetext.Type, ok bool) {
	b, ok := Norm(x).(Box)
	if !ok {
		return v, nil, false
	}
	return reflect.ValueOf(b.V), typeOf(b.T), true
}

// typeOf is what a text must know of a type; nil where reflection is enough.
func typeOf(t *Type) valuetext.Type {
	if t == nil || t.Compiled != nil || t.Kind == reflect.Interface {
		return nil
	}
	return textType{t}
}

// textType is a type of a cell.
type textType struct{ t *Type }

func (s textType) Kind() reflect.Kind   { return s.t.Kind }
func (s textType) Elem() valuetext.Type { return typeOf(s.t.Elem) }
func (s textType) Key() valuetext.Type  { return typeOf(s.t.MapKey) }

func (s textType) Field(i int) (name string, t valuetext.Type) {
	f := s.t.Fields[i]
	return f.Name, typeOf(f.Type)
}

func (s textType) Text(v reflect.Value) (text string, ok bool) {
	if task.Quiet() {
		return "", false
	}
	for _, name := range []string{"Format", "Error", "String"} {
		if _, ok := s.t.method(name); ok {
			return fmt.Sprint(Box{s.t, Interface(v)}), true
		}
	}
	return "", false
}

// Count is a number with commas between its thousands.
func Count(n int) string { return valuetext.Count(n) }
