package nn_test

import (
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestFunctionalCall: substitutes are used, differentiated, and gone afterwards.
func TestFunctionalCall(t *testing.T) {
	m := nn.Sequential{nn.NewLinear(3, 2), nn.Tanh, nn.NewLinear(2, 1)}
	other := nn.Sequential{nn.NewLinear(3, 2), nn.Tanh, nn.NewLinear(2, 1)}
	x := tensor.Randn(5, 3)
	before := m.Forward(x)
	y := nn.FunctionalCall(m, nn.Params(other), x)
	if !tensor.Equal(y, other.Forward(x)) || !tensor.Equal(m.Forward(x), before) {
		t.Error("the substitutes were not used, or stayed")
	}
	y.Sum().Backward()
	for _, p := range nn.Params(m) {
		if p.Tensor.Grad() != nil {
			t.Errorf("%s of the model has a gradient", p.Name)
		}
	}
	for _, p := range nn.Params(other) {
		if p.Tensor.Grad() == nil {
			t.Errorf("%s of the substitutes has no gradient", p.Name)
		}
	}
	err := tensor.Try(func() { nn.FunctionalCall(m, nn.ParamList{{Name: "3.weight", Tensor: x}}, x) })
	if err == nil || !strings.Contains(err.Error(), "3.weight") {
		t.Errorf("a wrong name: %v", err)
	}
}

// TestEnsemble: a call of all models is that of each.
func TestEnsemble(t *testing.T) {
	var models []nn.Module
	for range 4 {
		models = append(models, nn.Sequential{nn.NewLinear(3, 8), nn.ReLU, nn.NewLinear(8, 2)})
	}
	stack := nn.StackParams(models...)
	for _, each := range []bool{false, true} {
		x := tensor.Randn(5, 3)
		if each {
			x = tensor.Randn(4, 5, 3)
		}
		y := nn.Ensemble(models[0], stack, x, each)
		var want []T
		for i, m := range models {
			in := x
			if each {
				in = x.Select(0, i)
			}
			want = append(want, m.Forward(in))
		}
		if !tensor.Allclose(y, tensor.Stack(want), opt.Atol(1e-6)) {
			t.Errorf("each %v: the ensemble differs from its models", each)
		}
		y.Square().Sum().Backward()
	}
	if g := stack[0].Tensor.Grad(); g == nil || g.Size(0) != 4 {
		t.Error("the stacked parameters have no gradient")
	}
}

// TestPacked: packed sequences give what each gives by itself, in both directions, with gradients.
func TestPacked(t *testing.T) {
	lengths := []int{2, 5, 1, 5, 3}
	x := tensor.With(tensor.Float64).Randn(5, 6, 3).RequiresGrad_()
	h0, c0 := tensor.With(tensor.Float64).Randn(4, 5, 4), tensor.With(tensor.Float64).Randn(4, 5, 4)
	opts := []tensor.Option{opt.NumLayers(2), opt.Bidirectional(true), opt.BatchFirst(true), opt.Dtype(tensor.Float64)}
	l := nn.NewLSTM(3, 4, opts...)
	out, h, c := l.RunPacked(nn.PackPaddedSequence(x, lengths, opt.BatchFirst(true)), h0, c0)
	y, got := out.Pad(opt.BatchFirst(true))
	y.Sum().Add(h.Sum()).Backward()
	grad := x.Grad()
	x.SetGrad(nil)
	for i, n := range lengths {
		if got[i] != n {
			t.Errorf("length %d is %d, want %d", i, got[i], n)
		}
		one := x.Narrow(0, i, 1).Narrow(1, 0, n)
		wy, wh, wc := l.Run(one, h0.Narrow(1, i, 1).Contiguous(), c0.Narrow(1, i, 1).Contiguous())
		if !tensor.Allclose(y.Narrow(0, i, 1).Narrow(1, 0, n), wy) || !tensor.Allclose(h.Narrow(1, i, 1), wh) ||
			!tensor.Allclose(c.Narrow(1, i, 1), wc) {
			t.Errorf("sequence %d differs", i)
		}
		wy.Sum().Add(wh.Sum()).Backward()
	}
	if !tensor.Allclose(grad, x.Grad()) {
		t.Error("the gradients differ")
	}
}

// TestMasks: a key that is masked, or padded, counts for nothing.
func TestMasks(t *testing.T) {
	m := nn.NewMultiheadAttention(8, 2)
	x := tensor.Randn(4, 3, 8)
	want, _ := m.Attend(x, x.Narrow(0, 0, 3), x.Narrow(0, 0, 3))
	padding := tensor.New([]bool{false, false, false, true}).Expand(3, 4)
	mask := tensor.New([]bool{false, false, false, true}).Expand(4, 4)
	for name, o := range map[string]tensor.Option{"padding": opt.KeyPaddingMask(padding), "mask": opt.AttnMask(mask)} {
		y, w := m.Attend(x, x, x, o)
		if !tensor.Allclose(y, want, opt.Atol(1e-6)) || w.Select(2, 3).Abs().Max().Item() != 0 {
			t.Errorf("%s: a key that does not count does", name)
		}
	}
	y, _ := m.Attend(x, x, x, opt.AttnMask(nn.CausalMask(4)))
	first, _ := m.Attend(x.Narrow(0, 0, 2), x.Narrow(0, 0, 2), x.Narrow(0, 0, 2), opt.AttnMask(nn.CausalMask(2)))
	if !tensor.Allclose(y.Narrow(0, 0, 2), first, opt.Atol(1e-6)) {
		t.Error("a step depends on later ones")
	}
}
