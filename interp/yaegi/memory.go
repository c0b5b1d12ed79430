package yaegi

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"gotorch/internal/bytesize"
	"gotorch/interp/core"
)

// Note: memory
//
// Go ends the process when there is no memory left. One request that cannot be
// met is rejected before it is made: sizes go through rt.Len, here and in lowered
// code. What grows little by little is watched while a cell or a goroutine of one
// runs, and stopped when what lives comes near to the limit. What doubles in one
// step asks before it does, in lowered code, once much is in use.

// much is the part of the limit from which on LargeVar is set.
const much = 16

// large is whether LargeVar is set.
type large struct {
	mu   sync.Mutex
	told *bool // LargeVar's place, once it has one
	much atomic.Bool
}

// note takes how many bytes are in use.
func (l *large) note(n, limit int) {
	is := limit > 0 && n > limit/much
	if is == l.much.Load() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.much.Store(is)
	l.tell()
}

// bind takes LargeVar's place, from when on it is told. Memory is watched before.
func (l *large) bind(told *bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = told
	l.tell()
}

func (l *large) tell() {
	if l.told != nil && !core.Race {
		*l.told = l.much.Load()
	}
}

// watching is how often memory is looked at.
const watching = 20 * time.Millisecond

// live is how many bytes the heap's objects take, dead ones that the collector
// has not met included.
func live() int {
	n, _ := memory()
	return n
}

// memory is live's number, and how many bytes the process has allocated since it
// began.
func memory() (live, total int) {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"},
		{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	var n [3]int
	for i, x := range s {
		if x.Value.Kind() == metrics.KindUint64 {
			n[i] = int(x.Value.Uint64())
		}
	}
	return n[0] + n[1], n[2]
}

func (e *Engine) limit() int {
	if e.opts.Memory == nil {
		return 0
	}
	return e.opts.Memory()
}

// watch looks at the memory from time to time until done is closed. A run that ends before the first time, and calls
// the function returned then, needs no goroutine for it.
func (e *Engine) watch(done <-chan struct{}) (end func()) {
	noted := func() { e.large.note(live(), e.limit()) } // for the next run
	first := time.AfterFunc(watching, func() {
		tick := time.NewTicker(watching)
		defer tick.Stop()
		defer noted()
		for {
			e.checkMemory()
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	})
	return func() {
		select {
		case <-done:
			if first.Stop() {
				noted()
			}
		default: // what was abandoned goes on
		}
	}
}

// checkMemory stops what runs if there is too little memory for it to go on.
func (e *Engine) checkMemory() {
	limit := e.limit()
	n := live()
	e.large.note(n, limit)
	if limit <= 0 || n < limit/32*31 {
		return
	}
	runtime.GC()
	debug.FreeOSMemory() // collects once more: finalizers of the first time have let go of what they held
	n = live()
	if n < limit/32*31 {
		return
	}
	r := e.now.Load()
	if r == nil || r.isOver() {
		return
	}
	e.cancel(r, &Stopped{Kind: Memory, Line: e.Line(), Text: outOfMemory(n, limit)})
}

// outOfMemory says that n bytes are in use where limit is the budget.
func outOfMemory(n, limit int) string {
	used, budget := bytesize.Text(float64(n)), bytesize.Text(float64(limit))
	if n > limit {
		return fmt.Sprintf("out of memory: %s are in use, more than the budget of %s", used, budget)
	}
	return fmt.Sprintf("out of memory: %s of %s are in use", used, budget)
}
