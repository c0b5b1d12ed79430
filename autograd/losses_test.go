package autograd_test

import (
	"math"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

type lossCase struct {
	name string
	f    func(x, t *tensor.Tensor, o ...tensor.Option) *tensor.Tensor
}

// elementLosses are the losses that are a mean or a sum over elements. Inputs and targets are between 0 and 1.
var elementLosses = []lossCase{
	{"mse", tensor.MseLoss}, {"l1", tensor.L1Loss}, {"smooth_l1", tensor.SmoothL1Loss}, {"huber", tensor.HuberLoss},
	{"smooth_l1 of beta 0.1", func(x, t *tensor.Tensor, o ...tensor.Option) *tensor.Tensor {
		return tensor.SmoothL1Loss(x, t, append(o, opt.Beta(0.1))...)
	}},
	{"huber of delta 0.3", func(x, t *tensor.Tensor, o ...tensor.Option) *tensor.Tensor {
		return tensor.HuberLoss(x, t, append(o, opt.Delta(0.3))...)
	}},
	{"bce", tensor.BinaryCrossEntropy}, {"bce_with_logits", tensor.BinaryCrossEntropyWithLogits}, {"kl_div", tensor.KlDiv},
	{"poisson", tensor.PoissonNllLoss}, {"soft_margin", tensor.SoftMarginLoss}, {"hinge", tensor.HingeEmbeddingLoss},
	{"gaussian", func(x, t *tensor.Tensor, o ...tensor.Option) *tensor.Tensor {
		return tensor.GaussianNllLoss(x, t, t.Add(0.5), o...)
	}},
}

// TestLossesInOneLoop compares losses of many elements, which run as one loop, with those of rows, which do not; and their gradients with
// those of a recorded backward pass.
func TestLossesInOneLoop(t *testing.T) {
	tensor.ManualSeed(3)
	for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
		for _, transposed := range []bool{false, true} {
			x, y := tensor.Rand(90, 110).To(dt), tensor.Rand(90, 110).To(dt)
			if transposed {
				x = tensor.Rand(110, 90).To(dt).T()
			}
			for _, l := range elementLosses {
				var sum float64
				for i := range 90 {
					sum += l.f(x.Select(0, i), y.Select(0, i), opt.Reduction("sum")).Item()
				}
				for reduction, want := range map[string]float64{"sum": sum, "mean": sum / 9900} {
					a := x.Detach().RequiresGrad_()
					loss := l.f(a, y, opt.Reduction(reduction))
					if got := loss.Item(); math.Abs(got-want) > 2e-6*math.Abs(want) {
						t.Errorf("%s, %s, %s: %v, want %v", dt, l.name, reduction, got, want)
					}
					plain := autograd.Grad([]*tensor.Tensor{loss}, []*tensor.Tensor{a}, opt.CreateGraph(true))[0].Detach()
					loss = l.f(a, y, opt.Reduction(reduction))
					if g := autograd.Grad([]*tensor.Tensor{loss}, []*tensor.Tensor{a})[0]; !tensor.Allclose(g, plain, opt.Rtol(1e-5), opt.Atol(1e-10)) {
						t.Errorf("%s, %s, %s: the gradients differ", dt, l.name, reduction)
					}
				}
			}
		}
	}
}

// BenchmarkLosses computes losses of a million elements.
func BenchmarkLosses(b *testing.B) {
	x, t := tensor.Rand(1024, 1000), tensor.Rand(1024, 1000)
	for _, l := range elementLosses {
		b.Run(l.name, func(b *testing.B) {
			for b.Loop() {
				l.f(x, t)
			}
		})
	}
}
