package runs

import (
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// TestMemory: what is counted is what there was: the peak, what is held for backward until the pass frees it, what is
// gone after its last use.
func TestMemory(t *testing.T) {
	s := viewtest.NewSession(t)
	x := viewtest.Floats(100).RequiresGrad_()
	var kept *tensor.Tensor
	v := Memory(func() {
		s.At("In[1]", 1, "kept")
		y := x.Exp() // saves its result
		kept = y.Detach().Mul(1)
		s.At("In[1]", 2, "")
		tensor.Zeros(1000) // gone at once
		s.At("In[1]", 3, "")
		z := y.Sum()
		s.At("In[1]", 4, "")
		z.Backward()
		s.At("In[1]", 5, "")
		tensor.Zeros(1)
		tensor.Zeros(1)
	})
	find := func(site, op string) *MemoryStorage {
		for i := range v.Storages {
			if m := &v.Storages[i]; m.Site == site && m.Op == op {
				return m
			}
		}
		t.Fatalf("no storage of %s at %s in\n%s", op, site, v)
		return nil
	}
	exp := find("In[1]:1", "exp")
	if exp.Bytes != 400 || len(exp.Savers) != 1 || exp.Savers[0] != "ExpBackward0 (result)" || exp.SavedFrom < 0 ||
		exp.SavedTo >= len(v.Marks)-1 {
		t.Errorf("exp: %+v", exp)
	}
	if mul := find("In[1]:1", "mul"); mul.GoneMark >= 0 {
		t.Errorf("what a variable holds is gone: %+v", mul)
	}
	if z := find("In[1]:2", "zeros"); z.Bytes != 4000 || z.GoneMark < 0 || z.GoneMark > z.MadeMark+1 {
		t.Errorf("what nothing holds: %+v", z)
	}
	if v.Peak < 4800 || v.Peak > 6000 || !strings.Contains(v.PeakOp, "zeros") {
		t.Errorf("peak %d at %s", v.Peak, v.PeakOp)
	}
	if v.PeakSaved != 400 || v.BeforeBytes != 400 {
		t.Errorf("%d held for backward, %d there before", v.PeakSaved, v.BeforeBytes)
	}
	for i, m := range v.Marks {
		if m.Live < 0 || m.Saved > m.Live {
			t.Errorf("mark %d: %+v", i, m)
		}
	}
	if watchers.Load() != 0 {
		t.Error("still watched")
	}
	_ = kept.Numel()
}

// TestMemoryLimits: many calls have fewer marks, many storages are counted, and neither is without bound.
func TestMemoryLimits(t *testing.T) {
	viewtest.NewSession(t)
	x := tensor.Ones(4)
	v := Memory(func() {
		for range maxStorages + 1000 {
			x = x.Add(1)
		}
	})
	if v.More < 1000 || len(v.Storages) != maxStorages || len(v.Marks) > 800 || v.Made != 16*(maxStorages+v.More) {
		t.Errorf("%d storages, %d more, %d marks, %d bytes", len(v.Storages), v.More, len(v.Marks), v.Made)
	}
	viewtest.CheckForms(t, v)
}
