package interp

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"gotorch/interp/check"
	"gotorch/interp/rt"
	"gotorch/interp/yaegi"
	"gotorch/tensor"
)

// Note: looking while a cell runs
//
// What a user asks to see may be changing at that moment. A map that is read while a cell writes to it
// ends the process, and a method of a value may wait for ever, so while a cell (or a goroutine of one)
// runs only this is read: numbers, tensors, texts, and the lengths of the rest. A value of several words
// is copied until two copies are alike.

// Variable describes a name that cells have defined.
type Variable struct {
	Name, Type, Value string
	Shape             []int  // of a tensor, else nil
	Dtype             string // of a tensor
	Bytes             int    // of a tensor's elements
}

// fewElements is the size of tensors whose elements are worth a look in a line.
const fewElements = 100

// Variables lists the variables that cells have defined, by name. It may be called while a cell runs.
func (s *Session) Variables() []Variable {
	quiet, done := s.quiet()
	defer done()
	s.mu.Lock()
	defer s.mu.Unlock()
	var vs []Variable
	for _, d := range s.env.Names() {
		if d.Kind != check.Var || outName.MatchString(d.Name) || d.Name == "In" || d.Name == "Out" || d.Name == "_" {
			continue
		}
		v := Variable{Name: d.Name, Type: s.typeOf(d)}
		v.Value = s.look(d, quiet)
		x := s.value(d)
		if t, ok := tensorOf(x); ok {
			v.Shape, v.Dtype, v.Bytes = append([]int{}, t.Shape()...), t.Dtype().String(), t.Numel()*t.ElementSize()
			if t.Numel() <= fewElements {
				v.Value = clip(strings.Join(strings.Fields(t.String()), " "))
			}
		}
		vs = append(vs, v)
	}
	sort.Slice(vs, func(i, j int) bool { return vs[i].Name < vs[j].Name })
	return vs
}

// Look gives the value of a variable without running anything. It is false when name is none. It may
// be called while a cell runs; then a value that may be changing is shown by its text alone.
func (s *Session) Look(name string) (Value, bool) {
	quiet, done := s.quiet()
	defer done()
	s.mu.Lock()
	defer s.mu.Unlock()
	name = strings.TrimSpace(name)
	for _, d := range s.env.Names() {
		if d.Name != name || d.Kind != check.Var {
			continue
		}
		x := s.value(d)
		if t, ok := tensorOf(x); ok {
			return s.valueOf(t), true
		}
		if quiet && x.IsValid() {
			return s.valueOf(x.Interface()), true
		}
		return s.valueOf(s.look(d, quiet)), true
	}
	return Value{}, false
}

// quiet says that nothing of a cell runs, and holds cells up until done is called.
func (s *Session) quiet() (quiet bool, done func()) {
	if !s.run.TryLock() {
		return false, func() {}
	}
	if len(s.eng.Goroutines()) > 0 {
		s.run.Unlock()
		return false, func() {}
	}
	return true, s.run.Unlock
}

// look is a variable's value in a few words.
func (s *Session) look(d *check.Def, quiet bool) string {
	if quiet || d.Kind != check.Var {
		return s.summary(d)
	}
	return clip(moving(s.value(d)))
}

// tensorOf gives the tensor that x is.
func tensorOf(x reflect.Value) (*tensor.Tensor, bool) {
	if !x.IsValid() || !x.CanInterface() {
		return nil, false
	}
	t, ok := x.Interface().(*tensor.Tensor)
	return t, ok && t != nil
}

// moving is what can be said of a value that may be changing.
func moving(x reflect.Value) string {
	if !x.IsValid() {
		return ""
	}
	if t, ok := tensorOf(x); ok {
		return t.Dtype().String() + fmt.Sprint(t.Shape())
	}
	switch x.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return fmt.Sprint(x)
	case reflect.String:
		if y, ok := yaegi.Stable(x); ok {
			return rt.Brief.Cut(y.String())
		}
	case reflect.Slice, reflect.Map, reflect.Chan:
		return fmt.Sprintf("%d elements", x.Len())
	}
	return "(a cell runs)"
}

// clip is text on one line of at most 40 characters.
func clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) { // a terminal would obey it
			return ' '
		}
		return r
	}, text)
	if r := []rune(text); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return text
}

// padded is text with spaces up to a width in columns of a terminal.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(width-uniseg.StringWidth(text), 0))
}
