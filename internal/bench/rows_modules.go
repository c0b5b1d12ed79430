package main

import (
	"gotorch/nn"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// modules adds steps of optimizers, and training steps of models made of modules.
func modules(t *table) {
	t.in("modules, optimizers")
	for _, o := range []struct {
		name, py string
		make     func(p T) *optim.Optimizer
	}{
		{"sgd", "SGD([p], lr=1e-3)", func(p T) *optim.Optimizer { return optim.NewSGD(p) }},
		{"sgd_momentum", "SGD([p], lr=1e-3, momentum=0.9, weight_decay=1e-4)", func(p T) *optim.Optimizer {
			return optim.NewSGD(p, opt.Momentum(0.9), opt.WeightDecay(1e-4))
		}},
		{"adam", "Adam([p])", func(p T) *optim.Optimizer { return optim.NewAdam(p) }},
		{"adamw", "AdamW([p])", func(p T) *optim.Optimizer { return optim.NewAdamW(p) }},
		{"nadam", "NAdam([p])", func(p T) *optim.Optimizer { return optim.NewNAdam(p) }},
		{"radam", "RAdam([p])", func(p T) *optim.Optimizer { return optim.NewRAdam(p) }},
		{"adagrad", "Adagrad([p])", func(p T) *optim.Optimizer { return optim.NewAdagrad(p) }},
		{"adadelta", "Adadelta([p])", func(p T) *optim.Optimizer { return optim.NewAdadelta(p) }},
		{"adamax", "Adamax([p])", func(p T) *optim.Optimizer { return optim.NewAdamax(p) }},
		{"rmsprop", "RMSprop([p])", func(p T) *optim.Optimizer { return optim.NewRMSprop(p) }},
		{"rprop", "Rprop([p])", func(p T) *optim.Optimizer { return optim.NewRprop(p) }},
		{"asgd", "ASGD([p])", func(p T) *optim.Optimizer { return optim.NewASGD(p) }},
	} {
		setup := "p = g(1000000).requires_grad_()\np.grad = g(1000000)\no = torch.optim." + o.py
		t.add("o."+o.name+".1e6", setup, "o.step()", func() func() {
			p := g(1_000_000).RequiresGrad_()
			p.SetGrad(g(1_000_000))
			o := o.make(p)
			o.KeepGrad = true
			return o.Step
		})
	}
	const step = "o.zero_grad(set_to_none=True)\nF.cross_entropy(m(x), y).backward()\no.step()"
	training := func(m any, o *optim.Optimizer, forward func() T, y T) func() {
		return func() {
			nn.Train(func() {
				o.ZeroGrad()
				tensor.CrossEntropy(forward(), y).Backward()
				o.Step()
			})
		}
	}
	t.add("o.mlp_step.b128", "N = torch.nn\n"+
		"m = N.Sequential(N.Linear(784, 256), N.ReLU(), N.Linear(256, 128), N.ReLU(), N.Linear(128, 10))\n"+
		"o = torch.optim.SGD(m.parameters(), lr=1e-3, momentum=0.9)\n"+
		"x, y = g(128, 784), torch.randint(0, 10, (128,))", step, func() func() {
		m := nn.NewSequential(nn.NewLinear(784, 256), nn.ReLU, nn.NewLinear(256, 128), nn.ReLU, nn.NewLinear(128, 10))
		x, y := g(128, 784), tensor.Randint(0, 10, 128)
		return training(m, optim.NewSGD(m, opt.Momentum(0.9)), func() T { return m.Forward(x) }, y)
	})
	t.add("o.cnn_step.b32", "N = torch.nn\n"+
		"m = N.Sequential(N.Conv2d(3, 32, 3, padding=1), N.BatchNorm2d(32), N.ReLU(), N.MaxPool2d(2), "+
		"N.Conv2d(32, 64, 3, padding=1), N.BatchNorm2d(64), N.ReLU(), N.MaxPool2d(2), N.Flatten(), N.Linear(64 * 64, 10))\n"+
		"o = torch.optim.Adam(m.parameters())\nx, y = g(32, 3, 32, 32), torch.randint(0, 10, (32,))", step, func() func() {
		m := nn.NewSequential(nn.NewConv2d(3, 32, 3, opt.Padding(1)), nn.NewBatchNorm2d(32), nn.ReLU, nn.NewMaxPool2d(2),
			nn.NewConv2d(32, 64, 3, opt.Padding(1)), nn.NewBatchNorm2d(64), nn.ReLU, nn.NewMaxPool2d(2),
			nn.Flatten, nn.NewLinear(64*64, 10))
		x, y := g(32, 3, 32, 32), tensor.Randint(0, 10, 32)
		return training(m, optim.NewAdam(m), func() T { return m.Forward(x) }, y)
	})
	t.add("o.transformer_step.8x64x128", "N = torch.nn\n"+
		"m = N.Sequential(N.Embedding(100, 128), N.TransformerEncoderLayer(128, 4, 512, dropout=0.0, batch_first=True), "+
		"N.TransformerEncoderLayer(128, 4, 512, dropout=0.0, batch_first=True), N.Linear(128, 100), N.Flatten(0, 1))\n"+
		"o = torch.optim.AdamW(m.parameters())\n"+
		"x, y = torch.randint(0, 100, (8, 64)), torch.randint(0, 100, (512,))", step, func() func() {
		layer := func() *nn.TransformerEncoderLayer {
			return nn.NewTransformerEncoderLayer(128, 4, opt.DimFeedforward(512), opt.Dropout(0), opt.BatchFirst(true))
		}
		e, a, b, l := nn.NewEmbedding(100, 128), layer(), layer(), nn.NewLinear(128, 100)
		m := []any{e, a, b, l}
		x, y := tensor.Randint(0, 100, 8, 64), tensor.Randint(0, 100, 512)
		return training(m, optim.NewAdamW(m), func() T {
			return l.Forward(b.Forward(a.Forward(e.Forward(x)))).Flatten(opt.StartDim(0), opt.EndDim(1))
		}, y)
	})
}
