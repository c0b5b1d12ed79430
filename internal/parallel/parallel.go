// Package parallel runs loops on several threads.
//
// parallel.go has [For], helper.go the threads that help, park_linux.go and park_other.go how they sleep, observe.go
// what a program can learn about loops and add to them, processors.go what happens to GOMAXPROCS.
package parallel

import (
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/internal/simd"
)

// Threads is the number of threads that work on one loop: GOMAXPROCS, or GOTORCH_THREADS or what [SetThreads] set
// where that is less.
func Threads() int {
	n := Processors()
	if limit := int(threadLimit.Load()); limit > 0 {
		n = min(n, limit)
	}
	return n
}

// SetThreads caps Threads; 0 removes the cap.
func SetThreads(n int) { threadLimit.Store(int32(n)) }

var threadLimit atomic.Int32

func init() {
	if n, err := strconv.Atoi(os.Getenv("GOTORCH_THREADS")); err == nil && n > 0 {
		threadLimit.Store(int32(n))
	}
}

// chunkTime is how long a chunk should take: long enough that claiming it and waking a helper cost little, and short
// enough that two threads share even a loop of 20 microseconds, and that an interrupted loop ends soon.
const chunkTime = 5 * time.Microsecond

// Grain is the number of elements of a chunk for a loop that takes ns nanoseconds for an element on one thread.
func Grain(ns float64) int {
	return max(1, int(float64(chunkTime)/max(ns, 1e-3)))
}

// Note: ranges. A loop is divided into one range of chunks for each thread, and a thread begins with the range that
// belongs to its CPU: loops over the same elements, one after the other, find in the caches of a CPU what it wrote
// there. A thread that is done with its range goes on with those of others.

// loop is one call of For.
type loop struct {
	n, grain int
	f        func(lo, hi int)
	ranges   []span
	two      [2]span      // the ranges of most loops
	busy     atomic.Int32 // helpers that have begun and not finished
	helpers  sync.WaitGroup
	panicked atomic.Pointer[any]
	around   Around
}

// span is a range of elements of which chunks are claimed.
type span struct {
	next atomic.Int64
	end  int64
	_    [48]byte // threads that claim from others write other cache lines
}

// For calls f for the chunks [0, grain), [grain, 2*grain), … of [0, n), in any order. The boundaries do not depend on
// the number of threads, so that sums over chunks repeat to the last bit. The caller works too; For returns when every
// chunk is done. Chunks are claimed one by one, so a thread that is held up costs no more than its chunk. A panic in f
// ends the loop and continues in the caller, whichever thread it hit. A loop inside a loop, and loops of several
// goroutines at the same time, share the helpers that are free.
func For(n, grain int, f func(lo, hi int)) {
	grain = max(grain, 1)
	if n <= grain {
		if n > 0 {
			f(0, n)
		}
		return
	}
	want := min(Threads(), (n+grain-1)/grain) - 1
	if want <= 0 {
		for lo := 0; lo < n; lo += grain {
			f(lo, min(lo+grain, n))
		}
		return
	}
	l := &loop{n: n, grain: grain, f: f}
	l.divide(want + 1)
	if f := around.Load(); f != nil {
		l.around = (*f)()
	}
	var invited [64]*helper
	guests, here := l.invite(invited[:0], want)
	l.work(0, here)
	for _, h := range guests {
		h.retract(l)
	}
	l.wait()
	if p := l.panicked.Load(); p != nil {
		panic(*p)
	}
}

// divide makes k ranges of about as many chunks.
func (l *loop) divide(k int) {
	if l.ranges = l.two[:]; k != len(l.two) {
		l.ranges = make([]span, k)
	}
	chunks := (l.n + l.grain - 1) / l.grain
	for i := range l.ranges {
		l.ranges[i].next.Store(int64(chunks * i / k * l.grain))
		l.ranges[i].end = int64(min(chunks*(i+1)/k*l.grain, l.n))
	}
}

// wait returns when no helper works on the loop. It spins as long as the rest of a chunk may take, then sleeps.
func (l *loop) wait() {
	for range 64 {
		if l.busy.Load() == 0 {
			break
		}
		simd.Pause(16)
	}
	l.helpers.Wait()
}

// work claims chunks until none is left, beginning with the range of the CPU with the number place.
func (l *loop) work(worker, place int) {
	defer func() {
		if r := recover(); r != nil {
			l.panicked.CompareAndSwap(nil, &r)
			for i := range l.ranges {
				l.ranges[i].next.Store(l.ranges[i].end)
			}
		}
	}()
	if l.around.Done == nil {
		l.claim(place)
		return
	}
	begin := time.Now()
	if chunks := l.claim(place); chunks > 0 {
		l.around.Done(worker, chunks, begin, time.Now())
	}
}

// claim works on the chunks that nobody else claims, and returns how many those were.
func (l *loop) claim(place int) (chunks int) {
	grain := int64(l.grain)
	for i := range l.ranges {
		s := &l.ranges[(place+i)%len(l.ranges)]
		for s.next.Load() < s.end {
			lo := s.next.Add(grain) - grain
			if lo >= s.end {
				break
			}
			l.f(int(lo), int(min(lo+grain, s.end)))
			chunks++
		}
	}
	return chunks
}
