package tensor

import "runtime"

// Note: memory that a user frees. Python counts references, so that PyTorch takes back the memory of a result at
// once, and the next result finds it in the cache. Go's collector finds a dead result late. Within a loop that makes
// large results, [Tidy] says where they die.

// Tidy runs f and frees the large results that operators made in it, so that what comes next works in memory that
// is still in the cache, and a loop needs no more memory than one round of it. Without Tidy the collector frees them,
// some time after nobody refers to them any more.
//
//	for range steps {
//		tensor.Tidy(func() {
//			optimizer.ZeroGrad()
//			loss(model.Forward(x), y).Backward()
//			optimizer.Step()
//		})
//	}
//
// What stays: results that [Keep] was called with, results of less than 1 KiB, what f's goroutine did not make,
// what lies on another device than the CPU, and what optimizers keep between steps. A gradient that a leaf has at the
// end stays until the leaf loses it (ZeroGrad, SetGrad). All else that f made is freed, with every view of it: whoever
// uses it later gets an *Error. What f saved for a backward pass is freed, too: the pass has to run in f.
//
// Calls nest. Where f panics, the collector frees what it made. A trace, a transform, a fusion or a memory timeline
// around the call sees all results: then f just runs.
func Tidy(f func()) {
	if f == nil {
		panic(Errorf("tidy", "the function is nil").OnArg("f"))
	}
	t := NewTemporaries()
	if t == nil {
		f()
		return
	}
	t.tidy = true
	InScope(func(s *Scope) { s.Temporaries = t }, f)
	t.leaveGradients()
	t.end()
}

// Keep leaves x to the collector, so that the [Tidy] around does not free it, nor any view of its storage. It returns
// x. A gradient of a leaf is kept when the leaf loses it, too.
func Keep(x *Tensor) *Tensor {
	if x != nil {
		x.st.keep()
	}
	return x
}

// keep leaves s to the collector: somebody else sees it.
func (s *Storage) keep() {
	switch owner := s.owner.(type) {
	case *Temporaries:
		delete(owner.held, s)
		s.owner = nil
	case *ofLeaf:
		s.owner = nil
	}
}

// Lasting runs f, which makes what outlives the [Tidy] around, such as what an optimizer keeps between steps.
//
//gotorch:internal
func Lasting(f func()) { InScope(func(s *Scope) { s.Temporaries = nil }, f) }

// ofLeaf owns the memory of a gradient that a Tidy made and left to a leaf, which alone has it.
type ofLeaf struct {
	leaf    *Autograd
	counted runtime.Cleanup
}

// share leaves the memory of x to the collector if a leaf other than a owns it: now both have it.
func (a *Autograd) share(x *Tensor) {
	if owner, ok := x.st.owner.(*ofLeaf); ok && owner.leaf != a {
		x.st.owner = nil
	}
}

// Accumulated notes that a was given a gradient: it is not freed while a has it. t may be nil.
func (t *Temporaries) Accumulated(a *Autograd) {
	for ; t != nil && !t.tidy; t = t.outer {
		t.Pass(a.Grad)
	}
	if t != nil {
		t.leaves = append(t.leaves, a)
	}
}

// leaveGradients takes the gradients that leaves still have from t: the Tidy around has them next, or their leaves.
func (t *Temporaries) leaveGradients() {
	for _, a := range t.leaves {
		if a.Grad == nil {
			continue
		}
		switch {
		case !t.owns(a.Grad):
			a.share(a.Grad)
		case t.outer != nil:
			t.Pass(a.Grad)
		default:
			a.Grad.st.owner = &ofLeaf{a, t.take(a.Grad.st).counted}
		}
		t.outer.Accumulated(a)
	}
}

// replaceGradient gives a the gradient g, nil for none, and frees the one before if it was the leaf's own.
func (a *Autograd) replaceGradient(g *Tensor) {
	old := a.Grad
	a.Grad = g
	if g != nil {
		a.share(g)
		if s := CurrentScope(); s != nil {
			s.Temporaries.Accumulated(a)
		}
	}
	if old == nil || g != nil && g.st == old.st {
		return
	}
	if owner, ok := old.st.owner.(*ofLeaf); ok && owner.leaf == a {
		(&temporary{st: old.st, counted: owner.counted}).free()
	}
}

// freed is where the bytes of a freed storage lie: nowhere. No list of devices has it.
var freed = Device{kind: freedDevice}

// freedMemory is the allocator of freed: whoever reads or writes there is told what happened.
type freedMemory struct{}

func (freedMemory) Alloc(Device, int) *Storage     { panic(usedFreed("alloc")) }
func (freedMemory) ToHost([]byte, *Storage, int)   { panic(usedFreed("read")) }
func (freedMemory) FromHost(*Storage, int, []byte) { panic(usedFreed("write")) }

// mustNotBeFreed panics where the memory of x was freed.
func (x *Tensor) mustNotBeFreed(op string) {
	if x.st.device == freed {
		panic(usedFreed(op))
	}
}

func usedFreed(op string) *Error {
	return Errorf(op, "a tensor was used whose memory was freed at the end of tensor.Tidy").
		WithHint("tensor.Keep(x), called within Tidy, keeps x")
}
