package tensor

import (
	"math"
	"math/bits"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
	"unsafe"

	"gotorch/internal/parallel"
)

// Note: reuse of large results. Go gives the pages of a freed large object back to the system soon, so that each new
// result of 100 KB would pay for page faults that cost more than the operator. So blocks from cachedFrom bytes on are
// kept: a finalizer puts a block that nothing refers to any more, neither a tensor nor a slice of a kernel, into a
// free list. The next result of this size class takes it from there, often still in the last-level cache. A block that
// comes back by its finalizer is dead, so reuse is as safe as collection. An owner that frees a block (see
// [Temporaries]) gives it back at once; smaller ones, from ownedFrom bytes on, come back in no other way. Reused
// memory does not count for the collector's own pace: so the cache asks for a collection when collectEvery bytes have
// been handed out and the free list is empty; more rarely where a collection takes long.

const (
	cachedFrom   = 32 << 10  // smaller objects share spans, which Go reuses well
	ownedFrom    = 1 << 10   // from which a block comes back where an owner frees it
	cachedTo     = 128 << 20 // larger ones are worth their page faults
	freeMost     = 256 << 20 // bytes in free lists; beyond it the classes used least recently lose theirs
	collectEvery = 16 << 20  // half of the last-level cache of a current server
	collectMost  = 128 << 20 // where a collection takes long: half of freeMost, so that what comes back finds room
	cheapCollect = 400 * time.Microsecond
	keptFor      = 5 * time.Second // for which a free block that nobody needs is kept
	classSteps   = 8               // size classes for each doubling: at most an eighth of a block is unused
)

var blocks = newBlockCache()

// blockCache has the free blocks of each size class.
type blockCache struct {
	mu         sync.Mutex
	class      []blockClass
	freeBytes  int
	handed     int // bytes handed out since the last collection
	limit      int // of handed: a collection is worth its time then
	cost       time.Duration
	dropped    time.Time // when blocks that nobody needed were dropped last
	turn       int       // counts the uses of classes
	collecting bool
}

type blockClass struct {
	size   int
	free   []freeBlock
	unused int // how many of free have not been needed since blocks were dropped last
	turn   int // of the last use
	done   func(*byte)
}

// small reports whether blocks of the class have no finalizer.
func (c *blockClass) small() bool { return c.size < cachedFrom }

// freeBlock is a block that can be used again. armed: it came back from its owner, and still has its finalizer.
type freeBlock struct {
	p     *byte
	armed bool
}

// disarm takes the finalizers from blocks that are left to the collector.
func disarm(blocks []freeBlock) {
	for _, b := range blocks {
		if b.armed {
			runtime.SetFinalizer(b.p, nil)
		}
	}
	clear(blocks)
}

// cycle is an object that nothing refers to: its finalizer runs at each collection.
type cycle struct{ c *blockCache }

func newBlockCache() *blockCache {
	c := &blockCache{limit: collectEvery}
	for i := 0; ; i++ {
		size := classSize(i)
		c.class = append(c.class, blockClass{size: size, done: func(p *byte) { c.put(i, p) }})
		if size >= cachedTo {
			return c
		}
	}
}

// classSize is the number of bytes of class i: steps of an eighth between powers of two, with room for the pointer
// behind the last element.
func classSize(i int) int {
	step := ownedFrom / classSteps << (i / classSteps)
	return step*(classSteps+i%classSteps) + 8
}

// classOf is the smallest class of blocks of n bytes.
func classOf(n int) int {
	if n <= ownedFrom+8 {
		return 0
	}
	n -= 8 // the room that classSize adds
	doubling := bits.Len(uint(n-1)) - bits.Len(ownedFrom)
	step := ownedFrom / classSteps << doubling
	return doubling*classSteps + (n+step-1)/step - classSteps
}

// get is a block of at least n bytes of anything, n between ownedFrom and cachedTo.
func (c *blockCache) get(n int) *byte {
	i := classOf(n)
	small := c.class[i].small() // only an owner gives it back
	c.mu.Lock()
	b := c.pop(i)
	if b.p == nil && !small && c.collectAt(c.limit, i) {
		b = c.pop(i)
	}
	if !small {
		c.handed += c.class[i].size
	}
	c.mu.Unlock()
	if b.p == nil {
		b.p = uncleared(c.class[i].size)
	}
	if !b.armed && !small {
		runtime.SetFinalizer(b.p, c.class[i].done)
	}
	return b.p
}

// give takes back a block of get(n) that nobody uses any more, before the collector would find that out.
func (c *blockCache) give(p *byte, n int) {
	i := classOf(n)
	c.mu.Lock()
	defer c.mu.Unlock()
	size, small := c.class[i].size, c.class[i].small()
	if !small {
		c.handed = max(0, c.handed-size)
	}
	if c.makeRoom(i) {
		c.class[i].free = append(c.class[i].free, freeBlock{p, !small})
		c.freeBytes += size
	}
}

