package autograd_test

import (
	"runtime"
	"testing"
	"weak"

	"gotorch/autograd"
	"gotorch/tensor"
)

// TestCompactKeepsNoGraph writes a recorded result into small tensors. What is detached from them, or from views of
// them that were made before, keeps neither header nor graph alive.
func TestCompactKeepsNoGraph(t *testing.T) {
	w := vec([]int{1}, 1).RequiresGrad_()
	cases := map[string]func(z *tensor.Tensor) *tensor.Tensor{
		"tensor":         func(z *tensor.Tensor) *tensor.Tensor { z.Add_(w); return z.Detach() },
		"view":           func(z *tensor.Tensor) *tensor.Tensor { v := z.View(-1, 1); z.Add_(w); return v.Detach() },
		"through a view": func(z *tensor.Tensor) *tensor.Tensor { z.Index(1).Add_(w.Squeeze()); return z.Detach() },
		"leaf":           func(z *tensor.Tensor) *tensor.Tensor { z.RequiresGrad_(); z.Sum().Backward(); return z.Detach() },
		"no grad": func(z *tensor.Tensor) (d *tensor.Tensor) {
			z.Add_(w)
			autograd.NoGrad(func() { d = z.View(1, -1).Detach() })
			return d
		},
	}
	for name, f := range cases {
		for _, n := range []int{3, 12} {
			z := tensor.Zeros(n)
			d := f(z)
			header := weak.Make(z)
			var node weak.Pointer[autograd.Node]
			if fn := autograd.GradFn(z); fn != nil {
				node = weak.Make(fn)
			}
			z = nil
			for range 3 {
				runtime.GC()
			}
			if header.Value() != nil || node.Value() != nil {
				t.Errorf("%s: what was detached keeps the header (%v) or the graph (%v)", name, header.Value() != nil,
					node.Value() != nil)
			}
			runtime.KeepAlive(d)
		}
	}
}

// TestCompactMoves gives small tensors a history while they have views: all see the same elements and the same version
// afterwards.
func TestCompactMoves(t *testing.T) {
	floats := func(x *tensor.Tensor) []float32 { return tensor.Data[float32](x) }
	w := tensor.New([]float32{1, 2, 3}).RequiresGrad_()
	z := tensor.Zeros(3)
	v, early := z.View(3, 1), z.Detach()
	id := z.Storage().ID()
	z.Mul_(2)
	z.Add_(w)
	late := v.Detach()
	v.Mul_(3)
	for name, x := range map[string]*tensor.Tensor{"tensor": z, "view": v, "detached before": early,
		"detached after": late} {
		if got := floats(x); got[0] != 3 || got[1] != 6 || got[2] != 9 {
			t.Errorf("%s: %v", name, got)
		}
		if x.Version() != 3 || x.Storage().ID() != id || !tensor.SharesStorage(x, z) {
			t.Errorf("%s: version %d, storage #%d", name, x.Version(), x.Storage().ID())
		}
	}
	v.Sum().Backward()
	if got := floats(w.Grad()); got[0] != 3 || got[2] != 3 {
		t.Errorf("the gradient is %v", got)
	}
	if n := testing.AllocsPerRun(100, func() { early.Add(early) }); n > 1 && !poisoned {
		t.Errorf("an addition of few elements makes %v allocations", n)
	}
}

// TestWeightGradientIsNotCopied looks at the memory that the backward pass of a linear layer takes: one storage of the
// weight's size, which becomes its gradient, and nothing is added to it through another.
func TestWeightGradientIsNotCopied(t *testing.T) {
	x, w := tensor.Ones(5, 30).RequiresGrad_(), tensor.Ones(20, 30).RequiresGrad_()
	for pass := range 2 {
		y := tensor.Linear(x, w).Sum()
		var made []*tensor.Storage
		tensor.SetHooks(func(h *tensor.Hooks) {
			h.Storage = func(s, _ *tensor.Storage, _ string) {
				if s.Nbytes() == 20*30*4 {
					made = append(made, s)
				}
			}
		})
		y.Backward()
		tensor.SetHooks(func(h *tensor.Hooks) { h.Storage = nil })
		if len(made) != 1 || !w.Grad().Contig() || pass == 0 && w.Grad().Storage() != made[0] {
			t.Errorf("pass %d: the gradient of shape [20 30] took %d storages", pass, len(made))
		}
	}
}
