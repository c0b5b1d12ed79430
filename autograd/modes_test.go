package autograd_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func TestCheckpoint(t *testing.T) {
	w := seeded(1, 4, 4).RequiresGrad_()
	calls := 0
	f := func(x *T) *T {
		calls++
		return x.Matmul(w).Tanh().Mul(tensor.Dropout(x, opt.P(0.4))).Exp()
	}
	grads := func(of func(f any, x *T) *T) (out []*T) {
		x := seeded(2, 3, 4).RequiresGrad_()
		tensor.ManualSeed(5)
		y := of(f, x)
		tensor.With(tensor.Float64).Rand(7) // the recomputation does not go on from here
		loss := y.Square().Sum()
		g := autograd.Grad(loss, []*T{x, w}, opt.CreateGraph(true))
		second := autograd.Grad(g[0].Square().Sum().Add(g[1].Sum()), []*T{x, w})
		return append(append(out, y, tensor.With(tensor.Float64).Rand(1)), append(g, second...)...)
	}
	want := grads(func(f any, x *T) *T { return f.(func(x *T) *T)(x) })
	if calls != 1 {
		t.Fatal(calls)
	}
	got := grads(func(f any, x *T) *T { return autograd.Checkpoint(f, x) })
	if calls != 3 {
		t.Errorf("the function ran %d times, want 2", calls-1)
	}
	for i := range want {
		same(t, "checkpointed", got[i], want[i], 1e-12)
	}
	x := seeded(2, 3, 4).RequiresGrad_()
	y := autograd.Checkpoint(f, x)
	kept := 0
	for n := autograd.GradFn(y); n != nil && n.Leaf() == nil; n = n.Next()[0].Node {
		for _, s := range n.Saved() {
			kept += s.Bytes
		}
	}
	if kept != 0 {
		t.Errorf("%d bytes are kept", kept)
	}
	z := x.Mul(1)
	y = autograd.Checkpoint(f, z)
	z.Mul_(2)
	if err := tensor.Try(func() { y.Sum().Backward() }); err == nil || !strings.Contains(err.Error(),
		"modified in place") {
		t.Error(err)
	}
	odd := 0
	y = autograd.Checkpoint(func(x *T) *T {
		if odd++; odd > 1 {
			return x.Mul(2)
		}
		return x.Exp().Sin()
	}, x)
	if err := tensor.Try(func() { y.Sum().Backward() }); err == nil || !strings.Contains(err.Error(),
		"when it was run again") {
		t.Error(err)
	}
}

func TestSavedTensorsHooks(t *testing.T) {
	x := seeded(1, 3).RequiresGrad_()
	packs, unpacks := 0, 0
	var y *T
	autograd.SavedTensorsHooks(func(x *T) any { packs++; return x.To(tensor.Float32) },
		func(p any) *T { unpacks++; return p.(*T).To(tensor.Float64) }, func() { y = x.Exp().Mul(x).Sum() })
	g := autograd.Grad(y, x, opt.CreateGraph(true))[0]
	e := x.Detach().Exp()
	same(t, "in half the memory", g, e.Add(e.Mul(x.Detach())), 1e-6)
	second := autograd.Grad(g.Sum(), x)[0]
	same(t, "second", second, e.Mul(2).Add(e.Mul(x.Detach())), 1e-6)
	if packs != 3 || unpacks < 3 {
		t.Errorf("%d packed, %d unpacked", packs, unpacks)
	}
	autograd.SavedTensorsHooks(func(x *T) any { return nil }, func(any) *T { return tensor.Ones(2) },
		func() { y = x.Exp().Sum() })
	if err := tensor.Try(func() { y.Backward() }); err == nil || !strings.Contains(err.Error(), "unpack") {
		t.Error(err)
	}
}

