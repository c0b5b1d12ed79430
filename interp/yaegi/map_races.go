package yaegi

import (
	"reflect"
	"sync"
	"sync/atomic"

	"gotorch/interp/core"
	"gotorch/interp/rt"
)

// Note: maps of several goroutines
//
// Two goroutines that write one map at once end a program of Go's, and with it
// the session: nothing can catch that. So while goroutines of cells run, the
// statements that write maps, and the simple ones that read them, say which map
// they are about to use, and that they have used it. One that finds another
// goroutine at the same map panics in place of going on. What is not seen, a range
// over the map or host code that reads it, can still end the process.

// touches are the maps that goroutines are using.
type touches struct {
	asked *bool // SeveralVar's place
	on    atomic.Bool

	mu sync.Mutex
	by map[*member][]touched
}

type touched struct {
	at    uintptr
	write bool
}

// count says how many goroutines run besides the cell's own.
func (t *touches) count(n int) {
	is := n > 0
	if is == t.on.Load() {
		return
	}
	t.on.Store(is)
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
	t, at := &e.touches, v.Pointer()
	t.mu.Lock()
	defer t.mu.Unlock()
	for other, list := range t.by {
		if other == me {
			continue
		}
		for _, x := range list {
			switch {
			case x.at != at || !x.write && !write:
			case x.write && write:
				panic(rt.Fault("concurrent map writes: two goroutines write one map at once; a sync.Mutex " +
					"retentions them apart"))
			default:
				panic(rt.Fault("concurrent map read and map write: two goroutines use one map at once; a " +
					"sync.Mutex retentions them apart"))
			}
		}
	}
	if t.by == nil {
		t.by = map[*member][]touched{}
	}
	t.by[me] = append(t.by[me], touched{at, write})
}

// untouch is called when the statement is done, or has failed.
func (e *Engine) untouch() {
	if me := current(); me != nil && e.touches.on.Load() {
		e.touches.drop(me)
	}
}

func (t *touches) drop(m *member) {
	t.mu.Lock()
	delete(t.by, m)
	t.mu.Unlock()
}
