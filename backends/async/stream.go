package async

import (
	"fmt"
	"time"

	"gotorch/internal/streams"
	"gotorch/tensor"
)

// Stream is a queue of work of a device: what it is asked for runs in this order, after the call that asked has
// returned. Streams know nothing of each other; see [Stream.Wait].
type Stream struct {
	dev     *device
	id      int // 0 is the default stream
	queue   []*task
	running bool  // a goroutine is at work
	now     *task // what it runs
	capture *Graph
}

// task is a piece of work of a stream.
type task struct {
	op   string
	kind taskKind
	site tensor.Site
	run  func() // nil for marks, waits and sleeps
	free bool   // it touches no memory, and needs no lock
	mark *mark  // it completes, or waits for
	span *Span  // of the timeline that is being recorded

	pause time.Duration // of a sleep

	pinned *tensor.Tensor // of a copy: the host's side of it, where that is pinned
	toHost bool           // the copy writes it
}

type taskKind uint8

const (
	kernelTask taskKind = iota
	copyTask
	sleepTask
	fillTask // of fresh memory with zeros
	recordTask
	waitTask
)

// NewStream makes a stream of the device, of async:0 where none is given.
func NewStream(device ...tensor.Device) *Stream {
	d := deviceOf("async.new_stream", device)
	noteUse()
	mu.Lock()
	defer mu.Unlock()
	s := &Stream{dev: d, id: d.streams[len(d.streams)-1].id + 1}
	d.streams = append(d.streams, s)
	return s
}

// DefaultStream is the stream that is there from the beginning. It does not wait for others, nor they for it, as
// those that PyTorch makes.
func DefaultStream(device ...tensor.Device) *Stream {
	return deviceOf("async.default_stream", device).main
}

// current is what tensor.Scope.Stream holds: the stream of one device, and those around it, of others.
type current struct {
	s     *Stream
	outer *current
}

// CurrentStream is the stream that work of the device goes to in the running goroutine.
func CurrentStream(device ...tensor.Device) *Stream {
	return deviceOf("async.current_stream", device).current()
}

func (d *device) current() *Stream {
	if s := tensor.CurrentScope(); s != nil && s.Stream != nil {
		return d.streamOf(s.Stream)
	}
	return d.main
}

// streamOf is the stream of the device in a scope.
func (d *device) streamOf(scope any) *Stream {
	c, _ := scope.(*current)
	for ; c != nil; c = c.outer {
		if c.s.dev == d {
			return c.s
		}
	}
	return d.main
}

// OnStream runs f with s as the current stream of its device, in the running goroutine. A nil stream panics with an
// *Error.
func OnStream(s *Stream, f func()) {
	s.made("async.on_stream")
	tensor.InScope(func(scope *tensor.Scope) {
		outer, _ := scope.Stream.(*current)
		scope.Stream = &current{s, outer}
	}, f)
}

// made panics with an *Error if the stream is nil, or one that no function of this package has made.
func (s *Stream) made(op string) {
	switch {
	case s == nil:
		panic(tensor.Errorf(op, "the stream is nil").OnArg("stream").WithHint("async.NewStream() makes one"))
	case s.dev == nil:
		panic(tensor.Errorf(op, "the stream has no device").OnArg("stream").WithHint("async.NewStream() makes one that has"))
	}
}

// Device is the stream's device.
func (s *Stream) Device() tensor.Device {
	s.made("async.device")
	return s.dev.id
}

// ID tells the streams of a device apart: 0 is the default stream.
func (s *Stream) ID() int { return s.id }

// String is "stream 1 of async:0".
func (s *Stream) String() string {
	switch {
	case s == nil:
		return "nil"
	case s.dev == nil:
		return "stream of no device"
	case s.id == 0:
		return fmt.Sprintf("default stream of %s", s.dev.id)
	}
	return fmt.Sprintf("stream %d of %s", s.id, s.dev.id)
}

// Record makes an event and records it: it happens when all that the stream has been asked for is done.
func (s *Stream) Record() *Event {
	e := NewEvent()
	e.Record(s)
	return e
}

// Wait makes what the stream is asked for from now on wait for the event. The host does not wait. An event that was
// never recorded is no event: nothing waits.
func (s *Stream) Wait(e *Event) {
	s.made("async.wait")
	m := e.current("async.wait")
	if m == nil {
		return
	}
	s.ask(&task{op: "wait", kind: waitTask, mark: m})
}

// WaitStream makes what s is asked for from now on wait for all that other has been asked for so far.
func (s *Stream) WaitStream(other *Stream) {
	s.made("async.wait_stream")
	other.made("async.wait_stream")
	s.Wait(other.Record())
}

// Query reports whether the stream has done all that it was asked for.
func (s *Stream) Query() bool {
	s.made("async.query")
	mu.Lock()
	defer mu.Unlock()
	return s.idle()
}

// idle reports whether nothing is left to do. The caller holds mu.
func (s *Stream) idle() bool { return len(s.queue) == 0 && s.now == nil }

// Synchronize waits until the stream has done all that it was asked for. An error of a kernel of the device that has
// not been reported yet is reported here: Synchronize panics with it. An interrupt ends the waiting.
func (s *Stream) Synchronize() { s.synchronize("synchronize") }

func (s *Stream) synchronize(op string) {
	s.made(op)
	s.notWhileCapturing(op)
	sp, done := hostSpan(op, streams.Wait)
	defer done()
	mu.Lock()
	if s.idle() {
		mu.Unlock()
	} else {
		mu.Unlock()
		m := newMark(s)
		s.ask(&task{op: op, kind: recordTask, mark: m, free: true})
		waitsFor(sp, m)
		m.wait(op)
	}
	s.dev.raise()
}

// Synchronize waits for all streams of the device; see [Stream.Synchronize].
func Synchronize(device ...tensor.Device) {
	const op = "synchronize"
	d := deviceOf("async.synchronize", device)
	d.current().notWhileCapturing(op)
	for {
		var busy *Stream
		mu.Lock()
		for _, s := range d.streams {
			if !s.idle() {
				busy = s
				break
			}
		}
		mu.Unlock()
		if busy == nil {
			break
		}
		busy.synchronize(op)
	}
	d.raise()
}

// Sleep makes the stream do nothing for a time, without holding up other streams.
func (s *Stream) Sleep(t time.Duration) {
	s.made("async.sleep")
	s.ask(&task{op: "sleep", kind: sleepTask, free: true, pause: t})
}

// Hold makes the stream stop in front of what it is asked for from now on, until release is called. It makes visible
// what else would be a matter of luck.
func (s *Stream) Hold() (release func()) {
	s.made("async.hold")
	m := newMark(s)
	s.ask(&task{op: "hold", kind: waitTask, mark: m})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		m.complete()
	}
}
