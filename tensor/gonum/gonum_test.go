package gonum_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	_ "gotorch"
	"gotorch/tensor"
	"gotorch/tensor/gonum"
)

// TestShared: writes on one side are seen on the other, whatever part of its memory a matrix is.
func TestShared(t *testing.T) {
	m := mat.NewDense(4, 5, nil)
	part := m.Slice(1, 3, 2, 5).(*mat.Dense)
	x := gonum.Tensor(part)
	x.Fill_(7)
	if part.At(1, 2) != 7 || m.At(1, 2) != 7 || m.At(0, 2) != 0 || mat.Sum(m) != 42 {
		t.Errorf("%v", mat.Formatted(m))
	}
	base := tensor.With(tensor.Float64).Zeros(4, 6)
	y := base.Narrow(0, 1, 2).Narrow(1, 1, 3)
	d := gonum.Dense(y)
	d.Set(1, 2, 5)
	if y.Sum().Item() != 5 || base.Index(2, 3).Item() != 5 {
		t.Errorf("%v", base)
	}
	d.Apply(func(i, j int, _ float64) float64 { return float64(10*i + j) }, d)
	if !tensor.Equal(gonum.Tensor(d), y) || y.Index(1, 1).Item() != 11 {
		t.Errorf("%v", y)
	}
	v := gonum.Vector(base.Select(1, 3))
	v.SetVec(0, 9)
	if v.Len() != 4 || base.Index(0, 3).Item() != 9 {
		t.Errorf("%v", base)
	}
	gonum.Tensor(v).Fill_(1)
	if base.Select(1, 3).Sum().Item() != 4 {
		t.Errorf("%v", base)
	}
}

// TestCopied: other layouts and dtypes have the same elements in memory of their own.
func TestCopied(t *testing.T) {
	f := tensor.Arange(6).View(2, 3)
	for _, x := range []*tensor.Tensor{f, f.To(tensor.Float32), f.To(tensor.Float64).T(),
		f.To(tensor.Float64).Flip(1), tensor.Ones(2, 1).Expand(2, 3), tensor.With(tensor.Float64).Ones(3).Expand(4, 3),
		f.To(tensor.Float64).RequiresGrad_()} {
		d := gonum.Dense(x)
		if !tensor.Equal(gonum.Tensor(d), x.Detach().To(tensor.Float64)) {
			t.Errorf("%v became %v", x, mat.Formatted(d))
		}
		if !tensor.Equal(gonum.Tensor(d.T()), x.Detach().To(tensor.Float64).T()) {
			t.Errorf("the transpose of %v became %v", x, mat.Formatted(d))
		}
	}
	s := mat.NewSymDense(2, []float64{1, 2, 2, 3})
	if got := gonum.Tensor(s); !tensor.Equal(got, tensor.FromSlice([]float64{1, 2, 2, 3}, 2, 2)) {
		t.Errorf("%v", got)
	}
	if d := gonum.Dense(tensor.Zeros(0, 3)); !d.IsEmpty() {
		t.Error("an empty tensor became a matrix with elements")
	}
	if x := gonum.Tensor(new(mat.Dense)); x.Numel() != 0 {
		t.Errorf("%v", x)
	}
	if v := gonum.Vector(tensor.Arange(3).Flip(0)); v.AtVec(0) != 2 {
		t.Errorf("%v", mat.Formatted(v))
	}
	if v := gonum.Vector(tensor.Zeros(0)); v.Len() != 0 {
		t.Error("an empty vector has elements")
	}
}

func TestErrors(t *testing.T) {
	for name, f := range map[string]func(){
		"three dimensions": func() { gonum.Dense(tensor.Zeros(1, 2, 3)) },
		"a matrix":         func() { gonum.Vector(tensor.Zeros(1, 2)) },
		"complex":          func() { gonum.Dense(tensor.With(tensor.Complex128).Zeros(2, 2)) },
		"no tensor":        func() { gonum.Dense(nil) },
		"no matrix":        func() { gonum.Tensor(nil) },
	} {
		if err := tensor.Try(f); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
