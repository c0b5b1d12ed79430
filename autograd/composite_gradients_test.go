package autograd_test

import (
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// What is made of other operators, against differences and against other ways to the same result.

func TestNeighbourGradients(t *testing.T) {
	tensor.ManualSeed(3)
	randn := func(shape ...int) *tensor.Tensor {
		return tensor.With(tensor.Float64).Randn(shape...).RequiresGrad_()
	}
	type T = *tensor.Tensor
	for _, c := range []struct {
		name string
		f    func(x T) T
		x    T
	}{
		{"nuclear norm, wide", func(x T) T { return x.Norm(opt.P("nuc")) }, randn(3, 5)},
		{"nuclear norms of a batch", func(x T) T {
			return x.Norm(opt.P("nuc"), opt.Dim(0, 2), opt.Keepdim(true))
		}, randn(4, 2, 3)},
		{"nuclear norm, complex", func(x T) T { return tensor.Complex(x, x.Flip(0)).Norm(opt.P("nuc")) }, randn(4, 3)},
		{"unfold", func(x T) T {
			return tensor.Unfold(x, []int{2, 3}, opt.Padding([]int{1, 0}), opt.Stride(2), opt.Dilation(1, 2))
		}, randn(1, 2, 4, 6)},
		{"adaptive_max_pool3d", func(x T) T { return tensor.AdaptiveMaxPool3d(x, []int{2, 1, 3}) }, randn(1, 3, 3, 4)},
		{"avg_pool3d", func(x T) T {
			return tensor.AvgPool3d(x, 2, opt.Padding(1), opt.CountIncludePad(false))
		}, randn(1, 2, 3, 2)},
		{"bicubic", func(x T) T {
			return tensor.Interpolate(x, opt.Size([]int{5, 3}), opt.Mode("bicubic"), opt.AlignCorners(false))
		}, randn(1, 1, 3, 4)},
		{"renorm", func(x T) T { return x.Renorm(2, 0, 1.5) }, randn(4, 3)},
		{"triplet_margin_loss", func(x T) T {
			return tensor.TripletMarginLoss(x, x.Flip(0), x.Mul(2), opt.Swap(true))
		}, randn(4, 3)},
	} {
		f := func(xs []T) []T { return []T{c.f(xs[0])} }
		if err := autograd.Gradcheck(f, []T{c.x}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A convolution is a product of its unfolded windows.
func TestUnfoldIsConvolution(t *testing.T) {
	tensor.ManualSeed(4)
	x, w := tensor.With(tensor.Float64).Randn(2, 3, 6, 7), tensor.With(tensor.Float64).Randn(4, 3, 2, 3)
	columns := tensor.Unfold(x, []int{2, 3}, opt.Padding(1), opt.Stride(2))
	want := tensor.Conv2d(x, w, opt.Padding(1), opt.Stride(2))
	got := w.View(4, -1).Matmul(columns).Reshape(want.Shape()...)
	if !got.Allclose(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Volumes of depth one are pictures.
func TestVolumesAndPictures(t *testing.T) {
	tensor.ManualSeed(5)
	x := tensor.With(tensor.Float64).Randn(2, 3, 7, 9)
	deep := x.Unsqueeze(2)
	pooled, where := tensor.MaxPool2dWithIndices(x, 3, opt.Stride(2), opt.Padding(1), opt.CeilMode(true))
	deepPooled, deepWhere := tensor.MaxPool3dWithIndices(deep, []int{1, 3, 3}, opt.Stride(1, 2, 2),
		opt.Padding([]int{0, 1, 1}), opt.CeilMode(true))
	if !deepPooled.Squeeze(2).Equal(pooled) || !deepWhere.Squeeze(2).Equal(where) {
		t.Error("max_pool3d is not max_pool2d")
	}
	if got, want := tensor.AvgPool3d(deep, []int{1, 2, 3}, opt.Padding([]int{0, 1, 1}), opt.CeilMode(true)),
		tensor.AvgPool2d(x, []int{2, 3}, opt.Padding([]int{1, 1}), opt.CeilMode(true)); !got.Squeeze(2).Allclose(want) {
		t.Errorf("avg_pool3d: %v, want %v", got, want)
	}
	if got, want := tensor.AdaptiveAvgPool3d(deep, []int{1, 4, 2}), tensor.AdaptiveAvgPool2d(x, []int{4, 2}); !got.Squeeze(2).Allclose(want) {
		t.Errorf("adaptive_avg_pool3d: %v, want %v", got, want)
	}
	back := tensor.MaxUnpool2d(pooled, where, 3, opt.Stride(2), opt.Padding(1), opt.OutputSize(7, 9))
	if !back.Flatten(opt.StartDim(2)).Gather(2, where.Flatten(opt.StartDim(2))).Equal(pooled.Flatten(opt.StartDim(2))) {
		t.Error("max_unpool2d does not give back what was pooled")
	}
	if !tensor.Where(back.Ne(0), x, 0).Equal(back) {
		t.Error("max_unpool2d put elements where they did not come from")
	}
}
