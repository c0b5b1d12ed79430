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
