package tensor

import (
	"context"
	"sync"
	"sync/atomic"

	"gotorch/internal/parallel"
)

// Note: modes of a goroutine. NoGrad, tracing and the like hold for the goroutine that is inside the scope, as they
// hold for a thread in PyTorch. Go has no goroutine-local storage, so the innermost scope is found by the address of
// the running g, in a small open hash table, behind one counter: a call costs nothing while no scope is open anywhere.
// Only functions can be scopes: the entry goes when the function returns, panics or exits its goroutine, so that a g
// that is used again starts clean. `go` does not inherit.

// Scope is one scope of a goroutine. Inner scopes see what outer ones set.
//
//gotorch:internal
type Scope struct {
	include, exclude KeySet
	outer            *Scope
	// Context is looked at by long kernels; nil where nobody can interrupt.
	Context context.Context
	// Trace is what the fallback of that key writes to.
	Trace any
	// modes are those of [WithMode], the innermost first.
	modes *userMode
	// Stream is where the work of a device that answers later goes, nil for its default stream; its Runner knows what
	// it is.
	Stream any
	// Device is the default device inside, the zero Device for the process's.
	Device Device
	// Substitute returns the tensor that stands for another inside, nil where each stands for itself; see SubstituteOf.
	Substitute func(*Tensor) *Tensor
	// fuse records what runs on the meta device; see [Fuse].
	fuse *fuseTrace
	// wrappers is how many handlers of wrappers the code runs in.
	wrappers int
	// defined is how many bodies and kernels of defined operators the code runs in.
	defined int
	// Beneath: the code runs beneath a wrapping kernel, which excluded its key for what it calls.
	Beneath bool
	// Backward: the code runs in a backward pass.
	Backward bool
	// Running is the node of a backward pass that runs, nil outside of one; see package autograd.
	Running any
	// Level is the depth of the innermost transform, and Transform what it keeps.
	Level     int
	Transform any
	// Autograd is what package autograd keeps: hooks of saved tensors, whether gradients are looked at.
	Autograd any
	// Training: modules are being trained; see package nn.
	Training bool
	// Watch is told of what a loop that trains does; see package nn/train.
	Watch any
	// Temporaries own the large storages that are made inside, nil where the collector frees them.
	Temporaries *Temporaries
	// Order is how many backward passes lie between what a user called and what is being called now.
	Order uint8
}

type slot struct {
	g     atomic.Uintptr
	scope atomic.Pointer[Scope]
	_     [48]byte // a cache line for each
}

const slots, probes = 1024, 8

var (
	scopesOpen atomic.Int64
	scopeTable [slots + probes]slot
	scopeSpill sync.Map // g -> *Scope, when the neighbourhood in the table is full
)

func slotOf(g uintptr) uintptr { return (g >> 6 * 0x9E3779B1 >> 7) & (slots - 1) }

// CurrentScope is the innermost scope of the running goroutine, nil if there is none.
//
//gotorch:internal
func CurrentScope() *Scope {
	if scopesOpen.Load() == 0 {
		return nil
	}
	return scopeOf(getg())
}

func scopeOf(g uintptr) *Scope {
	for i, h := 0, slotOf(g); i < probes; i++ {
		if s := &scopeTable[h+uintptr(i)]; s.g.Load() == g {
			return s.scope.Load()
		}
	}
	if v, ok := scopeSpill.Load(g); ok {
		return v.(*Scope)
	}
	return nil
}

// setScope replaces old, the innermost scope of g, by s.
func setScope(g uintptr, old, s *Scope) {
	h := slotOf(g)
	if old != nil {
		for i := range uintptr(probes) {
			if e := &scopeTable[h+i]; e.g.Load() == g {
				e.scope.Store(s)
				if s == nil {
					e.g.Store(0)
				}
				return
			}
		}
		if s == nil {
			scopeSpill.Delete(g)
		} else {
			scopeSpill.Store(g, s)
		}
		return
	}
	for i := range uintptr(probes) {
		e := &scopeTable[h+i]
		if e.g.Load() == 0 && e.g.CompareAndSwap(0, g) {
			e.scope.Store(s)
			return
		}
	}
	scopeSpill.Store(g, s)
}

// InScope runs f in a scope of the running goroutine. set changes what the new scope says; it begins as a copy of the
// outer one.
//
//gotorch:internal
func InScope(set func(*Scope), f func()) {
	old, s, g := openScope()
	set(s)
	setScope(g, old, s)
	defer closeScope(g, old)
	f()
}

func openScope() (old, s *Scope, g uintptr) {
	g = getg()
	if scopesOpen.Add(1) > 1 {
		old = scopeOf(g)
	}
	s = scopePool.Get().(*Scope)
	if old != nil {
		*s = *old
	}
	s.outer = old
	return old, s, g
}

func closeScope(g uintptr, old *Scope) {
	s := scopeOf(g)
	setScope(g, s, old)
	scopesOpen.Add(-1)
	*s = Scope{}
	scopePool.Put(s)
}

// scopePool has scopes that were left: nobody keeps one beyond the function that runs in it.
var scopePool = sync.Pool{New: func() any { return new(Scope) }}

// Include and Exclude change the keys of a scope that is being set.
func (s *Scope) Include(k KeySet) { s.include |= k; s.exclude &^= k }
func (s *Scope) Exclude(k KeySet) { s.exclude |= k; s.include &^= k }

// Drop takes back an outer scope's Include.
func (s *Scope) Drop(k KeySet) { s.include &^= k }

// Allow takes back an outer scope's Exclude.
func (s *Scope) Allow(k KeySet) { s.exclude &^= k }

// Excluded reports whether k is excluded in the running goroutine.
//
//gotorch:internal
func Excluded(k Key) bool {
	s := CurrentScope()
	return s != nil && s.exclude.Has(k)
}

// Under runs f with keys included and excluded.
//
//gotorch:internal
func Under(include, exclude KeySet, f func()) {
	InScope(func(s *Scope) { s.Include(include); s.Exclude(exclude) }, f)
}

// WithContext runs f so that long kernels and the engine stop, with an *Error, when ctx is done.
//
//gotorch:internal
func WithContext(ctx context.Context, f func()) {
	InScope(func(s *Scope) { s.Context = ctx }, f)
}

// The helpers of a parallel loop look at the context of the goroutine that called it; its recorder may look at them.
func init() {
	parallel.SetAround(func() (a parallel.Around) {
		s := CurrentScope()
		if s == nil {
			return a
		}
		if ctx := s.Context; ctx != nil {
			a.Within = func(work func()) { WithContext(ctx, work) }
		}
		if w, ok := s.Trace.(LoopWatcher); ok {
			a.Done = w.WatchLoop()
		}
		return a
	})
}

// Interrupted panics with an *Error if the running goroutine's context is done. Kernels call it between blocks of
// work.
//
//gotorch:internal
func Interrupted(op string) {
	if s := CurrentScope(); s != nil && s.Context != nil {
		if err := s.Context.Err(); err != nil {
			panic(Errorf(op, "interrupted"))
		}
	}
}

// OnDevice runs f with d as the default device of factories, in this goroutine.
func OnDevice(d Device, f func()) {
	InScope(func(s *Scope) { s.Device = d }, f)
}
