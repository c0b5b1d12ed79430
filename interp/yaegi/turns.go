package yaegi

import (
	"runtime"
	"sync/atomic"
	"time"

	"gotorch/internal/parallel"
	"gotorch/interp/core"
)

// Note: turns
//
// Go lets a goroutine that computes run for 10 ms and more. With fifty of them, the goroutine that reads an interrupt
// waits for about twenty-five turns before it is scheduled. So while cells have many goroutines, these yield after a
// short time, in their loops (in cells that start goroutines) and calls. Goroutines that allocate yield anyway, since
// the collector stops them.

const (
	crowd = 2 // goroutines of cells, for each processor, that are many
	short = 200 * time.Microsecond
)

// turns are those of an engine's goroutines.
type turns struct {
	asked *bool // TurnVar's place
	many  atomic.Bool
	last  atomic.Int64 // when one yielded last
}

// count sets the number of goroutines.
func (t *turns) count(n int) {
	many := n > crowd*parallel.Processors()
	if many != t.many.Load() {
		t.many.Store(many)
		if t.asked != nil && !core.Race {
			*t.asked = many
		}
	}
}

// turn yields to other goroutines if it is time to.
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
