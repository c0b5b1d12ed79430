package async

import (
	"fmt"

	"gotorch/internal/bytesize"
	"gotorch/tensor"
)

// Stats are what a device's allocator has done. Bytes of blocks are multiples of 512; Requested is what tensors asked
// for.
type Stats struct {
	Allocated, PeakAllocated int // bytes in blocks that tensors have, now and at most
	Reserved, PeakReserved   int // bytes in segments
	Requested                int
	Segments                 int
	Allocations, Frees       int
	Splits, Coalesces        int
}

// String is a line for each number.
func (s Stats) String() string {
	return fmt.Sprintf("allocated %s (at most %s), of which %s were asked for\n"+
		"reserved  %s (at most %s) in %s\n"+
		"%d allocations, %d frees, %d splits, %d coalesced", bytesize.Text(s.Allocated), bytesize.Text(s.PeakAllocated),
		bytesize.Text(s.Requested), bytesize.Text(s.Reserved), bytesize.Text(s.PeakReserved), segments(s.Segments),
		s.Allocations, s.Frees, s.Splits, s.Coalesces)
}

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

// Segment is a run of memory that the allocator has taken from the system; Blocks fill it.
type Segment struct {
	Stream string  `json:"stream"`
	Small  bool    `json:"small"`
	Graph  bool    `json:"graph,omitempty"` // of a captured graph
	Bytes  int     `json:"bytes"`
	Blocks []Block `json:"blocks"`
}

// Block is a part of a segment.
type Block struct {
	Offset int    `json:"offset"`
	Bytes  int    `json:"bytes"`
	Asked  int    `json:"asked,omitempty"` // by the tensor that has it
	State  string `json:"state"`           // used, free, or waiting: freed, but a stream uses it
}

// Snapshot lists the segments of the device in the order in which they were taken. Tensors that nobody refers to are
// freed first.
func Snapshot(device ...tensor.Device) []Segment {
	p := &deviceOf("async.snapshot", device).memory
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
			s.Blocks = append(s.Blocks, Block{b.offset, b.size, b.asked, state})
		}
		out = append(out, s)
	}
	return out
}

func segments(n int) string {
	if n == 1 {
		return "1 segment"
	}
	return fmt.Sprintf("%d segments", n)
}