func TestNodeHooks(t *testing.T) {
	x := seeded(1, 3).RequiresGrad_()
	y := x.Exp().Mul(x.Detach())
	n := autograd.GradFn(y)
	var seen []string
	removePre := n.RegisterPrehook(func(g []*T) []*T { seen = append(seen, "pre"); return []*T{g[0].Mul(2)} })
	remove := n.RegisterHook(func(in, out []*T) []*T {
		seen = append(seen, "post")
		same(t, "what arrived", out[0], tensor.OnesLike(out[0]).Mul(2), 0)
		return []*T{in[0].Mul(10), nil}
	})
	want := x.Detach().Mul(x.Detach().Exp()).Mul(20)
	same(t, "hooked", autograd.Grad(y.Sum(), x, opt.RetainGraph(true))[0], want, 1e-12)
	if !slices.Equal(seen, []string{"pre", "post"}) {
		t.Error(seen)
	}
	remove()
	removePre()
	same(t, "removed", autograd.Grad(y.Sum(), x, opt.RetainGraph(true))[0], want.Div(20), 1e-12)
	n.RegisterHook(func(in, out []*T) []*T { return []*T{in[0]} })
	if err := tensor.Try(func() { y.Sum().Backward() }); err == nil || !strings.Contains(err.Error(), "must give 2") {
		t.Error(err)
	}

	w := seeded(2, 3).RequiresGrad_()
	count := 0
	off := w.RegisterPostAccumulateGradHook(func(p *T) {
		count++
		autograd.NoGrad(func() { p.Sub_(p.Grad()) })
		p.SetGrad(nil)
	})
	before := w.Detach().Clone()
	w.Mul(2).Sum().Backward()
	same(t, "stepped", w, before.Sub(2), 1e-12)
	off()
	w.Mul(2).Sum().Backward()
	if count != 1 || w.Grad() == nil {
		t.Error(count)
	}
	if err := tensor.Try(func() { w.Mul(2).RegisterPostAccumulateGradHook(func(*T) {}) }); err == nil {
		t.Error("a hook on what is no leaf")
	}
}

func TestDetectAnomaly(t *testing.T) {
	x := tensor.FromSlice([]float64{-1, 0, 4}, 3).RequiresGrad_()
	y := x.Sqrt().Mul(2).Sum()
	var err error
	autograd.DetectAnomaly(func() { err = tensor.Try(func() { y.Backward(opt.RetainGraph(true)) }) })
	if err == nil || !strings.Contains(err.Error(), "sqrt (SqrtBackward0") || !strings.Contains(err.Error(),
		"NaN and infinity in 2 of the 3") ||
		!strings.Contains(err.Error(), "self") {
		t.Error(err)
	}
	autograd.DetectAnomaly(func() { err = tensor.Try(func() { x.Mul(2).Sum().Backward() }) })
	if err != nil {
		t.Error(err)
	}
	autograd.DetectAnomaly(func() {
		inf := tensor.FromSlice([]float64{math.Inf(1), 0, 0}, 3)
		err = tensor.Try(func() { x.Mul(2).Backward(opt.Gradient(inf)) })
	})
	if err == nil || !strings.Contains(err.Error(), "began with it") {
		t.Error(err)
	}
	if err := tensor.Try(func() { y.Backward() }); err != nil {
		t.Error("looked at outside: ", err)
	}
}

func TestGradcheckFast(t *testing.T) {
	x, z := seeded(1, 4).RequiresGrad_(), seeded(2, 4).To(tensor.Complex128).Mul(1i).Add(0.3).RequiresGrad_()
	good := func(xs []*T) []*T { return []*T{xs[0].Sin().Mul(xs[1]).Exp(), xs[1].Abs()} }
	if err := autograd.Gradcheck(good, []*T{x, z}, opt.FastMode(true)); err != nil {
		t.Error(err)
	}
	if err := autograd.Gradgradcheck(good, []*T{x, z}, opt.FastMode(true)); err != nil {
		t.Error(err)
	}
	bad := func(xs []*T) []*T { return []*T{xs[0].Sin().Add(xs[0].Detach().Select(0, 3))} }
	if err := autograd.Gradcheck(bad, []*T{x}, opt.FastMode(true)); err == nil || !strings.Contains(err.Error(),
		"along one direction") {
		t.Error(err)
	}
}
