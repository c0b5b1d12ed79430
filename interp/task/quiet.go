package task

import (
	"sync"
	"sync/atomic"
)

// Who only looks at what variables hold, a table of names or a picture's labels, runs nothing of a cell: a method
// might not return, and nothing would interrupt it.

var (
	quiet  sync.Map // goroutines, by ID
	quiets atomic.Int32
)

// Quietly calls f; methods of cells' types are not called on this goroutine meanwhile.
func Quietly(f func()) {
	id := ID()
	if _, nested := quiet.LoadOrStore(id, true); nested {
		f()
		return
	}
	quiets.Add(1)
	defer func() {
		quiet.Delete(id)
		quiets.Add(-1)
	}()
	f()
}

// Quiet reports whether this goroutine is in Quietly.
func Quiet() bool {
	if quiets.Load() == 0 {
		return false
	}
	_, ok := quiet.Load(ID())
	return ok
}
