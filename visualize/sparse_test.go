package visualize

import (
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// TestSparseCard: the card of a sparse tensor has its text, how many values it keeps, and a picture of their places.
func TestSparseCard(t *testing.T) {
	s := viewtest.NewSession(t)
	x := s.Name("x", tensor.Diag(tensor.Arange(1, 9)).ToSparse())
	for _, y := range []*tensor.Tensor{x, x.ToSparseCsr(), x.Select(0, 3), x.Float().RequiresGrad_(),
		tensor.Zeros(3, 3).ToSparse(), tensor.Zeros(0, 3).ToSparse(), tensor.Ones(40, 300, 2).ToSparse(),
		tensor.New(3.0).ToSparse()} {
		viewtest.CheckForms(t, Card(y))
		if c := Card(y); c.Sparse == nil || c.Sparse.Nnz != y.Nnz() || c.Body != y.String() {
			t.Errorf("the card of %v: %+v", y, c.Sparse)
		}
	}
	c := Card(x)
	for _, want := range []string{"nnz 8 of 64", "density 12.5 %", "|⠑⢄⠀⠀|\n|⠀⠀⠑⢄|", "min 1"} {
		if !strings.Contains(c.String(), want) {
			t.Errorf("no %q in\n%s", want, c)
		}
	}
	if n := strings.Count(c.SVG(), "h5v5h-5z"); n != 8 {
		t.Errorf("%d cells of the picture have a value", n)
	}
	if n := len(Card(tensor.Ones(40, 300).ToSparse()).Sparse.Spy.Count); n != 32 {
		t.Errorf("a grid of %d rows", n)
	}
}

// TestViewsOfSparse: views of strides and storages say that a sparse tensor has none.
func TestViewsOfSparse(t *testing.T) {
	s := viewtest.NewSession(t)
	x := s.Name("x", tensor.Eye(3).ToSparse().RequiresGrad_())
	for name, f := range map[string]func(){
		"strides":  func() { Strides(x) },
		"address":  func() { Address(x, 0, 1) },
		"order":    func() { Order(x) },
		"aliases":  func() { Aliases(x) },
		"explore":  func() { Explore(x) },
		"versions": func() { Versions(x) },
	} {
		if err := tensor.Try(f); err == nil ||
			!strings.Contains(err.Error(), name+": not implemented for layout sparse_coo") {
			t.Errorf("%s: %v", name, err)
		}
	}
	viewtest.CheckForms(t, Aliases())
	viewtest.CheckForms(t, Header(x))
	y := x.Mm(tensor.Ones(3, 2)).Sum()
	viewtest.CheckForms(t, Graph(y))
	viewtest.CheckForms(t, Backward(y))
}
