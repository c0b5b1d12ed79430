package parallel

import (
	"sync/atomic"
	"time"
)

// Around is what is done around the work on a loop. Both may be nil.
type Around struct {
	// Within is called by each helper, and calls work, the helper's part of the loop: what holds for the goroutine that
	// called [For] can be made to hold for the helpers.
	Within func(work func())
	// Done is called once for each thread that took part, when it is done with the loop: worker 0 is the caller, others
	// are helpers by number. The helpers call it at the same time.
	Done func(worker, chunks int, begin, end time.Time)
}

var around atomic.Pointer[func() Around]

// SetAround sets a function that is called, on the goroutine that calls [For], whenever a loop is shared; nil removes
// it.
func SetAround(f func() Around) {
	if f == nil {
		around.Store(nil)
		return
	}
	around.Store(&f)
}
