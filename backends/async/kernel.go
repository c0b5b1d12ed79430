package async

import (
	"gotorch/internal/streams"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// runner is the device as package tensor sees it.
type runner struct{}

// Run asks the current stream for the call.
func (runner) Run(c *tensor.Call) {
	d := find(c.Name(), c.Device())
	s, op := d.current(), c.Name()
	_, done := hostSpan(op, streams.Call)
	defer done()
	onHost := func(t *tensor.Tensor) *tensor.Tensor { return host(op, t) }
	switch {
	case c.Op.Tags.Has(opdef.Random):
		s.draw(c)
	case len(c.Results()) == 0:
		s.readAndMake(c)
	case c.Op.IsDefined():
		s.synchronize(op)
		defer tensor.LockMemory(op)()
		c.Later(onHost, true)()
	default:
		run := c.Later(onHost, true)
		s.ask(&task{op: op, run: func() { run() }})
	}
}

// readAndMake runs a call whose shapes depend on values: the host waits for them.
func (s *Stream) readAndMake(c *tensor.Call) {
	op := c.Name()
	s.synchronize(op)
	run := c.Later(func(t *tensor.Tensor) *tensor.Tensor { return host(op, t) }, false)
	unlock := tensor.LockMemory(op)
	made := func() []*tensor.Tensor { defer unlock(); return run() }()
	for _, y := range made {
		z := c.NewResult(y)
		s.upload(op, z, y)
	}
}

// draw runs a random operator on the host, which draws its numbers now, and asks the stream to write them. The host
// waits if it needs values to draw: probabilities, means.
func (s *Stream) draw(c *tensor.Call) {
	op := c.Name()
	s.notWhileDrawing(op)
	into := map[*tensor.Tensor]*tensor.Tensor{}
	written := c.Written()
	for _, w := range written {
		into[w] = like(op, w)
	}
	reads := false
	c.EachTensor(func(_ int, t *tensor.Tensor) {
		reads = reads || into[t] == nil && t.Device() != tensor.CPU && !c.Op.ReadsShapes()
	})
	if reads {
		s.synchronize(op)
	}
	run := c.Later(func(t *tensor.Tensor) *tensor.Tensor {
		if y := into[t]; y != nil {
			return y
		}
		for _, r := range c.Results() {
			if r == t {
				into[t] = like(op, t)
				return into[t]
			}
		}
		return host(op, t)
	}, true)
	unlock := tensor.LockMemory(op)
	func() { defer unlock(); run() }()
	for t, y := range into {
		s.upload(op, t, y)
	}
}

// like is a tensor of the host as t lies in its storage.
func like(op string, t *tensor.Tensor) *tensor.Tensor {
	n := (t.Storage().Nbytes() + t.ElementSize() - 1) / t.ElementSize()
	flat := tensor.Alloc(op, []int{n}, t.Dtype(), tensor.CPU)
	return tensor.FromStorage(op, flat.Storage(), t.Sizes(), t.Strides(), t.StorageOffset(), t.Dtype())
}

// upload asks for a copy of y, of the host's memory, which nobody else changes, into z.
func (s *Stream) upload(op string, z, y *tensor.Tensor) {
	to := host(op, z)
	s.ask(&task{op: op, kind: copyTask, run: func() { tensor.CopyAcross(op, to, y) }})
}

// Copy asks for a copy; one of the two lies on a device of this kind. The host waits for a copy from or to its own
// memory, unless that is pinned and it is told not to.
func (runner) Copy(op string, dst, src *tensor.Tensor, nonBlocking bool) {
	switch {
	case dst.Device() == src.Device():
		s := find(op, dst.Device()).current()
		_, done := hostSpan(op, streams.Call)
		to, from := host(op, dst), host(op, src)
		s.ask(&task{op: op, kind: copyTask, run: func() { tensor.CopyAcross(op, to, from) }})
		done()
	case src.Device() == tensor.CPU:
		s := find(op, dst.Device()).current()
		_, done := hostSpan(op, streams.Call)
		to := host(op, dst)
		t := &task{op: op, kind: copyTask}
		var from *tensor.Tensor
		if src.IsPinned() {
			from, t.pinned = pinned(op, src), src
		} else {
			from = snapshot(op, src)
		}
		t.run = func() { tensor.CopyAcross(op, to, from) }
		s.ask(t)
		done()
		if !nonBlocking {
			s.synchronize(op)
		}
	case dst.Device() == tensor.CPU:
		s := find(op, src.Device()).current()
		_, done := hostSpan(op, streams.Call)
		to, from := pinned(op, dst), host(op, src)
		t := &task{op: op, kind: copyTask, run: func() { tensor.CopyAcross(op, to, from) }, toHost: true}
		if dst.IsPinned() {
			t.pinned = dst
		}
		s.ask(t)
		done()
		if !nonBlocking || !dst.IsPinned() {
			s.synchronize(op)
		}
	default: // from one device to another: both streams wait
		reads, writes := find(op, src.Device()).current(), find(op, dst.Device()).current()
		to, from := host(op, dst), host(op, src)
		reads.WaitStream(writes)
		reads.ask(&task{op: op, kind: copyTask, run: func() { tensor.CopyAcross(op, to, from) }})
		writes.WaitStream(reads)
	}
}

// Alloc is a block of zeros, which the current stream writes first.
func (r runner) Alloc(id tensor.Device, n int) *tensor.Storage {
	st := r.AllocAny(id, n)
	if n > 0 {
		over := st.Owner().(*handle).host
		find("alloc", id).current().ask(&task{op: "zero", kind: fillTask, run: func() { clear(bytesOf(over)) }})
	}
	return st
}

// ToHost waits for the current stream and copies bytes out.
func (runner) ToHost(dst []byte, src *tensor.Storage, offset int) {
	const op = "read"
	s := find(op, src.Device()).current()
	if len(dst) == 0 {
		return
	}
	over := handleOf(op, src).host
	got := make([]byte, len(dst)) // dst is the caller's again when an interrupt ends the waiting
	s.ask(&task{op: op, kind: copyTask, run: func() { copy(got, bytesOf(over)[offset:]) }})
	s.synchronize(op)
	copy(dst, got)
}

// FromHost asks the current stream to copy bytes in, and waits.
func (runner) FromHost(dst *tensor.Storage, offset int, src []byte) {
	const op = "write"
	s := find(op, dst.Device()).current()
	if len(src) == 0 {
		return
	}
	over, from := handleOf(op, dst).host, append([]byte(nil), src...)
	s.ask(&task{op: op, kind: copyTask, run: func() { copy(bytesOf(over)[offset:], from) }})
	s.synchronize(op)
}

// Order makes the stream of a scope wait for that of another, which has written x.
func (runner) Order(x *tensor.Tensor, first, then any) {
	d := find("order", x.Device())
	if a, b := d.streamOf(first), d.streamOf(then); a != b {
		b.WaitStream(a)
		RecordStream(x, b)
	}
}

// Wait waits for the current stream.
func (runner) Wait(id tensor.Device) { find("wait", id).current().synchronize("wait") }
