package interp

import (
	"sort"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/values"
)

// Note: looking while a cell runs
//
// What a user asks to see may be changing at that moment. A map that is read while a cell writes to it ends the
// process, and a method of a value may wait forever, so while a cell (or a goroutine of one) runs only this is read:
// numbers, tensors, strings, and the lengths of the rest. A value of several words is copied until two copies are
// alike.

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
		if d.Kind != check.Var || values.IsOut(d.Name) || d.Name == "In" || d.Name == "Out" || d.Name == "_" {
			continue
		}
		v := Variable{Name: d.Name, Type: values.TypeText(d)}
		v.Value = s.look(d, quiet)
		x := values.Of(d)
		if t, ok := values.Tensor(x); ok {
			v.Shape, v.Dtype, v.Bytes = append([]int{}, t.Shape()...), t.Dtype().String(), t.Numel()*t.ElementSize()
			if t.Numel() <= fewElements {
				v.Value = values.Clip(strings.Join(strings.Fields(t.String()), " "))
			}
		}
		vs = append(vs, v)
	}
	sort.Slice(vs, func(i, j int) bool { return vs[i].Name < vs[j].Name })
	return vs
}

// Look returns the value of a variable without running anything. It is false when name is none. It may
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
		x := values.Of(d)
		if t, ok := values.Tensor(x); ok {
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
		return values.Summary(d)
	}
	return values.Changing(d)
}
