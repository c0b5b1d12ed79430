package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestGradientsAreTransposed: operators that are linear have the transposed map as their gradient: <f(x), g> = <x,
// f'(g)>.
func TestGradientsAreTransposed(t *testing.T) {
	type T = *tensor.Tensor
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 40 {
		h, w := 4+rng.IntN(40), 4+rng.IntN(40)
		oh, ow := 1+rng.IntN(60), 1+rng.IntN(60)
		k, s, d, p := 1+rng.IntN(3), 1+rng.IntN(3), 1, rng.IntN(3)
		for name, f := range map[string]func(x T) T{
			"nearest":  func(x T) T { return tensor.Interpolate(x, opt.Size([]int{oh, ow})) },
			"bilinear": func(x T) T { return tensor.Interpolate(x, opt.Size([]int{oh, ow}), opt.Mode("bilinear")) },
			"corners": func(x T) T {
				return tensor.Interpolate(x, opt.Size([]int{oh, ow}), opt.Mode("bilinear"), opt.AlignCorners(true))
			},
			"bicubic": func(x T) T { return tensor.Interpolate(x, opt.Size([]int{oh, ow}), opt.Mode("bicubic")) },
			"trilinear": func(x T) T {
				return tensor.Interpolate(x.Unsqueeze(0), opt.Size([]int{5, oh, ow}), opt.Mode("trilinear"))
			},
			"reflect":   func(x T) T { return tensor.Pad(x, []int{1, 3, p, 2}, opt.Mode("reflect")) },
			"replicate": func(x T) T { return tensor.Pad(x, []int{1, -2, 5, p}, opt.Mode("replicate")) },
			"circular":  func(x T) T { return tensor.Pad(x, []int{p, 2, 3, 0}, opt.Mode("circular")) },
			"unfold": func(x T) T {
				return tensor.Unfold(x, []int{k, 2}, opt.Stride(s, 2), opt.Dilation(d, 1), opt.Padding([]int{p, 1}))
			},
			"average": func(x T) T { return tensor.AvgPool2d(x, 2, opt.Stride(s)) },
			"max":     func(x T) T { return tensor.AdaptiveMaxPool2d(x, []int{3, 4}) },
		} {
			x := tensor.With(tensor.Float64).Randn(2, 3, h, w).RequiresGrad_()
			y := f(x)
			g := tensor.With(tensor.Float64).Randn(y.Shape()...)
			y.Backward(opt.Gradient(g))
			left, right := y.Detach().Mul(g).Sum().Item(), x.Detach().Mul(x.Grad()).Sum().Item()
			if math.Abs(left-right) > 1e-8*(1+math.Abs(left)) {
				t.Fatalf("%s, trial %d: <f(x), g> = %v, <x, f'(g)> = %v", name, trial, left, right)
			}
			narrow := x.Detach().To(tensor.Float32).RequiresGrad_()
			f(narrow).Backward(opt.Gradient(g.To(tensor.Float32)))
			if off := narrow.Grad().To(tensor.Float64).Sub(x.Grad()).Abs().Max().Item(); off > 1e-2 && name != "nearest" {
				t.Fatalf("%s, trial %d: the gradient of float32 is %v away from that of float64", name, trial, off)
			}
			near := f(x.Detach().To(tensor.Float32)).To(tensor.Float64).Sub(y.Detach()).Abs().Max().Item()
			if near > 1e-4 && name != "nearest" {
				t.Fatalf("%s, trial %d: float32 is %v away from float64 (%s)", name, trial, near, fmt.Sprint(h, w, oh, ow))
			}
		}
	}
}
