package tensor

import (
	"runtime"
	"sync/atomic"
	"testing"
)

func TestNumThreads(t *testing.T) {
	was := NumThreads()
	defer SetNumThreads(was)
	SetNumThreads(1)
	if n := NumThreads(); n != 1 {
		t.Errorf("NumThreads is %d after SetNumThreads(1)", n)
	}
	SetNumThreads(1 << 20)
	if n := NumThreads(); n != runtime.GOMAXPROCS(0) {
		t.Errorf("NumThreads is %d, want GOMAXPROCS", n)
	}
	if err := Try(func() { SetNumThreads(0) }); err == nil {
		t.Error("SetNumThreads(0) is no error")
	}
}

func TestParallelForPanics(t *testing.T) {
	var sum atomic.Int64
	ParallelFor(1000, 7, func(lo, hi int) { sum.Add(int64(hi - lo)) })
	if sum.Load() != 1000 {
		t.Errorf("%d of 1000 were visited", sum.Load())
	}
	defer func() {
		if r := recover(); r != "here" {
			t.Errorf("recovered %v", r)
		}
	}()
	ParallelFor(1000, 1, func(lo, _ int) {
		if lo == 500 {
			panic("here")
		}
	})
	t.Error("no panic")
}
