package interp

import (
	"reflect"
	"strconv"

	"gotorch/interp/check"
	"gotorch/interp/values"
	"gotorch/tensor"
)

// Note: the names of tensors. A tensor does not know what a user calls it. A view asks the session, while it is
// made, which of the live variables hold a tensor, and what was typed as the arguments of the call that made the view.
// Both are looked up when asked and then forgotten, so that a name keeps no tensor alive.

// search is [values.Near] or [values.Far].
type search = func(v reflect.Value, name string) map[*tensor.Tensor]string

// tensorNames finds the tensors that live variables hold: x, ws[0], m.Weight. Of several names of one tensor the
// best is taken, see [values.Better].
func (s *Session) tensorNames(find search) map[*tensor.Tensor]string {
	names := map[*tensor.Tensor]string{}
	s.eachName(find, func(x *tensor.Tensor, name string) { values.Better(names, x, name) })
	return names
}

// allNames finds every name of a tensor, and for those without one the Out[3] that keeps it.
func (s *Session) allNames() map[*tensor.Tensor][]string {
	names := map[*tensor.Tensor][]string{}
	s.eachName(values.Near, func(x *tensor.Tensor, name string) { names[x] = append(names[x], name) })
	kept := map[*tensor.Tensor][]string{}
	s.eachOut(values.Near, func(x *tensor.Tensor, name string) { kept[x] = append(kept[x], name) })
	for x, out := range kept {
		if names[x] == nil {
			names[x] = out
		}
	}
	return names
}

// eachOut calls found for every tensor that Out has, once for each value.
func (s *Session) eachOut(find search, found func(x *tensor.Tensor, name string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, v := range s.history.vals {
		for x, name := range find(reflect.ValueOf(v), "Out["+strconv.Itoa(n)+"]") {
			found(x, name)
		}
	}
}

// eachName calls found for every tensor that live variables hold, once for each variable.
func (s *Session) eachName(find search, found func(x *tensor.Tensor, name string)) {
	s.eachVariable(func(name string, v reflect.Value) {
		for x, name := range find(v, name) {
			found(x, name)
		}
	})
}

// eachVariable calls found for every live variable.
func (s *Session) eachVariable(found func(name string, v reflect.Value)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	vars := map[string]reflect.Value{}
	for _, d := range s.env.Names() {
		if d.Kind == check.Var {
			vars[d.Name] = values.Of(d)
		}
	}
	if src := s.cells[s.serial]; src != nil && src.prog != nil { // what the running cell has defined so far
		for _, sym := range src.prog.Slots {
			if sym.Def != nil && sym.Slot != nil {
				vars[sym.Def.Name] = reflect.ValueOf(sym.Slot).Elem()
			}
		}
	}
	for name, v := range vars {
		if name == "In" || name == "Out" || values.IsOut(name) {
			continue
		}
		found(name, v)
	}
}
