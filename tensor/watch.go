package tensor

import "sync/atomic"

// Note: watching. Traces and the memory timeline of package visualize look at what runs here. A goroutine's recorder
// sees the kernels of the calls whose key set has Trace; the functions for storages and draws are there while somebody
// watches, and cost a load and a comparison otherwise.

var (
	storageWatch atomic.Pointer[func(s, grown *Storage, op string)]
	drawWatch    atomic.Pointer[func(c *Call, g *Generator, from, to uint64)]
)

// A KernelWatcher is a recorder (Scope.Trace) that looks at the device's kernels of the calls that it records.
type KernelWatcher interface {
	// WatchKernel calls run, once: the kernel of the call.
	WatchKernel(c *Call, run func())
}

// fillTraced runs a device's kernel; the goroutine's recorder may look at it.
func (c *Call) fillTraced(f Kernel) {
	if s := CurrentScope(); s != nil {
		if w, ok := s.Trace.(KernelWatcher); ok {
			w.WatchKernel(c, func() { c.fill(f) })
			return
		}
	}
	c.fill(f)
}

// WatchStorages sets the function that is told of new storages, on the goroutine that makes them, and of the operator
// that they are for; nil takes it away. grown is nil, or the storage, told of before, whose memory takes the place of
// that of s, which was too small. Who is told keeps neither.
func WatchStorages(f func(s, grown *Storage, op string)) {
	if f == nil {
		storageWatch.Store(nil)
		return
	}
	storageWatch.Store(&f)
}

// WatchDraws sets the function that is told of every random operator that ran on a device: which generator it drew
// from, and how many numbers of 32 bits that had given before and after; nil takes it away.
func WatchDraws(f func(c *Call, g *Generator, from, to uint64)) {
	if f == nil {
		drawWatch.Store(nil)
		return
	}
	drawWatch.Store(&f)
}

// watchDraws runs the kernel of a random operator and tells of it.
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
