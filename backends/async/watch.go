package async

import (
	"fmt"
	"sync/atomic"
	"time"

	"gotorch/internal/streams"
	"gotorch/tensor"
)

// Recording is what the host and the streams did while a function ran, Span one thing that they did.
type (
	Recording = streams.Recording
	Span      = streams.Span
)

// watch is a recording that goes on.
type watch struct {
	*Recording
	begin  time.Time
	copies []*pinnedCopy
}

// pinnedCopy is a copy from or to pinned memory.
type pinnedCopy struct {
	span     *Span
	from, to uintptr // of the host's memory
	toHost   bool
}

var recording atomic.Pointer[watch]

var kindNames = map[taskKind]string{kernelTask: streams.Kernel, copyTask: streams.Copy, sleepTask: streams.Sleep,
	recordTask: streams.Record, waitTask: streams.Wait}

// Watch runs f and returns what the host and the streams did meanwhile. It waits until the streams have no more work,
// except for streams that wait for an event which is never recorded. If f panics, it returns the panic's value.
func Watch(f func()) (r *Recording, panicked any) {
	w := &watch{Recording: new(Recording), begin: time.Now()}
	recording.Store(w)
	defer recording.Store(nil)
	tensor.WatchPinned(w.touched)
	defer tensor.WatchPinned(nil)
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
	w.settle()
	mu.Lock()
	defer mu.Unlock()
	w.Nanos = w.since()
	return w.copied(), panicked
}

// copied is the recording without what is still being written: a stream may stand before an event. The caller holds
// mu.
func (w *watch) copied() *Recording {
	r := &Recording{Nanos: w.Nanos}
	same := map[*Span]*Span{}
	for _, s := range w.Spans {
		c := *s
		same[s] = &c
		r.Spans = append(r.Spans, &c)
	}
	for _, s := range r.Spans {
		s.After, s.Early = same[s.After], same[s.Early]
	}
	return r
}

// settle waits until no stream works.
func (w *watch) settle() {
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

func (w *watch) since() int64 { return time.Since(w.begin).Nanoseconds() }

// hostSpan begins a span of the host; the caller ends it. s is nil where nobody records.
func hostSpan(op, kind string) (s *Span, end func()) {
	w := recording.Load()
	if w == nil {
		return nil, func() {}
	}
	now := w.since()
	s = &Span{Lane: streams.Host, Op: op, Kind: kind, Site: tensor.CurrentSite(), Asked: now, Begin: now}
	mu.Lock()
	w.Spans = append(w.Spans, s)
	mu.Unlock()
	return s, func() {
		mu.Lock()
		s.End = w.since()
		mu.Unlock()
	}
}

// waitsFor notes what a wait of the host waits for.
func waitsFor(s *Span, m *mark) {
	if s == nil {
		return
	}
	mu.Lock()
	s.After = m.span
	mu.Unlock()
}

// span begins a span of a stream's task. The caller holds mu.
func (s *Stream) span(t *task) *Span {
	w := recording.Load()
	if w == nil || t.kind == fillTask {
		return nil
	}
	site := t.site
	if site.IsZero() {
		site = tensor.CurrentSite()
	}
	sp := &Span{Lane: s.short(), Op: t.op, Kind: kindNames[t.kind], Site: site, Asked: w.since()}
	switch {
	case t.kind == recordTask:
		t.mark.span = sp
	case t.kind == waitTask:
		sp.After = t.mark.span
	}
	if t.pinned != nil {
		lo := uintptr(t.pinned.Storage().Pointer())
		w.copies = append(w.copies, &pinnedCopy{sp, lo, lo + uintptr(t.pinned.Storage().Nbytes()), t.toHost})
	}
	w.Spans = append(w.Spans, sp)
	return sp
}

// begin notes that the stream has come to the task; one that waits begins to wait. The caller holds mu.
func (t *task) begin() {
	if w := recording.Load(); w != nil && t.span != nil && t.span.Begin == 0 {
		t.span.Begin = w.since()
	}
}

// end notes the end, once. The caller holds mu.
func (t *task) end() {
	if w := recording.Load(); w != nil && t.span != nil && t.span.End == 0 {
		t.span.End = w.since()
	}
}

func (t *task) noteBegin() {
	if t.span != nil {
		mu.Lock()
		t.begin()
		mu.Unlock()
	}
}

func (t *task) noteEnd() {
	if t.span != nil {
		mu.Lock()
		t.end()
		mu.Unlock()
	}
}

// touched notes that the host reads or writes pinned memory, and the copy of it that had not ended: it finds old
// numbers where the copy writes, and changes what the copy reads.
func (w *watch) touched(op string, x *tensor.Tensor, writes bool) (end func()) {
	kind := streams.Read
	if writes {
		kind = streams.Write
	}
	s, end := hostSpan(op, kind)
	if s == nil {
		return end
	}
	lo := uintptr(x.Storage().Pointer())
	hi := lo + uintptr(x.Storage().Nbytes())
	mu.Lock()
	defer mu.Unlock()
	for _, c := range w.copies {
		if c.span.End == 0 && c.from < hi && lo < c.to && (c.toHost || writes) {
			s.Early = c.span
			break
		}
	}
	return end
}

// short is the stream's name in a picture.
func (s *Stream) short() string {
	if s.id == 0 {
		return fmt.Sprintf("%s default", s.dev.id)
	}
	return fmt.Sprintf("%s stream %d", s.dev.id, s.id)
}
