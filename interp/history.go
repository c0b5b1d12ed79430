package interp

import (
	"maps"
	"reflect"
	"strconv"

	"gotorch/interp/check"
	"gotorch/interp/lower"
)

// outs are the values that were shown.
type outs struct {
	vals  map[int]any
	order []int
	in    map[int]string
	last  int

	failed map[int]bool // cells that ended with an error
	behind bool         // the variables are behind: see bring
}

// keep notes what a cell showed; from is the number of the first text that it gave to the engine. A cell that shows
// several values is kept as its last.
func (s *Session) keep(n, from int, src string, vals []Value, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetEarlier()
	o := &s.outs
	if o.vals == nil {
		o.vals, o.in, o.failed = map[int]any{}, map[int]string{}, map[int]bool{}
	}
	s.keepText(n, from, src)
	if failed {
		o.failed[n] = true
	}
	if len(vals) == 0 || vals[len(vals)-1].V == nil {
		s.bring()
		return
	}
	o.vals[n], o.last = vals[len(vals)-1].V, n
	o.order = append(o.order, n)
	s.bring()
}

// bring forgets what is too old and brings In and Out up to date; where the cell has not left, because it was stopped
// inside compiled code and may still use them, the next cell does.
func (s *Session) bring() {
	if s.outs.behind = !s.eng.Idle(); !s.outs.behind {
		s.trim()
		s.poke()
	}
}

// trim forgets the values beyond those that Out keeps.
func (s *Session) trim() {
	o := &s.outs
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

// poke brings the variables In and Out up to date, if there are such. The maps are new ones: a goroutine of a cell may
// be reading the old.
func (s *Session) poke() {
	if p, ok := s.slot("Out").(*map[int]any); ok {
		*p = maps.Collect(maps.All(s.outs.vals))
	}
	if p, ok := s.slot("In").(*map[int]string); ok {
		*p = maps.Collect(maps.All(s.outs.in)) // not nil, as a clone may be
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
