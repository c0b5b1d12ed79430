package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Note: strays. Compiled code that cannot be stopped is left behind, and may keep a CPU busy for good. Go lets it
// compute for 10 ms before others have their turn; with as many strays as processors, what yields often takes minutes,
// as the collector does, which yields after each span that it sweeps. So every stray brings one processor more
// (GOMAXPROCS): then the system shares out the CPUs, in shorter turns and fairly. Loops have no more threads for that.

// mostStrays is how many bring a processor.
const mostStrays = 64

// extra is how many processors strays have brought.
var (
	extra    atomic.Int32
	changing sync.Mutex // holds changes of GOMAXPROCS apart
	straying int        // behind changing
)

// strayAfter is how long code that was left behind may take to end before it counts.
const strayAfter = 500 * time.Millisecond

// Stray brings one processor more while code that was left behind runs, until ended is closed or has a value.
func Stray[T any](ended <-chan T) {
	select {
	case <-ended:
		return
	case <-time.After(strayAfter):
	}
	countStrays(1)
	<-ended
	countStrays(-1)
}

func countStrays(by int) {
	changing.Lock()
	defer changing.Unlock()
	straying += by
	now := min(straying, mostStrays)
	if was := int(extra.Swap(int32(now))); was != now {
		runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)-was+now))
	}
}

// Processors is GOMAXPROCS without what strays have brought.
func Processors() int { return max(1, runtime.GOMAXPROCS(0)-int(extra.Load())) }

// SetProcessors is [runtime.GOMAXPROCS] for programs that have strays: n is without those that they bring, and so is
// the number before, which it returns. It changes nothing where n is below 1.
func SetProcessors(n int) (before int) {
	changing.Lock()
	defer changing.Unlock()
	before = Processors()
	if n > 0 {
		runtime.GOMAXPROCS(n + int(extra.Load()))
	}
	return before
}
