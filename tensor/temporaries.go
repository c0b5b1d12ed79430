package tensor

import "runtime"

// Note: memory of temporaries. Go's collector finds a dead result late, so that each new one lies in cold memory. But
// a composite operator makes results that nobody else ever sees, as does a backward pass: parts of a loss, gradients
// on their way. Their owner knows when they are dead and frees them then; the next result takes the memory while it is
// in the cache. Only what was made on the owner's goroutine, on the CPU, and by operators that nobody watches is
// freed. A freed storage has no memory, so that a tensor used too late fails instead of reading another's numbers.

// Temporaries are the large storages that a goroutine makes in a scope whose owner frees them. It counts who holds
// each of them; [Temporaries.Sweep] frees those that nobody does. A Temporaries belongs to one goroutine.
type Temporaries struct {
	made    []temporary // since the last sweep
	held    map[*Storage]*temporary
	dropped []*Storage // that nobody holds since the last sweep
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
	if s != nil && (s.Substitute != nil || s.fuse != nil || s.Level != 0 || s.Trace != nil || s.modes != nil) {
		return nil
	}
	return new(Temporaries)
}

// allocate makes a storage of n bytes, cachedFrom at least, on the CPU.
func (t *Temporaries) allocate(op string, n int, zeroed bool) *Storage {
	takeBudget(op, n)
	s := &Storage{data: hostMemory(n, zeroed), bytes: n, device: CPU, owner: t}
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
		for i := len(t.made) - 1; e == nil; i-- {
			if t.made[i].st == x.st {
				e = &temporary{st: x.st, counted: t.made[i].counted}
				t.made[i].st = nil
			}
		}
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

// Keep leaves the storage of x to the collector: somebody else sees it.
func (t *Temporaries) Keep(x *Tensor) {
	if t.owns(x) {
		t.keep(x.st)
	}
}

func (t *Temporaries) keep(s *Storage) {
	s.owner = nil
	delete(t.held, s)
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
	s.data, s.owner = nil, nil
	if n >= countedBytes {
		e.counted.Stop()
		budgetUsed.Add(-int64(n))
	}
	if n < cachedTo && !raceEnabled {
		blocks.give((*byte)(p), n+8)
	}
}

// within runs f, the body of a composite operator or a kernel that calls operators, and frees what f made but the
// results of the call. Where f fails, everything is left to the collector: it may have been stored in an error.
func (t *Temporaries) within(c *Call, f func()) {
	var outer *Temporaries
	InScope(func(s *Scope) {
		outer = s.Temporaries
		s.Temporaries = t
	}, f)
	for _, r := range c.ret {
		if !t.owns(r) {
			continue
		}
		t.Keep(r)
		if outer != nil {
			outer.adopt(r.st, t)
		}
	}
	t.Sweep()
}

// adopt takes over s, a storage that inner made and has just kept.
func (t *Temporaries) adopt(s *Storage, inner *Temporaries) {
	for i := range inner.made {
		if e := &inner.made[i]; e.st == s {
			s.owner = t
			t.made = append(t.made, *e)
			e.st = nil
			return
		}
	}
}

// manyElements is the number of elements from which a call may make results that are worth freeing.
const manyElements = 512

// temporaries are for what the call makes, nil where it is small, or somebody might see what it makes: autograd, a
// trace, a transform, a fusion, the body that a user wrote.
func (c *Call) temporaries() *Temporaries {
	if c.device != CPU || c.all&^deviceKeys != 0 || c.Op.defined {
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
