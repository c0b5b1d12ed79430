package interp

import (
	"maps"
	"reflect"
	"strconv"

	"gotorch/interp/check"
	"gotorch/interp/lower"
)

// history is what was typed and shown.
type history struct {
	vals  map[int]any
	order []int
	in    map[int]string
	last  int

	failed map[int]bool // cells that ended with an error
	behind bool         // In and Out are out of date: see refreshHistory
}

// remember records what a cell showed; from is the number of its first source. Of several values the last is kept.
func (s *Session) remember(n, from int, src string, vals []Value, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetEarlier()
	o := &s.history
	if o.vals == nil {
		o.vals, o.in, o.failed = map[int]any{}, map[int]string{}, map[int]bool{}
	}
	s.rememberText(n, from, src)
	if failed {
		o.failed[n] = true
	}
	if len(vals) == 0 || vals[len(vals)-1].V == nil {
		s.refreshHistory()
		return
	}
	o.vals[n], o.last = vals[len(vals)-1].V, n
	o.order = append(o.order, n)
	s.refreshHistory()
}

// refreshHistory drops values beyond the limit and updates In and Out. If the cell was stopped inside host code and
// has not returned, it may still use them; then this is left to the next cell.
func (s *Session) refreshHistory() {
	if s.history.behind = !s.eng.Idle(); !s.history.behind {
		s.forgetOldest()
		s.updateInOut()
	}
}

// forgetOldest drops the values beyond those that Out keeps.
func (s *Session) forgetOldest() {
	o := &s.history
	for len(o.order) > s.opts.Keep {
		old := o.order[0]
		o.order = o.order[1:]
		delete(o.vals, old)
		if d := s.env.Lookup("_" + strconv.Itoa(old)); d != nil {
			if sym, ok := d.Engine.(*lower.Symbol); ok && sym.Slot != nil {
				reflect.ValueOf(sym.Slot).Elem().SetZero()
			}
			s.env.Forget(d.Name)
		}
	}
}

// updateInOut updates the variables In and Out, if they exist. It assigns new maps, because a goroutine of a cell may
// be reading the old ones.
func (s *Session) updateInOut() {
	if p, ok := s.slot("Out").(*map[int]any); ok {
		*p = maps.Collect(maps.All(s.history.vals))
	}
	if p, ok := s.slot("In").(*map[int]string); ok {
		*p = maps.Collect(maps.All(s.history.in)) // not nil, as a clone may be
	}
}

// slot is a pointer to a variable, or nil.
func (s *Session) slot(name string) any {
	d := s.env.Lookup(name)
	if d == nil || d.Kind != check.Var {
		return nil
	}
	sym, ok := d.Engine.(*lower.Symbol)
	if !ok {
		return nil
	}
	return sym.Slot
}
