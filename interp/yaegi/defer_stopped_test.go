package yaegi

import (
	"sync"
	"testing"
)

// TestNoneBeginsWhileStopped: a deferred call of what was stopped does not begin while all is being stopped once
// more, when the closure would be dead: it is put aside. One that has begun is waited for.
func TestNoneBeginsWhileStopped(t *testing.T) {
	e := New(Options{})
	made := 0
	finish := func() {
		var all sync.WaitGroup
		all.Add(1)
		e.callStoppedOf(newRun(), []func(){func() { made++ }, func() { made++ }}, &all)
		all.Wait()
	}
	e.deferrals.close(true)
	if finish(); made != 0 {
		t.Fatalf("%d calls began", made)
	}
	left := e.deferrals.open()
	if len(left) != 1 || len(left[0]) != 2 {
		t.Fatalf("%d were put aside", len(left))
	}
	if finish(); made != 2 {
		t.Fatalf("%d of 2 calls were made", made)
	}

	var all sync.WaitGroup
	all.Add(1)
	begins, ends := make(chan bool), make(chan bool)
	go e.callStoppedOf(newRun(), []func(){func() { begins <- true; <-ends; made++ }}, &all)
	<-begins
	if n := e.deferrals.inside.Load(); n != 1 {
		t.Fatalf("%d calls are waited for, not the one that has begun", n)
	}
	close(ends)
	all.Wait()
	if n := e.deferrals.inside.Load(); n != 0 || made != 3 {
		t.Fatalf("%d are inside, %d made", n, made)
	}
}
