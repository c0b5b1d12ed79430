package autograd_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// heap is the bytes that live, without the blocks that are kept for the next results.
func heap() int {
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond) // finalizers put blocks into the cache
		tensor.EmptyCache()
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A loss that was detached keeps nothing of the graph that made it, nor does a gradient, nor a graph that nobody
// holds.
func TestDetachedKeepsNoGraph(t *testing.T) {
	w := vec([]int{1}, 1).RequiresGrad_()
	graph := func() *tensor.Tensor {
		h := w
		for range 1000 {
			h = h.Mul(w)
		}
		return h
	}
	graph() // warm
	before := heap()
	var kept []*tensor.Tensor
	for range 20 {
		kept = append(kept, graph().Detach())
		l := graph()
		l.Backward()
		kept = append(kept, l.Detach())
		autograd.NoGrad(func() { kept = append(kept, l.View(1, 1).Detach()) })
	}
	if held := heap() - before; held > 1<<18 {
		t.Errorf("60 detached losses hold %d KB", held>>10)
	}
	runtime.KeepAlive(kept)
}

// What a formula reads is dropped as soon as it was read.
func TestBackwardFrees(t *testing.T) {
	x := tensor.Zeros(1 << 18).RequiresGrad_() // 1 MiB
	before := heap()
	h := x
	for range 16 {
		h = h.Tanh()
	}
	loss := h.Sum()
	h = nil
	if held := heap() - before; held < 15<<20 {
		t.Errorf("a graph of 16 results of 1 MiB holds %d KB", held>>10)
	}
	loss.Backward()
	if held := heap() - before; held > 3<<20 {
		t.Errorf("after backward %d KB are held", held>>10)
	}
	for n := autograd.GradFn(loss); n != nil; n = n.Next()[0].Node {
		for _, s := range n.Saved() {
			if !s.Freed {
				t.Errorf("%s still has %s", n.Name(), s.Name)
			}
		}
		if len(n.Next()) == 0 {
			break
		}
	}
}

func TestDeepChain(t *testing.T) {
	x := vec([]int{1}, 0.5).RequiresGrad_()
	h := x
	for range 100_000 {
		h = h.Add(1e-6)
	}
	h.Backward()
	wantFloats(t, "x", x.Grad(), 1)
	h = nil
	runtime.GC()
}

// Two goroutines train on graphs of their own, over the same data, and one of them looks without recording.
func TestGoroutines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	data := leaf(r, 8, 3).Detach()
	var wg sync.WaitGroup
	for g := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			w := vec([]int{3}, 0.1, 0.2, 0.3).RequiresGrad_()
			var first, last float64
			for i := range 50 {
				loss := data.Mul(w).Tanh().Sub(0.3).Mul(data).Sum()
				loss = loss.Mul(loss)
				w.SetGrad(nil)
				loss.Backward()
				autograd.NoGrad(func() {
					if data.Mul(w).RequiresGrad() {
						t.Error("recorded inside NoGrad")
					}
					w.Sub_(w.Grad().Mul(0.001))
				})
				if last = loss.Item(); i == 0 {
					first = last
				}
			}
			if last >= first {
				t.Errorf("goroutine %d: loss %g, then %g", g, first, last)
			}
		}()
	}
	wg.Wait()
}

// Two goroutines accumulate into the same leaf.
func TestSharedLeaf(t *testing.T) {
	w := vec([]int{1}, 2).RequiresGrad_()
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				w.Mul(3).Backward()
			}
		}()
	}
	wg.Wait()
	wantFloats(t, "w", w.Grad(), 600)
}

func TestBackwardStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	x := vec([]int{1}, 2).RequiresGrad_()
	y := x.Mul(1)
	y.RegisterHook(func(*tensor.Tensor) *tensor.Tensor { cancel(); return nil })
	z := y.Mul(2)
	fails(t, func() { tensor.WithContext(ctx, func() { z.Backward() }) }, "interrupted")
	if x.Grad() != nil {
		t.Error("the pass went on")
	}
}

func TestLeafGradientLiesAsLeaf(t *testing.T) {
	x := vec([]int{2, 3}, 1, 2, 3, 4, 5, 6).T().Detach().RequiresGrad_()
	x.Mul(vec([]int{3, 2}, 1, 2, 3, 4, 5, 6)).Sum().Backward()
	if s := x.Grad().Stride(); s[0] != 1 || s[1] != 3 {
		t.Errorf("strides %v for a leaf of %v", s, x.Stride())
	}
	wantFloats(t, "x", x.Grad(), 1, 2, 3, 4, 5, 6)
}

func TestUnusedResults(t *testing.T) {
	x := vec([]int{4}, 1, 2, 3, 4).RequiresGrad_()
	parts := x.Mul(2).Split(3)
	parts[1].Mul(5).Sum().Backward()
	wantFloats(t, "x", x.Grad(), 0, 0, 0, 10)
	y := vec([]int{2, 2}, 1, 2, 3, 4).RequiresGrad_()
	y.Unbind(opt.Dim(1))[0].Sum().Backward()
	wantFloats(t, "y", y.Grad(), 1, 0, 1, 0)
}
