package tensor

import (
	"gotorch/internal/parallel"
)

// NumThreads is the number of threads that work on one operator: GOMAXPROCS, or GOTORCH_THREADS or what
// [SetNumThreads] set where that is less.
func NumThreads() int { return parallel.Threads() }

// SetNumThreads caps the number of threads that work on one operator, as torch.set_num_threads does. It holds for the
// whole process. The results of operators do not depend on it, to the last bit. n below 1 panics with an *Error.
func SetNumThreads(n int) {
	if n < 1 {
		panic(Errorf("set_num_threads", "want a positive number of threads, got %d", n))
	}
	if n > parallel.Processors() {
		n = 0 // no cap
	}
	parallel.SetThreads(n)
}

// ParallelFor calls f for the chunks [0, grain), [grain, 2·grain), … of [0, n), on [NumThreads] threads at the same
// time; the last chunk may be shorter. The boundaries do not depend on the number of threads, so that sums over chunks
// repeat to the last bit. It returns when all chunks are done. A panic in f ends the loop and continues in the caller.
// Loops may be nested. An interruption of the cell or scope that calls it ends the loop before the next chunk.
//
// A chunk should take some microseconds at least: claiming one costs about 50 nanoseconds, waking a thread for the
// first some thousand.
func ParallelFor(n, grain int, f func(lo, hi int)) {
	parallel.For(n, grain, func(lo, hi int) {
		Interrupted("parallel_for")
		f(lo, hi)
	})
}
