package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"gotorch/tensor"
)

// Note: when memory is collected
//
// Tensors of a user at a prompt are small and short-lived: collecting less often halves their cost. But what is live
// should not stand beside four times as much that is dead, once it is large. So the collector may leave spare bytes of
// dead memory, and no less than Go's own rule does. A large tensor that is let go is returned to the system when the
// person pauses: nothing else would make Go look.

const (
	spare = 64 << 20
	quiet = time.Second // how long nothing ran before memory is returned
)

// percent is how much memory may be dead, in percent of what lives.
func percent(live uint64) int {
	return int(min(max(spare*100/max(live, 1), 100), 400))
}

// pace sets when memory is collected, after each collection again. It leaves alone what the user has set.
func pace() {
	if os.Getenv("GOGC") != "" {
		return
	}
	p := &pacer{percent(0)}
	debug.SetGCPercent(p.percent)
	runtime.SetFinalizer(&collected{p}, (*collected).again)
}

type pacer struct{ percent int } // as it was last set

// collected is an object that nothing refers to: its finalizer runs at each collection.
type collected struct{ p *pacer }

func (c *collected) again() {
	if read("/gc/gogc:percent") != uint64(c.p.percent) {
		return // a cell has set it
	}
	if now := percent(read("/gc/heap/live:bytes")); now != c.p.percent {
		c.p.percent = now
		debug.SetGCPercent(now)
	}
	runtime.SetFinalizer(c, (*collected).again)
}

// read is one of the runtime's numbers.
func read(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	if metrics.Read(s); s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

// giver returns memory back when nothing has run for a while.
type giver struct {
	mu    sync.Mutex
	timer *time.Timer
	next  time.Time // not before: collecting a large heap takes long
}

var giving giver

// ended is called when a cell has ended.
func (g *giver) ended() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.timer == nil {
		g.timer = time.AfterFunc(quiet, g.give)
		return
	}
	g.timer.Reset(quiet)
}

func (g *giver) give() {
	if read("/memory/classes/heap/objects:bytes")+read("/memory/classes/heap/free:bytes") < spare {
		return
	}
	began := time.Now()
	if !g.take(began) {
		return
	}
	runtime.GC() // puts dead results into the cache
	tensor.EmptyCache()
	debug.FreeOSMemory()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.next = time.Now().Add(20 * time.Since(began))
}

// take reports whether it is time, for one that asks.
func (g *giver) take(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now.Before(g.next) {
		return false
	}
	g.next = now.Add(time.Hour)
	return true
}
