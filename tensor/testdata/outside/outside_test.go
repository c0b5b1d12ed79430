package outside

import (
	"strings"
	"testing"

	_ "gotorch"
	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func TestDevice(t *testing.T) {
	d := Vault()
	x := tensor.New([][]float32{{1, -2, 3}, {-4, 5, -6}})
	y := x.To(d)
	if got := y.T().Contiguous().Cpu(); !got.Equal(x.T()) {
		t.Error("transposed: ", got)
	}
	if got := y.Relu(); got.Device() != d || !got.Cpu().Equal(x.Relu()) {
		t.Error("relu, a kernel: ", got)
	}
	if got := y.Exp().Sum(opt.Dim(1)); got.Device() != d || !got.Cpu().Equal(x.Exp().Sum(opt.Dim(1))) {
		t.Error("exp and sum, on the CPU: ", got)
	}
	w, v := x.Clone().RequiresGrad_(), y.Clone().RequiresGrad_()
	w.Relu().Square().Sum().Backward()
	v.Relu().Square().Sum().Backward()
	if got := v.Grad(); got.Device() != d || !got.Cpu().Equal(w.Grad()) {
		t.Errorf("gradients: %v, on the CPU %v", got, w.Grad())
	}
	double := func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(2).Sum() }
	if got := autograd.Vmap(double)(y); got.Device() != d || !got.Cpu().Equal(x.Mul(2).Sum(opt.Dim(1))) {
		t.Error("vmap: ", got)
	}
	for _, made := range []*tensor.Tensor{tensor.With(d).Zeros(2, 3), x.Mul(0).To(d)} {
		if !made.Cpu().Equal(tensor.Zeros(2, 3)) {
			t.Error("zeros: ", made)
		}
	}
}

func TestOperator(t *testing.T) {
	x := tensor.New([]float64{-3, -0.5, 1, 8})
	if got := Softclip.Call(x, tensor.NewOption("limit", 2)).String(); !strings.Contains(got, "-1.2000") {
		t.Error(got)
	}
	f := func(xs []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{Softclip.Call(xs[0])} }
	if err := autograd.Gradcheck(f, []*tensor.Tensor{x.Clone().RequiresGrad_()}); err != nil {
		t.Error(err)
	}
	if m := Softclip.Call(tensor.With(tensor.Meta).Zeros(2, 3)); m.Device() != tensor.Meta || m.Size(1) != 3 {
		t.Error("meta: ", m)
	}
	rows := tensor.Rand(4, 3)
	one := func(x *tensor.Tensor) *tensor.Tensor { return Softclip.Call(x) }
	if got := autograd.Vmap(one)(rows); !got.Equal(Softclip.Call(rows)) {
		t.Error("vmap: ", got)
	}
	if err := tensor.Try(func() { Softclip.Call(tensor.Ones(2).Gt(0)) }); err == nil ||
		!strings.Contains(err.Error(), "not implemented for bool") {
		t.Error(err)
	}
	d := Vault()
	if got := Softclip.Call(rows.To(d)); got.Device() != d || !got.Cpu().Equal(Softclip.Call(rows)) {
		t.Error("on another device: ", got)
	}
}

func TestWrapper(t *testing.T) {
	x := tensor.Rand(2, 3)
	y, calls := Count(x)
	if got := y.Exp().Sum(); got.Item() != x.Exp().Sum().Item() || *calls != 2 || got.String() != "Counting(f32[])" {
		t.Errorf("%v after %d calls", got, *calls)
	}
	held := x.Double().RequiresGrad_()
	f := func(xs []*tensor.Tensor) []*tensor.Tensor {
		w, _ := Count(xs[0])
		return []*tensor.Tensor{Softclip.Call(w).Wrapper().Dense()}
	}
	if err := autograd.Gradcheck(f, []*tensor.Tensor{held}); err != nil {
		t.Error("beneath: ", err)
	}
	w, _ := Count(x)
	w.RequiresGrad_().Square().Sum().Backward()
	if g := w.Grad(); g.Wrapper() == nil || !g.Wrapper().Dense().Equal(x.Mul(2)) {
		t.Error("above: ", g)
	}
	m, _ := Count(tensor.With(tensor.Meta).Zeros(2, 3))
	if got := m.T().Exp(); got.Device() != tensor.Meta || got.Size(0) != 3 {
		t.Error("meta: ", got)
	}
	twice := func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(2) }
	if got := autograd.Vmap(twice)(y).Wrapper().Dense(); !got.Equal(x.Mul(2)) {
		t.Error("vmap: ", got)
	}
}