// makeRoom reports whether a block of class i fits into the free lists, where need be after the classes that were used
// least recently have lost blocks: a program that has turned to other sizes wants room for them. The caller holds mu.
func (c *blockCache) makeRoom(i int) bool {
	c.use(i)
	for size := c.class[i].size; c.freeBytes+size > freeMost; {
		var old *blockClass
		for j := range c.class {
			if class := &c.class[j]; j != i && len(class.free) > 0 && (old == nil || class.turn < old.turn) {
				old = class
			}
		}
		if old == nil {
			return false
		}
		c.drop(old, min(len(old.free), (c.freeBytes+size-freeMost+old.size-1)/old.size))
	}
	return true
}

// use notes that class i is used. The caller holds mu.
func (c *blockCache) use(i int) {
	c.turn++
	c.class[i].turn = c.turn
}

// drop leaves the n blocks of class that were put there first to the collector. The caller holds mu.
func (c *blockCache) drop(class *blockClass, n int) {
	disarm(class.free[:n])
	class.free = class.free[n:]
	class.unused = max(0, class.unused-n)
	c.freeBytes -= n * class.size
}

// passed counts a block of n bytes that is too large for the cache. Dead ones are collected before there are many.
func (c *blockCache) passed(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.collectAt(max(1, collectMost-n), len(c.class)-1)
	c.handed += n
}

// collectAt collects where limit bytes have been handed out and nobody else is collecting. It reports whether it did.
// The caller holds mu, which is free while the collector runs.
func (c *blockCache) collectAt(limit, i int) bool {
	if c.handed < limit || c.collecting {
		return false
	}
	c.collecting = true
	c.mu.Unlock()
	c.collect(i)
	c.mu.Lock()
	c.collecting = false
	return true
}

// pop takes the block of class i that was put there last. The caller holds mu.
func (c *blockCache) pop(i int) (b freeBlock) {
	c.use(i)
	class := &c.class[i]
	last := len(class.free) - 1
	if last < 0 {
		return b
	}
	b, class.free[last] = class.free[last], b
	class.free = class.free[:last]
	class.unused = min(class.unused, last)
	c.freeBytes -= class.size
	return b
}

// put is the finalizer of blocks of class i.
func (c *blockCache) put(i int, p *byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if class := &c.class[i]; c.makeRoom(i) {
		class.free = append(class.free, freeBlock{p: p})
		c.freeBytes += class.size
	}
}

// collect runs the collector, and waits a little until its finalizers have filled the free list of class i.
func (c *blockCache) collect(i int) {
	if collectorOff() {
		return
	}
	begin := time.Now()
	runtime.GC()
	took := time.Since(begin)
	for range 50 {
		c.mu.Lock()
		filled := len(c.class[i].free) > 0
		c.mu.Unlock()
		if filled {
			break
		}
		runtime.Gosched()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cost == 0 {
		runtime.SetFinalizer(&cycle{c}, (*cycle).ended)
	}
	c.cost = min(took, max(2*c.cost, cheapCollect)) // one slow collection, on a busy machine, does not count
	slow := max(1, float64(c.cost)/float64(cheapCollect))
	c.limit = int(min(collectEvery*slow, collectMost))
	c.handed = 0
}

// ended is called after each collection. From time to time it leaves half of the blocks that were not needed to the
// collector: a class that a step of a training loop needs once must survive the collections within the step.
func (o *cycle) ended() {
	c := o.c
	c.mu.Lock()
	c.handed = 0
	if now := time.Now(); now.Sub(c.dropped) > keptFor {
		c.dropped = now
		for i := range c.class {
			class := &c.class[i]
			c.drop(class, (class.unused+1)/2)
			class.unused = len(class.free)
		}
	}
	c.mu.Unlock()
	runtime.SetFinalizer(o, (*cycle).ended)
}

// collectorOff reports whether GOGC=off: then memory is not collected unasked.
func collectorOff() bool {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Kind() == metrics.KindUint64 && s[0].Value.Uint64() == math.MaxUint64
}

// EmptyCache leaves the memory that is kept for reuse to the collector. [runtime/debug.FreeOSMemory] gives it back to
// the system.
func EmptyCache() {
	c := blocks
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.class {
		disarm(c.class[i].free)
		c.class[i].free, c.class[i].unused = nil, 0
	}
	c.freeBytes = 0
}

// cached is a block of n bytes from the cache: of zeros, or of anything.
func cached(n int, zeroed bool) unsafe.Pointer {
	p := blocks.get(n)
	if zeroed {
		zero(unsafe.Slice(p, n))
	}
	return unsafe.Pointer(p)
}

// zeroChunk is how many bytes are worth another goroutine's while to be zeroed.
const zeroChunk = 512 << 10

// zero clears b, of many bytes with several goroutines.
func zero(b []byte) {
	if len(b) <= zeroChunk {
		clear(b)
		return
	}
	parallel.For(len(b), zeroChunk, func(lo, hi int) { clear(b[lo:hi]) })
}
