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
	{"bce", tensor.BinaryCrossEntropy}, {"bce_with_logits", tensor.BinaryCrossEntropyWithLogits},
	{"kl_div", tensor.KlDiv},
	{"poisson", tensor.PoissonNllLoss}, {"soft_margin", tensor.SoftMarginLoss}, {"hinge", tensor.HingeEmbeddingLoss},
	{"gaussian", func(x, t *tensor.Tensor, o ...tensor.Option) *tensor.Tensor {
		return tensor.GaussianNllLoss(x, t, t.Add(0.5), o...)
	}},
}

// TestLossesInOneLoop compares losses of many elements, which run as one loop, with those of rows, which do not; and
// their gradients with those of a recorded backward pass.
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

// TestCrossEntropyInOnePass compares cross entropy of many elements, which is one operator, with the mean of products
// that defines it, and its gradients with those of a recorded backward pass and of the definition.
func TestCrossEntropyInOnePass(t *testing.T) {
	tensor.ManualSeed(5)
	for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
		for _, shape := range [][]int{{300, 30}, {7, 8, 10, 20}, {8200}} {
			d := min(len(shape)-1, 1)
			targets := append(append([]int{}, shape[:d]...), shape[d+1:]...)
			y := tensor.Randint(0, shape[d], targets...)
			if len(targets) > 0 {
				y.Select(0, 1).Fill_(-100)
			}
			x := tensor.Randn(shape...).To(dt).Mul(10)
			weight := tensor.Rand(shape[d]).To(dt)
			for _, w := range []*tensor.Tensor{nil, weight} {
				for _, smooth := range []float64{0, 0.2} {
					for _, reduction := range []string{"mean", "none"} {
						a := x.Detach().RequiresGrad_()
						o := []tensor.Option{opt.LabelSmoothing(smooth), opt.Reduction(reduction)}
						if w != nil {
							o = append(o, opt.Weight(w))
						}
						want := crossEntropyByDefinition(a, y, w, d, smooth, reduction)
						got := tensor.CrossEntropy(a, y, o...)
						if !tensor.Allclose(got, want, opt.Rtol(1e-5), opt.Atol(1e-6)) {
							t.Fatalf("%s %v weighted %v, smoothing %v, %s: %v, want %v", dt, shape, w != nil, smooth, reduction, got, want)
						}
						exact := autograd.Grad([]*tensor.Tensor{want.Sum()}, []*tensor.Tensor{a})[0]
						for _, create := range []bool{true, false} {
							g := autograd.Grad([]*tensor.Tensor{tensor.CrossEntropy(a, y, o...).Sum()}, []*tensor.Tensor{a},
								opt.CreateGraph(create))[0]
							if !tensor.Allclose(g, exact, opt.Rtol(1e-4), opt.Atol(1e-6)) {
								t.Fatalf("%s %v weighted %v, smoothing %v, %s, recorded %v: the gradients differ", dt, shape, w != nil, smooth,
									reduction, create)
							}
						}
					}
				}
			}
			if err := tensor.Try(func() { tensor.CrossEntropy(x, y.Add(shape[d])) }); err == nil {
				t.Errorf("%v: a class out of bounds is no error", shape)
			}
		}
	}
}

func crossEntropyByDefinition(x, y, w *tensor.Tensor, d int, smooth float64, reduction string) *tensor.Tensor {
	classes := x.Size(d)
	if w == nil {
		w = tensor.OnesLike(x.Detach()).Movedim(d, -1).Flatten().Narrow(0, 0, classes)
	}
	valid := y.Ne(-100)
	class := y.Clamp(opt.Min(0))
	wt := w.IndexSelect(0, class.Flatten()).View(y.Shape()...).Mul(valid)
	logs := x.Sub(x.Logsumexp(d, opt.Keepdim(true)))
	at := logs.Gather(d, class.Unsqueeze(d)).Squeeze(d)
	shape := make([]int, x.Dim())
	for i := range shape {
		shape[i] = 1
	}
	shape[d] = classes
	even := logs.Mul(w.View(shape...)).Sum(opt.Dim(d)).Mul(valid)
	loss := at.Mul(wt).Mul(smooth - 1).Sub(even.Mul(smooth / float64(classes)))
	switch reduction {
	case "mean":
		return loss.Sum().Div(wt.Sum())
	case "sum":
		return loss.Sum()
	}
	return loss
}
