package engine

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Note: how a run is stopped
//
// Every frame of the interpreter remembers the number that the interpreter had
// when the frame's function was made, and leaves as soon as they differ. yaegi's
// own stop raises the number for good and closes the channel that blocked
// operations also wait for; closures that cells keep would then be dead, doing
// nothing and returning zeros without a word. Here the number is put back when
// the run has left, and the channel is not closed but written to until it has.
//
// A frame that is made after the number was raised has that very number: so it is
// when a run is stopped before its first frame stands. A run that does not leave
// has the number raised again (again), and all of it is put back in the end.
//
// The number is everybody's: while it is raised the goroutines of earlier cells
// leave too. So that none is caught half-way, all of them are told, and the
// number stays raised until they have left, or for a moment (leaving) where one
// is inside compiled code.

// leaving is how long the number stays raised for goroutines that do not leave.
const leaving = 100 * time.Millisecond

// again is how long after the number was raised it is raised once more, at first; the next time it is twice that.
const again = 5 * time.Millisecond

// run is one run of the interpreter, with the goroutines that it started.
type run struct {
	cause   atomic.Pointer[error] // why it was stopped
	stop    chan struct{}         // closed when it and its goroutines are to end
	once    sync.Once             // of closing stop
	ended   chan struct{}         // closed when it has left the interpreter and all is as before
	settled chan struct{}         // closed when err is known
	err     error
	started sync.WaitGroup // goroutines that it started
	spawned atomic.Int32
	at      atomic.Int64 // what LineVar held when nobody waited any longer
}

func newRun() *run {
	return &run{ended: make(chan struct{}), stop: make(chan struct{}), settled: make(chan struct{})}
}

func (r *run) halt() { r.once.Do(func() { close(r.stop) }) }

// halted says whether the run and its goroutines are to end.
func (r *run) halted() bool {
	select {
	case <-r.stop:
		return true
	default:
		return false
	}
}

// over says whether the run has ended.
func (r *run) over() bool {
	select {
	case <-r.settled:
		return true
	default:
		return false
	}
}

// cancel stops a run: the first cause counts.
func (e *Engine) cancel(r *run, cause error) {
	if !r.cause.CompareAndSwap(nil, &cause) {
		return
	}
	if r.over() { // too late: it has ended by itself
		return
	}
	go e.drive(r)
	<-r.stop
}

// drive makes all frames leave until r has ended and the goroutines of cells
// have, and puts back what it changed.
func (e *Engine) drive(r *run) {
	atomic.AddUint64(e.inner.id, 1)
	raised, wait, next := uint64(1), again, time.Now().Add(again)
	r.halt()
	e.goroutines.halt()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	var since time.Time
	for {
		select {
		case *e.inner.done <- struct{}{}:
		case <-tick.C:
			if !r.over() {
				if now := time.Now(); now.After(next) {
					atomic.AddUint64(e.inner.id, 1)
					raised++
					wait = min(2*wait, time.Second)
					next = now.Add(wait)
				}
				continue
			}
			if since.IsZero() {
				since = time.Now()
			}
			if e.goroutines.halting() == 0 || time.Since(since) > leaving {
				atomic.AddUint64(e.inner.id, -raised)
				close(r.ended)
				return
			}
		}
	}
}

// StopGoroutines ends the goroutines that cells started, and gives how many
// have ended; those inside compiled code may need a while.
func (e *Engine) StopGoroutines() (int, error) {
	if err := e.Left(); err != nil {
		return 0, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	before := len(e.Goroutines())
	if before == 0 {
		return 0, nil
	}
	r := newRun()
	close(r.settled)
	e.last = r
	e.drive(r)
	return before - e.goroutines.halting(), nil
}

// here is closed when the run that this goroutine belongs to is stopped; it is
// nil, which never is, where it belongs to none.
func here() <-chan struct{} {
	if b, ok := belongs.Load(goroutine()); ok {
		return b.(member).run.stop
	}
	return nil
}

// give ends this goroutine if its run was stopped and it is not the run's own:
// what called a wait must not go on as if the wait were over. The run's own
// leaves by itself, and sooner: the number stays raised until it has.
func give() {
	if b, ok := belongs.Load(goroutine()); ok && b.(member).child && b.(member).run.halted() {
		runtime.Goexit()
	}
}

// member is what a goroutine belongs to.
type member struct {
	engine *Engine
	run    *run
	child  bool // it is not the run's own goroutine
}

// belongs finds the run of a goroutine.
var belongs sync.Map // goroutine → member

// register notes that this goroutine works for r.
func (e *Engine) register(r *run, child bool) (unregister func()) {
	id := goroutine()
	belongs.Store(id, member{e, r, child})
	return func() { belongs.Delete(id) }
}
