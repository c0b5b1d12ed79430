package async

import (
	"slices"

	"gotorch/internal/streams"
	"gotorch/tensor"
)

// Stats are what a device's allocator has done; Segment is a run of memory that it has taken from the system, Block a
// part of one.
type (
	Stats   = streams.Stats
	Segment = streams.Segment
	Block   = streams.Block
)

// MemoryStats says what the allocator of the device has done, async:0 where none is given. Tensors that nobody refers
// to are freed first.
func MemoryStats(device ...tensor.Device) Stats {
	p := &deviceOf("async.memory_stats", device).memory
	collect()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finishPending()
	s := p.stats
	s.Segments = len(p.segments)
	return s
}

// ResetPeak makes the present the peak of [MemoryStats].
func ResetPeak(device ...tensor.Device) {
	p := &deviceOf("async.reset_peak", device).memory
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.PeakAllocated, p.stats.PeakReserved = p.stats.Allocated, p.stats.Reserved
}

// EmptyCache gives the segments back in which no tensor has a block.
func EmptyCache(device ...tensor.Device) {
	p := &deviceOf("async.empty_cache", device).memory
	collect()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finishPending()
	kept := p.segments[:0]
	for _, seg := range p.segments {
		if seg.first.free && seg.first.next == nil {
			p.stats.Reserved -= seg.bytes
			continue
		}
		kept = append(kept, seg)
	}
	clear(p.segments[len(kept):])
	p.segments = kept
}

// RecordStream tells the allocator that s uses the memory of x, which another stream allocated. When x is freed its
// block is not given to another tensor before s has done what it was asked for until then.
func RecordStream(x *tensor.Tensor, s *Stream) {
	const op = "record_stream"
	b, d := blockOf(op, x)
	if s == nil || s.dev != d {
		panic(tensor.Errorf(op, "the stream must be one of %s, not %v", d.id, s).OnArg("s"))
	}
	d.memory.mu.Lock()
	defer d.memory.mu.Unlock()
	if b == nil || b.seg.pool.s == s {
		return
	}
	for _, u := range b.users {
		if u == s {
			return
		}
	}
	b.users = append(b.users, s)
}

// Free gives the memory of x back at once, as it happens in Python when the last name of a tensor goes. In Go the
// collector finds out later. x and all its views cannot be used any more.
func Free(x *tensor.Tensor) {
	const op = "free"
	b, d := blockOf(op, x)
	h := x.Storage().Owner().(*handle)
	h.freed = true
	if b != nil {
		h.dead.Stop() // the block may soon be another tensor's
		d.memory.give(b)
	}
}

// blockOf is the block in which x lies, nil for no bytes.
func blockOf(op string, x *tensor.Tensor) (*block, *device) {
	if x == nil {
		panic(tensor.Errorf(op, "the tensor is nil").OnArg("x"))
	}
	d := find(op, x.Device())
	return handleOf(op, x.Storage()).block, d
}

// Snapshot lists the segments of the device in the order in which they were taken. Tensors that nobody refers to are
// freed first.
func Snapshot(device ...tensor.Device) []Segment {
	return deviceOf("async.snapshot", device).memory.snapshot()
}

// memoryOf is what the views are told.
func memoryOf(id tensor.Device) (streams.Memory, bool) {
	if id.Type() != "async" {
		return streams.Memory{}, false
	}
	return streams.Memory{Segments: Snapshot(id), Stats: MemoryStats(id)}, true
}

// placeOf is the segment and the offset of the block of x.
func placeOf(x *tensor.Tensor) (segment, offset int, ok bool) {
	if x == nil || x.Device().Type() != "async" || x.Storage() == nil {
		return 0, 0, false
	}
	h, ok := x.Storage().Owner().(*handle)
	if !ok || h.block == nil || h.freed {
		return 0, 0, false
	}
	p := &find("async.snapshot", x.Device()).memory
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.segments, h.block.seg)
	return i, h.block.offset, i >= 0
}

func (p *pools) snapshot() []Segment {
	collect()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finishPending()
	var out []Segment
	for _, seg := range p.segments {
		s := Segment{Stream: seg.pool.s.short(), Small: seg.pool.small, Graph: seg.pool.g != nil, Bytes: seg.bytes}
		for b := seg.first; b != nil; b = b.next {
			state := "used"
			switch {
			case b.free:
				state = "free"
			case b.waiting:
				state = "waiting"
			}
			s.Blocks = append(s.Blocks, Block{Offset: b.offset, Bytes: b.size, Asked: b.asked, State: state})
		}
		out = append(out, s)
	}
	return out
}
