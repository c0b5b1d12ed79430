package display

import (
	"strconv"
	"sync"
	"time"
)

// interval is the least time between two updates of UpdateSoon.
const interval = 100 * time.Millisecond

func itoa(n int) string { return strconv.Itoa(n) }

// soon is what UpdateSoon keeps of a handle.
type soon struct {
	mu    sync.Mutex
	make  func() any // what waits to be shown
	last  time.Time
	timer *time.Timer
}

// waiting are the handles with something to show.
var (
	waitingMu sync.Mutex
	waiting   = map[*Handle]bool{}
)

// UpdateSoon shows what make gives in the place of what the handle showed, but
// not more often than ten times a second: in between only the last is kept. The
// end of the cell, and [Flush], show it in any case.
func (h *Handle) UpdateSoon(make func() any) {
	s := &h.soon
	s.mu.Lock()
	defer s.mu.Unlock()
	s.make = make
	if wait := interval - time.Since(s.last); wait > 0 {
		if s.timer == nil {
			waitingMu.Lock()
			waiting[h] = true
			waitingMu.Unlock()
			s.timer = time.AfterFunc(wait, h.flush)
		}
		return
	}
	h.now()
}

// now shows what waits; its caller holds the lock.
func (h *Handle) now() {
	s := &h.soon
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if s.make == nil {
		return
	}
	v := s.make()
	s.make = nil
	h.Update(v)
	s.last = time.Now() // of the end: what takes long to draw leaves the loop its time
}

func (h *Handle) flush() {
	h.soon.mu.Lock()
	defer h.soon.mu.Unlock()
	waitingMu.Lock()
	delete(waiting, h)
	waitingMu.Unlock()
	h.now()
}

// Flush shows at once what UpdateSoon has kept.
func Flush() {
	waitingMu.Lock()
	list := make([]*Handle, 0, len(waiting))
	for h := range waiting {
		list = append(list, h)
	}
	waitingMu.Unlock()
	for _, h := range list {
		h.flush()
	}
}
