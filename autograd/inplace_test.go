package autograd_test

import (
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// The error of the issue: both operators and their cells are named.
func TestStaleSavedTensor(t *testing.T) {
	line := 0
	tensor.SetHooks(func(h *tensor.Hooks) {
		h.Site = func() tensor.Site { line++; return tensor.Site{Cell: "In[4]", Line: line} }
	})
	defer tensor.SetHooks(func(h *tensor.Hooks) { h.Site = nil })
	x := vec([]int{3}, 1, 2, 3).RequiresGrad_() // 1
	y := x.Exp()                                // 2
	y.Mul_(2)
	n := autograd.GradFn(y).Next()[0].Node
	at, wrote := n.Site().String(), y.Storage().LastWrite().Site.String()
	if at == wrote {
		t.Fatalf("both at %s", at)
	}
	fails(t, func() { y.Sum().Backward() }, "exp", "ExpBackward0 at "+at, "mul_ at "+wrote, "version 1",
		"version 0", "[3]", "Mul")
	if x.Grad() != nil {
		t.Error("a gradient all the same")
	}
}

func TestInPlaceHistory(t *testing.T) {
	x := vec([]int{3}, 1, 2, 3).RequiresGrad_()
	y := x.Mul(2)
	y.Tanh_()
	if fnName(y) != "TanhBackward0" {
		t.Error(fnName(y))
	}
	g := y.Mul(3).Sum()
	g.Backward()
	want := floats(t, y)
	for i, v := range want {
		want[i] = 2 * 3 * (1 - v*v)
	}
	wantFloats(t, "x", x.Grad(), want...)
	a, b := vec([]int{2}, 2, 3).RequiresGrad_(), vec([]int{2}, 5, 7).RequiresGrad_()
	c := a.Mul(1)
	c.Mul_(b) // overwrites a factor that b's gradient needs
	c.Sum().Backward()
	wantFloats(t, "b", b.Grad(), 2, 3)
	wantFloats(t, "a", a.Grad(), 5, 7)
}

func TestInPlaceRefusals(t *testing.T) {
	x := vec([]int{4}, 1, 2, 3, 4).RequiresGrad_()
	fails(t, func() { x.Add_(1) }, "leaf", "add_", "NoGrad")
	fails(t, func() { x.View(2, 2).Add_(1) }, "view of a leaf")
	y := x.Mul(2)
	parts := y.View(2, 2).Unbind()
	fails(t, func() { parts[0].Mul_(2) }, "several views", "UnbindBackward0")
	fails(t, func() { x.Add(1, opt.Out(vec([]int{4}, 0, 0, 0, 0))) }, "Out", "automatic differentiation")
	fails(t, func() { x.Subtract(1, opt.Out(vec([]int{4}, 0, 0, 0, 0))) }, "Out", "automatic differentiation")
	fails(t, func() { y.View(4).Detach_() }, "view")
	var v *tensor.Tensor
	autograd.NoGrad(func() { v = y.View(2, 2) })
	fails(t, func() { v.Mul_(2) }, "NoGrad")
	y.Add_(1)
	fails(t, func() { parts[1].Mul(2).Sum().Backward() }, "several views")
	autograd.NoGrad(func() { x.Add_(1) })
	wantFloats(t, "x", x, 2, 3, 4, 5)
}

func TestDetachInPlace(t *testing.T) {
	x := vec([]int{2}, 1, 2).RequiresGrad_()
	y := x.Exp()
	z := y.Mul(3)
	y.Detach_()
	if y.RequiresGrad() || !y.IsLeaf() {
		t.Error("still with a history")
	}
	z.Sum().Backward() // exp's own saved result is as it was
	e := floats(t, y)
	wantFloats(t, "x", x.Grad(), 3*e[0], 3*e[1])
}

// A write through a view reaches the base and the base's other views.
func TestCopySlices(t *testing.T) {
	x, w := vec([]int{4}, 1, 2, 3, 4).RequiresGrad_(), vec([]int{2}, 10, 20).RequiresGrad_()
	h := x.Mul(2)
	left, right := h.Slice(opt.End(2)), h.Slice(opt.Start(1), opt.End(3))
	left.Mul_(w)
	if fnName(h) != "CopySlices" || fnName(left) != "AsStridedBackward0" || fnName(right) != "AsStridedBackward0" {
		t.Errorf("%s, %s, %s", fnName(h), fnName(left), fnName(right))
	}
	n := autograd.GradFn(h)
	if n.OpName() != "mul_" || n.Inner().Name() != "MulBackward0" || len(n.Next()) != 2 {
		t.Errorf("%s of %s, %d edges", n.Name(), n.OpName(), len(n.Next()))
	}
	wantFloats(t, "h", h, 20, 80, 6, 8)
	right.Sum().Backward(opt.RetainGraph(true)) // h[1] + h[2]
	wantFloats(t, "w", w.Grad(), 0, 4)
	wantFloats(t, "x", x.Grad(), 0, 40, 2, 0)
	h.Sum().Backward()
	wantFloats(t, "x then", x.Grad(), 20, 40+40, 2+2, 2)
	fails(t, func() { h.Sum().Backward() }, "second time", "mul_")
}

func TestWriteGivesHistory(t *testing.T) {
	buf := vec([]int{3}, 0, 0, 0)
	other := buf.View(3, 1)
	x := vec([]int{}, 5).RequiresGrad_()
	buf.Select(0, 1).Copy_(x.Mul(2))
	if !buf.RequiresGrad() || !other.RequiresGrad() || fnName(buf) != "CopySlices" {
		t.Errorf("%v %v %s", buf.RequiresGrad(), other.RequiresGrad(), fnName(buf))
	}
	other.Mul(3).Sum().Backward()
	wantFloats(t, "x", x.Grad(), 6)
}

func TestComplexWindow(t *testing.T) {
	x := vec([]int{2, 2}, 1, 2, 3, 4).RequiresGrad_()
	h := x.Mul(1)
	tensor.ViewAsComplex(h).Mul_(2i)
	h.Mul(vec([]int{2, 2}, 1, 10, 100, 1000)).Sum().Backward()
	// (a+bi)2i = -2b + 2ai
	wantFloats(t, "x", x.Grad(), 20, -2, 2000, -200)
}

func TestViewOfViewInPlace(t *testing.T) {
	x := vec([]int{2, 3}, 1, 2, 3, 4, 5, 6).RequiresGrad_()
	h := x.Mul(1)
	d := h.T().Select(0, 1) // the middle column
	d.Mul_(10)
	h.T().Slice(opt.Step(-1)).Select(0, 1).Mul_(2) // the same column, backwards
	h.Sum().Backward()
	wantFloats(t, "x", x.Grad(), 1, 20, 1, 1, 20, 1)
}

func TestTransposeInPlace(t *testing.T) {
	x := vec([]int{2, 3}, 1, 2, 3, 4, 5, 6).RequiresGrad_()
	h := x.Mul(1)
	h.T_()
	if fnName(h) != "TBackward0" || h.Size(0) != 3 {
		t.Errorf("%s %v", fnName(h), h.Shape())
	}
	h.Mul(vec([]int{3, 2}, 1, 2, 3, 4, 5, 6)).Sum().Backward()
	wantFloats(t, "x", x.Grad(), 1, 3, 5, 2, 4, 6)
}
