package tensor

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"
)

func gradOff() bool { return Excluded(KeyAutograd) }

func without(f func()) { Under(0, Set(KeyAutograd), f) }

func TestScopes(t *testing.T) {
	want := func(off bool, where string) {
		t.Helper()
		if gradOff() != off {
			t.Errorf("%s: excluded %v", where, !off)
		}
	}
	want(false, "before")
	without(func() {
		want(true, "inside")
		Under(Set(KeyAutograd), 0, func() { want(false, "included again") })
		want(true, "after the inner scope")
		done := make(chan bool)
		go func() { want(false, "another goroutine"); close(done) }()
		<-done
		func() {
			defer func() { recover() }()
			without(func() { panic("x") })
		}()
		want(true, "after a panic")
	})
	want(false, "after")
	exited := make(chan bool)
	go func() {
		defer close(exited)
		without(func() { runtime.Goexit() })
	}()
	<-exited
	if n := scopesOpen.Load(); n != 0 {
		t.Errorf("%d scopes are open", n)
	}
}

// TestScopesOfManyGoroutines opens more scopes at once than a neighbourhood of the table holds, on goroutines whose
// stacks grow and which wander between threads.
func TestScopesOfManyGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 400 {
		wg.Go(func() {
			body := func(off bool) {
				for j := range 50 {
					switch {
					case j%3 == 0:
						runtime.Gosched()
					case j%20 == 0:
						time.Sleep(time.Microsecond)
						deep(30)
					}
					if gradOff() != off {
						t.Error("the scope is lost, or another's")
						return
					}
				}
			}
			if i%2 == 0 {
				body(false)
			} else {
				without(func() { body(true) })
			}
		})
	}
	wg.Wait()
	if n := scopesOpen.Load(); n != 0 {
		t.Errorf("%d scopes are open", n)
	}
	for i := range scopeTable {
		if scopeTable[i].g.Load() != 0 {
			t.Fatalf("slot %d is taken", i)
		}
	}
}

func deep(n int) byte {
	var b [2000]byte
	if n > 0 {
		b[n] = deep(n - 1)
	}
	return b[n]
}

// TestGoroutinesStartClean: descriptors of goroutines are used again, also after panics and exits.
func TestGoroutinesStartClean(t *testing.T) {
	for i := range 3000 {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() { recover() }()
			if gradOff() {
				t.Error("a new goroutine has a scope")
			}
			without(func() {
				switch i % 3 {
				case 0:
					panic(i)
				case 1:
					runtime.Goexit()
				}
			})
		}()
		<-done
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := Try(func() {
		WithContext(ctx, func() {
			Interrupted("mm")
			cancel()
			Interrupted("mm")
			t.Error("goes on")
		})
	})
	if err == nil || err.Error() != "mm: interrupted" {
		t.Errorf("%v", err)
	}
}
