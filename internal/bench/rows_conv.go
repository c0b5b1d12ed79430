package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// convolutions adds convolutions, with and without their backward passes, and pooling.
func convolutions(t *table) {
	t.in("conv, pool")
	type shape struct {
		name, py string
		x, w     []int
		f        func(x, w T) T
	}
	pad1 := opt.Padding(1)
	for _, c := range []shape{
		{"conv2d.8x64x56x56k64", "F.conv2d(x, w, padding=1)", []int{8, 64, 56, 56}, []int{64, 64, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w, pad1) }},
		{"conv2d.128x1x28x28k32", "F.conv2d(x, w)", []int{128, 1, 28, 28}, []int{32, 1, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w) }},
		{"conv2d_1x1.8x64x56x56k64", "F.conv2d(x, w)", []int{8, 64, 56, 56}, []int{64, 64, 1, 1},
			func(x, w T) T { return tensor.Conv2d(x, w) }},
		{"conv2d_7x7s2.4x3x112x112k64", "F.conv2d(x, w, stride=2, padding=3)", []int{4, 3, 112, 112}, []int{64, 3, 7, 7},
			func(x, w T) T { return tensor.Conv2d(x, w, opt.Stride(2), opt.Padding(3)) }},
		{"conv2d_s2.8x64x56x56k64", "F.conv2d(x, w, stride=2, padding=1)", []int{8, 64, 56, 56}, []int{64, 64, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w, opt.Stride(2), pad1) }},
		{"conv2d_depthwise.8x64x56x56", "F.conv2d(x, w, padding=1, groups=64)", []int{8, 64, 56, 56}, []int{64, 1, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w, pad1, opt.Groups(64)) }},
		{"conv2d_depthwise_s2.8x64x56x56", "F.conv2d(x, w, stride=2, padding=1, groups=64)", []int{8, 64, 56, 56},
			[]int{64, 1, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w, opt.Stride(2), pad1, opt.Groups(64)) }},
		{"conv2d_depthwise_5x5.8x64x28x28", "F.conv2d(x, w, padding=2, groups=64)", []int{8, 64, 28, 28},
			[]int{128, 1, 5, 5},
			func(x, w T) T { return tensor.Conv2d(x, w, opt.Padding(2), opt.Groups(64)) }},
		{"conv2d_dilated.4x32x28x28k32", "F.conv2d(x, w, padding=2, dilation=2)", []int{4, 32, 28, 28}, []int{32, 32, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w, opt.Padding(2), opt.Dilation(2)) }},
		{"conv2d_rgb.8x3x64x64k16", "F.conv2d(x, w, padding=1)", []int{8, 3, 64, 64}, []int{16, 3, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w, pad1) }},
		{"conv2d_deep.8x256x7x7k256", "F.conv2d(x, w, padding=1)", []int{8, 256, 7, 7}, []int{256, 256, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w, pad1) }},
		{"conv2d_groups4.8x64x56x56", "F.conv2d(x, w, padding=1, groups=4)", []int{8, 64, 56, 56}, []int{64, 16, 3, 3},
			func(x, w T) T { return tensor.Conv2d(x, w, pad1, opt.Groups(4)) }},
		{"conv1d.16x64x1000k64", "F.conv1d(x, w, padding=1)", []int{16, 64, 1000}, []int{64, 64, 3},
			func(x, w T) T { return tensor.Conv1d(x, w, pad1) }},
		{"conv3d.2x16x16x28x28k16", "F.conv3d(x, w, padding=1)", []int{2, 16, 16, 28, 28}, []int{16, 16, 3, 3, 3},
			func(x, w T) T { return tensor.Conv3d(x, w, pad1) }},
		{"conv_transpose2d.8x32x28x28k32", "F.conv_transpose2d(x, w, stride=2)", []int{8, 32, 28, 28}, []int{32, 32, 2, 2},
			func(x, w T) T { return tensor.ConvTranspose2d(x, w, opt.Stride(2)) }},
		{"conv_transpose2d_4x4.8x32x14x14k32", "F.conv_transpose2d(x, w, stride=2, padding=1)", []int{8, 32, 14, 14},
			[]int{32, 32, 4, 4},
			func(x, w T) T { return tensor.ConvTranspose2d(x, w, opt.Stride(2), pad1) }},
	} {
		setup := fmt.Sprintf("x, w = g(*%s), g(*%s)", pyList(c.x), pyList(c.w))
		t.add("t."+c.name, setup, c.py, func() func() {
			x, w := g(c.x...), g(c.w...)
			return func() { c.f(x, w) }
		})
		t.add("t."+c.name+".fwdbwd", setup+"\nx.requires_grad_(), w.requires_grad_()\ngy = torch.randn_like("+c.py+")",
			"x.grad = w.grad = None\n"+c.py+".backward(gy)", func() func() {
				x, w := g(c.x...), g(c.w...)
				gy := c.f(x, w).Clone()
				x.RequiresGrad_()
				w.RequiresGrad_()
				return func() {
					clearGrads([]T{x, w})
					c.f(x, w).Backward(opt.Gradient(gy))
				}
			})
	}
	t.add("t.conv2d_channels_last.8x64x28x28k64",
		"x, w = g(8, 64, 28, 28).contiguous(memory_format=torch.channels_last), g(64, 64, 3, 3)",
		"F.conv2d(x, w, padding=1)", func() func() {
			x, w := g(8, 64, 28, 28).Contiguous(tensor.ChannelsLast), g(64, 64, 3, 3)
			return func() { tensor.Conv2d(x, w, pad1) }
		})
}
