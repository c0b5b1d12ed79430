package autograd_test

import (
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestFusedGradients compares the derivatives of fused chains, of first and second order, with those of the plain
// calls.
func TestFusedGradients(t *testing.T) {
	type T = *tensor.Tensor
	chains := map[string]func(a, b T) T{
		"products":  func(a, b T) T { return a.Mul(b).Tanh().Add(a) },
		"gelu":      func(a, b T) T { return tensor.Gelu(a.Mul(0.5).Add(b)).Mul(b) },
		"in place":  func(a, b T) T { return a.Mul(b).Add_(1).Sub_(a).Sigmoid() },
		"selection": func(a, b T) T { return tensor.Where(a.Gt(0), a.Mul(b), b.Sin()).Relu() },
	}
	x := tensor.With(tensor.Float64, tensor.CPU).Randn(120, 100)
	for name, f := range chains {
		for _, shape := range [][]int{{120, 100}, {100}, {120, 1}, {}} {
			y := tensor.With(tensor.Float64, tensor.CPU).Randn(shape...)
			var first, second [2][]T
			for k, g := range []func(a, b T) T{f, tensor.Fuse(f)} {
				a, b := x.Clone().RequiresGrad_(), y.Clone().RequiresGrad_()
				z := g(a, b)
				if k == 1 {
					if fn := z.GradFn(); fn == nil || fn.Name() != "FusedBackward0" {
						t.Fatalf("%s: the node is %v", name, fn)
					}
				}
				first[k] = autograd.Grad([]T{z.Sum()}, []T{a, b}, opt.RetainGraph(true))
				ds := autograd.Grad([]T{z.Mul(z).Sum()}, []T{a, b}, opt.CreateGraph(true))
				second[k] = autograd.Grad([]T{ds[0].Sum().Add(ds[1].Sin().Sum())}, []T{a, b})
			}
			for i := range 2 {
				if !first[1][i].Allclose(first[0][i]) || !second[1][i].Allclose(second[0][i]) {
					t.Errorf("%s with %v: the gradients of argument %d differ", name, shape, i)
				}
				if len(shape) == 2 && shape[1] == 100 && !first[1][i].Equal(first[0][i]) {
					t.Errorf("%s: the gradient of argument %d is not that of the plain calls to the last bit", name, i)
				}
			}
		}
	}
}

// TestFusedArgumentThatDependsOnAnother checks that each argument gets the derivative of its own uses.
func TestFusedArgumentThatDependsOnAnother(t *testing.T) {
	f := func(a, b *tensor.Tensor) *tensor.Tensor { return a.Mul(b).Mul(b) }
	x := tensor.Randn(10000).RequiresGrad_()
	for _, create := range []bool{false, true} {
		y := x.Mul(2)
		got := autograd.Grad([]*tensor.Tensor{tensor.Fuse(f)(x, y).Sum()}, []*tensor.Tensor{x}, opt.CreateGraph(create))[0]
		if !got.Allclose(x.Mul(x).Mul(12)) {
			t.Errorf("create_graph %v: the derivative of 4x³ is wrong", create)
		}
	}
}

// TestFusedFormulaThatSaves differentiates a fused loop whose operators have saved tensors: gradients are those of the
// plain calls, and nothing is computed for what needs none.
func TestFusedFormulaThatSaves(t *testing.T) {
	a, b := tensor.Randn(200, 100).RequiresGrad_(), tensor.Randn(200, 100).Add(3)
	f := func(x, y *tensor.Tensor) *tensor.Tensor { return x.Div(y).Sub(y).Exp().Square() }
	want := autograd.Grad(f(a, b).Sum(), a)[0]
	got := autograd.Grad(tensor.Fuse(f)(a, b).Sum(), a)[0]
	if !tensor.Equal(got, want) {
		t.Fatal("the gradient of the loop is another than that of the plain calls")
	}
	one := tensor.Fuse(func(x, y *tensor.Tensor) *tensor.Tensor { return x.Sub(y).Add(1) })
	if g := autograd.Grad(one(a, b).Sum(), a)[0]; !tensor.Equal(g, tensor.OnesLike(a)) {
		t.Fatal("the gradient of a loop that passes it on is not 1")
	}
}
