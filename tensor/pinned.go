package tensor

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// Note: pinned memory. A device that copies by itself reads and writes the host's memory while the host's program
// goes on, so that memory must stay where it is: it is pinned. Who reads pinned memory while such a copy is on its
// way gets old numbers or new ones. To make that a race of values and never one of memory, everything that touches
// pinned memory or a stream's device holds one lock, LockMemory: the host's kernels on pinned tensors do as well,
// one kernel at a time.

var memoryLock = make(chan struct{}, 1)

// LockMemory is called by whoever touches memory that streams of a device touch too: that of the device, and pinned
// memory. The caller calls unlock. An interrupt ends the waiting with an *Error.
//
//gotorch:internal
func LockMemory(op string) (unlock func()) {
	var stop <-chan struct{}
	if s := CurrentScope(); s != nil && s.Context != nil {
		stop = s.Context.Done()
	}
	select {
	case memoryLock <- struct{}{}:
	case <-stop:
		Interrupted(op)
	}
	return unlockMemory
}

func unlockMemory() { <-memoryLock }

// pinnedKey marks tensors that look into pinned memory. It is no key of the dispatcher.
const pinnedKey KeySet = 1 << 31

// pinned is the owner of a storage that is pinned.
type pinned struct{ keeps []uint64 }

// newPinned makes a tensor of anything in pinned memory.
func newPinned(op string, shape, stride []int, dt Dtype) *Tensor {
	x := allocTensor(op, shape, stride, dt, Meta, false, false)
	bytes := x.st.bytes
	takeBudget(op, bytes)
	p := &pinned{make([]uint64, bytes/8+1)}
	st := NewStorage(CPU, unsafe.Pointer(unsafe.SliceData(p.keeps)), bytes, p)
	trackBudget(st, bytes)
	x.st, x.keys = st, 1<<KeyCPU|pinnedKey
	return x
}

// PinMemory is a copy of x in pinned memory, which a device can read and write while the host's program goes on: x
// itself where it lies there. The copy has no history. A tensor of a device panics with an *Error.
func (x *Tensor) PinMemory() *Tensor {
	const op = "pin_memory"
	if x.keys&opaque != 0 || x.st.device != CPU {
		panic(Errorf(op, "only dense tensors of the CPU can be pinned, not one on %s", x.st.device).
			WithHint("x.Cpu().PinMemory()"))
	}
	if x.IsPinned() {
		return x
	}
	y := newPinned(op, x.shape, x.preservedStrides(), x.dtype)
	rawCopy(op, y, x)
	return y
}

// IsPinned reports whether x looks into pinned memory: see [Tensor.PinMemory].
func (x *Tensor) IsPinned() bool { return x.keys&pinnedKey != 0 }

// fillPinned runs the kernel of a call with a pinned tensor. A copy from or to a device takes the lock itself.
func (c *Call) fillPinned(f Kernel) {
	across := c.Op.calls.Has(c.key)
	c.EachTensor(func(_ int, t *Tensor) { across = across || t.st.device != CPU })
	if across || c.device != CPU {
		c.fill(f)
		return
	}
	defer LockMemory(c.Name())()
	if watch := pinnedWatch.Load(); watch != nil {
		defer c.notePinned(*watch)()
	}
	c.fill(f)
}

// notePinned tells what watches of the pinned tensors of a call of the host's kernel.
func (c *Call) notePinned(watch PinnedWatch) (end func()) {
	var ends []func()
	written := c.Written()
	note := func(t *Tensor, writes bool) {
		if t.IsPinned() {
			ends = append(ends, watch(c.Name(), t, writes))
		}
	}
	for _, w := range written {
		note(w, true)
	}
	c.EachTensor(func(_ int, t *Tensor) {
		if !slices.Contains(written, t) {
			note(t, false)
		}
	})
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// A PinnedWatch is told when the host reads or writes x in pinned memory, and when it has.
//
//gotorch:internal
type PinnedWatch func(op string, x *Tensor, writes bool) (end func())

var pinnedWatch atomic.Pointer[PinnedWatch]

// WatchPinned has w called whenever the host touches pinned memory, nil for nobody any more.
//
//gotorch:internal
func WatchPinned(w PinnedWatch) {
	if w == nil {
		pinnedWatch.Store(nil)
		return
	}
	pinnedWatch.Store(&w)
}

// locked takes the lock where x is pinned, and returns what gives it back.
func (x *Tensor) locked(op string) (unlock func()) {
	if x.keys&pinnedKey == 0 {
		return func() {}
	}
	unlock = LockMemory(op)
	if watch := pinnedWatch.Load(); watch != nil {
		end, free := (*watch)(op, x, false), unlock
		unlock = func() { end(); free() }
	}
	return unlock
}
