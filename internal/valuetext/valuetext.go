// Package valuetext writes Go values so that their text says what they are, as cells show them: strings and runes are
// quoted, floats have a point, structs name their fields, pointers are followed.
//
//	fmt:   [a b c]  {1 2}           0xc000012345  1    97
//	here:  ["a b" "c"]  {X:1.0 Y:2.0}  &{X:1.0}  1.0  'a'
//
// Lists are written with spaces between their elements, as fmt does. Values with a method Error, String or Format are
// written by it. What a text may hold is bounded: a list of a million numbers has its first ones, and how many there
// are.
package valuetext

import (
	"fmt"
	"go/types"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Type describes a type that reflection does not know: one that a cell declares.
type Type interface {
	Kind() reflect.Kind
	Text(v reflect.Value) (text string, ok bool) // by a method of the type
	Field(i int) (name string, t Type)           // of a struct
	Elem() Type                                  // of a pointer, list or map; nil where reflection is enough
	Key() Type                                   // of a map
}

// Printer says how values are written.
type Printer struct {
	Limits

	// Unbox, if it is not nil, returns what an interface value stands for.
	Unbox func(x any) (v reflect.Value, t Type, ok bool)
}

// Text is the text of v, whose type is t if reflection does not know it. static, if it is not nil, is the type that
// the source gives it: it tells runes from other integers.
func (p Printer) Text(v reflect.Value, t Type, static types.Type) string {
	w := &writer{Printer: p}
	if v.Kind() == reflect.Pointer && v.IsNil() && t == nil && hasText(v.Interface()) {
		return fmt.Sprint(v.Interface()) // a nil tensor says so itself
	}
	w.value(v, t, static)
	if w.full {
		w.text.WriteString(w.note)
	}
	return w.text.String()
}

// Of is the text of a value of a program, in the usual limits.
func Of(v any) string { return Printer{Limits: Usual}.Text(reflect.ValueOf(v), nil, nil) }

// deepest is how many pointers, lists and maps may lie in one another; the rest is "…".
const deepest = 100

// writer writes one value.
type writer struct {
	Printer
	text   strings.Builder
	full   bool
	note   string // what is said at the end of a full text
	seen   int
	inside []spot // what it is writing the elements of
}

// wide is how many bits an integer has that is written in digits: to find these takes long.
const wide = 1 << 20

// spot is a pointer, list or map that is being written.
type spot struct {
	at  uintptr
	len int
	t   reflect.Type
}

func (w *writer) value(v reflect.Value, t Type, static types.Type) {
	if !v.IsValid() {
		w.WriteString("<nil>")
		return
	}
	w.checkStop()
	if v.Kind() == reflect.Pointer && v.IsNil() {
		w.WriteString("<nil>")
		return
	}
	if w.unboxed(v) {
		return
	}
	if t != nil {
		if text, ok := t.Text(v); ok {
			w.WriteString(text)
			return
		}
	} else if v.Kind() != reflect.Interface && v.CanInterface() && v.Type().NumMethod() > 0 && hasText(v.Interface()) {
		if x, ok := v.Interface().(reflect.Value); ok { // fmt would write what it holds, which may hold itself
			if x.IsValid() {
				w.value(x, nil, nil)
			} else {
				w.WriteString(x.String())
			}
			return
		}
		if x, ok := v.Interface().(*big.Int); ok && x.BitLen() > wide {
			fmt.Fprintf(w, "%.50s… (hexadecimal, %s bits in all)", "0x"+x.Text(16), Count(x.BitLen()))
			return
		}
		if x, ok := v.Interface().(*big.Float); ok && max(x.MantExp(nil), -x.MantExp(nil)) > wide {
			w.WriteString(x.Text('p', 20)) // digits would take as long as those of an integer
			return
		}
		fmt.Fprint(w, v.Interface())
		return
	}
	kind := v.Kind()
	if t != nil {
		kind = t.Kind()
	}
	switch kind {
	case reflect.Struct:
		w.fields(v, t, static)
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		w.nested(kind, v, t, static)
	case reflect.Interface:
		w.value(v.Elem(), nil, nil)
	default:
		w.leaf(v, static)
	}
}

// unboxed writes what v stands for.
func (w *writer) unboxed(v reflect.Value) bool {
	if w.Unbox == nil || !v.CanInterface() || v.Type().NumMethod() == 0 && v.Kind() != reflect.Interface {
		return false
	}
	in, t, ok := w.Unbox(v.Interface())
	if ok {
		w.value(in, t, nil)
	}
	return ok
}

// hasText reports whether methods of x write it.
func hasText(x any) bool {
	switch x.(type) {
	case fmt.Formatter, fmt.Stringer, error:
		return true
	}
	return false
}

func (w *writer) fields(v reflect.Value, t Type, static types.Type) {
	var s *types.Struct
	if static != nil {
		if s, _ = static.Underlying().(*types.Struct); s != nil && s.NumFields() != v.NumField() {
			s = nil
		}
	}
	w.WriteString("{")
	for i := range v.NumField() {
		if i > 0 {
			w.WriteString(" ")
		}
		var name string
		var ft Type
		var st types.Type
		if t != nil {
			name, ft = t.Field(i)
		} else {
			name = v.Type().Field(i).Name
		}
		if s != nil {
			st = s.Field(i).Type()
		}
		w.WriteString(name + ":")
		w.value(v.Field(i), ft, st)
	}
	w.WriteString("}")
}

// nested writes what may hold itself: a list, a map, or what a pointer points at.
func (w *writer) nested(kind reflect.Kind, v reflect.Value, t Type, static types.Type) {
	if kind != reflect.Array {
		at := spot{t: v.Type(), at: v.Pointer()}
		if kind == reflect.Pointer && !v.CanInterface() { // a private field of a host type
			fmt.Fprintf(w, "%#x", at.at)
			return
		}
		if kind != reflect.Pointer {
			at.len = v.Len()
		}
		if at.at != 0 && slices.Contains(w.inside, at) || len(w.inside) >= deepest {
			w.WriteString("…")
			return
		}
		w.inside = append(w.inside, at)
		defer func() { w.inside = w.inside[:len(w.inside)-1] }()
	}
	var elem, key Type
	if t != nil {
		elem = t.Elem()
	}
	elemType, keyType := parts(static)
	switch kind {
	case reflect.Pointer:
		w.WriteString("&")
		w.value(v.Elem(), elem, elemType)
	case reflect.Map:
		if t != nil {
			key = t.Key()
		}
		w.entries(v, key, elem, keyType, elemType)
	default:
		w.WriteString("[")
		for i := range v.Len() {
			if !w.fitsMore(i, v.Len()) {
				break
			}
			if i > 0 {
				w.WriteString(" ")
			}
			w.value(v.Index(i), elem, elemType)
		}
		w.WriteString("]")
	}
}

func (w *writer) entries(v reflect.Value, key, elem Type, keyType, elemType types.Type) {
	w.WriteString("map[")
	if w.Reading != nil {
		release, ok := w.Reading(v)
		if !ok {
			w.WriteString("… being written]")
			return
		}
		defer release()
	}
	keys := w.keys(v)
	for i, k := range keys {
		if !w.fitsMore(i, v.Len()) {
			break
		}
		if i > 0 {
			w.WriteString(" ")
		}
		w.value(k, key, keyType)
		w.WriteString(":")
		w.value(v.MapIndex(k), elem, elemType)
	}
	if n := len(keys); n < v.Len() {
		w.noteRest(n, v.Len())
	}
	w.WriteString("]")
}

// parts are the types of the elements and keys of a type.
func parts(t types.Type) (elem, key types.Type) {
	if t == nil {
		return nil, nil
	}
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return t.Elem(), nil
	case *types.Slice:
		return t.Elem(), nil
	case *types.Array:
		return t.Elem(), nil
	case *types.Map:
		return t.Elem(), t.Key()
	}
	return nil, nil
}

