package parallel

import (
	"sync/atomic"
	"testing"
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
