package async

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"gotorch/tensor"
)

// ask puts a task behind what the stream has been asked for.
func (s *Stream) ask(t *task) {
	if t.site.IsZero() && t.works() {
		t.site = tensor.CurrentSite()
	}
	noteUse()
	mu.Lock()
	defer mu.Unlock()
	if g := s.capture; g != nil {
		g.add(t)
		return
	}
	t.span = s.span(t)
	s.queue = append(s.queue, t)
	s.kick()
}

// kick lets the stream work if there is something to do and nobody does it. The caller holds mu.
func (s *Stream) kick() {
	if s.running || len(s.queue) == 0 {
		return
	}
	s.running = true
	go s.work()
}

// work runs the queue until it is empty or stands before an event that has not happened. So there are no goroutines
// that wait.
func (s *Stream) work() {
	for {
		mu.Lock()
		t := s.next()
		if t == nil {
			s.running = false
			mu.Unlock()
			return
		}
		s.now = t
		ctx := s.dev.ctx
		mu.Unlock()
		failed := t.do(ctx)
		mu.Lock()
		s.now = nil
		if failed != nil && ctx.Err() == nil {
			s.dev.failed = append(s.dev.failed, failure{failed, t, s})
		}
		if t.kind == recordTask {
			t.mark.complete()
		}
		t.end()
		mu.Unlock()
	}
}

// next takes the next task, nil where there is none that can run. The caller holds mu.
func (s *Stream) next() *task {
	if len(s.queue) == 0 {
		return nil
	}
	t := s.queue[0]
	if t.kind == waitTask && !t.mark.done {
		t.begin()
		t.mark.waits = append(t.mark.waits, s)
		return nil
	}
	s.queue[0] = nil
	if s.queue = s.queue[1:]; len(s.queue) == 0 {
		s.queue = nil
	}
	return t
}

// works reports whether the task takes time.
func (t *task) works() bool { return t.run != nil || t.kind == sleepTask }

// do runs the task and gives what it panicked with. ctx is that of the device when the task was taken from the queue:
// a reset ends it.
func (t *task) do(ctx context.Context) (failed any) {
	if !t.works() {
		t.noteBegin()
		return nil
	}
	finished := false
	defer func() {
		if failed = recover(); failed == nil && !finished {
			failed = tensor.Errorf(t.op, "the goroutine of its kernel has ended")
		}
	}()
	if !t.free {
		unlock := tensor.LockMemory(t.op)
		defer func() {
			t.noteEnd() // before anybody else finds what it wrote
			unlock()
		}()
	}
	t.noteBegin()
	if t.kind == sleepTask {
		select {
		case <-time.After(t.pause):
		case <-ctx.Done():
		}
	} else {
		tensor.WithContext(ctx, t.run)
	}
	finished = true
	return nil
}

// failure is an error of a kernel that nobody has been told of.
type failure struct {
	what any // *tensor.Error, or what a bug panicked with
	t    *task
	s    *Stream
}

// raise panics with the first error of the device that has not been reported, and forgets the others.
func (d *device) raise() {
	mu.Lock()
	all := d.failed
	d.failed = nil
	mu.Unlock()
	if len(all) == 0 {
		return
	}
	f := all[0]
	where := "enqueued"
	if !f.t.site.IsZero() {
		where = "enqueued at " + f.t.site.String()
	}
	where += fmt.Sprintf(" on the %s, found when the host waited", f.s)
	if n := len(all) - 1; n > 0 {
		where += fmt.Sprintf("; %d more failed", n)
	}
	e, ok := f.what.(*tensor.Error)
	if !ok {
		panic(fmt.Sprintf("%s: %v (%s)", f.t.op, f.what, where))
	}
	again := *e
	again.Msg += "; " + where
	panic(again.Late())
}

// Reset empties the streams of all devices: what runs is interrupted, what waits is forgotten, and so are errors that
// nobody was told of. Streams that [NewStream] made are forgotten; they still work. Tensors keep their memory.
func Reset() {
	mu.Lock()
	defer mu.Unlock()
	for _, d := range devices {
		d.cancel()
		d.ctx, d.cancel = context.WithCancel(context.Background())
		for _, s := range d.streams {
			for _, t := range s.queue {
				if t.kind == recordTask {
					t.mark.dropped = true
					t.mark.complete()
				}
			}
			s.queue, s.capture = nil, nil
		}
		d.streams, d.failed = d.streams[:1:1], nil
	}
	used.Store(false)
}

var used atomic.Bool

// noteUse tells a session that there is something to reset.
func noteUse() {
	if !used.Load() && used.CompareAndSwap(false, true) {
		tensor.NoteRegistered("streams of async", Reset)
	}
}
