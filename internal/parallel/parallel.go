// Package parallel runs loops on several goroutines.
package parallel

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Threads is how many goroutines work on one loop: GOMAXPROCS, or GOTORCH_THREADS where that is less.
func Threads() int {
	n := runtime.GOMAXPROCS(0)
	if limit := int(threadLimit.Load()); limit > 0 {
		n = min(n, limit)
	}
	return n
}

// SetThreads caps Threads; 0 takes the cap away.
func SetThreads(n int) { threadLimit.Store(int32(n)) }

var threadLimit atomic.Int32

func init() {
	if n, err := strconv.Atoi(os.Getenv("GOTORCH_THREADS")); err == nil && n > 0 {
		threadLimit.Store(int32(n))
	}
}

// loop is one call of For.
type loop struct {
	n, grain int
	f        func(lo, hi int)
	next     atomic.Int64
	helpers  sync.WaitGroup
	panicked atomic.Pointer[any]
	watched  func(worker, chunks int, begin, end time.Time)
	within   func(work func())
}

// within is what [Within] was given.
var within atomic.Pointer[func() func(work func())]

// Within sets a function that is asked, on the goroutine that calls [For], whenever a loop is shared out; nil takes it away. Where it gives a
// function, each helper does its part of the loop in a call of that: what holds for the goroutine that called For can be made to hold for the helpers.
func Within(f func() func(work func())) {
	if f == nil {
		within.Store(nil)
		return
	}
	within.Store(&f)
}

// watch is what [Watch] was given.
var watch atomic.Pointer[func() func(worker, chunks int, begin, end time.Time)]

// Watch sets a function that is asked, on the goroutine that calls [For], whenever a loop is shared out; nil takes it away. Where it gives a
// function, that is told of each goroutine that took part, when it is done with the loop: worker 0 is the caller, others are helpers by number.
// The helpers call it at the same time.
func Watch(f func() func(worker, chunks int, begin, end time.Time)) {
	if f == nil {
		watch.Store(nil)
		return
	}
	watch.Store(&f)
}

// Helpers wait here; a send that finds nobody waiting is not made, so a loop inside a loop runs on the goroutines that are free.
var (
	offers  = make(chan *loop)
	started atomic.Int32
)

// For calls f for the chunks [0, grain), [grain, 2*grain), … of [0, n). The boundaries do not depend on the number of goroutines, so that
// sums over chunks repeat to the last bit. The caller works too; For returns when every chunk is done. Chunks are claimed one by one, so a
// goroutine that is held up costs no more than its chunk. A panic in f ends the loop and goes on in the caller, whoever it hit.
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
	if w := watch.Load(); w != nil {
		l.watched = (*w)()
	}
	if w := within.Load(); w != nil {
		l.within = (*w)()
	}
	l.invite(want)
	l.work(0)
	l.helpers.Wait()
	if p := l.panicked.Load(); p != nil {
		panic(*p)
	}
}

// invite hands the loop to up to want helpers, starting those that are missing.
func (l *loop) invite(want int) {
	for int(started.Load()) < want {
		go help(int(started.Add(1)))
	}
	for range want {
		l.helpers.Add(1)
		select {
		case offers <- l:
		default:
			l.helpers.Done()
			return
		}
	}
}

func help(worker int) {
	for l := range offers {
		if l.within != nil {
			l.within(func() { l.work(worker) })
		} else {
			l.work(worker)
		}
		l.helpers.Done()
	}
}

// work claims chunks until none is left.
func (l *loop) work(worker int) {
	defer func() {
		if r := recover(); r != nil {
			l.panicked.CompareAndSwap(nil, &r)
			l.next.Store(int64(l.n))
		}
	}()
	if l.watched != nil {
		begin, chunks := time.Now(), 0
		defer func() {
			if chunks > 0 {
				l.watched(worker, chunks, begin, time.Now())
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

// chunk claims the next chunk and works on it; false where none is left.
func (l *loop) chunk() bool {
	lo := int(l.next.Add(int64(l.grain))) - l.grain
	if lo >= l.n {
		return false
	}
	l.f(lo, min(lo+l.grain, l.n))
	return true
}
