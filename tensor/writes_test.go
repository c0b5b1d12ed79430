package tensor

import (
	"sync"
	"testing"
)

// TestWrites: in a session a storage keeps its first and last writes, elsewhere the last one alone.
func TestWrites(t *testing.T) {
	x := Alloc("test", []int{3}, Float32, Meta)
	for range 5 {
		x.Add_(1)
	}
	if ws := x.Storage().Writes(); len(ws) != 1 || ws[0].Version != 5 || x.Storage().log.Load() != nil {
		t.Errorf("outside of a session: %+v", ws)
	}
	line := 0
	SetHooks(func(h *Hooks) { h.Site = func() Site { line++; return Site{Cell: "In[1]", Line: line} } })
	defer SetHooks(func(h *Hooks) { h.Site = nil })
	x.Mul_(2)
	if ws := x.Storage().Writes(); len(ws) != 2 || ws[0].Op != "add_" || ws[1].Op != "mul_" || ws[1].Site.Line != 1 {
		t.Errorf("the last write before the session and its first: %+v", ws)
	}
	y := Alloc("test", []int{3}, Float32, Meta)
	if y.Storage().Writes() != nil {
		t.Error("writes before there was one")
	}
	line = 0
	for i := range 100 {
		y.View(3, 1).Add_(1)
		ws := y.Storage().Writes()
		if len(ws) != min(i+1, 2*keptWrites) || ws[len(ws)-1].Version != uint32(i+1) || ws[0].Version != 1 {
			t.Fatalf("after write %d: %+v", i+1, ws)
		}
		for k := 1; k < len(ws); k++ {
			if ws[k].Version <= ws[k-1].Version || ws[k].Version > ws[k-1].Version+1 && k != keptWrites {
				t.Fatalf("after write %d the versions are not in order, or others are left out: %+v", i+1, ws)
			}
		}
	}
	var wg sync.WaitGroup
	z := Alloc("test", []int{3}, Float32, Meta)
	SetHooks(func(h *Hooks) { h.Site = func() Site { return Site{Cell: "In[2]", Line: 1} } })
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 5 {
				z.Storage().wrote(opAdd.noteOf(InPlace))
			}
		}()
	}
	wg.Wait()
	seen := map[uint32]bool{}
	for _, w := range z.Storage().Writes() {
		if seen[w.Version] {
			t.Errorf("version %d stands twice", w.Version)
		}
		seen[w.Version] = true
	}
	if len(seen) != 20 || z.Version() != 20 {
		t.Errorf("%d of 20 writes are known, version %d", len(seen), z.Version())
	}
}

// BenchmarkWrite is what noting a write costs, beside the write itself.
func BenchmarkWrite(b *testing.B) {
	run := func(b *testing.B) {
		b.ReportAllocs()
		x := Alloc("test", []int{1}, Float32, Meta)
		for range b.N {
			x.Storage().wrote(opAdd.noteOf(InPlace))
		}
	}
	b.Run("program", run)
	b.Run("session", func(b *testing.B) {
		SetHooks(func(h *Hooks) { h.Site = func() Site { return Site{Cell: "In[1]", Line: 1} } })
		defer SetHooks(func(h *Hooks) { h.Site = nil })
		run(b)
	})
}
