package display

import (
	"strconv"
	"sync"
	"time"
)

// interval is the least time between two updates of UpdateSoon.
const interval = 100 * time.Millisecond

func itoa(n int) string { return strconv.Itoa(n) }

// Soon does again and again what is only worth doing now and then, such as drawing: at most ten times a second, the
// last time in any case. Several goroutines may use it. It is ready as it is.
type Soon struct {
	mu    sync.Mutex
	f     func() // what waits
	last  time.Time
	timer *time.Timer
	doing chan struct{} // closed when what is being done is done
}

// waiting are those with something to do.
var (
	waitingMu sync.Mutex
	waiting   = map[*Soon]bool{}
)

// Do calls f, now or a little later. A function that still waited is forgotten.
func (s *Soon) Do(f func()) {
	s.mu.Lock()
	s.f = f
	switch wait := interval - time.Since(s.last); {
	case s.doing != nil || s.timer != nil: // it is seen to
		s.wait()
	case wait > 0:
		s.arm(wait)
	default:
		s.mu.Unlock()
		s.now()
		return
	}
	s.mu.Unlock()
}

// wait notes that there is something to do. The caller holds the lock.
func (s *Soon) wait() {
	waitingMu.Lock()
	waiting[s] = true
	waitingMu.Unlock()
}

// arm has it done after so long. The caller holds the lock.
func (s *Soon) arm(d time.Duration) {
	s.wait()
	s.timer = CurrentHost().AfterFunc(d, s.now)
}

// now does what waits. No lock is held while it does: f may be anybody's, and need not return.
func (s *Soon) now() {
	s.mu.Lock()
	if s.doing != nil {
		s.mu.Unlock()
		return
	}
	f, done := s.f, make(chan struct{})
	s.f, s.doing = nil, done
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	waitingMu.Lock()
	delete(waiting, s)
	waitingMu.Unlock()
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.doing, s.last = nil, time.Now() // of the end: what takes long to draw leaves the loop its time
		if s.f != nil {
			s.arm(interval)
		}
		s.mu.Unlock()
		close(done)
	}()
	if f != nil {
		f()
	}
}

// patience is how long a flush waits for what another goroutine does.
const patience = time.Second

func (s *Soon) flush() {
	s.mu.Lock()
	doing := s.doing
	s.mu.Unlock()
	if doing != nil {
		select {
		case <-doing:
		case <-time.After(patience):
		}
	}
	s.now()
}

// UpdateSoon shows what make gives in place of what the handle showed, but not more often than ten times a second: in
// between only the last is kept. The end of the cell, and [Flush], show it in any case.
func (h *Handle) UpdateSoon(make func() any) { h.soon.Do(func() { h.Update(make()) }) }

// Waiting reports whether there is something for Flush to show.
func Waiting() bool {
	waitingMu.Lock()
	defer waitingMu.Unlock()
	return len(waiting) > 0
}

// Flush shows at once what UpdateSoon has kept.
func Flush() {
	waitingMu.Lock()
	list := make([]*Soon, 0, len(waiting))
	for s := range waiting {
		list = append(list, s)
	}
	waitingMu.Unlock()
	for _, s := range list {
		s.flush()
	}
}
