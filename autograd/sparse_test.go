package autograd_test

import (
	"testing"

	_ "gotorch"
	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestSparseGradients: gradients of everything that sparse tensors can do agree with numerical ones, as do second
// derivatives.
func TestSparseGradients(t *testing.T) {
	ix := tensor.New([][]int{{0, 1, 1, 0}, {2, 0, 2, 2}}) // one index twice
	v := tensor.New([]float64{0.5, -1.5, 2, 0.25}).RequiresGrad_()
	d := tensor.New([][]float64{{1, 2, -1}, {0.5, -2, 3}}).RequiresGrad_()
	m := tensor.New([][]float64{{1, 2}, {0.5, -2}, {3, 0.25}}).RequiresGrad_()
	type T = *tensor.Tensor
	for name, f := range map[string]func(a, d, m T) T{
		"to_dense":    func(a, d, m T) T { return a.ToDense() },
		"coalesce":    func(a, d, m T) T { return a.Coalesce().Values().Square() },
		"csr":         func(a, d, m T) T { return a.ToSparseCsr().Values().Square() },
		"csc":         func(a, d, m T) T { return a.ToSparseCsc().Values().Square() },
		"csc t":       func(a, d, m T) T { return a.ToSparseCsr().T().ToSparseCsc().Mul(2).T().ToDense() },
		"csc mm":      func(a, d, m T) T { return a.ToSparseCsc().Sin().Mm(m) },
		"csr mm":      func(a, d, m T) T { return a.ToSparseCsr().Mm(m) },
		"mm":          func(a, d, m T) T { return a.Mm(m) },
		"dense mm":    func(a, d, m T) T { return m.Mm(a) },
		"sparse mm":   func(a, d, m T) T { return a.Mm(a.T()).ToDense() },
		"mv":          func(a, d, m T) T { return a.Mv(m.Select(1, 0)) },
		"addmm":       func(a, d, m T) T { return d.Narrow(1, 0, 2).Addmm(a, m, opt.Alpha(2)) },
		"add":         func(a, d, m T) T { return d.Add(a, opt.Alpha(3)) },
		"sub":         func(a, d, m T) T { return a.Sub(d) },
		"add sparse":  func(a, d, m T) T { return a.Add(a.Square()).ToDense() },
		"mul":         func(a, d, m T) T { return a.Mul(d).ToDense() },
		"mul sparse":  func(a, d, m T) T { return a.Mul(a).ToDense() },
		"sin":         func(a, d, m T) T { return a.Sin().Mul(2).ToDense() },
		"sum":         func(a, d, m T) T { return a.Sum(opt.Dim(0)).Square().ToDense() },
		"sum all":     func(a, d, m T) T { return tensor.SparseSum(a).Square() },
		"softmax":     func(a, d, m T) T { return tensor.SparseSoftmax(a, 1).ToDense() },
		"log_softmax": func(a, d, m T) T { return tensor.SparseLogSoftmax(a, 0).ToDense() },
		"select":      func(a, d, m T) T { return a.Select(0, 1).Square().ToDense() },
		"slice":       func(a, d, m T) T { return a.Narrow(1, 1, 2).ToDense() },
		"index":       func(a, d, m T) T { return a.IndexSelect(1, tensor.New([]int{2, 2, 0})).ToDense() },
		"cat":         func(a, d, m T) T { return tensor.Cat([]T{a, a.Mul(2)}).ToDense() },
		"mask":        func(a, d, m T) T { return d.SparseMask(a.Coalesce().Detach()).Square().ToDense() },
		"to_sparse":   func(a, d, m T) T { return d.ToSparse().Square().ToDense() },
		"norm":        func(a, d, m T) T { return a.Norm() },
		"float":       func(a, d, m T) T { return a.Clone().To(tensor.Float64).Neg().Div(3).ToDense() },
	} {
		call := func(xs []T) []T {
			a := tensor.SparseCooTensor(ix, xs[0], opt.Size([]int{2, 3}))
			return []T{f(a, xs[1], xs[2])}
		}
		if err := autograd.Gradcheck(call, []T{v, d, m}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := autograd.Gradgradcheck(call, []T{v, d, m}); err != nil {
			t.Errorf("%s, second derivative: %v", name, err)
		}
	}
}

// TestSparseLeaf: the gradient of a sparse leaf has its indices, and gradients of one leaf add up, sparse and strided.
func TestSparseLeaf(t *testing.T) {
	x := tensor.New([][]float64{{0, 2}, {3, 0}}).ToSparse().RequiresGrad_()
	for range 2 {
		x.Mm(tensor.New([][]float64{{1, 10}, {100, 1000}})).Sum().Backward()
	}
	if g := x.Grad(); !g.IsSparse() || !g.ToDense().Equal(tensor.New([][]float64{{0, 2200}, {22, 0}})) {
		t.Errorf("gradient %v", g)
	}
	x.SetGrad(nil)
	x.ToDense().Sum().Backward(opt.CreateGraph(true))
	if g := x.Grad(); g == nil || !g.IsSparse() || g.Nnz() != 2 {
		t.Errorf("gradient %v", g)
	}

	w := tensor.Ones(4, 2).RequiresGrad_()
	index := tensor.New([]int{1, 3, 1})
	lookup := func(more ...tensor.Option) *tensor.Tensor {
		return tensor.Embedding(index, w, append(more, opt.Sparse(true))...)
	}
	lookup().Sum().Backward()
	lookup().Sum().Backward()
	want := tensor.New([][]float32{{0, 0}, {4, 4}, {0, 0}, {2, 2}})
	if g := w.Grad(); !g.IsSparse() || !g.ToDense().Equal(want) {
		t.Errorf("sparse + sparse: %v", g)
	}
	w.Sum().Backward()
	if g := w.Grad(); g.Layout() != tensor.Strided || !g.Equal(want.Add(1)) {
		t.Errorf("sparse + strided: %v", g)
	}
	lookup(opt.PaddingIdx(3)).Sum().Backward()
	if g := w.Grad(); g.Layout() != tensor.Strided || !g.Equal(tensor.New([][]float32{{1, 1}, {7, 7}, {1, 1}, {3, 3}})) {
		t.Errorf("strided + sparse: %v", g)
	}
	w.SetGrad(nil)
	lookup(opt.PaddingIdx(-1)).Sum().Backward()
	if g := w.Grad(); g.Nnz() != 2 || !g.ToDense().Equal(tensor.New([][]float32{{0, 0}, {2, 2}, {0, 0}, {0, 0}})) {
		t.Errorf("with padding: %v", g)
	}
	w.SetGrad(nil)
	lookup().Add(tensor.Embedding(index, w)).Sum().Backward() // both arrive in one pass
	if g := w.Grad(); g.Layout() != tensor.Strided || !g.Equal(want) {
		t.Errorf("sparse and strided in one pass: %v", g)
	}
}

// TestSparseLarge: memory of what is made on the way is not taken from sparse tensors that live on.
func TestSparseLarge(t *testing.T) {
	w := tensor.Ones(5000, 64).RequiresGrad_()
	index := tensor.Arange(4000)
	for range 3 {
		tensor.Embedding(index, w, opt.Sparse(true)).Mul(tensor.Full([]int{4000, 64}, 0.5)).Sum().Backward()
		_ = tensor.Ones(4000, 64).Mul(7).Softmax(opt.Dim(1)).Sum()
	}
	if g := w.Grad().Coalesce().Values(); !g.Eq(1.5).All().ItemBool() {
		t.Errorf("gradient %v", g)
	}
}
