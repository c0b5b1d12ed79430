// Package streams is what a device that answers later tells of itself: what its streams did, and how its memory is
// divided. The device, which imports no views, fills it in; the views, which import no device, draw it.
package streams

import (
	"sync/atomic"

	"gotorch/tensor"
)

// Recording is what the host and the streams did while a function ran.
type Recording struct {
	Spans []*Span
	Nanos int64 // how long it took until the streams had no more work
}

// Span is something that the host or a stream did, from Begin to End in nanoseconds since the recording began. End
// is 0 for what had not ended, Begin for what had not begun.
type Span struct {
	Lane       string // host, or the stream
	Op         string
	Kind       string // of the host: call, wait, read, write; of a stream: kernel, copy, sleep, record, wait
	Site       tensor.Site
	Asked      int64 // when the host asked for it
	Begin, End int64
	After      *Span // of a wait: the record that it waits for; of a host's wait, too
	Early      *Span // of the host's read or write of pinned memory: a copy of the same memory that had not ended
}

// The kinds of spans.
const (
	Call   = "call"
	Wait   = "wait"
	Read   = "read"
	Write  = "write"
	Kernel = "kernel"
	Copy   = "copy"
	Sleep  = "sleep"
	Record = "record"
)

// Host is the lane of the host.
const Host = "host"

// Source is a device that answers later, by the functions that tell of it.
type Source struct {
	// Watch runs f and records what the host and the streams do, and returns the value of f's panic.
	Watch func(f func()) (*Recording, any)
	// Memory is what the device's allocator holds, false for a device of another kind.
	Memory func(d tensor.Device) (Memory, bool)
	// Place is where the storage of x lies: the index of the segment and the offset of the block. It is false for a
	// tensor of another device, or without elements.
	Place func(x *tensor.Tensor) (segment, offset int, ok bool)
}

var sources atomic.Pointer[[]Source]

// Register adds a source: a device does it when it registers itself.
func Register(s Source) {
	for {
		old := sources.Load()
		list := []Source{s}
		if old != nil {
			list = append((*old)[:len(*old):len(*old)], s)
		}
		if sources.CompareAndSwap(old, &list) {
			return
		}
	}
}

func all() []Source {
	if list := sources.Load(); list != nil {
		return *list
	}
	return nil
}

// Watch runs f and returns what the streams of all devices did, nil where there is no device with streams: f has not
// run then. If f panics, it returns the panic's value.
func Watch(f func()) (r *Recording, panicked any) {
	list := all()
	if len(list) == 0 {
		return nil, nil
	}
	r = new(Recording)
	run := func() { panicked = fill(r, list[0], f) }
	for _, s := range list[1:] {
		inner := run
		run = func() {
			if p := fill(r, s, inner); panicked == nil {
				panicked = p
			}
		}
	}
	run()
	return r, panicked
}

// fill adds what the streams of one source do.
func fill(r *Recording, s Source, f func()) any {
	one, panicked := s.Watch(f)
	r.Spans, r.Nanos = append(r.Spans, one.Spans...), max(r.Nanos, one.Nanos)
	return panicked
}

// PlaceOf is where the storage of x lies in [MemoryOf] its device.
func PlaceOf(x *tensor.Tensor) (segment, offset int, ok bool) {
	for _, s := range all() {
		if segment, offset, ok = s.Place(x); ok {
			return
		}
	}
	return 0, 0, false
}

// MemoryOf is what the allocator of the device holds, false where it has none that tells.
func MemoryOf(d tensor.Device) (Memory, bool) {
	for _, s := range all() {
		if m, ok := s.Memory(d); ok {
			return m, true
		}
	}
	return Memory{}, false
}
