package parallel

import (
	"sync/atomic"
	"time"
)

// within is what [Within] received.
var within atomic.Pointer[func() func(work func())]

// Within sets a function that is called, on the goroutine that calls [For], whenever a loop is shared; nil removes it.
// Where it returns a function, each helper does its part of the loop in a call of that function: what holds for the
// goroutine that called For can be made to hold for the helpers.
func Within(f func() func(work func())) {
	if f == nil {
		within.Store(nil)
		return
	}
	within.Store(&f)
}

// watch is what [Watch] received.
var watch atomic.Pointer[func() func(worker, chunks int, begin, end time.Time)]

// Watch sets a function that is called, on the goroutine that calls [For], whenever a loop is shared; nil removes it.
// Where it returns a function, that is called once for each thread that took part, when it is done with the loop:
// worker 0 is the caller, others are helpers by number. The helpers call it at the same time.
func Watch(f func() func(worker, chunks int, begin, end time.Time)) {
	if f == nil {
		watch.Store(nil)
		return
	}
	watch.Store(&f)
}

// observe asks what was set by Watch and Within about the loop.
func (l *loop) observe() {
	if w := watch.Load(); w != nil {
		l.watched = (*w)()
	}
	if w := within.Load(); w != nil {
		l.within = (*w)()
	}
}
