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
		gradients bool
	}{
		{"picture", []int{1, 1, 512, 512}, []int{1, 1, 3, 3}, false},
		{"batch", []int{8, 16, 28, 28}, []int{32, 16, 3, 3}, false},
		{"batch with gradients", []int{8, 16, 28, 28}, []int{32, 16, 3, 3}, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			x, w := tensor.Randn(c.x...), tensor.Randn(c.w...)
			if c.gradients {
				x.RequiresGrad_()
				w.RequiresGrad_()
			}
			for b.Loop() {
				y := tensor.Conv2d(x, w, opt.Padding(1))
				if c.gradients {
					y.Sum().Backward()
				}
			}
		})
	}
}
