package async

import (
	"runtime"
	"sync"
	"unsafe"

	"gotorch/tensor"
)

// Note: the caching allocator. It is PyTorch's for CUDA, with its numbers. Memory is taken from the system in
// segments and given to tensors in blocks. A freed block is kept for the next tensor of its stream, at once, though
// the kernels that read it may not have run: they stand before everything that the next tensor is asked for, in the
// same stream. For another stream that reads the block this does not hold, and [RecordStream] must say so. A block
// that is larger than what is wanted is split; free neighbours coalesce.

const (
	leastBlock   = 512      // sizes are multiples of it
	smallSize    = 1 << 20  // up to here blocks lie in small segments
	smallSegment = 2 << 20  // of small blocks
	largeSegment = 20 << 20 // of blocks up to wholeSize
	wholeSize    = 10 << 20 // from here a block has a segment of its own
	roundSegment = 2 << 20  // whose size is a multiple of this
	collectAfter = 64 << 20 // bytes of new segments after which the collector runs first
)

// pools are a device's memory.
type pools struct {
	mu       sync.Mutex
	segments []*segment
	pending  []*block // freed, but a stream that was recorded may still read them
	stats    Stats
	fresh    int // bytes of segments since the collector ran
}

// segment is a run of memory; its blocks follow each other.
type segment struct {
	pool  pool
	bytes int
	data  *tensor.Tensor // of the CPU, in the memory budget
	first *block
}

// pool is where a freed block may be used again.
type pool struct {
	s     *Stream
	g     *Graph // whose memory it is, nil for all others
	small bool
}

type block struct {
	seg        *segment
	offset     int
	size       int
	asked      int // by the tensor that has it
	free       bool
	waiting    bool // in pending
	prev, next *block
	users      []*Stream // of RecordStream
	marks      []*mark   // of the users, since it was freed
}

// AllocAny is a block of anything.
func (runner) AllocAny(id tensor.Device, n int) *tensor.Storage {
	const op = "alloc"
	d := find(op, id)
	h := new(handle)
	if n == 0 {
		h.host = tensor.NewStorage(tensor.CPU, nil, 0, nil)
		return tensor.NewStorage(id, nil, 0, h)
	}
	s := d.current()
	b := d.memory.take(op, s, n)
	base := b.seg.data.Storage()
	h.block = b
	h.host = tensor.NewStorage(tensor.CPU, unsafe.Add(base.Pointer(), b.offset), n, base)
	h.dead = runtime.AddCleanup(h, func(b *block) { d.memory.give(b) }, b)
	return tensor.NewStorage(id, nil, n, h)
}

// take finds or makes a block of n bytes for the stream.
func (p *pools) take(op string, s *Stream, n int) *block {
	size := (n + leastBlock - 1) / leastBlock * leastBlock
	mu.Lock()
	g := s.capture
	mu.Unlock()
	where := pool{s, g, size <= smallSize}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finishPending()
	b := p.best(where, size)
	if b == nil && p.fresh >= collectAfter {
		p.fresh = 0
		p.mu.Unlock()
		collect()
		p.mu.Lock()
		b = p.best(where, size)
	}
	if b == nil {
		b = p.grow(op, where, size)
	}
	b.free, b.asked = false, n
	if rest := b.size - size; where.small && rest >= leastBlock || !where.small && rest > smallSize {
		p.split(b, size)
	}
	t := &p.stats
	t.Allocations++
	t.Allocated += b.size
	t.Requested += n
	t.PeakAllocated = max(t.PeakAllocated, t.Allocated)
	return b
}

// best is the smallest free block that fits.
func (p *pools) best(where pool, size int) (found *block) {
	for _, seg := range p.segments {
		if seg.pool != where {
			continue
		}
		for b := seg.first; b != nil; b = b.next {
			if b.free && b.size >= size && (found == nil || b.size < found.size) {
				found = b
			}
		}
	}
	return found
}

// grow takes a segment from the system.
func (p *pools) grow(op string, where pool, size int) *block {
	bytes := largeSegment
	switch {
	case where.small:
		bytes = smallSegment
	case size >= wholeSize:
		bytes = (size + roundSegment - 1) / roundSegment * roundSegment
	}
	seg := &segment{pool: where, bytes: bytes}
	tensor.InScope(func(s *tensor.Scope) { s.Temporaries = nil }, func() {
		seg.data = tensor.Alloc(op, []int{bytes}, tensor.Uint8, tensor.CPU)
	})
	seg.first = &block{seg: seg, size: bytes, free: true}
	p.segments = append(p.segments, seg)
	p.fresh += bytes
	p.stats.Reserved += bytes
	p.stats.PeakReserved = max(p.stats.PeakReserved, p.stats.Reserved)
	return seg.first
}

// split cuts b to size; what is left is free.
func (p *pools) split(b *block, size int) {
	rest := &block{seg: b.seg, offset: b.offset + size, size: b.size - size, free: true, prev: b, next: b.next}
	if b.next != nil {
		b.next.prev = rest
	}
	b.next, b.size = rest, size
	p.stats.Splits++
}

// give takes a block back. Of one that other streams use it waits until they have done what they were asked for.
func (p *pools) give(b *block) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.free || b.waiting {
		return
	}
	p.stats.Frees++
	p.stats.Requested -= b.asked
	for _, s := range b.users {
		m := newMark(s)
		s.ask(&task{op: "free", kind: recordTask, mark: m, free: true})
		b.marks = append(b.marks, m)
	}
	b.users = nil
	if b.waiting = len(b.marks) > 0; b.waiting {
		p.pending = append(p.pending, b)
		p.finishPending()
		return
	}
	p.release(b)
}

// finishPending frees the blocks that nobody uses any more.
func (p *pools) finishPending() {
	kept := p.pending[:0]
	for _, b := range p.pending {
		if b.used() {
			kept = append(kept, b)
			continue
		}
		b.waiting, b.marks = false, nil
		p.release(b)
	}
	clear(p.pending[len(kept):])
	p.pending = kept
}

func (b *block) used() bool {
	mu.Lock()
	defer mu.Unlock()
	for _, m := range b.marks {
		if !m.done {
			return true
		}
	}
	return false
}

// release makes a block free, and one with its free neighbours.
func (p *pools) release(b *block) {
	p.stats.Allocated -= b.size
	b.free, b.asked = true, 0
	if next := b.next; next != nil && next.free {
		p.join(b, next)
	}
	if prev := b.prev; prev != nil && prev.free {
		p.join(prev, b)
	}
}

// join makes a and b, which follows it, one block.
func (p *pools) join(a, b *block) {
	a.size += b.size
	if a.next = b.next; b.next != nil {
		b.next.prev = a
	}
	p.stats.Coalesces++
}

// collect lets the collector find the tensors that nobody refers to, and waits until their blocks are back.
func collect() {
	for range 2 {
		done := make(chan struct{})
		runtime.AddCleanup(new([16]byte), func(done chan struct{}) { close(done) }, done)
		runtime.GC()
		<-done
	}
}
