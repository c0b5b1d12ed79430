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
	t := NewTemporaries()
	if t == nil {
		f()
		return
	}
	t.tidy = true
	InScope(func(s *Scope) { s.Temporaries = t }, f)
	t.leaveGradients()
	t.Sweep()
}

// Keep leaves x to the collector, so that the [Tidy] around does not free it, nor any view of its storage. It returns
// x. A gradient of a leaf is kept when the leaf loses it, too.
func Keep(x *Tensor) *Tensor {
	if x == nil {
		return nil
	}
	switch owner := x.st.owner.(type) {
	case *Temporaries:
		owner.keep(x.st)
	case *ofLeaf:
		x.st.owner = nil
	}
	return x
}

// Lasting runs f, which makes what outlives the [Tidy] around, such as what an optimizer keeps between steps.
//
//gotorch:internal
func Lasting(f func()) { InScope(func(s *Scope) { s.Temporaries = nil }, f) }

// ofLeaf owns the memory of a gradient that a Tidy made and left to a leaf.
type ofLeaf struct {
	counted runtime.Cleanup
}

// Accumulated notes that leaf was given a gradient: it is not freed while the leaf has it. t may be nil.
func (t *Temporaries) Accumulated(leaf *Tensor) {
	for ; t != nil; t = t.outer {
		if t.tidy {
			t.leaves = append(t.leaves, leaf.ag)
			return
		}
		t.Pass(leaf.ag.Grad)
	}
}

// leaveGradients takes the gradients that leaves still have from t: the Tidy around has them next, or their leaves.
func (t *Temporaries) leaveGradients() {
	for _, a := range t.leaves {
		if !t.owns(a.Grad) {
			continue
		}
		if t.outer == nil {
			a.Grad.st.owner = &ofLeaf{t.take(a.Grad.st).counted}
			continue
		}
		t.Pass(a.Grad)
		t.outer.noteLeaf(a)
	}
}

func (t *Temporaries) noteLeaf(a *Autograd) {
	for ; t != nil; t = t.outer {
		if t.tidy {
			t.leaves = append(t.leaves, a)
			return
		}
	}
}

// replaceGradient gives a the gradient g, nil for none, and frees the one before if it was the leaf's own.
func (a *Autograd) replaceGradient(g *Tensor) {
	old := a.Grad
	a.Grad = g
	if g != nil {
		if _, of := g.st.owner.(*ofLeaf); of {
			g.st.owner = nil // more than one leaf may have it now
		}
		if s := CurrentScope(); s != nil {
			s.Temporaries.noteLeaf(a)
		}
	}
	if old == nil {
		return
	}
	if owner, ok := old.st.owner.(*ofLeaf); ok {
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
