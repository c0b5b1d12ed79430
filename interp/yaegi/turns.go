package yaegi

import (
	"runtime"
	"sync/atomic"
	"time"

	"gotorch/interp/core"
)

// Note: turns
//
// Go returns a goroutine that computes a turn of 10 ms and more. Where fifty do,
// what reads an interrupt waits for twenty-five of them before it is even
// scheduled; nothing that it does itself can be sooner. So while cells have many
// goroutines, these give way after a short turn, in their loops (of cells that
// start goroutines) and calls. Goroutines that allocate do so by themselves, for
// the collector stops them.

const (
	crowd = 2 // goroutines of cells, for each processor, that are many
	short = 200 * time.Microsecond
)

// turns are those of an engine's goroutines.
type turns struct {
	asked *bool // TurnVar's place
	many  atomic.Bool
	last  atomic.Int64 // when one gave way
}

// count says how many goroutines there are.
func (t *turns) count(n int) {
	many := n > crowd*runtime.GOMAXPROCS(0)
	if many != t.many.Load() {
		t.many.Store(many)
		if t.asked != nil && !core.Race {
			*t.asked = many
		}
	}
}

// turn returns way if it is time to.
func (t *turns) turn() {
	if !t.many.Load() {
		return
	}
	now := time.Since(start).Nanoseconds()
	if last := t.last.Load(); now-last > int64(short) && t.last.CompareAndSwap(last, now) {
		runtime.Gosched()
	}
}

var start = time.Now()
