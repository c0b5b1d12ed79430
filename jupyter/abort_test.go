package jupyter

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

const micros = "2006-01-02T15:04:05.000000Z"

// What a queue drops after an abortion, by what the request's date says.
func TestAbortion(t *testing.T) { synctest.Test(t, testAbortion) } // no time passes

func testAbortion(t *testing.T) {
	now := time.Now()
	at := func(skew, d time.Duration) string { return now.Add(skew + d).UTC().Format(micros) }
	cell := func(session, date string) *request {
		return &request{message: &message{header: header{Session: session, Date: date}}, arrived: now}
	}
	for _, skew := range []time.Duration{0, time.Hour, -time.Hour} { // of the client's clock
		q := newQueue()
		q.push(cell("a", at(skew, 0)))
		waiting := q.pop()
		first := cell("b", at(skew, 0))
		q.push(first)
		waiting.arrived = time.Now().Add(-4 * time.Millisecond) // it was sent so long ago
		q.abort(waiting)
		if !first.aborted {
			t.Error("a cell that waited is not aborted")
		}
		for _, r := range []struct {
			name, session, date string
			late                time.Duration
			want                bool
		}{
			{"sent before", "a", at(skew, 2*time.Millisecond), 0, true},
			{"of another client", "b", at(skew, 2*time.Millisecond), 0, false},
			{"sent after the reply", "a", at(skew, 50*time.Millisecond), 0, false},
			{"too late", "a", at(skew, 2*time.Millisecond), 2 * abortGrace, false},
			{"no date", "a", "yesterday", 0, false},
			{"a coarse date", "a", now.Add(skew).UTC().Format(time.RFC3339), 0, false},
		} {
			next := cell(r.session, r.date)
			next.arrived = time.Now().Add(r.late)
			if q.push(next); next.aborted != r.want {
				t.Errorf("%s, the client's clock off by %v: aborted %v", r.name, skew, next.aborted)
			}
		}
		q.abort(nil)
		if next := cell("b", time.Now().Add(-3*time.Millisecond).UTC().Format(micros)); true {
			if q.push(next); !next.aborted {
				t.Error("sent before a signal, and not aborted")
			}
		}
		q.close()
		for q.pop() != nil {
		}
	}
}

// A reply is held back while cells come, not forever, and not after an interrupt.
func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		push := func() { q.push(&request{message: &message{}, arrived: time.Now()}) }
		timed := func(name string, ctx context.Context, want time.Duration) {
			begin := time.Now()
			q.hold(ctx)
			if d := time.Since(begin); d != want {
				t.Errorf("%s: held for %v, want %v", name, d, want)
			}
		}
		timed("a queue that was quiet", t.Context(), 0)
		push()
		timed("a cell came", t.Context(), abortQuiet)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		push()
		timed("interrupted", ctx, 0)
		stop := make(chan struct{})
		go func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(abortQuiet / 10):
					push()
				}
			}
		}()
		timed("cells come", t.Context(), abortHold)
		close(stop)
	})
}
