package async

import (
	"time"

	"gotorch/internal/streams"
	"gotorch/tensor"
)

// Event is a place in a stream's work. It happens when the stream comes there.
type Event struct{ mark *mark }

// mark is one recording of an event, or a place that the host waits for.
type mark struct {
	s       *Stream
	done    bool
	dropped bool // the stream was emptied before it came there
	at      time.Time
	happens chan struct{} // closed when it has
	waits   []*Stream     // that stand before it
	span    *Span
}

func newMark(s *Stream) *mark { return &mark{s: s, happens: make(chan struct{})} }

// NewEvent makes an event that is not recorded yet.
func NewEvent() *Event { return new(Event) }

// Record puts the event behind all that the stream has been asked for, the current one of async:0 where none is
// given. Recorded again, it is a new event for those who wait from then on.
func (e *Event) Record(stream ...*Stream) {
	const op = "async.record"
	s := devices[0].current()
	if len(stream) > 0 {
		s = stream[0]
	}
	s.made(op)
	e.current(op)
	m := newMark(s)
	mu.Lock()
	e.mark = m
	mu.Unlock()
	s.ask(&task{op: "record", kind: recordTask, mark: m, free: true})
}

// Wait makes the stream, the current one of the event's device where none is given, wait for the event:
// [Stream.Wait].
func (e *Event) Wait(stream ...*Stream) {
	m := e.current("async.wait")
	if m == nil {
		return
	}
	s := m.s.dev.current()
	if len(stream) > 0 {
		s = stream[0]
	}
	s.Wait(e)
}

// current is the last recording of the event, nil if there is none. A nil event panics with an *Error.
func (e *Event) current(op string) *mark {
	if e == nil {
		panic(tensor.Errorf(op, "the event is nil").OnArg("event").WithHint("async.NewEvent() makes one"))
	}
	mu.Lock()
	defer mu.Unlock()
	return e.mark
}

// Query reports whether the event has happened; one that was not recorded has.
func (e *Event) Query() bool {
	mu.Lock()
	defer mu.Unlock()
	return e.mark == nil || e.mark.done
}

// Synchronize waits until the event has happened; see [Stream.Synchronize].
func (e *Event) Synchronize() {
	const op = "synchronize"
	m := e.current(op)
	if m == nil {
		return
	}
	m.s.notWhileCapturing(op)
	sp, done := hostSpan(op, streams.Wait)
	waitsFor(sp, m)
	m.wait(op)
	done()
	m.s.dev.raise()
}

// Elapsed is the time from e to end, in milliseconds. Both must have happened, otherwise it panics with an *Error.
func (e *Event) Elapsed(end *Event) float64 {
	const op = "elapsed"
	mu.Lock()
	defer mu.Unlock()
	if e.mark == nil || end == nil || end.mark == nil {
		panic(tensor.Errorf(op, "both events must be recorded before the time between them is asked for"))
	}
	if !e.mark.done || !end.mark.done {
		panic(tensor.Errorf(op, "an event has not happened yet").WithHint("end.Synchronize() waits"))
	}
	return float64(end.mark.at.Sub(e.mark.at)) / 1e6
}

// String says what has become of the event.
func (e *Event) String() string {
	mu.Lock()
	defer mu.Unlock()
	switch {
	case e.mark == nil:
		return "event, not recorded"
	case e.mark.done:
		return "event on the " + e.mark.s.String() + ", happened"
	}
	return "event on the " + e.mark.s.String() + ", not yet"
}

// complete lets the event happen. The caller holds mu.
func (m *mark) complete() {
	if m.done {
		return
	}
	m.done, m.at = true, time.Now()
	close(m.happens)
	for _, s := range m.waits {
		s.kick()
	}
	m.waits = nil
}

// wait makes the host wait.
func (m *mark) wait(op string) {
	var stop <-chan struct{}
	if s := tensor.CurrentScope(); s != nil && s.Context != nil {
		stop = s.Context.Done()
	}
	select {
	case <-m.happens:
	case <-stop:
		tensor.Interrupted(op)
	}
	mu.Lock()
	dropped := m.dropped
	mu.Unlock()
	if dropped {
		panic(tensor.Errorf(op, "the %s was emptied before it came there", m.s))
	}
}
