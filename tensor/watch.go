package tensor

import "time"

// Note: watching. Traces, flames and the memory timeline of package visualize look at what runs here. A goroutine's
// recorder sees the kernels of the calls whose key set has Trace, and the loops in them; the hooks for storages and
// draws are there while a watcher is registered, and cost a load and a comparison otherwise.

// A KernelWatcher is a recorder (Scope.Trace) that looks at the device's kernels of the calls that it records.
//
//gotorch:internal
type KernelWatcher interface {
	// WatchKernel calls run, once: the kernel of the call.
	WatchKernel(c *Call, run func())
}

// fillTraced runs a device's kernel; the goroutine's recorder may look at it.
func (c *Call) fillTraced(f Kernel) {
	if c.all&pinnedKey != 0 {
		kernel := f
		f = func(c *Call) { c.fillPinned(kernel) }
	}
	if s := CurrentScope(); s != nil {
		if w, ok := s.Trace.(KernelWatcher); ok {
			w.WatchKernel(c, func() { c.fill(f) })
			return
		}
	}
	c.fill(f)
}

// A LoopWatcher is a recorder (Scope.Trace) that looks at the parts that threads have in the loops of kernels.
//
//gotorch:internal
type LoopWatcher interface {
	// WatchLoop is called on the goroutine that calls a loop. What it returns, if not nil, is called once for each thread
	// that took part: worker 0 is the caller, others are helpers by number, which call it at the same time.
	WatchLoop() func(worker, chunks int, begin, end time.Time)
}

// watchDraws runs the kernel of a random operator and reports it to the watchers.
func (c *Call) watchDraws(f Kernel, watch func(c *Call, g *Generator, from, to uint64)) {
	g := DefaultGenerator()
	if i := c.Op.Param("generator"); i >= 0 {
		g = c.Generator(i)
	}
	drawn := func() (n uint64) {
		g.Draw(func(s *Source) { n = s.Drawn() })
		return n
	}
	from := drawn()
	if c.Op.calls.Has(c.key) {
		Under(0, 1<<KeyAutograd, func() { f(c) })
	} else {
		f(c)
	}
	watch(c, g, from, drawn())
}
