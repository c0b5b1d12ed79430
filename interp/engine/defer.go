package engine

import (
	"sync"

	"gotorch/interp/rt"
)

// Defers are the deferred calls of one call of a function.
//
// Note: why defer is ours
//
// yaegi holds a lock of the frame while it runs the frame's deferred calls, and
// every closure that the frame made takes that lock when it returns: a deferred
// function that calls a closure hangs. It also gives all closures that a loop
// defers the loop's last values. So the lowering makes the body of a function
// that defers a closure, which [Engine.protect] runs, and recover asks here.
type Defers struct {
	calls     []func()
	panicking bool
	value     any
}

func (e *Engine) newDefers() *Defers { return &Defers{} }

func (e *Engine) deferCall(d *Defers, f func()) { d.calls = append(d.calls, f) }

// protect runs a function's body and then what it deferred, as Go does.
func (e *Engine) protect(d *Defers, body func()) {
	func() {
		normal := false
		defer func() {
			if normal {
				return
			}
			if d.value = recover(); d.value != nil {
				d.panicking = true
				return
			}
			e.unwind(d) // runtime.Goexit
		}()
		body()
		normal = true
	}()
	e.unwind(d)
	if d.panicking {
		panic(d.value)
	}
}

func (e *Engine) unwind(d *Defers) {
	for len(d.calls) > 0 {
		f := d.calls[len(d.calls)-1]
		d.calls = d.calls[:len(d.calls)-1]
		e.deferred(d, f)
	}
}

// deferred makes one deferred call. A panic out of it takes the place of the
// one before.
func (e *Engine) deferred(d *Defers, f func()) {
	if d.panicking {
		pop := push(d)
		defer pop()
	}
	normal := false
	defer func() {
		if !normal {
			if v := recover(); v != nil {
				d.panicking, d.value = true, v
			}
		}
	}()
	f()
	normal = true
}

// panics are the panicking calls whose deferred functions run, by goroutine,
// innermost last.
var panics struct {
	sync.Mutex
	m map[uintptr][]*Defers
}

func push(d *Defers) (pop func()) {
	id := goroutine()
	panics.Lock()
	defer panics.Unlock()
	if panics.m == nil {
		panics.m = map[uintptr][]*Defers{}
	}
	panics.m[id] = append(panics.m[id], d)
	return func() {
		panics.Lock()
		defer panics.Unlock()
		if l := panics.m[id]; len(l) > 1 {
			panics.m[id] = l[:len(l)-1]
		} else {
			delete(panics.m, id)
		}
	}
}

// recovered is the builtin recover.
func (e *Engine) recovered() any {
	id := goroutine()
	panics.Lock()
	defer panics.Unlock()
	l := panics.m[id]
	if len(l) == 0 {
		return nil
	}
	d := l[len(l)-1]
	if !d.panicking {
		return nil
	}
	d.panicking = false
	e.noise.reset()
	return rt.Recovered(d.value)
}
