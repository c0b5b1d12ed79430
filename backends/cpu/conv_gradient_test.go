package cpu_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestConvolutionGradients: a convolution is linear in its input and in its weight, so that <f(x, w), g> is <x, x's
// gradient> and <w, w's gradient>, for strides, borders, dilations and groups of all sorts, groups of one channel too.
// float32 is near float64.
func TestConvolutionGradients(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	dot := func(a, b *tensor.Tensor) float64 { return a.Detach().Mul(b).Sum().Item() }
	for trial := range 60 {
		groups, per, multiple := 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(3)
		if trial%2 == 0 {
			per, groups = 1, 4
		}
		k, stride, dilation, pad := 1+rng.IntN(4), 1+rng.IntN(3), 1+rng.IntN(2), rng.IntN(3)
		h, w := 8+rng.IntN(12), 8+rng.IntN(70)
		f := func(x, w *tensor.Tensor) *tensor.Tensor {
			return tensor.Conv2d(x, w, opt.Stride(stride), opt.Dilation(dilation), opt.Padding(pad), opt.Groups(groups))
		}
		with := tensor.With(tensor.Float64)
		x, weight := with.Randn(2, groups*per, h, w).RequiresGrad_(),
			with.Randn(groups*multiple, per, k, min(k, 3)).RequiresGrad_()
		y := f(x, weight)
		g := with.Randn(y.Shape()...)
		y.Backward(opt.Gradient(g))
		want := dot(y, g)
		for i, v := range []*tensor.Tensor{x, weight} {
			if got := dot(v, v.Grad()); math.Abs(got-want) > 1e-8*(1+math.Abs(want)) {
				t.Fatalf("trial %d, gradient %d: %v, want %v (groups %d of %d, kernel %d, stride %d, input %d by %d)", trial, i,
					got, want, groups, per, k, stride, h, w)
			}
		}
		x32, w32 := x.Detach().To(tensor.Float32).RequiresGrad_(), weight.Detach().To(tensor.Float32).RequiresGrad_()
		y32 := f(x32, w32)
		y32.Backward(opt.Gradient(g.To(tensor.Float32)))
		for i, p := range [][2]*tensor.Tensor{{y32.Detach(), y.Detach()}, {x32.Grad(), x.Grad()},
			{w32.Grad(), weight.Grad()}} {
			if d := p[0].To(tensor.Float64).Sub(p[1]).Abs().Max().Item(); d > 1e-3 {
				t.Fatalf("trial %d: float32 result %d is %v away from float64", trial, i, d)
			}
		}
	}
}
