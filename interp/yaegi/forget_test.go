package yaegi_test

import (
	"context"
	"fmt"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"gotorch/tensor"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestStorageFreed: cells that make a large tensor, BIG, and let it go in one way or another leave nothing of it.
func TestStorageFreed(t *testing.T) {
	if !celltest.Apart(t) {
		return
	}
	for _, c := range []struct{ name, cells string }{
		{"nil", "x := BIG\n---\nx = nil"},
		{"defined again", "x := BIG\n---\nx := 1"},
		{"defined again with the same type", "x := BIG\n---\nx := Ones(2)"},
		{"used by a function that is defined again too",
			"x := BIG\n---\nfunc f() int { return x.Numel() }\nf()\n---\nx := 1\n---\nfunc f() int { return 0 }"},
		{"used by a closure that is gone", "x := BIG\nc := func() int { return x.Numel() }\nc()\n---\nx := 1\nc := 2"},
		{"held by a closure", "c := func() func() *Tensor { h := BIG; return func() *Tensor { return h } }()\n---\n" +
			"c().Numel()\n---\nc = nil"},
		{"reset", "x := BIG\n---\n%reset"},
		{"shown", "BIG.Add(1)\n---\n1\n---\n2\n---\n3"},
		{"shown and used", "BIG.Add(1)\n---\n_.Sum()\n---\n2\n---\n3"},
		{"Out used", "BIG\n---\nOut[COUNT].(*Tensor).Sum()\n---\n2\n---\n3"},
		{"silent", "BIG;"},
		{"local of a function", "func f() int { a := BIG; b := a.Add(1); return b.Numel() }\nf()"},
		{"local of a loop", "for i := range 3 { a := BIG.Add(i); a.Sum() }"},
		{"list", "xs := []*Tensor{BIG}\n---\nxs[0] = nil"},
		{"map", "m := map[string]*Tensor{\"a\": BIG}\n---\ndelete(m, \"a\")"},
		{"struct", "type S struct{ w *Tensor }\ns := &S{BIG}\n---\ns.w = nil"},
		{"interface", "var v any = BIG\n---\nv = nil"},
		{"channel", "ch := make(chan *Tensor, 1)\nch <- BIG\n---\n(<-ch).Sum()"},
		{"panic", "func() { a := BIG; a.Sum(); panic(1) }()"},
		{"panic with it", "func() { panic(BIG) }()\n---\n1"},
		{"tensor error", "BIG.View(3)\n---\n1\n---\n2\n---\n3"},
		{"error kept", "var e error\nfunc() { defer func() { e, _ = recover().(error) }(); BIG.View(3) }()\n---\ne = nil"},
		{"does not check", "x := BIG\nnope()"},
		{"goroutine", "done := make(chan bool)\ngo func() { a := BIG; a.Sum(); done <- true }()\n<-done"},
		{"goroutine that panics", "go func() { a := BIG; a.Sum(); panic(1) }()\nselect {}"},
		{"interrupted", "func() { a := BIG; fmt.Println(); for { a.Sum() } }()"},
		{"backward", "w := BIG.RequiresGrad_()\ny := (w * w).Sum()\ny.Backward()\n---\nw = nil\ny = nil"},
		{"views", "x := BIG\n---\n%strides x\n---\n%graph x.Add(1)\n---\n%memory x.Add(1).Sum()\n---\n%time x.Sum()\n---\n" +
			"x = nil\n---\n1\n---\n2\n---\n3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := interp.New(interp.Options{Keep: 2})
			defer s.Close()
			celltest.Cell(s, "1")
			before := used()
			most := 0
			for _, src := range strings.Split(c.cells, "\n---\n") {
				ctx, cancel := context.WithCancel(t.Context())
				src = strings.ReplaceAll(src, "COUNT", fmt.Sprint(s.Count()))
				// the one that is interrupted prints
				s.Eval(ctx, strings.ReplaceAll(src, "BIG", "Ones(1<<20)"), celltest.AtWork(cancel))
				cancel()
				most = max(most, tensor.MemoryUsed())
			}
			after := before
			for range 50 {
				celltest.Cell(s, "func nothing() {}") // names that nobody holds are forgotten with a run
				if after = used(); after <= before {
					break
				}
				time.Sleep(time.Millisecond)
			}
			if after > before {
				t.Errorf("%d bytes are held still", after-before)
			}
			if most <= before && c.name != "does not check" {
				t.Error("no cell made the tensor")
			}
			runtime.KeepAlive(s)
		})
	}
}

// used is how many bytes large tensors that live take.
func used() int {
	runtime.GC()
	runtime.GC()
	time.Sleep(time.Millisecond)
	return tensor.MemoryUsed()
}