var runeType = types.Universe.Lookup("rune").Type()

// leaf writes a value that has no parts.
func (w *writer) leaf(v reflect.Value, static types.Type) {
	switch v.Kind() {
	case reflect.String:
		w.quote(v.String())
	case reflect.Float32:
		w.WriteString(float(v.Float(), 32))
	case reflect.Float64:
		w.WriteString(float(v.Float(), 64))
	case reflect.Int32:
		if static != nil && static.Underlying() == runeType {
			w.WriteString(strconv.QuoteRune(rune(v.Int())))
			return
		}
		fallthrough
	default:
		fmt.Fprint(w, v)
	}
}

// float is a number as fmt writes it, with a point where it could be an integer.
func float(f float64, bits int) string {
	s := fmt.Sprint(f)
	if bits == 32 {
		s = fmt.Sprint(float32(f))
	}
	if strings.Trim(s, "-0123456789") == "" {
		s += ".0"
	}
	return s
}

// quote writes a string, or its beginning and how long it is.
func (w *writer) quote(s string) {
	if w.full {
		return
	}
	room := max(w.Bytes-w.text.Len(), 0)
	if len(s) <= room {
		w.text.WriteString(quote(s))
		return
	}
	w.text.WriteString(quote(s[:boundary(s, room)]))
	w.full, w.note = true, sizeNote(len(s))
}

// quote is a string as a literal of Go: in backquotes where that saves escapes.
func quote(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) && !strings.Contains(s, "\t") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
