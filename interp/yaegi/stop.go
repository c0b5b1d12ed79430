package yaegi

import (
	"sync"
	"sync/atomic"
	"time"

	"gotorch/interp/task"
)

// Note: how a run is stopped
//
// Every frame of the interpreter remembers the id that the interpreter had when the frame's function was made, and
// returns as soon as they differ. yaegi's own stop bumps the id for good and closes the channel that blocked
// operations also wait for; closures that cells keep would then do nothing and return zeros without a word. Here the
// id is put back when the run has returned, and the channel is not closed but sent to until then.
//
// A frame that is made after the id was bumped has that very id: so it is when a run is stopped before its first
// frame stands. For a run that does not return the id is bumped again (repeatAfter), and all of it is put back in the
// end.
//
// The id is shared: while it is bumped the goroutines of earlier cells return too. So that none is caught half-way,
// all of them are asked to stop, and the id stays bumped until they have returned, or for leavePatience if one is
// inside host code. Then the calls that they had deferred are made: see callStopped.

// leavePatience is how long the id stays bumped for goroutines that do not return.
const leavePatience = 500 * time.Millisecond

// repeatAfter is how long after the id was bumped it is bumped again, at first; the next time it is twice that.
const repeatAfter = 5 * time.Millisecond

// run is one run of the interpreter, with the goroutines that it started.
type run struct {
	cause   atomic.Pointer[error] // why it was stopped
	stop    chan struct{}         // closed when it and its goroutines are to end
	once    sync.Once             // of closing stop
	ended   chan struct{}         // closed when the run has returned and the engine is ready again
	settled chan struct{}         // closed when err is known
	err     error
	started tally         // goroutines that it started
	at      atomic.Int64  // what LineVar held when the wait for it was given up
	late    atomic.Bool   // it was stopped and has returned, and its deferred calls are running
	taken   atomic.Bool   // it is settled who closes ended: what stops it or, if it ends by itself, its own goroutine
	streams *task.Streams // that were set when it began
	round   int           // if it makes the deferred calls of another run: how many runs did so before
}

// tally counts goroutines that run. Unlike a sync.WaitGroup it may grow from zero while something waits for it.
type tally struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when n is zero again
}

func (t *tally) add() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == 0 {
		t.none = make(chan struct{})
	}
	t.n++
}

func (t *tally) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n--; t.n == 0 {
		close(t.none)
	}
}

// ended returns a channel that is closed when none runs any more, or nil if none does now.
func (t *tally) ended() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n == 0 {
		return nil
	}
	return t.none
}

func newRun() *run {
	return &run{ended: make(chan struct{}), stop: make(chan struct{}), settled: make(chan struct{})}
}

func (r *run) halt() { r.once.Do(func() { close(r.stop) }) }

// halted reports whether the run and its goroutines are to end.
func (r *run) halted() bool {
	select {
	case <-r.stop:
		return true
	default:
		return false
	}
}

// isOver reports whether the run has ended.
func (r *run) isOver() bool {
	select {
	case <-r.settled:
		return true
	default:
		return false
	}
}

// cancel stops a run: the first cause counts.
func (e *Engine) cancel(r *run, cause error) {
	if !r.taken.CompareAndSwap(false, true) { // too late: it has ended by itself
		return
	}
	r.cause.Store(&cause)
	s, ok := cause.(*Stopped)
	go e.drive(r, !ok || s.Kind != Exit)
	<-r.stop
}

// drive makes all frames return until r and the goroutines of cells have ended, restores what it changed, and runs
// their deferred calls, unless the process is to exit.
func (e *Engine) drive(r *run, deferred bool) {
	e.deferrals.close(deferred)
	atomic.AddUint64(e.inner.id, 1)
	bumps, wait, next := uint64(1), repeatAfter, time.Now().Add(repeatAfter)
	r.halt()
	e.goroutines.halt()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	settled := r.settled
	var since time.Time
	for {
		select {
		case *e.inner.done <- struct{}{}:
			continue
		case <-settled:
			settled = nil
		case <-tick.C:
			if !r.isOver() {
				if now := time.Now(); now.After(next) {
					atomic.AddUint64(e.inner.id, 1)
					bumps++
					wait = min(2*wait, time.Second)
					next = now.Add(wait)
				}
				continue
			}
		}
		if since.IsZero() {
			since = time.Now()
		}
		if e.goroutines.halting() == 0 || time.Since(since) > leavePatience {
			break
		}
	}
	atomic.AddUint64(e.inner.id, -bumps)
	if calls := e.deferrals.open(); len(calls) > 0 && r.round < rounds {
		r.late.Store(true)
		e.callStopped(calls, r.round+1)
	}
	close(r.ended)
}

// StopGoroutines ends the goroutines that cells started, and returns how many
// have ended; those inside host code may need a while.
func (e *Engine) StopGoroutines() (int, error) {
	if err := e.WaitIdle(); err != nil {
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
	e.latest = r
	go e.drive(r, true)
	r.awaitDeferred(leavePatience + gracePeriod*time.Millisecond)
	return before - e.goroutines.halting(), nil
}

// awaitDeferred waits, after r has been stopped, for the deferred calls that it left.
func (r *run) awaitDeferred(patience time.Duration) {
	if !r.isOver() {
		return
	}
	for range rounds {
		select {
		case <-r.ended:
			return
		case <-time.After(patience):
		}
		if !r.late.Load() {
			return
		}
		patience += gracePeriod * time.Millisecond
	}
}
