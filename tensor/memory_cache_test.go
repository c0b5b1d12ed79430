package tensor

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

func TestBlockClasses(t *testing.T) {
	c := newBlockCache()
	last := -1
	for n := ownedFrom; n < cachedTo; n += 1 + rand.IntN(n/50) {
		i := classOf(n + 8)
		if i < last || i >= len(c.class) {
			t.Fatalf("%d bytes are of class %d of %d, less of class %d", n, i, len(c.class), last)
		}
		if size := c.class[i].size; size < n+8 || size > n+n/8+16 {
			t.Fatalf("%d bytes are of class %d, of %d bytes", n, i, size)
		}
		if i > 0 && c.class[i-1].size >= n+8 {
			t.Fatalf("%d bytes fit into class %d, of %d bytes", n, i-1, c.class[i-1].size)
		}
		last = i
	}
	if i := classOf(cachedTo + 8); i != len(c.class)-1 {
		t.Errorf("the largest blocks are of class %d of %d", i, len(c.class))
	}
}

// TestBlocksAreReused checks that a dead block comes back, and that one to which only a slice points does not.
func TestBlocksAreReused(t *testing.T) {
	if raceEnabled {
		t.Skip("blocks are not reused under the race detector")
	}
	const n = 50_000
	c := newBlockCache()
	held := unsafe.Slice(c.get(n), n)[n/2:]
	fill := func(xs []byte, with byte) {
		for i := range xs {
			xs[i] = with
		}
	}
	fill(held, 1)
	seen := map[uintptr]bool{}
	again := 0
	for range 4 * collectEvery / n {
		p := c.get(n)
		if at := uintptr(unsafe.Pointer(p)); seen[at] {
			again++
		} else {
			seen[at] = true
		}
		fill(unsafe.Slice(p, n), 2)
	}
	if again == 0 {
		t.Errorf("no block of %d was used again", len(seen))
	}
	for i, x := range held {
		if x != 1 {
			t.Fatalf("byte %d of a block that a slice points to has become %d", i, x)
		}
	}
	runtime.KeepAlive(c)
}

// TestFullCacheTakesOtherSizes checks that a cache full of blocks of a size that nobody needs any more keeps blocks of
// another, and that it never has more than freeMost bytes.
func TestFullCacheTakesOtherSizes(t *testing.T) {
	if raceEnabled {
		t.Skip("blocks are not reused under the race detector")
	}
	const large, small, other = 40 << 20, 5_000, 100_000
	c := newBlockCache()
	var blocks [freeMost/large + 2]*byte
	for i := range blocks {
		blocks[i] = c.get(large)
	}
	for _, p := range blocks {
		c.give(p, large)
	}
	c.give(c.get(small), small)
	for range 3 {
		p := c.get(other)
		c.give(p, other)
		if q := c.get(other); q != p {
			t.Error("a block that its owner gave back is not used again")
		}
		c.give(p, other)
	}
	held := 0
	for i := range c.class {
		held += len(c.class[i].free) * c.class[i].size
	}
	if held != c.freeBytes || held > freeMost {
		t.Errorf("the free lists have %d bytes, counted are %d, at most %d are allowed", held, c.freeBytes, freeMost)
	}
	if i := classOf(large); len(c.class[i].free) < freeMost/large-2 {
		t.Errorf("%d large blocks are left: more were dropped than need be", len(c.class[i].free))
	}
}

// TestBlocksOfGoroutines checks that a block has one owner at a time.
func TestBlocksOfGoroutines(t *testing.T) {
	if raceEnabled {
		t.Skip("blocks are not reused under the race detector")
	}
	c := newBlockCache()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(1, uint64(g)))
			var live [][]uint64
			for k := range 3000 {
				n := (cachedFrom + r.IntN(4*cachedFrom)) / 8
				xs := unsafe.Slice((*uint64)(unsafe.Pointer(c.get(8*n))), n)
				mark := uint64(g)<<32 | uint64(k)
				xs[0], xs[n/2], xs[n-1] = mark, mark, mark
				live = append(live, xs)
				if i := r.IntN(len(live)); len(live) > 50 {
					xs := live[i]
					if xs[0] != xs[len(xs)/2] || xs[0] != xs[len(xs)-1] || xs[0]>>32 != uint64(g) {
						t.Errorf("goroutine %d: another one has written to its block", g)
						return
					}
					live[i] = live[len(live)-1]
					live = live[:len(live)-1]
				}
			}
		}()
	}
	wg.Wait()
}

func TestZerosFromUsedBlocks(t *testing.T) {
	const n = 100_000
	for range 200 {
		Empty(n).Fill_(7)
		for i, x := range Data[float32](Zeros(n)) {
			if x != 0 {
				t.Fatalf("element %d of zeros is %v", i, x)
			}
		}
	}
}

func TestEmptyCache(t *testing.T) {
	for range 100 {
		Empty(100_000)
	}
	runtime.GC()
	EmptyCache()
	blocks.mu.Lock()
	defer blocks.mu.Unlock()
	for _, class := range blocks.class {
		if len(class.free)*class.size > blocks.freeBytes {
			t.Errorf("%d free blocks of %d bytes, %d free bytes in all", len(class.free), class.size, blocks.freeBytes)
		}
	}
}

// BenchmarkFreshResults measures an operator whose results are dropped: their memory comes back through the collector.
func BenchmarkFreshResults(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(itoa(n), func(b *testing.B) {
			x := Ones(n)
			b.SetBytes(int64(4 * n))
			for b.Loop() {
				x.Neg()
			}
		})
	}
}

// TestLargeBlocksAreCollected checks that blocks which the cache does not keep make it collect.
func TestLargeBlocksAreCollected(t *testing.T) {
	c := newBlockCache()
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	c.passed(cachedTo)
	before := collections()
	c.passed(cachedTo)
	if after := collections(); after == before {
		t.Errorf("two blocks of %d bytes: no collection", cachedTo)
	}
	if c.handed != cachedTo {
		t.Errorf("%d bytes count as handed out since the collection", c.handed)
	}
}
