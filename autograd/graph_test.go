package autograd_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func vec(shape []int, v ...float64) *tensor.Tensor {
	if len(shape) == 0 {
		return tensor.FromSlice(v, 1).Squeeze().Detach()
	}
	return tensor.FromSlice(v, shape...)
}

// leaf makes a float64 tensor of numbers near 1 that requires grad.
func leaf(r *rand.Rand, shape ...int) *tensor.Tensor {
	n := 1
	for _, s := range shape {
		n *= s
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = r.Float64()*1.5 - 0.6
	}
	return vec(shape, v...).RequiresGrad_()
}

func floats(t *testing.T, x *tensor.Tensor) []float64 {
	t.Helper()
	if x == nil {
		t.Fatal("no tensor where one was expected")
	}
	return append([]float64(nil), tensor.Elems[float64](x.Detach().Clone(tensor.ContiguousFormat))...)
}

func wantFloats(t *testing.T, what string, x *tensor.Tensor, want ...float64) {
	t.Helper()
	got := floats(t, x)
	ok := len(got) == len(want)
	for i := range got {
		ok = ok && got[i]-want[i] < 1e-9 && want[i]-got[i] < 1e-9
	}
	if !ok {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// fails runs f and wants an *Error whose text has all of the words.
func fails(t *testing.T, f func(), words ...string) {
	t.Helper()
	err := tensor.Try(f)
	if err == nil {
		t.Errorf("no error, want one with %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q lacks %q", err, w)
		}
	}
}

func fnName(x *tensor.Tensor) string {
	if f := x.GradFn(); f != nil {
		return f.Name()
	}
	return ""
}

func TestBroadcastIsSummed(t *testing.T) {
	x, b := vec([]int{2, 3}, 1, 2, 3, 4, 5, 6).RequiresGrad_(), vec([]int{3}, 1, 10, 100).RequiresGrad_()
	s := vec([]int{}, 2).RequiresGrad_()
	x.Mul(b).Add(s).Sum().Backward()
	wantFloats(t, "b", b.Grad(), 5, 7, 9)
	wantFloats(t, "s", s.Grad(), 6)
	if s.Grad().Dim() != 0 {
		t.Errorf("the gradient of a tensor of no dimensions has shape %v", s.Grad().Shape())
	}
	wantFloats(t, "x", x.Grad(), 1, 10, 100, 1, 10, 100)
	f := tensor.FromSlice([]float32{1, 2, 3}, 3).RequiresGrad_()
	x.Mul(f).Sum().Backward()
	if f.Grad().Dtype() != tensor.Float32 {
		t.Errorf("the gradient of a float32 tensor is %s", f.Grad().Dtype())
	}
}

func TestAccumulatesAndBranches(t *testing.T) {
	x := vec([]int{2}, 3, 4).RequiresGrad_()
	y := x.Mul(x)
	z := y.Mul(y).Add(y) // y is used three times
	z.Sum().Backward(opt.RetainGraph(true))
	wantFloats(t, "first", x.Grad(), 4*27+6, 4*64+8)
	z.Sum().Backward()
	wantFloats(t, "second adds", x.Grad(), 2*(4*27+6), 2*(4*64+8))
	fails(t, func() { z.Sum().Backward() }, "second time", "mul", "RetainGraph")
}

// A gradient that is handed on unchanged must not be shared by two leaves.
func TestGradientsAreTheirOwn(t *testing.T) {
	a, b := vec([]int{2}, 1, 2).RequiresGrad_(), vec([]int{2}, 3, 4).RequiresGrad_()
	seed := vec([]int{2}, 1, 1)
	a.Add(b).Backward(opt.Gradient(seed))
	if tensor.SharesStorage(a.Grad(), b.Grad()) || tensor.SharesStorage(a.Grad(), seed) {
		t.Error("two gradients share memory")
	}
	a.Add(b).Backward(opt.Gradient(seed))
	wantFloats(t, "a", a.Grad(), 2, 2)
	c := vec([]int{2, 2}, 1, 2, 3, 4).RequiresGrad_()
	c.AsStrided([]int{2}, []int{1}).Sum().Backward()
	wantFloats(t, "c", c.Grad(), 1, 1, 0, 0)
	if c.Grad().Base() != nil || c.Grad().RequiresGrad() {
		t.Error("a gradient is a view, or requires grad")
	}
	wantFloats(t, "seed", seed, 1, 1)
}

func TestGradFunction(t *testing.T) {
	x, u := vec([]int{2}, 3, 4).RequiresGrad_(), vec([]int{1}, 1).RequiresGrad_()
	y := x.Mul(x)
	g := autograd.Grad([]*tensor.Tensor{y.Mul(2).Sum()}, []*tensor.Tensor{x, y, u}, opt.AllowUnused(true))
	wantFloats(t, "x", g[0], 12, 16)
	wantFloats(t, "y", g[1], 2, 2)
	if g[2] != nil || x.Grad() != nil {
		t.Error("a gradient where there should be none")
	}
	fails(t, func() {
		autograd.Grad([]*tensor.Tensor{x.Mul(2).Sum()}, []*tensor.Tensor{u})
	}, "not to have been used", "AllowUnused")
	fails(t, func() {
		autograd.Grad([]*tensor.Tensor{x.Mul(2).Sum()}, []*tensor.Tensor{vec([]int{1}, 1)})
	}, "does not require grad")
	fails(t, func() { x.Mul(2).Backward() }, "scalar outputs", "[2]")
	fails(t, func() { vec([]int{1}, 1).Sum().Backward() }, "does not require grad")
	fails(t, func() { x.Mul(2).Backward(opt.Gradient(vec([]int{3}, 1, 1, 1))) }, "[3]", "[2]")
}

func TestBackwardInputs(t *testing.T) {
	x, w := vec([]int{2}, 3, 4).RequiresGrad_(), vec([]int{2}, 5, 6).RequiresGrad_()
	x.Mul(w).Sum().Backward(opt.Inputs(w))
	wantFloats(t, "w", w.Grad(), 3, 4)
	if x.Grad() != nil {
		t.Error("x was not asked for")
	}
}

func TestSecondDerivative(t *testing.T) {
	x := vec([]int{2}, 2, 3).RequiresGrad_()
	y := x.Mul(x).Mul(x).Sum()
	g := autograd.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, opt.CreateGraph(true))[0]
	wantFloats(t, "3x²", g, 12, 27)
	h := autograd.Grad([]*tensor.Tensor{g.Sum()}, []*tensor.Tensor{x}, opt.CreateGraph(true))[0]
	wantFloats(t, "6x", h, 12, 18)
	wantFloats(t, "6", autograd.Grad([]*tensor.Tensor{h.Sum()}, []*tensor.Tensor{x})[0], 6, 6)
}

