package jupyter

import (
	"context"
	"strings"
	"time"
)

// Note: what an error aborts
//
// A front end that is asked to run all cells sends them one behind the other, and trusts that those behind the first
// that fails are aborted. This kernel may have failed before it has the second. So the reply that says error is held
// back until no cell has come for a moment: a client that sent one by then did not know of the failure. (The error
// itself is on IOPub at once.) A cell that still came late, by a slow line, is known by its date. What a client sends
// when it has the reply is never aborted: clients that go on after an error are as common as front ends that do not.
const (
	abortQuiet = 5 * time.Millisecond  // the moment
	abortHold  = 30 * time.Millisecond // the longest that a reply is held back
	abortGrace = 100 * time.Millisecond
)

// abortion is when a queue was emptied, and what tells which cells that come after it were sent before.
type abortion struct {
	at      time.Time
	session string    // of the client whose clock sent is of; empty for the kernel's own clock
	sent    time.Time // what was sent before this was sent before the abortion
}

// newAbortion is one for r, or (nil) of a signal.
func newAbortion(r *request) abortion {
	a := abortion{at: time.Now()}
	a.sent = a.at
	if r != nil {
		// By its own clock, the client cannot have had an answer before r's date and the time since r
		// came. That holds however much its clock is off.
		date, _ := r.date()
		a.session, a.sent = r.header.Session, date.Add(a.at.Sub(r.arrived))
	}
	return a
}

// covers says that r came soon after the abortion, and was surely sent before.
func (a abortion) covers(r *request) bool {
	if r.arrived.Sub(a.at) > abortGrace || a.session != "" && a.session != r.header.Session {
		return false
	}
	date, ok := r.date()
	// Some clients cut dates to milliseconds.
	return ok && date.Add(time.Millisecond).Before(a.sent)
}

// date is when a request says that it was made. One in whole seconds says too little.
func (r *request) date() (time.Time, bool) {
	date, err := time.Parse(time.RFC3339Nano, r.header.Date)
	return date, err == nil && strings.Contains(r.header.Date, ".")
}

// abort marks the cells that wait, for r (nil for a signal): they are answered, not run.
func (q *queue) abort(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.aborted = newAbortion(r)
	for _, r := range q.waiting {
		r.aborted = true
	}
}

// hold waits until nothing has come for a moment, but not for long, and not when ctx has ended.
func (q *queue) hold(ctx context.Context) {
	for end := time.Now().Add(abortHold); ; {
		q.mu.Lock()
		wait := min(time.Until(q.pushed.Add(abortQuiet)), time.Until(end))
		q.mu.Unlock()
		if wait <= 0 {
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}
