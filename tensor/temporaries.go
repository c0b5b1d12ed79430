package tensor

import (
	"runtime"
	"sync"
)

// Note: memory of temporaries. Go's collector finds a dead result late, so that each new one lies in cold memory. But
// a composite operator makes results that nobody else ever sees, as does a backward pass: parts of a loss, gradients
// on their way. Their owner knows when they are dead and frees them then; the next result takes the memory while it is
// in the cache. Only what was made on the owner's goroutine, on the CPU, and by operators that nobody watches is
// freed. A freed storage has no memory and lies on no device, so that a tensor used too late fails instead of reading
// another's numbers. Owners nest: what outlives an inner one goes to the next. A user's own is [Tidy].

// Temporaries are the large storages that a goroutine makes in a scope whose owner frees them. It counts who holds
// each of them; [Temporaries.Sweep] frees those that nobody does. A Temporaries belongs to one goroutine.
type Temporaries struct {
	outer   *Temporaries // of the scope around, nil where there is none
	tidy    bool         // of Tidy, not of an operator or a backward pass
	leaves  []*Autograd  // that were given a gradient, of Tidy
	made    []temporary  // since the last sweep
	held    map[*Storage]*temporary
	dropped []*Storage // that nobody holds since the last sweep
	few     [2]temporary
}

type temporary struct {
	st      *Storage
	counted runtime.Cleanup // gives the bytes back to the budget when the collector frees st
	holders int
}

// NewTemporaries is for the owner of a scope: see [Scope.Temporaries]. It is nil where somebody else sees the tensors
// that the running goroutine makes: a trace, a transform, a fusion, a watcher of storages.
func NewTemporaries() *Temporaries {
	if currentHooks().Storage != nil {
		return nil
	}
	s := CurrentScope()
	if s == nil {
		return temporariesPool.Get().(*Temporaries)
	}
	if s.Substitute != nil || s.fuse != nil || s.Level != 0 || s.Trace != nil || s.modes != nil {
		return nil
	}
	t := temporariesPool.Get().(*Temporaries)
	t.outer = s.Temporaries
	return t
}

// temporariesPool has owners that own nothing any more.
var temporariesPool = sync.Pool{New: func() any {
	t := new(Temporaries)
	t.made = t.few[:0]
	return t
}}

// end frees what nobody holds. Afterwards t may be another's, unless somebody holds something.
func (t *Temporaries) end() {
	t.Sweep()
	if len(t.held) > 0 {
		return
	}
	*t = Temporaries{made: t.made[:0], held: t.held, dropped: t.dropped[:0]}
	temporariesPool.Put(t)
}

// allocate makes a storage of n bytes, ownedFrom at least, on the CPU.
func (t *Temporaries) allocate(op string, n int, zeroed bool) *Storage {
	takeBudget(op, n)
	s := &Storage{bytes: n, device: CPU, owner: t}
	if inCache(n) {
		s.data = cached(n+8, zeroed)
	} else {
		s.data = hostMemory(n, zeroed)
	}
	t.made = append(t.made, temporary{st: s, counted: trackBudget(s, n)})
	return s
}

// owns reports whether x looks into a storage of t.
func (t *Temporaries) owns(x *Tensor) bool { return t != nil && x != nil && x.st.owner == any(t) }

// Hold adds a holder to the storage of x. Storages that are not of t are left alone, here and below.
func (t *Temporaries) Hold(x *Tensor) {
	if !t.owns(x) {
		return
	}
	e := t.held[x.st]
	if e == nil {
		made := t.take(x.st)
		e = &made
		if t.held == nil {
			t.held = map[*Storage]*temporary{}
		}
		t.held[x.st] = e
	}
	e.holders++
}

// Drop takes back a Hold.
func (t *Temporaries) Drop(x *Tensor) {
	if !t.owns(x) {
		return
	}
	e := t.held[x.st]
	if e.holders--; e.holders == 0 {
		t.dropped = append(t.dropped, x.st)
	}
}

// take is the entry of s, which t owns and nobody holds; t forgets it.
func (t *Temporaries) take(s *Storage) temporary {
	i := len(t.made) - 1
	for t.made[i].st != s {
		i--
	}
	e := t.made[i]
	t.made[i].st = nil
	return e
}

// Pass gives the storage of x, which outlives t, to the scope around, and without one to the collector.
func (t *Temporaries) Pass(x *Tensor) {
	if !t.owns(x) {
		return
	}
	var e temporary
	if held := t.held[x.st]; held != nil {
		e = temporary{st: x.st, counted: held.counted}
		delete(t.held, x.st)
	} else {
		e = t.take(x.st)
	}
	if t.outer == nil {
		x.st.owner = nil
		return
	}
	x.st.owner = t.outer
	t.outer.made = append(t.outer.made, e)
}

// Sweep frees the storages that nobody holds.
func (t *Temporaries) Sweep() {
	if t == nil {
		return
	}
	for i := range t.made {
		if e := &t.made[i]; e.st != nil && e.st.owner == any(t) {
			e.free()
		}
	}
	clear(t.made)
	t.made = t.made[:0]
	for _, s := range t.dropped {
		if e := t.held[s]; e != nil && e.holders == 0 {
			e.free()
			delete(t.held, s)
		}
	}
	clear(t.dropped)
	t.dropped = t.dropped[:0]
}

// free puts the memory back for the next result.
func (e *temporary) free() {
	s := e.st
	if poison {
		s.spoil()
	}
	p, n := s.data, s.bytes
	s.data, s.owner, s.device = nil, nil, freed
	if n >= countedBytes {
		e.counted.Stop()
		budgetUsed.Add(-int64(n))
	}
	if inCache(n) {
		blocks.give((*byte)(p), n+8)
	}
}

// within runs f, the body of a composite operator or a kernel that calls operators, and frees what f made but the
// results of the call. Where f fails, everything is left to the collector: it may have been stored in an error.
func (t *Temporaries) within(c *Call, f func()) {
	InScope(func(s *Scope) { s.Temporaries = t }, f)
	for _, r := range c.ret {
		t.Pass(r)
	}
	t.end()
}

// manyElements is the number of elements from which a call may make results that are worth freeing.
const manyElements = 512

// temporaries are for what the call makes, nil where it is small, or somebody might see what it makes: autograd, a
// trace, a transform, a fusion, the body that a user wrote.
func (c *Call) temporaries() *Temporaries {
	if c.device != CPU || c.all&^deviceKeys != 0 || c.Op.defined || c.Op.passesOn {
		return nil
	}
	if !c.hasMany() {
		return nil
	}
	return NewTemporaries()
}

// hasMany reports whether an argument has many elements.
func (c *Call) hasMany() bool {
	for i := range c.args {
		switch v := &c.args[i]; v.kind {
		case tensorValue:
			if v.t.numel >= manyElements {
				return true
			}
		case otherValue:
			if list, ok := v.x.([]*Tensor); ok {
				for _, t := range list {
					if t.numel >= manyElements {
						return true
					}
				}
			}
		}
	}
	return false
}
