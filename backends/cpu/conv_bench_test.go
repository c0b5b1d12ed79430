package cpu_test

import (
	"testing"

	_ "gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func BenchmarkConv2d(b *testing.B) {
	for _, c := range []struct {
		name      string
		x, w      []int
		groups    int
		gradients bool
	}{
		{"picture", []int{1, 1, 512, 512}, []int{1, 1, 3, 3}, 1, false},
		{"batch", []int{8, 16, 28, 28}, []int{32, 16, 3, 3}, 1, false},
		{"batch with gradients", []int{8, 16, 28, 28}, []int{32, 16, 3, 3}, 1, true},
		{"depthwise", []int{8, 64, 56, 56}, []int{64, 1, 3, 3}, 64, false},
		{"one channel", []int{128, 1, 28, 28}, []int{32, 1, 3, 3}, 1, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			x, w := tensor.Randn(c.x...), tensor.Randn(c.w...)
			if c.gradients {
				x.RequiresGrad_()
				w.RequiresGrad_()
			}
			for b.Loop() {
				y := tensor.Conv2d(x, w, opt.Padding(1), opt.Groups(c.groups))
				if c.gradients {
					y.Sum().Backward()
				}
			}
		})
	}
}
