package programs

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// randomFunction makes a function of two 4 by 4 matrices: products, functions, reductions, views, writes in place and
// joins of what was made before.
func randomFunction(seed int64) func(x, w *tensor.Tensor) *tensor.Tensor {
	return func(x, w *tensor.Tensor) *tensor.Tensor {
		rng := rand.New(rand.NewSource(seed))
		made := []*tensor.Tensor{x, w}
		pick := func() *tensor.Tensor { return made[rng.Intn(len(made))] }
		for range 3 + rng.Intn(12) {
			a := pick()
			var y *tensor.Tensor
			switch rng.Intn(14) {
			case 0:
				y = a.Sin()
			case 1:
				y = a.Sigmoid()
			case 2:
				y = a.Tanh().Mul(pick())
			case 3:
				y = a.Add(pick())
			case 4:
				y = a.Matmul(pick()).Mul(0.3)
			case 5:
				y = a.T().Mul(pick())
			case 6:
				y = a.Softmax(opt.Dim(1))
			case 7:
				y = a.Sub(a.Mean(opt.Dim(1), opt.Keepdim(true)))
			case 8:
				y = a.Mul(0.5).Exp()
			case 9:
				y = a.Add(1)
				y.Select(0, 1).Mul_(2)
			case 10:
				y = tensor.Cat([]*tensor.Tensor{a.Narrow(0, 0, 2), pick().Narrow(0, 2, 2)})
			case 11:
				y = a.Mul(a).Add(1).Sqrt()
			case 12:
				y = tensor.Where(a.Gt(0), a, pick())
			case 13:
				y = a.Relu()
			}
			made = append(made, y)
		}
		return made[len(made)-1].Mul(x.Sum()).Add(w.Sum())
	}
}

// TestMinCutGradients: run by its cut, a function gives the same results and gradients, and keeps no more.
func TestMinCutGradients(t *testing.T) {
	tensor.ManualSeed(3)
	fewer := 0
	for seed := range int64(150) {
		f := randomFunction(seed)
		x, w := tensor.With(tensor.Float64).Randn(4, 4), tensor.With(tensor.Float64).Randn(4, 4)
		c := MinCut(f, x, w)
		if c.After.Bytes > c.Before.Bytes {
			t.Errorf("seed %d: the cut keeps %d bytes, and without it %d are kept\n%v", seed, c.After.Bytes, c.Before.Bytes, c)
		}
		if c.After.Bytes < c.Before.Bytes {
			fewer++
		}
		a := tensor.With(tensor.Float64).Randn(4, 4).RequiresGrad_()
		b := tensor.With(tensor.Float64).Randn(4, 4).RequiresGrad_()
		g := tensor.With(tensor.Float64).Randn(4, 4)
		want := f(a, b)
		wantGrads := autograd.Grad(want, []*tensor.Tensor{a, b}, opt.GradOutputs(g))
		got := c.Run(a, b)[0]
		grads := autograd.Grad(got, []*tensor.Tensor{a, b}, opt.GradOutputs(g))
		if !got.Allclose(want) || !grads[0].Allclose(wantGrads[0]) || !grads[1].Allclose(wantGrads[1]) {
			t.Fatalf("seed %d: results or gradients differ\n%v", seed, c)
		}
	}
	if fewer < 50 {
		t.Errorf("only %d of 150 cuts keep fewer bytes", fewer)
	}
}

// TestMinCutSavesTheCut: what the node of the cut keeps are the values that it lists.
func TestMinCutSavesTheCut(t *testing.T) {
	x := tensor.Randn(8, 8)
	chain := func(x *tensor.Tensor) *tensor.Tensor { return x.Sin().Exp().Sigmoid().Cos().Tanh() }
	c := MinCut(chain, x)
	if len(c.Saved) != 1 || c.After.Bytes != 256 || c.Before.Bytes <= 256 {
		t.Errorf("a chain of functions keeps %v", c)
	}
	if c.After.Flops <= c.Before.Flops {
		t.Errorf("what is computed once more is not counted: %v and %v", c.Before.Flops, c.After.Flops)
	}
	again := false
	for _, s := range c.Steps {
		again = again || s.Pass == "again"
	}
	if !again {
		t.Error("nothing is computed once more")
	}
	leaf := tensor.Randn(8, 8).RequiresGrad_()
	c.Run(leaf)[0].Sum().Backward()
	want := leaf.Detach().Clone().RequiresGrad_()
	chain(want).Sum().Backward()
	if !leaf.Grad().Allclose(want.Grad()) {
		t.Error("the gradients differ")
	}
}

// TestMinCutOfLayers: products are saved and not computed twice, captured parameters get their gradients, and random
// numbers are drawn once.
func TestMinCutOfLayers(t *testing.T) {
	w := tensor.Randn(16, 16).RequiresGrad_()
	f := func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Dropout(tensor.Gelu(x.Matmul(w))).Matmul(w).Relu()
	}
	c := MinCut(f, tensor.Randn(32, 16))
	for _, s := range c.Steps {
		if s.Pass == "again" && (strings.Contains(s.Text, "mm(") || strings.Contains(s.Text, "bernoulli")) {
			t.Errorf("it is computed twice: %s", s.Text)
		}
	}
	x := tensor.Randn(32, 16).RequiresGrad_()
	tensor.ManualSeed(5)
	want := autograd.Grad(f(x).Sum(), []*tensor.Tensor{x, w})
	tensor.ManualSeed(5)
	got := autograd.Grad(c.Run(x)[0].Sum(), []*tensor.Tensor{x, w})
	for i := range want {
		if !got[i].Allclose(want[i], opt.Rtol(1e-4), opt.Atol(1e-5)) {
			t.Errorf("gradient %d differs", i)
		}
	}
}

// TestMinCutErrors: what cannot be done is an error that says why.
func TestMinCutErrors(t *testing.T) {
	x := tensor.Randn(3)
	square := MinCut(func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x).Mul(x) }, x)
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { MinCut(func(x *tensor.Tensor) *tensor.Tensor { return x.Gt(0) }, x) }, "no result of the function"},
		{func() { MinCut(3, x) }, "wants a function"},
		{func() { square.Run(tensor.Randn(4)) }, "captured for float32 [3]"},
		{func() { square.Run() }, "takes 1 tensors and is given 0"},
		{func() {
			leaf := tensor.Randn(3).RequiresGrad_()
			autograd.Grad(square.Run(leaf)[0].Sum(), leaf, opt.CreateGraph(true))
		}, "cannot be differentiated again"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c.want) {
					t.Errorf("no %q in %s", c.want, got)
				}
			}()
			c.do()
		}()
	}
}
