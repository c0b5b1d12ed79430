package autograd_test

import (
	"strings"
	"testing"

	_ "gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Products and layers have PyTorch's nodes.
func TestNodesOfProducts(t *testing.T) {
	leaf := func(shape ...int) *tensor.Tensor { return tensor.Ones(shape...).RequiresGrad_() }
	for name, y := range map[string]*tensor.Tensor{
		"DotBackward0":                  leaf(3).Matmul(leaf(3)),
		"MvBackward0":                   leaf(2, 3).Matmul(leaf(3)),
		"MmBackward0":                   leaf(2, 3).Matmul(leaf(3, 2)),
		"UnsafeViewBackward0":           leaf(4, 2, 3).Matmul(leaf(3, 2)),
		"SqueezeBackward1":              leaf(3).Matmul(leaf(3, 2)),
		"AddmmBackward0":                tensor.Linear(leaf(2, 3), leaf(4, 3), opt.Bias(leaf(4))),
		"ConvolutionBackward0":          tensor.Conv2d(leaf(1, 1, 4, 4), leaf(1, 1, 3, 3)),
		"MaxPool2DWithIndicesBackward0": tensor.MaxPool2d(leaf(1, 1, 4, 4), 2),
		"AvgPool2DBackward0":            tensor.AvgPool2d(leaf(1, 1, 4, 4), 2),
		"SoftmaxBackward0":              leaf(2, 3).Softmax(opt.Dim(1)),
		"NativeLayerNormBackward0":      tensor.LayerNorm(leaf(2, 3), []int{3}),
		"NativeBatchNormBackward0":      tensor.BatchNorm(leaf(2, 3), nil, nil, opt.Training(true)),
		"MseLossBackward0":              tensor.MseLoss(leaf(3), leaf(3)),
		"NllLossBackward0":              tensor.CrossEntropy(leaf(2, 3), tensor.New([]int64{0, 2})),
		"EmbeddingBackward0":            tensor.Embedding(tensor.New([]int64{1, 0}), leaf(4, 3)),
	} {
		if got := y.GradFn().Name(); got != name {
			t.Errorf("%s, want %s", got, name)
		}
	}
}

// Messages of wrong calls say the sizes.
func TestMessagesOfProducts(t *testing.T) {
	ones := func(shape ...int) *tensor.Tensor { return tensor.Ones(shape...) }
	for _, c := range []struct {
		want string
		call func()
	}{
		{"sizes 5 and 4", func() { ones(5).Matmul(ones(4)) }},
		{"sizes 5 and 4", func() { ones(2, 5).Matmul(ones(4)) }},
		{"mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)", func() { ones(2, 3).Matmul(ones(2, 3)) }},
		{"shapes [4 2 3] and [4 2 3]", func() { ones(4, 2, 3).Matmul(ones(4, 2, 3)) }},
		{"float32 and int64", func() { ones(2, 2).Mm(tensor.With(tensor.Int64).Ones(2, 2)) }},
		{"does not match the number of dimensions (2) of operand 0", func() { tensor.Einsum("ijk->i", ones(2, 3)) }},
		{"output subscript z does not appear", func() { tensor.Einsum("ij->z", ones(2, 3)) }},
		{"operand 1 has size 4 where another has 3", func() { tensor.Einsum("ij,jk->ik", ones(2, 3), ones(4, 2)) }},
		{"subscript i is repeated for operand 0 but the sizes don't match, 3 != 2",
			func() { tensor.Einsum("ii->i", ones(2, 3)) }},
		{"to have 4 channels, but got 3 channels", func() { tensor.Conv2d(ones(1, 3, 5, 5), ones(2, 4, 3, 3)) }},
		{"kernel size can't be greater than actual input size", func() {
			tensor.Conv2d(ones(1, 1, 2, 2), ones(1, 1, 3, 3))
		}},
		{"a target is out of bounds", func() { tensor.CrossEntropy(ones(2, 3), tensor.New([]int64{0, 3})) }},
		{"abc is not a valid value for reduction", func() { tensor.MseLoss(ones(2), ones(2), opt.Reduction("abc")) }},
	} {
		if err := tensor.Try(c.call); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// Training moves the running statistics in place, by the momentum.
func TestBatchNormMovesItsStatistics(t *testing.T) {
	x := tensor.New([][]float64{{1, 10}, {3, 30}})
	mean, variance := tensor.With(tensor.Float64).Zeros(2), tensor.With(tensor.Float64).Ones(2)
	tensor.BatchNorm(x, mean, variance, opt.Training(true))
	for i, want := range []float64{0.2, 2} {
		if got := mean.Select(0, i).Item(); got != want {
			t.Errorf("mean %d is %v, want %v", i, got, want)
		}
	}
	for i, want := range []float64{0.9 + 0.2, 0.9 + 20} { // the unbiased variances are 2 and 200
		if got := variance.Select(0, i).Item(); got-want > 1e-12 || want-got > 1e-12 {
			t.Errorf("variance %d is %v, want %v", i, got, want)
		}
	}
}
