package check_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"gotorch/tensor"
	"strings"
	"testing"
)

// TestTensorsByPosition: an argument that may be a number or a tensor is taken by its place, as in PyTorch.
func TestTensorsByPosition(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "x, lo, hi := Arange(5), New([1, 1, 1, 1, 1]), New([3, 3, 3, 2, 2])")
	for _, c := range []struct{ src, want string }{
		{"x.Clamp(lo, hi)", "tensor([1, 1, 2, 2, 2])\n"},
		{"x.Clamp(lo)", "tensor([1, 1, 2, 3, 4])\n"},
		{"Clamp(x, lo, 2)", "tensor([1, 1, 2, 2, 2])\n"},
		{"x.Clamp(1, hi)", "tensor([1, 1, 2, 2, 2])\n"},
		{"x.Clamp(nil, hi)", "tensor([0, 1, 2, 2, 2])\n"},
		{"x.Clip(lo, max=hi)", "tensor([1, 1, 2, 2, 2])\n"},
		{"x.Clamp(lo, min=hi)", "min is given twice"},
		{"x.Clamp(lo, hi, lo)", "Clamp takes"},
		{"x.Sum(lo)", "where a keyword argument belongs; it takes dim, keepdim"},
		{"%go x.Clamp(lo, hi)", "x.Clamp(opt.Min(lo), opt.Max(hi))"},
	} {
		if got := celltest.Cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s gives\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
	for _, c := range []struct{ src, want string }{
		{"w := Ones(2).RequiresGrad_(true); w.RequiresGrad()", "true\n"},
		{"w.RequiresGrad_(false).RequiresGrad()", "false\n"},
		{"w.RequiresGrad_(1)", "as bool value for requires_grad="},
		{"w.RequiresGrad_(true, false)", "RequiresGrad_ takes 1 argument by position"},
		{"w.RequiresGrad_(); (w * w).Backward(New([1., 2.])); w.Grad()", "tensor([2., 4.])\n"},
		{"y := (w * 3).Sum(); y.Backward(nil, true); y.Backward(); w.Grad()", "tensor([ 8., 10.])\n"},
		{`Einsum("i,i->", [w, w]).Item()`, "2.0\n"},
		{`Einsum("i,i->", [w, 1])`, "here a tensor is wanted"},
		{"w.IsContiguous(memory_format=ContiguousFormat)", "true\n"},
	} {
		if got := celltest.Cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s gives\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
	defer func() {
		if e, ok := recover().(*tensor.Error); !ok || !strings.Contains(e.Error(), "a tensor is given by name: opt.Min(y)") {
			t.Errorf("compiled: %v", e)
		}
	}()
	x := tensor.Ones(2)
	x.Clamp(x)
}
