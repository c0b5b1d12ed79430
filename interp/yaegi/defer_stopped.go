package yaegi

import (
	"sync"
	"sync/atomic"
	"time"
)

// Note: the deferred calls of what is stopped
//
// A run that is stopped executes nothing more, not even a deferred function, while the interpreter's id is bumped (see
// Note: how a run is stopped). So the calls that its frames deferred are put aside as the frames return, by goroutine
// and innermost first, and made when all frames have returned and the id is back: then closures work again. The calls
// of one goroutine follow each other, those of several run concurrently, as they would have. recover returns nil in
// them. They have gracePeriod in all; then they are stopped too, and those that had not begun get another period, a
// few times (rounds): the calls that for { defer f() } has deferred never end, and those that are left then are
// dropped.
//
// A deferred call that has begun when the stop comes, mu.Unlock(), must not be lost between its beginning and its
// work: the id is not bumped before such calls have returned, or before beginPatience has passed. So for { f() } with
// a defer in f can be interrupted at any time.
//
// After os.Exit no deferred call is made, as in Go.

const (
	gracePeriod   = 100 // milliseconds, as waitMillis counts them
	beginPatience = 40
	rounds        = 5 // how often calls that had not begun get another period
)

// deferrals are the deferred calls of the goroutines of an engine.
type deferrals struct {
	state  atomic.Int32 // free …
	inside atomic.Int32 // goroutines that are inside of a deferred call
	quiet  chan struct{}

	mu      sync.Mutex
	keeping bool
	left    [][]func() // by goroutines that have returned
}

const (
	free    = iota // deferred calls are made
	closing        // no more begin
	shut           // none is made
)

// enter asks whether a deferred call may be made here; exit says that it is done.
func (d *deferrals) enter(m *member) bool {
	switch {
	case m == nil:
		return true
	case d.state.Load() == shut:
		return false
	case m.deferring == 0:
		d.inside.Add(1)
		if d.state.Load() != free {
			d.done()
			return false
		}
	}
	m.deferring++
	return true
}

func (d *deferrals) exit(m *member) {
	if m == nil {
		return
	}
	if m.deferring--; m.deferring == 0 {
		d.done()
	}
}

func (d *deferrals) done() {
	if d.inside.Add(-1) == 0 && d.state.Load() == closing {
		select {
		case d.quiet <- struct{}{}:
		default:
		}
	}
}

// close ends the making of deferred calls, until open; keep reports whether they are put aside.
func (d *deferrals) close(keep bool) {
	select {
	case <-d.quiet: // of an earlier time
	default:
	}
	d.mu.Lock()
	d.keeping = keep // before any goroutine returns
	d.mu.Unlock()
	d.state.Store(closing)
	if keep && d.inside.Load() > 0 {
		waitMillis(beginPatience, d.quiet, nil)
	}
	d.state.Store(shut)
}

// waitMillis waits n milliseconds for one of two channels and reports whether one was ready. They are counted one by
// one: on a busy machine they are longer, and what is waited for needs longer.
func waitMillis(n int, a, b <-chan struct{}) bool {
	for range n {
		select {
		case <-a:
			return true
		case <-b:
			return true
		case <-time.After(time.Millisecond):
		}
	}
	return false
}

// open lets deferred calls be made again, and returns those that were put aside.
func (d *deferrals) open() [][]func() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.state.Store(free)
	left := d.left
	d.left = nil
	return left
}

// putAside takes what a goroutine that ends has put aside.
func (d *deferrals) putAside(calls []func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.keeping {
		d.left = append(d.left, calls)
	}
}

// callStopped makes the deferred calls of what has been stopped, for the n-th time.
func (e *Engine) callStopped(lists [][]func(), n int) {
	r := newRun()
	r.round = n
	e.now.CompareAndSwap(nil, r)
	var all sync.WaitGroup
	all.Add(len(lists))
	for _, calls := range lists {
		go e.callStoppedOf(r, calls, &all)
	}
	go func() { all.Wait(); close(r.settled) }()
	if !waitMillis(gracePeriod, r.settled, r.stop) {
		e.cancel(r, &Stopped{Kind: Interrupted})
	}
	if !r.taken.CompareAndSwap(false, true) {
		<-r.ended
	}
	e.now.CompareAndSwap(r, nil)
}

// callStoppedOf makes the deferred calls of one goroutine, those that may begin. What is inside of one has entered
// it, so that [deferrals.close] waits for it: a call that began as the id is bumped would do nothing, and be lost.
func (e *Engine) callStoppedOf(r *run, calls []func(), all *sync.WaitGroup) {
	unregister := e.register(r, true)
	m := current()
	exited := true
	defer func() {
		if exited && len(calls) > 0 { // one of them was runtime.Goexit: it ends only itself
			unregister()
			go e.callStoppedOf(r, calls, all)
			return
		}
		m.deferLater(calls)
		unregister()
		all.Done()
	}()
	e.around(r, func() {
		for len(calls) > 0 && e.deferrals.enter(m) {
			f := calls[0]
			calls[0] = nil // it may refer to much memory
			calls = calls[1:]
			e.callDeferred(m, f)
		}
	})
	exited = false
}

// deferLater puts calls aside; there may be millions.
func (m *member) deferLater(calls []func()) {
	if len(m.calls) == 0 {
		m.calls = calls
		return
	}
	m.calls = append(m.calls, calls...)
}

// callDeferred makes a deferred call that m has entered and whose panic concerns nothing else.
func (e *Engine) callDeferred(m *member, f func()) {
	defer func() {
		e.deferrals.exit(m)
		if v := recover(); v != nil {
			e.orphan(e.newPanic(v))
		}
	}()
	f()
}
