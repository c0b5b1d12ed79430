package cpu_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestOtherNamesWriteIntoOut checks that operators which are others under a second name pass opt.Out on to them.
func TestOtherNamesWriteIntoOut(t *testing.T) {
	x := tensor.FromSlice([]float32{0.1, -0.5, 0.25, 0.75}, 2, 2)
	for _, c := range []struct {
		name string
		f    func(o ...tensor.Option) *tensor.Tensor
	}{
		{"square", func(o ...tensor.Option) *tensor.Tensor { return tensor.Square(x, o...) }},
		{"arcsin", func(o ...tensor.Option) *tensor.Tensor { return tensor.Arcsin(x, o...) }},
		{"multiply", func(o ...tensor.Option) *tensor.Tensor { return tensor.Multiply(x, 3, o...) }},
		{"true_divide", func(o ...tensor.Option) *tensor.Tensor { return tensor.TrueDivide(x, 3, o...) }},
		{"greater", func(o ...tensor.Option) *tensor.Tensor { return tensor.Greater(x, 0.2, o...) }},
	} {
		want := c.f()
		out := tensor.EmptyLike(want)
		version := out.Storage().Version()
		if got := c.f(opt.Out(out)); got != out || !out.Equal(want) {
			t.Errorf("%s gives %v in %v, want %v", c.name, got, out, want)
		}
		if n := out.Storage().Version() - version; n != 1 {
			t.Errorf("%s counts as %d writes", c.name, n)
		}
		grown := want.NewEmpty([]int{0})
		if c.f(opt.Out(grown)); !grown.Equal(want) {
			t.Errorf("%s into an empty tensor gives %v, want %v", c.name, grown, want)
		}
	}
	if err := tensor.Try(func() { tensor.Square(x, opt.Out(tensor.EmptyLike(x, opt.Dtype(tensor.Int64)))) }); err == nil {
		t.Error("the square of floats fits into integers")
	}
}
