package tensor_test

import (
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// manyNumbers is a tensor of more bytes than small results have.
func manyNumbers() *tensor.Tensor {
	return tensor.Arange(200*200).To(tensor.Float32).View(200, 200).Div(1e4)
}

// TestTemporariesOfComposites checks that what a composite operator returns is not freed with what it made on the way:
// a result of its own, an argument, a view of one, several results.
func TestTemporariesOfComposites(t *testing.T) {
	x := manyNumbers()
	y := x.Add(0.5)
	list := func(xs ...*tensor.Tensor) []*tensor.Tensor { return xs }
	few := func(x *tensor.Tensor) *tensor.Tensor { return x.Narrow(0, 0, 2).Narrow(1, 0, 2) }
	for name, f := range map[string]func() []*tensor.Tensor{
		"a result":   func() []*tensor.Tensor { return list(tensor.Kron(x, few(y))) },
		"a view":     func() []*tensor.Tensor { return list(x.Movedim(0, 1)) },
		"a reshape":  func() []*tensor.Tensor { return list(x.T().Reshape(400, 100)) },
		"a list":     func() []*tensor.Tensor { return x.TensorSplit(3) },
		"a distance": func() []*tensor.Tensor { return list(tensor.Cdist(x, y, opt.P(1))) },
		"a loss": func() []*tensor.Tensor {
			return list(tensor.CosineEmbeddingLoss(x, y, tensor.Ones(200), opt.Reduction("none")))
		},
		"in place": func() []*tensor.Tensor {
			z := x.Clone()
			return list(z.Addcmul_(y, y), z)
		},
		"out": func() []*tensor.Tensor {
			z := tensor.Empty(0)
			tensor.Kron(x, few(y), opt.Out(z))
			return list(z)
		},
	} {
		first := f()
		var want [][]float64
		for _, r := range first {
			want = append(want, tensor.Data[float64](r.To(tensor.Float64).Contiguous()))
		}
		for range 3 { // would be in the memory of the first results, had these been freed
			f()
			x.Mul(-1).Mul(-1)
		}
		for i, r := range first {
			got := tensor.Data[float64](r.To(tensor.Float64).Contiguous())
			for j := range got {
				if got[j] != want[i][j] {
					t.Fatalf("%s: element %d of result %d was %g, and later %g", name, j, i, want[i][j], got[j])
				}
			}
		}
	}
}

// TestTemporariesOfBackward checks that gradients that somebody keeps stay: in leaves, in hooks, in what Grad returns;
// and that a second pass over a retained graph gives the same.
func TestTemporariesOfBackward(t *testing.T) {
	w := manyNumbers().RequiresGrad_()
	v := manyNumbers().RequiresGrad_()
	var hooked *tensor.Tensor
	loss := func(hook bool) *tensor.Tensor {
		h := w.Matmul(v).Tanh()
		if hook {
			h.RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { hooked = g; return nil })
		}
		return h.T().Mul(h).Add(w).Add(w.T()).Add(h.Exp()).Mean()
	}
	churn := func() {
		for range 8 {
			manyNumbers().Mul(-3).Sum().Item()
		}
	}
	same := func(what string, a, b *tensor.Tensor) {
		t.Helper()
		if !tensor.Equal(a, b) {
			t.Errorf("%s: the gradients differ by %v", what, a.Sub(b).Abs().Max().Item())
		}
	}
	autogradOff := func() (gw, gv *tensor.Tensor) { // recorded passes free nothing
		gs := autograd.Grad([]*tensor.Tensor{loss(false)}, []*tensor.Tensor{w, v}, opt.CreateGraph(true))
		return gs[0].Detach(), gs[1].Detach()
	}
	wantW, wantV := autogradOff()
	gs := autograd.Grad([]*tensor.Tensor{loss(false)}, []*tensor.Tensor{w, v})
	churn()
	same("Grad", gs[0], wantW)
	same("Grad", gs[1], wantV)

	l := loss(false)
	l.Backward(opt.RetainGraph(true))
	once := w.Grad()
	churn()
	same("Backward", once, wantW)
	w.SetGrad(nil)
	v.SetGrad(nil)
	l.Backward()
	churn()
	same("the second pass", w.Grad(), wantW)
	same("the second pass", v.Grad(), wantV)
	same("the first pass, later", once, wantW)

	loss(true).Backward()
	before := hooked.Clone()
	churn()
	same("a hook", hooked, before)
}