func TestHooks(t *testing.T) {
	x := vec([]int{2}, 2, 3).RequiresGrad_()
	var order []string
	y := x.Mul(2)
	y.RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { order = append(order, "y"); return g.Mul(10) })
	gone := y.RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { order = append(order, "gone"); return nil })
	y.RetainGrad()
	x.RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { order = append(order, "x"); return nil })
	gone()
	y.Sum().Backward()
	if got := strings.Join(order, " "); got != "y x" {
		t.Errorf("hooks ran as %q", got)
	}
	wantFloats(t, "x", x.Grad(), 20, 20)
	wantFloats(t, "y", y.Grad(), 10, 10)
	fails(t, func() {
		vec([]int{1}, 1).RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { return g })
	}, "does not require grad")
}

func TestModes(t *testing.T) {
	x := vec([]int{2}, 2, 3).RequiresGrad_()
	autograd.NoGrad(func() {
		if autograd.IsGradEnabled() || x.Mul(2).RequiresGrad() {
			t.Error("NoGrad records")
		}
		x.Mul_(2) // a leaf can be written to here
		autograd.EnableGrad(func() {
			if !autograd.IsGradEnabled() || !x.Mul(2).RequiresGrad() {
				t.Error("EnableGrad does not record")
			}
		})
		done := make(chan bool)
		go func() { done <- x.Mul(2).RequiresGrad() }()
		if !<-done {
			t.Error("NoGrad of one goroutine holds in another")
		}
	})
	wantFloats(t, "x", x, 4, 6)
	if y := x.Detach(); y.RequiresGrad() || !tensor.SharesStorage(x, y) {
		t.Error("Detach")
	}
	fails(t, func() { tensor.FromSlice([]int64{1}, 1).RequiresGrad_() }, "int64")
	fails(t, func() { x.Mul(2).RequiresGrad_(opt.RequiresGrad(false)) }, "leaf", "MulBackward0")
}

// One node for each operator that a user calls, however it is made.
func TestRecordsOnce(t *testing.T) {
	x := vec([]int{2, 2}, 1, 2, 3, 4).RequiresGrad_()
	before := autograd.GradFn(x.Mul(2)).Seq()
	y := x.Mul(x)
	if n := autograd.GradFn(y); n.Seq() != before+1 || n.Next()[0].Node.Leaf() != x || len(n.Next()) != 2 {
		t.Errorf("Mul made %d nodes", n.Seq()-before)
	}
	z := x.ExpandAs(vec([]int{3, 2, 2}, make([]float64, 12)...)) // a composite body: one expand beneath
	if n := autograd.GradFn(z); n.Seq() != before+2 || n.Name() != "ExpandBackward0" {
		t.Errorf("ExpandAs made %d nodes, the last %s", n.Seq()-before-1, n.Name())
	}
}

func TestNodesTell(t *testing.T) {
	tensor.SetHooks(func(h *tensor.Hooks) {
		h.Site = func() tensor.Site { return tensor.Site{Cell: "In[3]", Line: 2, Name: "y"} }
	})
	defer tensor.SetHooks(func(h *tensor.Hooks) { h.Site = nil })
	x, w := vec([]int{2}, 1, 2).RequiresGrad_(), vec([]int{2}, 3, 4)
	n := autograd.GradFn(x.Mul(w))
	if n.Name() != "MulBackward0" || n.OpName() != "mul" || n.Site().String() != "In[3]:2" ||
		n.Next()[0].Node.Name() != "AccumulateGrad" || n.Next()[1].Node != nil {
		t.Errorf("%s of %s at %s", n.Name(), n.OpName(), n.Site())
	}
	s := n.Saved() // only what the gradient of x reads
	if len(s) != 1 || s[0].Name != "other" || s[0].Bytes != 16 || s[0].Freed || s[0].Version != 0 || s[0].Current != 0 {
		t.Errorf("saved %+v", s)
	}
	w.Add_(1)
	if s := n.Saved(); s[0].Current != 1 {
		t.Errorf("current version %d", s[0].Current)
	}
}

func TestUnknownDerivative(t *testing.T) {
	op := tensor.Lookup("neg")
	kept := op.Formula
	op.Formula = nil
	defer func() { op.Formula = kept }()
	y := vec([]int{2}, 1, 2).RequiresGrad_().Neg()
	if !y.RequiresGrad() {
		t.Error("the result does not require grad")
	}
	fails(t, func() { y.Sum().Backward() }, "neg", "not implemented")
}
