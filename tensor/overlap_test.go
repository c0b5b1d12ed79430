package tensor_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func TestOverlaps(t *testing.T) {
	x := tensor.Arange(24).View(4, 6)
	column := func(i int) *tensor.Tensor { return x.Select(1, i) }
	for _, c := range []struct {
		name string
		a, b *tensor.Tensor
		want bool
	}{
		{"itself", x, x, true},
		{"transposed", x, x.T(), true},
		{"another storage", x, x.Clone(), false},
		{"two columns", column(0), column(1), false},
		{"a column and a row", column(2), x.Select(0, 3), true},
		{"odd and even", x.Slice(opt.Dim(1), opt.Step(2)), x.Slice(opt.Dim(1), opt.Start(1), opt.Step(2)), false},
		{"two halves", x.Narrow(0, 0, 2), x.Narrow(0, 2, 2), false},
		{"reversed", x.Select(0, 0).Flip(0), x, false}, // a copy
		{"empty", x.Narrow(0, 0, 0), x, false},
		{"expanded without end", x.Select(0, 1).Expand(1<<40, 6), column(3), true},
		{"half of an element", x, x.ViewDtype(tensor.Int32).Slice(opt.Dim(1), opt.Start(1), opt.Step(2)), true},
	} {
		if got := tensor.Overlaps(c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
