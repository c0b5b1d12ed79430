// Package parallel runs loops on several threads.
//
// parallel.go has [For], helper.go the threads that help, park_linux.go and park_other.go how they sleep, observe.go
// what a program can learn about loops and add to them.
package parallel

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/internal/simd"
)

// Threads is the number of threads that work on one loop: GOMAXPROCS, or GOTORCH_THREADS or what [SetThreads] set
// where that is less.
func Threads() int {
	n := runtime.GOMAXPROCS(0)
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

// loop is one call of For.
type loop struct {
	n, grain int
	f        func(lo, hi int)
	next     atomic.Int64
	busy     atomic.Int32 // helpers that have begun and not finished
	helpers  sync.WaitGroup
	panicked atomic.Pointer[any]
	around   Around
}

// For calls f for the chunks [0, grain), [grain, 2*grain), … of [0, n). The boundaries do not depend on the number of
// threads, so that sums over chunks repeat to the last bit. The caller works too; For returns when every chunk is
// done. Chunks are claimed one by one, so a thread that is held up costs no more than its chunk. A panic in f ends the
// loop and continues in the caller, whichever thread it hit. A loop inside a loop, and loops of several goroutines at
// the same time, share the helpers that are free.
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
	if f := around.Load(); f != nil {
		l.around = (*f)()
	}
	var invited [64]*helper
	guests := l.invite(invited[:0], want)
	l.work(0)
	for _, h := range guests {
		h.retract(l)
	}
	l.wait()
	if p := l.panicked.Load(); p != nil {
		panic(*p)
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

// work claims chunks until none is left.
func (l *loop) work(worker int) {
	defer func() {
		if r := recover(); r != nil {
			l.panicked.CompareAndSwap(nil, &r)
			l.next.Store(int64(l.n))
		}
	}()
	if l.around.Done != nil {
		begin, chunks := time.Now(), 0
		defer func() {
			if chunks > 0 {
				l.around.Done(worker, chunks, begin, time.Now())
			}
		}()
		for l.chunk() {
			chunks++
		}
		return
	}
	for l.chunk() {
	}
}

// chunk claims the next chunk and works on it; it reports false where none is left.
func (l *loop) chunk() bool {
	lo := int(l.next.Add(int64(l.grain))) - l.grain
	if lo >= l.n {
		return false
	}
	l.f(lo, min(lo+l.grain, l.n))
	return true
}
