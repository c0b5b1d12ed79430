package parallel

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestForCoversOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 64, 1000} {
		seen := make([]atomic.Int32, n)
		For(n, 7, func(lo, hi int) {
			if lo%7 != 0 || hi != min(lo+7, n) {
				t.Errorf("chunk [%d, %d) of %d", lo, hi, n)
			}
			for i := lo; i < hi; i++ {
				seen[i].Add(1)
			}
		})
		for i := range seen {
			if c := seen[i].Load(); c != 1 {
				t.Fatalf("n = %d: %d was visited %d times", n, i, c)
			}
		}
	}
}

func TestForNests(t *testing.T) {
	var sum atomic.Int64
	For(20, 1, func(lo, hi int) {
		For(100, 10, func(lo, hi int) { sum.Add(int64(hi - lo)) })
	})
	if sum.Load() != 2000 {
		t.Fatalf("sum = %d", sum.Load())
	}
}

func TestPanicReachesCaller(t *testing.T) {
	for at := range 50 {
		func() {
			defer func() {
				if r := recover(); r != at {
					t.Errorf("recovered %v, want %d", r, at)
				}
			}()
			For(50, 1, func(lo, hi int) {
				if lo == at {
					panic(at)
				}
			})
			t.Error("no panic")
		}()
	}
}

// TestAroundDone: each thread that took part in a loop is reported once, with all its chunks, where the loop was asked
// about.
func TestAroundDone(t *testing.T) {
	SetThreads(2)
	defer SetThreads(0)
	defer SetAround(nil)
	var mu sync.Mutex
	chunks, begun := 0, time.Now()
	ask := true
	SetAround(func() (a Around) {
		if !ask {
			return a
		}
		seen := map[int]bool{}
		a.Done = func(worker, n int, begin, end time.Time) {
			mu.Lock()
			defer mu.Unlock()
			if seen[worker] || n == 0 || begin.Before(begun) || end.Before(begin) {
				t.Errorf("worker %d, %d chunks, %v to %v", worker, n, begin, end)
			}
			seen[worker] = true
			chunks += n
		}
		return a
	})
	for range 20 {
		For(100, 3, func(lo, hi int) { time.Sleep(time.Microsecond) })
	}
	ask = false
	For(100, 3, func(lo, hi int) {})
	if Threads() > 1 && chunks != 20*34 {
		t.Errorf("%d chunks were seen", chunks)
	}
}

// TestAroundWithin: helpers work inside of what the calling goroutine gave, the caller does not.
func TestAroundWithin(t *testing.T) {
	SetThreads(3)
	defer SetThreads(0)
	defer SetAround(nil)
	var inside, entered atomic.Int32
	SetAround(func() Around {
		return Around{Within: func(work func()) {
			entered.Add(1)
			inside.Add(1)
			defer inside.Add(-1)
			work()
		}}
	})
	for deadline := time.Now().Add(10 * time.Second); entered.Load() == 0; {
		For(300, 1, func(lo, hi int) { time.Sleep(10 * time.Microsecond) })
		if time.Now().After(deadline) {
			t.Fatal("no helper entered")
		}
		if n := inside.Load(); n != 0 {
			t.Fatalf("%d helpers are inside after the loop", n)
		}
	}
}

// TestRanges: a thread that is alone works on all chunks once, whatever its place, and on those of its place first.
func TestRanges(t *testing.T) {
	for _, n := range []int{2, 7, 50, 64, 1000} {
		for _, grain := range []int{1, 3, 7, 49} {
			for _, k := range []int{2, 3, 7, 64} {
				chunks := (n + grain - 1) / grain
				if k > chunks {
					continue
				}
				for place := range 2 * k {
					seen := make([]int, chunks)
					first := -1
					l := &loop{n: n, grain: grain, f: func(lo, hi int) {
						if lo%grain != 0 || hi != min(lo+grain, n) {
							t.Fatalf("chunk [%d, %d) of %d", lo, hi, n)
						}
						if first < 0 {
							first = lo / grain
						}
						seen[lo/grain]++
					}}
					l.divide(k)
					if got := l.claim(place); got != chunks || first != chunks*(place%k)/k {
						t.Fatalf("%d chunks of %d, begun with %d", got, chunks, first)
					}
					for c, times := range seen {
						if times != 1 {
							t.Fatalf("chunk %d of %d, %d ranges: visited %d times", c, chunks, k, times)
						}
					}
				}
			}
		}
	}
}
