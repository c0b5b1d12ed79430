package cpu

import (
	"slices"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestGradientsOfOneNumber compares gradients that are one number in memory with the same written out.
func TestGradientsOfOneNumber(t *testing.T) {
	tensor.ManualSeed(1)
	x, image := tensor.Randn(40, 37), tensor.Randn(3, 5, 4, 7)
	mean, rstd := tensor.Randn(40), tensor.Rand(40)
	for name, f := range map[string]func(g *tensor.Tensor) (string, []any){
		"softmax": func(g *tensor.Tensor) (string, []any) {
			return "_softmax_backward", []any{g, x.Softmax(opt.Dim(1)), 1}
		},
		"softmax along columns": func(g *tensor.Tensor) (string, []any) {
			return "_softmax_backward", []any{g, x.Softmax(opt.Dim(0)), 0}
		},
		"log_softmax": func(g *tensor.Tensor) (string, []any) {
			return "_log_softmax_backward", []any{g, x.LogSoftmax(opt.Dim(1)), 1}
		},
		"layer_norm": func(g *tensor.Tensor) (string, []any) {
			return "_layer_norm_backward", []any{g, x, []int{37}, x.Select(0, 0), mean, rstd}
		},
		"batch_norm": func(g *tensor.Tensor) (string, []any) {
			return "_batch_norm_backward", []any{g, image, mean.Narrow(0, 0, 5), mean.Narrow(0, 5, 5), rstd.Narrow(0, 0, 5)}
		},
	} {
		shape := x.Shape()
		if name == "batch_norm" {
			shape = image.Shape()
		}
		g := tensor.Full([]int{}, 0.7).Expand(shape...)
		op, args := f(g)
		got, err := tensor.Invoke(op, args, nil)
		if err != nil {
			t.Fatal(err)
		}
		args[0] = g.Contiguous()
		want, err := tensor.Invoke(op, args, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			a, b := tensor.Data[float32](got[i].(*tensor.Tensor)), tensor.Data[float32](want[i].(*tensor.Tensor))
			if len(a) == 0 || !slices.Equal(a, b) {
				t.Errorf("%s: result %d differs where the gradient is one number", name, i)
			}
		}
	}
}
