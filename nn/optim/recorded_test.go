package optim_test

import (
	"math"
	"testing"

	_ "gotorch"
	"gotorch/nn/internal/recorded"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

type T = *tensor.Tensor

type recordedSteps struct {
	X, Y  *recorded.Tensor
	First []*recorded.Tensor
	Steps map[string][][2]any
	Clip  map[string]struct {
		Norm  float64
		Grads []*recorded.Tensor
	}
}

func readTensor(t *testing.T, v any) T {
	m := v.(map[string]any)
	r := &recorded.Tensor{Dtype: m["dtype"].(string), Data: m["data"].(string)}
	for _, n := range m["shape"].([]any) {
		r.Shape = append(r.Shape, int(n.(float64)))
	}
	return r.Tensor(t)
}

var optimizers = map[string]func(p []T) *optim.Optimizer{
	"sgd": func(p []T) *optim.Optimizer { return optim.NewSGD(p, opt.Lr(0.1)) },
	"sgd_momentum": func(p []T) *optim.Optimizer {
		return optim.NewSGD(p, opt.Lr(0.05), opt.Momentum(0.9), opt.Dampening(0.1), opt.WeightDecay(0.01))
	},
	"sgd_nesterov": func(p []T) *optim.Optimizer {
		return optim.NewSGD(p, opt.Lr(0.05), opt.Momentum(0.8), opt.Nesterov(true))
	},
	"sgd_maximize": func(p []T) *optim.Optimizer { return optim.NewSGD(p, opt.Lr(0.01), opt.Maximize(true)) },
	"adam":         func(p []T) *optim.Optimizer { return optim.NewAdam(p, opt.Lr(0.02)) },
	"adam_amsgrad": func(p []T) *optim.Optimizer {
		return optim.NewAdam(p, opt.Lr(0.05), opt.Betas(0.8, 0.9), opt.Eps(1e-6), opt.WeightDecay(0.02), opt.Amsgrad(true))
	},
	"adamw": func(p []T) *optim.Optimizer { return optim.NewAdamW(p, opt.Lr(0.02)) },
	"adamw_amsgrad": func(p []T) *optim.Optimizer {
		return optim.NewAdamW(p, opt.Lr(0.05), opt.WeightDecay(0.1), opt.Amsgrad(true), opt.Maximize(true))
	},
	"nadam": func(p []T) *optim.Optimizer { return optim.NewNAdam(p, opt.Lr(0.02), opt.WeightDecay(0.01)) },
	"radam": func(p []T) *optim.Optimizer { return optim.NewRAdam(p, opt.Lr(0.02), opt.WeightDecay(0.01)) },
	"adagrad": func(p []T) *optim.Optimizer {
		return optim.NewAdagrad(p, opt.Lr(0.1), opt.LrDecay(0.01), opt.WeightDecay(0.01), opt.InitialAccumulatorValue(0.1))
	},
	"adadelta": func(p []T) *optim.Optimizer { return optim.NewAdadelta(p, opt.Lr(0.5), opt.WeightDecay(0.01)) },
	"adamax":   func(p []T) *optim.Optimizer { return optim.NewAdamax(p, opt.Lr(0.02), opt.WeightDecay(0.01)) },
	"rmsprop":  func(p []T) *optim.Optimizer { return optim.NewRMSprop(p) },
	"rmsprop_centered": func(p []T) *optim.Optimizer {
		return optim.NewRMSprop(p, opt.Lr(0.005), opt.Momentum(0.5), opt.Centered(true), opt.WeightDecay(0.01))
	},
	"rprop": func(p []T) *optim.Optimizer {
		return optim.NewRprop(p, opt.Lr(0.01), opt.Etas(0.6, 1.1), opt.StepSizes(1e-4, 0.1))
	},
	"asgd": func(p []T) *optim.Optimizer {
		return optim.NewASGD(p, opt.Lr(0.1), opt.Lambd(0.01), opt.T0(20), opt.WeightDecay(0.01))
	},
	"groups": func(p []T) *optim.Optimizer {
		return optim.NewAdam([]*optim.Group{optim.NewGroup(p[:1], opt.Lr(0.1)),
			optim.NewGroup(p[1:], opt.WeightDecay(0.5))}, opt.Lr(0.01))
	},
}

var lbfgs = map[string]func(p []T) *optim.LBFGS{
	"lbfgs": func(p []T) *optim.LBFGS { return optim.NewLBFGS(p, opt.Lr(0.1), opt.MaxIter(3), opt.HistorySize(5)) },
	"lbfgs_wolfe": func(p []T) *optim.LBFGS {
		return optim.NewLBFGS(p, opt.MaxIter(4), opt.LineSearchFn("strong_wolfe"))
	},
}

// inFloat32: PyTorch keeps a number of this optimizer in float32.
var inFloat32 = map[string]bool{"nadam": true, "asgd": true}

// TestOptimizers follows 50 steps of each optimizer on a small network.
func TestOptimizers(t *testing.T) {
	var all recordedSteps
	recorded.Read(t, "testdata/optim.json.gz", &all)
	x, y := all.X.Tensor(t), all.Y.Tensor(t)
	for name, steps := range all.Steps {
		t.Run(name, func(t *testing.T) {
			var p []T
			for _, f := range all.First {
				p = append(p, f.Tensor(t).RequiresGrad_())
			}
			loss := func() T {
				return x.Matmul(p[0]).Add(p[1]).Tanh().Matmul(p[2]).Sub(y).Square().Mean()
			}
			var step func()
			switch {
			case optimizers[name] != nil:
				o := optimizers[name](p)
				step = func() { o.ZeroGrad(); loss().Backward(); o.Step() }
			case lbfgs[name] != nil:
				o := lbfgs[name](p)
				step = func() { o.Step(loss) }
			default:
				t.Fatal("no row")
			}
			tol := 1e-11
			if inFloat32[name] {
				tol = 1e-7
			}
			at := 0
			for n := 1; at < len(steps); n++ {
				step()
				if n != int(steps[at][0].(float64)) {
					continue
				}
				if lbfgs[name] != nil && n == 50 {
					// hundreds of iterations have magnified the last bit: only what was reached is comparable
					got := loss().Item()
					for i, want := range steps[at][1].([]any) {
						p[i] = readTensor(t, want)
					}
					if best := loss().Item(); got > 1.05*best {
						t.Errorf("the loss is %v, PyTorch's %v", got, best)
					}
					break
				}
				for i, want := range steps[at][1].([]any) {
					recorded.Close(t, name, p[i], readTensor(t, want), tol)
				}
				if at++; t.Failed() {
					t.Fatalf("after %d steps", n)
				}
			}
		})
	}
	if len(all.Steps) != len(optimizers)+len(lbfgs) {
		t.Errorf("%d optimizers are recorded, %d have a row", len(all.Steps), len(optimizers)+len(lbfgs))
	}
}

// TestClipGradNorm compares norms and clipped gradients.
func TestClipGradNorm(t *testing.T) {
	var all recordedSteps
	recorded.Read(t, "testdata/optim.json.gz", &all)
	x, y := all.X.Tensor(t), all.Y.Tensor(t)
	for name, norm := range map[string]float64{"1.0": 1, "2.0": 2, "inf": math.Inf(1)} {
		var p []T
		for _, f := range all.First {
			p = append(p, f.Tensor(t).RequiresGrad_())
		}
		x.Matmul(p[0]).Add(p[1]).Tanh().Matmul(p[2]).Sub(y).Square().Sum().Backward()
		want := all.Clip[name]
		if got := optim.ClipGradNorm_(p, 1.5, opt.NormType(norm)); math.Abs(got-want.Norm) > 1e-12*want.Norm {
			t.Errorf("norm %s is %v, want %v", name, got, want.Norm)
		}
		for i, g := range want.Grads {
			recorded.Close(t, name, p[i].Grad(), g.Tensor(t), 1e-12)
		}
	}
}

// TestSchedules compares the first 200 rates of every schedule.
func TestSchedules(t *testing.T) {
	var all struct {
		Rates   map[string][]float64
		Plateau struct{ Losses, Rates []float64 }
	}
	recorded.Read(t, "testdata/schedules.json.gz", &all)
	rows := map[string]optim.Schedule{
		"constant":         optim.Then(optim.Constant(0.05), 7, optim.Constant(0.2)),
		"linear":           optim.Linear(0.2*0.2, 0.2*0.9, 120),
		"step":             optim.Step(0.2, 30, 0.5),
		"multi_step":       optim.MultiStep(0.2, 0.3, 130, 10, 50, 51),
		"exponential":      optim.Exponential(0.2, 0.98),
		"cosine":           optim.Cosine(0.2, 100, 0.01),
		"cosine_restarts":  optim.CosineRestarts(0.2, 20, 2, 0.005),
		"polynomial":       optim.Polynomial(0.2, 150, 2),
		"one_cycle":        optim.OneCycle(0.5, 200),
		"one_cycle_linear": optim.OneCycle(0.5, 200, optim.Phases{Start: 0.4, Linear: true, Div: 10, FinalDiv: 100}),
		"one_cycle_three":  optim.OneCycle(0.5, 200, optim.Phases{Three: true}),
		"cyclic":           optim.Cyclic(0.01, 0.1, 15, 25, nil),
		"cyclic_triangular2": optim.Cyclic(0.01, 0.1, 15, 15, func(cycle, _ int) float64 {
			return math.Pow(2, float64(1-cycle))
		}),
		"cyclic_exp_range": optim.Cyclic(0.01, 0.1, 15, 15, func(_, step int) float64 {
			return math.Pow(0.99, float64(step))
		}),
		"warmup_cosine": optim.Warmup(20, 0.1, optim.Cosine(0.2, 180)),
		"product":       optim.Scale(optim.Exponential(0.2, 0.95), optim.Then(optim.Constant(0.1), 5, optim.Constant(1))),
	}
	for name, want := range all.Rates {
		s := rows[name]
		if s == nil {
			t.Errorf("%s has no row", name)
			continue
		}
		for i, got := range s.Values(len(want)) {
			if math.Abs(got-want[i]) > 1e-12+1e-9*want[i] {
				t.Errorf("%s: step %d is %v, want %v", name, i, got, want[i])
				break
			}
		}
	}
	p := optim.NewPlateau(0.2)
	p.Factor, p.Patience, p.Cooldown, p.Threshold, p.Least = 0.5, 3, 2, 0.01, 0.001
	for i, l := range all.Plateau.Losses {
		if p.Observe(l); p.Lr(0) != all.Plateau.Rates[i] {
			t.Fatalf("plateau: after %d losses the rate is %v, want %v", i+1, p.Lr(0), all.Plateau.Rates[i])
		}
	}
}
