package yaegi

import (
	"sync"
	"testing"

	"gotorch/interp/core"
)

// TestLargeIsTold: memory that is much in use when a session begins is known to its first cell, whether it is looked
// at before or after the variable has its place.
func TestLargeIsTold(t *testing.T) {
	for range 100 {
		var l large
		var told bool
		var both sync.WaitGroup
		both.Go(func() { l.note(100, 160) })
		both.Go(func() { l.bind(&told) })
		both.Wait()
		if !l.much.Load() || !told && !core.Race {
			t.Fatalf("much %v, told %v", l.much.Load(), told)
		}
		if l.note(1, 160); l.much.Load() || told {
			t.Fatal("what is much once is so for ever")
		}
	}
}

// TestOutOfMemory: where more is in use than the budget, the message does not say that it is a part of it.
func TestOutOfMemory(t *testing.T) {
	for _, c := range []struct {
		used int
		want string
	}{
		{31 << 20, "out of memory: 31 MiB of 32 MiB are in use"},
		{33 << 20, "out of memory: 33 MiB are in use, more than the budget of 32 MiB"},
	} {
		if got := outOfMemory(c.used, 32<<20); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
