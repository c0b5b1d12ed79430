package yaegi

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/interp/core"
	"gotorch/interp/rt"
	"gotorch/interp/task"
)

// Note: maps of several goroutines
//
// Two goroutines that write one map at once end a program of Go's, and with it the session: nothing can catch that. So
// while goroutines of cells run, the statements that write maps, and the simple ones that read them, say which map
// they are about to use, and that they have used it; so does every step of the interpreter that uses an entry, for the
// statements that call something meanwhile (package quick). One that finds another goroutine at the same map panics
// instead of going on. Host code that takes a map counts as using it until it returns. A range over a map goes through
// a copy meanwhile.

// touches are the maps that goroutines are using.
type touches struct {
	asked *bool // SeveralVar's place
	on    atomic.Bool

	mu sync.Mutex
	by map[*member][]touched
	n  int // of what was held
}

type touched struct {
	at    uintptr
	write bool
	held  int  // by host code, until it returns the map: its number; 0 by a statement
	shown bool // by what shows values, for which others wait
}

// count says how many goroutines run besides the cell's own.
func (t *touches) count(n int) {
	is := n > 0
	if is == t.on.Load() {
		return
	}
	t.on.Store(is)
	if is {
		task.Watch(t, t.show)
	} else {
		task.Watch(t, nil)
	}
	if t.asked != nil && !core.Race {
		*t.asked = is
	}
	if !is {
		t.mu.Lock()
		t.by = nil
		t.mu.Unlock()
	}
}

// touch is called by a statement that is about to use a map.
func (e *Engine) touch(m any, write bool) {
	v, me := reflect.ValueOf(m), current()
	if me == nil || v.Kind() != reflect.Map || v.IsNil() {
		return
	}
	e.touches.add(me, touched{at: v.Pointer(), write: write})
}

// add notes that a goroutine uses a map, if no other one is in its way.
func (t *touches) add(me *member, x touched) {
	for wait := time.Microsecond; ; wait = min(2*wait, time.Millisecond) {
		y, free := t.try(me, x)
		switch {
		case free:
			return
		case y.shown:
			time.Sleep(wait)
		case y.write && x.write:
			panic(rt.Fault("concurrent map writes: two goroutines write one map at once; a sync.Mutex " +
				"keeps them apart"))
		default:
			panic(rt.Fault("concurrent map read and map write: two goroutines use one map at once; a " +
				"sync.Mutex keeps them apart"))
		}
	}
}

// try is add where no other goroutine is in the way; else it returns how that one uses the map.
func (t *touches) try(me *member, x touched) (other touched, free bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for m, list := range t.by {
		if m == me {
			continue
		}
		for _, y := range list {
			if y.at == x.at && (y.write || x.write) {
				return y, false
			}
		}
	}
	if t.by == nil {
		t.by = map[*member][]touched{}
	}
	t.by[me] = append(t.by[me], x)
	return x, true
}

// showing is how long what shows a value waits for goroutines that write a map of it.
const showing = 50 * time.Millisecond

// show is asked before the map at an address is shown.
func (t *touches) show(at uintptr) (release func(), ok bool) {
	me := &member{}
	if m := current(); m != nil {
		me = m // its own uses are not in its way
	}
	t.mu.Lock()
	t.n++
	x := touched{at: at, held: t.n, shown: true}
	t.mu.Unlock()
	for start := time.Now(); ; time.Sleep(20 * time.Microsecond) {
		if _, ok := t.try(me, x); ok {
			return func() { t.drop(me, func(y touched) bool { return y.held == x.held }) }, true
		}
		if time.Since(start) > showing {
			return nil, false
		}
	}
}

// Several reports whether goroutines of cells run besides the cell's own.
func (m *member) Several() bool { return m.engine.touches.on.Load() }

// Uses notes that host code uses a map.
func (m *member) Uses(at uintptr, write bool) (release func()) {
	t := &m.engine.touches
	t.mu.Lock()
	t.n++
	n := t.n
	t.mu.Unlock()
	t.add(m, touched{at: at, write: write, held: n})
	return func() { t.drop(m, func(x touched) bool { return x.held == n }) }
}

// snap copies a map, for a range over it.
func (e *Engine) snap(m any) any {
	v, me := reflect.ValueOf(m), current()
	if me == nil || v.Kind() != reflect.Map || v.IsNil() {
		return m
	}
	return rt.CopyMap(me, v).Interface()
}

// using notes that a step uses a map, until release is called.
func (e *Engine) using(v reflect.Value, write bool) (release func()) {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	me := current()
	if me == nil || v.Kind() != reflect.Map || v.IsNil() {
		return func() {}
	}
	return me.Uses(v.Pointer(), write)
}

// untouch is called when the statement is done, or has failed.
func (e *Engine) untouch() {
	if me := current(); me != nil && e.touches.on.Load() {
		e.touches.drop(me, func(x touched) bool { return x.held == 0 })
	}
}

// drop forgets what a goroutine was using.
func (t *touches) drop(m *member, done func(touched) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if left := slices.DeleteFunc(t.by[m], done); len(left) > 0 {
		t.by[m] = left
	} else {
		delete(t.by, m)
	}
}
