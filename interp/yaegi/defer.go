package yaegi

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/interp/rt"
	"gotorch/interp/task"
)

// Defers are the deferred calls of one call of a function.
//
// Note: why defer is implemented here
//
// yaegi holds a lock of the frame while it runs the frame's deferred calls, and every closure that the frame made
// takes that lock when it returns: a deferred function that calls a closure hangs. It also gives all closures that a
// loop defers the loop's last values. So the lowering turns the body of a function that defers into a closure, which
// [Engine.protect] runs, and recover is a call of this package.
type Defers struct {
	calls     []func()
	panicking bool
	value     any
	step      *member // a step that is not to be stopped has begun: see beginStep
}

func (e *Engine) newDefers() *Defers { return &Defers{} }

func (e *Engine) deferCall(d *Defers, f func()) {
	d.calls = append(d.calls, f)
	e.endStep(d)
}

// beginStep is called before a statement that a defer statement follows: mu.Lock(); defer mu.Unlock() is one step,
// which an interrupt waits for a moment (beginPatience), or finds not begun.
func (e *Engine) beginStep(d *Defers) {
	m := current()
	switch {
	case m == nil || d.step != nil:
	case e.deferrals.enter(m):
		d.step, m.step = m, d
	// all is being stopped: this frame returns when the id is bumped, for a second time if the frame is newer than
	// the first
	default:
		id := atomic.LoadUint64(e.inner.id)
		for range 50 * beginPatience {
			if atomic.LoadUint64(e.inner.id) != id {
				break
			}
			time.Sleep(time.Millisecond / 10)
		}
	}
}

// endStep ends such a step.
func (e *Engine) endStep(d *Defers) {
	if m := d.step; m != nil {
		d.step, m.step = nil, nil
		e.deferrals.exit(m)
	}
}

// protect runs a function's body and then what it deferred, as Go does.
func (e *Engine) protect(d *Defers, body func()) {
	m := current()
	func() {
		normal := false
		defer func() {
			e.endStep(d)
			if normal {
				return
			}
			if d.value = recover(); d.value != nil {
				d.panicking = true
				e.untouch()
				return
			}
			e.unwind(m, d) // runtime.Goexit
		}()
		body()
		normal = true
	}()
	e.unwind(m, d)
	if d.panicking {
		panic(d.value)
	}
}

// unwind makes the deferred calls; while everything is being stopped they are put aside.
func (e *Engine) unwind(m *member, d *Defers) {
	for len(d.calls) > 0 {
		if !e.deferrals.enter(m) {
			calls := d.calls
			d.calls = nil
			slices.Reverse(calls)
			m.deferLater(calls)
			return
		}
		f := d.calls[len(d.calls)-1]
		d.calls[len(d.calls)-1] = nil
		d.calls = d.calls[:len(d.calls)-1]
		e.deferred(m, d, f)
	}
}

// deferred makes one deferred call. A panic in it replaces the one before.
func (e *Engine) deferred(m *member, d *Defers, f func()) {
	if d.panicking {
		id := task.ID()
		starting.Store(id, d)
		startingCount.Add(1)
		defer func() { takeStarting(id) }()
	}
	normal := false
	defer func() {
		e.deferrals.exit(m)
		if normal {
			return
		}
		if v := recover(); v != nil {
			d.panicking, d.value = true, v
			return
		}
		e.unwind(m, d) // runtime.Goexit
	}()
	f()
	normal = true
}

// starting are the calls that are deferred by what panics and have not entered a function yet, by goroutine;
// startingCount is how many there are.
var (
	starting      sync.Map
	startingCount atomic.Int64
)

// takeStarting returns, once, the Defers of the call that starts on a goroutine.
func takeStarting(id uintptr) *Defers {
	if startingCount.Load() == 0 {
		return nil
	}
	d, ok := starting.LoadAndDelete(id)
	if !ok {
		return nil
	}
	startingCount.Add(-1)
	return d.(*Defers)
}

// enterRecovering is called first by a function that calls recover. It returns the Defers whose panic recover ends:
// those of the function by whose panic this one is called, and not of one further out. Functions that call others and
// not recover call enter, so that those others are not taken for it.
func (e *Engine) enterRecovering() *Defers {
	d := takeStarting(task.ID())
	e.enter()
	return d
}

// recovered is the builtin recover.
func (e *Engine) recovered(d *Defers) any {
	if d == nil || !d.panicking {
		return nil
	}
	d.panicking = false
	e.noise.reset()
	return rt.Recovered(d.value)
}
