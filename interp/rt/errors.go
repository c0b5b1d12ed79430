package rt

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// AssertionError is what a type assertion that fails panics with. It is a
// runtime.Error.
type AssertionError string

func (e AssertionError) Error() string { return string(e) }

// RuntimeError marks the error as the runtime's.
func (AssertionError) RuntimeError() {}

// NilError is what using a nil pointer or interface panics with. It is a
// runtime.Error.
type NilError struct{}

func (NilError) Error() string {
	return "runtime error: invalid memory address or nil pointer dereference"
}

// RuntimeError marks the error as the runtime's.
func (NilError) RuntimeError() {}

// Fault is another error of the runtime.
type Fault string

func (e Fault) Error() string { return string(e) }

// RuntimeError marks the error as the runtime's.
func (Fault) RuntimeError() {}

// faults are the panics of package reflect, which the interpreter uses, and Go's messages for them. Where the first is
// only a part, the rest is dropped.
var faults = []struct{ reflect, gone string }{
	{"reflect: slice index out of range", "runtime error: index out of range"},
	{"reflect: array index out of range", "runtime error: index out of range"},
	{"reflect: string index out of range", "runtime error: index out of range"},
	{"reflect.Value.Slice: slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect.Value.Slice: string slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect.Value.Slice3: slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect.Value.Slice: slice of unaddressable array", "runtime error: slice of unaddressable array"},
	{"reflect.MakeSlice: negative len", "runtime error: makeslice: len out of range"},
	{"reflect.MakeSlice: negative cap", "runtime error: makeslice: cap out of range"},
	{"reflect.MakeSlice: len > cap", "runtime error: makeslice: cap out of range"},
	{"reflect: Method on nil interface value", NilError{}.Error()},
	{"reflect: Call using zero Value argument", NilError{}.Error()},
	{"reflect: call of reflect.Value.Field on zero Value", NilError{}.Error()},
	{"reflect: call of reflect.Value.Type on zero Value", NilError{}.Error()},
	{"reflect: call of reflect.Value.Elem on zero Value", NilError{}.Error()},
	{"reflect: call of reflect.Value.Set on zero Value", NilError{}.Error()},
	{"reflect: call of reflect.Value.Int on zero Value", NilError{}.Error()},
	{"reflect: call of reflect.Value.Interface on zero Value", NilError{}.Error()},
	{"reflect.Value.Interface: cannot return value obtained from", NilError{}.Error()},
	{"reflect: call of reflect.Value.Call on zero Value", NilError{}.Error()},
	{"reflect: call of nil function", NilError{}.Error()},
	{"reflect: Call of nil function", NilError{}.Error()},
	{"reflect.Value.Call: call of nil function", NilError{}.Error()},
	{"on zero Value", NilError{}.Error()},
}

// Recovered is the Go value of a panic that passed through the interpreter.
func Recovered(x any) any {
	if v, ok := x.(reflect.Value); ok {
		if !v.IsValid() {
			return nil
		}
		x = v.Interface()
	}
	var text string
	switch v := x.(type) {
	case nil:
		return nil
	case string:
		text = v
		if !strings.HasPrefix(text, "reflect") {
			return Norm(x)
		}
	case *reflect.ValueError:
		text = v.Error()
	case runtime.Error: // of a map's own code, which says it in other words
		if of, ok := strings.CutPrefix(v.Error(), "hash of unhashable type: "); ok {
			return Fault("runtime error: hash of unhashable type " + of)
		}
		return Norm(x)
	default:
		return Norm(x)
	}
	var from, to int
	if n, _ := fmt.Sscanf(text, "reflect: cannot convert slice with length %d to array with length %d", &from,
		&to); n < 2 {
		fmt.Sscanf(text, "reflect: cannot convert slice with length %d to pointer to array with length %d", &from, &to)
	}
	if to > 0 {
		return Fault(fmt.Sprintf("runtime error: cannot convert slice with length %d to array or pointer to array "+
			"with length %d", from, to))
	}
	for _, f := range faults {
		if strings.Contains(text, f.reflect) {
			if f.gone == (NilError{}).Error() {
				return NilError{}
			}
			if _, more, ok := strings.Cut(text, f.reflect); ok && strings.HasPrefix(more, " [") { // package quick's
				return Fault(f.gone + more)
			}
			return Fault(f.gone)
		}
	}
	return x
}

// ofError are the limits of errors' messages.
var ofError = Limits{Items: 1000, Bytes: 100 << 10}

// PanicText is what Go prints of a panic's value, or the beginning of a text that is far too long.
func PanicText(x any) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = TypeName(x) + " (its text cannot be had)"
			if again, ok := Recovered(v).(string); ok { // a value with methods may do the same again
				text = fmt.Sprintf("%s (its text cannot be had: %s)", TypeName(x), ofError.Cut(again))
			} else if again, ok := v.(Fault); ok {
				text = fmt.Sprintf("%s (its text cannot be had: %s)", TypeName(x), string(again))
			}
		}
	}()
	switch v := Recovered(x).(type) {
	case error:
		return ofError.Cut(v.Error())
	case Box:
		if _, ok := v.T.method("Error"); ok {
			return ofError.Cut(v.text("Error"))
		}
		if _, ok := v.T.method("String"); ok {
			return ofError.Cut(v.text("String"))
		}
		return v.T.Name + "(" + ValueText(v, ofError, nil) + ")"
	case fmt.Stringer:
		return ofError.Cut(v.String())
	case string:
		return ofError.Cut(v)
	default:
		return ValueText(v, ofError, nil)
	}
}
