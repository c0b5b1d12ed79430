package parallel

import (
	"runtime"
	"testing"
	"time"
)

// TestStrays: what was left behind brings a processor until it ends, and loops have no more threads.
func TestStrays(t *testing.T) {
	base, threads := runtime.GOMAXPROCS(0), Threads()
	short := make(chan struct{})
	close(short)
	Stray(short)
	if got := runtime.GOMAXPROCS(0); got != base {
		t.Errorf("GOMAXPROCS is %d after a stray that ended at once, want %d", got, base)
	}
	ends := make([]chan struct{}, 3)
	gone := make(chan bool)
	for i := range ends {
		ends[i] = make(chan struct{})
		go func() { Stray(ends[i]); gone <- true }()
	}
	for end := time.Now().Add(10 * time.Second); runtime.GOMAXPROCS(0) != base+3; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("GOMAXPROCS is %d with three strays, want %d", runtime.GOMAXPROCS(0), base+3)
		}
	}
	if Processors() != base || Threads() != threads {
		t.Errorf("%d processors and %d threads, want %d and %d", Processors(), Threads(), base, threads)
	}
	if before := SetProcessors(base + 1); before != base || runtime.GOMAXPROCS(0) != base+4 {
		t.Errorf("before %d, then %d; want %d and %d", before, runtime.GOMAXPROCS(0), base, base+4)
	}
	SetProcessors(base)
	for i := range ends {
		close(ends[i])
		<-gone
	}
	if got := runtime.GOMAXPROCS(0); got != base {
		t.Errorf("GOMAXPROCS is %d in the end, want %d", got, base)
	}
}
