package async

import (
	"fmt"
	"sync/atomic"
	"time"

	"gotorch/tensor"
)

// Recording is what the host and the streams did while a function ran.
type Recording struct {
	Spans []*Span
	begin time.Time
}

// Span is something that the host or a stream did, from Begin to End in nanoseconds since the recording began. End
// is 0 for what had not ended.
type Span struct {
	Lane       string // host, or the stream
	Op         string
	Kind       string // of the host: call, wait; of a stream: kernel, copy, sleep, record, wait
	Site       tensor.Site
	Asked      int64 // when the host asked for it
	Begin, End int64
	After      *Span // of a wait: the record that it waits for; of a host's wait, too
	r          *Recording
}

var recording atomic.Pointer[Recording]

// The kinds of spans of the host.
const (
	callSpan = "call"
	waitSpan = "wait"
)

var kindNames = map[taskKind]string{kernelTask: "kernel", copyTask: "copy", sleepTask: "sleep", fillTask: "fill",
	recordTask: "record", waitTask: "wait"}

// Watch runs f and returns what the host and the streams did meanwhile. It waits until the streams have no more work,
// except for streams that wait for an event which is never recorded. If f panics, it returns the panic's value.
func Watch(f func()) (r *Recording, panicked any) {
	r = &Recording{begin: time.Now()}
	recording.Store(r)
	defer recording.Store(nil)
	finished := false
	func() {
		defer func() {
			if panicked = recover(); panicked == nil && !finished {
				panicked = tensor.Errorf("timeline", "the goroutine has ended")
			}
		}()
		f()
		finished = true
	}()
	r.settle()
	mu.Lock()
	defer mu.Unlock()
	return r, panicked
}

// settle waits until no stream works.
func (r *Recording) settle() {
	for {
		mu.Lock()
		busy := false
		for _, d := range devices {
			for _, s := range d.streams {
				busy = busy || s.running
			}
		}
		mu.Unlock()
		if !busy {
			return
		}
		tensor.Interrupted("timeline")
		time.Sleep(50 * time.Microsecond)
	}
}

func (r *Recording) since() int64 { return time.Since(r.begin).Nanoseconds() }

// hostSpan begins a span of the host; the caller ends it.
func hostSpan(op, kind string) (end func()) {
	r := recording.Load()
	if r == nil {
		return func() {}
	}
	s := &Span{Lane: "host", Op: op, Kind: kind, Site: tensor.CurrentSite(), Begin: r.since(), r: r}
	mu.Lock()
	r.Spans = append(r.Spans, s)
	mu.Unlock()
	return func() {
		mu.Lock()
		s.End = r.since()
		mu.Unlock()
	}
}

// span begins a span of a stream's task. The caller holds mu.
func (s *Stream) span(t *task) *Span {
	r := recording.Load()
	if r == nil || t.kind == fillTask {
		return nil
	}
	sp := &Span{Lane: s.short(), Op: t.op, Kind: kindNames[t.kind], Site: t.site, Asked: r.since(), r: r}
	switch {
	case t.kind == recordTask:
		t.mark.span = sp
	case t.kind == waitTask:
		sp.After = t.mark.span
	}
	r.Spans = append(r.Spans, sp)
	return sp
}

func (sp *Span) began() {
	if sp == nil {
		return
	}
	mu.Lock()
	sp.Begin = sp.r.since()
	mu.Unlock()
}

// ended notes the end. The caller holds mu.
func (sp *Span) ended() {
	if sp != nil {
		sp.End = sp.r.since()
	}
}

// short is the stream's name in a picture.
func (s *Stream) short() string {
	if s.id == 0 {
		return fmt.Sprintf("%s default", s.dev.id)
	}
	return fmt.Sprintf("%s stream %d", s.dev.id, s.id)
}
