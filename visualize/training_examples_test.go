package visualize

import (
	"math"

	"gotorch/nn"
	"gotorch/nn/data"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

// trained trains a small model and has a log look at it. Plain steps do not magnify the rounding in which processors
// differ.
func trained(log func(m any) *ModelLog, steps int) *ModelLog {
	tensor.ManualSeed(0)
	m := nn.NewSequential(nn.NewLinear(2, 16), nn.Tanh, nn.NewLinear(16, 3))
	l, o, ds := log(m), optim.NewSGD(m, opt.Lr(0.3)), data.Spirals(60, 3, opt.Seed(1))
	for range steps {
		for b := range data.Loader(ds, opt.Batch(60)) {
			o.ZeroGrad()
			nn.CrossEntropyLoss(m.Forward(b.X), b.Y).Backward()
			o.Step()
			l.Observe(o.Steps)
		}
	}
	return l
}

func init() {
	addExamples(
		exampleView{"weights", func(*viewtest.Session) View { return trained(Weights, 20) }},
		exampleView{"weights_long", func(*viewtest.Session) View { return trained(Weights, 200) }},
		exampleView{"weights_now", func(*viewtest.Session) View { return trained(Weights, 0) }},
		exampleView{"weights_strange", func(*viewtest.Session) View {
			x := tensor.FromSlice([]float64{1, math.NaN(), math.Inf(1), 1, 1}, 5)
			return Weights([]*tensor.Tensor{x, tensor.Full([]int{3}, math.NaN()), tensor.Zeros(0), tensor.Ones()})
		}},
		exampleView{"gradients", func(*viewtest.Session) View { return trained(Gradients, 50) }},
		exampleView{"schedule", func(*viewtest.Session) View {
			return Schedule(optim.Warmup(20, 0.1, optim.Cosine(0.1, 80)), 100)
		}},
		exampleView{"schedule_still", func(*viewtest.Session) View { return Schedule(optim.Linear(0.1, 0, 130)) }},
		exampleView{"schedule_cycles", func(*viewtest.Session) View {
			return Schedule(optim.CosineRestarts(0.1, 100, 2, 0))
		}},
		exampleView{"gradients_none", func(*viewtest.Session) View { return trained(Gradients, 0) }},
	)
}
