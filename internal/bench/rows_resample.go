package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// resampling adds pooling, resizing, padding and windows, with and without their backward passes.
func resampling(t *table) {
	t.in("conv, pool")
	for _, p := range []struct {
		name, py string
		x        []int
		f        func(x T) T
	}{
		{"maxpool2d.8x64x56x56", "F.max_pool2d(x, 2)", []int{8, 64, 56, 56}, func(x T) T { return tensor.MaxPool2d(x, 2) }},
		{"avgpool2d.8x64x56x56", "F.avg_pool2d(x, 2)", []int{8, 64, 56, 56}, func(x T) T { return tensor.AvgPool2d(x, 2) }},
		{"maxpool2d_3s2.8x64x56x56", "F.max_pool2d(x, 3, 2, 1)", []int{8, 64, 56, 56},
			func(x T) T { return tensor.MaxPool2d(x, 3, opt.Stride(2), opt.Padding(1)) }},
		{"avgpool2d_3s1.8x64x28x28", "F.avg_pool2d(x, 3, 1, 1)", []int{8, 64, 28, 28},
			func(x T) T { return tensor.AvgPool2d(x, 3, opt.Stride(1), opt.Padding(1)) }},
		{"adaptive_avgpool2d.8x64x56x56", "F.adaptive_avg_pool2d(x, 1)", []int{8, 64, 56, 56},
			func(x T) T { return tensor.AdaptiveAvgPool2d(x, 1) }},
		{"adaptive_avgpool2d_7.8x64x56x56", "F.adaptive_avg_pool2d(x, 7)", []int{8, 64, 56, 56},
			func(x T) T { return tensor.AdaptiveAvgPool2d(x, 7) }},
		{"adaptive_maxpool2d_7.8x64x28x28", "F.adaptive_max_pool2d(x, 7)", []int{8, 64, 28, 28},
			func(x T) T { return tensor.AdaptiveMaxPool2d(x, 7) }},
		{"maxpool1d.16x64x1000", "F.max_pool1d(x, 2)", []int{16, 64, 1000}, func(x T) T { return tensor.MaxPool1d(x, 2) }},
		{"avgpool1d.16x64x1000", "F.avg_pool1d(x, 2)", []int{16, 64, 1000}, func(x T) T { return tensor.AvgPool1d(x, 2) }},
		{"maxpool3d.2x16x16x28x28", "F.max_pool3d(x, 2)", []int{2, 16, 16, 28, 28},
			func(x T) T { return tensor.MaxPool3d(x, 2) }},
		{"avgpool3d.2x16x16x28x28", "F.avg_pool3d(x, 2)", []int{2, 16, 16, 28, 28},
			func(x T) T { return tensor.AvgPool3d(x, 2) }},
		{"interpolate_nearest.8x16x56x56", "F.interpolate(x, scale_factor=2)", []int{8, 16, 56, 56},
			func(x T) T { return tensor.Interpolate(x, opt.ScaleFactor(2)) }},
		{"interpolate_bilinear.8x16x56x56", "F.interpolate(x, scale_factor=2, mode='bilinear')", []int{8, 16, 56, 56},
			func(x T) T { return tensor.Interpolate(x, opt.ScaleFactor(2), opt.Mode("bilinear")) }},
		{"interpolate_bicubic.4x8x56x56", "F.interpolate(x, scale_factor=2, mode='bicubic')", []int{4, 8, 56, 56},
			func(x T) T { return tensor.Interpolate(x, opt.ScaleFactor(2), opt.Mode("bicubic")) }},
		{"interpolate_linear.16x64x500", "F.interpolate(x, scale_factor=2, mode='linear')", []int{16, 64, 500},
			func(x T) T { return tensor.Interpolate(x, opt.ScaleFactor(2), opt.Mode("linear")) }},
		{"interpolate_down.8x16x112x112", "F.interpolate(x, size=(50, 50), mode='bilinear', align_corners=True)",
			[]int{8, 16, 112, 112},
			func(x T) T {
				return tensor.Interpolate(x, opt.Size([]int{50, 50}), opt.Mode("bilinear"), opt.AlignCorners(true))
			}},
		{"unfold.4x16x28x28", "F.unfold(x, 3, padding=1)", []int{4, 16, 28, 28}, func(x T) T {
			return tensor.Unfold(x, 3, opt.Padding(1))
		}},
		{"pixel_shuffle.8x64x28x28", "F.pixel_shuffle(x, 2)", []int{8, 64, 28, 28},
			func(x T) T { return tensor.PixelShuffle(x, 2) }},
		{"pad_reflect.8x16x28x28", "F.pad(x, (2, 2, 2, 2), mode='reflect')", []int{8, 16, 28, 28},
			func(x T) T { return tensor.Pad(x, []int{2, 2, 2, 2}, opt.Mode("reflect")) }},
		{"pad_replicate.8x16x28x28", "F.pad(x, (2, 2, 2, 2), mode='replicate')", []int{8, 16, 28, 28},
			func(x T) T { return tensor.Pad(x, []int{2, 2, 2, 2}, opt.Mode("replicate")) }},
		{"pad_circular.8x16x28x28", "F.pad(x, (2, 2, 2, 2), mode='circular')", []int{8, 16, 28, 28},
			func(x T) T { return tensor.Pad(x, []int{2, 2, 2, 2}, opt.Mode("circular")) }},
	} {
		t.add("t."+p.name, fmt.Sprintf("x = g(*%s)", pyList(p.x)), p.py, func() func() {
			x := g(p.x...)
			return func() { p.f(x) }
		})
		t.add("t."+p.name+".fwdbwd", fmt.Sprintf("x = g(*%s).requires_grad_()", pyList(p.x)),
			"x.grad = None\n"+p.py+".sum().backward()",
			func() func() {
				x := g(p.x...).RequiresGrad_()
				return func() {
					x.SetGrad(nil)
					p.f(x).Sum().Backward()
				}
			})
	}
}
