package optim_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestState: every optimizer that goes on from a saved state makes the steps that it would have made.
func TestState(t *testing.T) {
	for name, make := range optimizers {
		t.Run(name, func(t *testing.T) {
			params := func() []T {
				tensor.ManualSeed(3)
				return []T{tensor.Randn(4, 3).RequiresGrad_(), tensor.Randn(3).RequiresGrad_(),
					tensor.Randn(3, 2).RequiresGrad_(), tensor.Randn(2).RequiresGrad_()}
			}
			x := tensor.Ones(5, 4)
			step := func(o *optim.Optimizer, p []T) {
				o.ZeroGrad()
				x.Matmul(p[0]).Add(p[1]).Tanh().Matmul(p[2]).Add(p[3]).Square().Mean().Backward()
				o.Step()
			}
			p := params()
			o := make(p)
			for range 5 {
				step(o, p)
			}
			path := filepath.Join(t.TempDir(), "o.safetensors")
			nn.SaveSafetensors(path, o.State(), nil)
			q := params()
			for i := range q {
				q[i].Detach().Copy_(p[i])
			}
			again := make(q)
			again.LoadState(nn.LoadState(path))
			for range 5 {
				step(o, p)
				step(again, q)
			}
			for i := range p {
				if !tensor.Equal(p[i], q[i]) {
					t.Errorf("parameter %d differs", i)
				}
			}
			if again.Steps != 10 {
				t.Errorf("%d steps", again.Steps)
			}
		})
	}
}

// TestStateOfAnother: the state of another optimizer or model is an error, and nothing changes.
func TestStateOfAnother(t *testing.T) {
	trained := func(in int, make func(any, ...tensor.Option) *optim.Optimizer) *optim.Optimizer {
		m := nn.NewLinear(in, 2)
		o := make(m, opt.Lr(0.1))
		m.Forward(tensor.Ones(1, in)).Sum().Backward()
		o.Step()
		return o
	}
	adam := trained(3, optim.NewAdam)
	for want, f := range map[string]func(){
		"0.weight.exp_avg belongs to no parameter":     func() { trained(3, optim.NewSGD).LoadState(adam.State()) },
		"0.weight.exp_avg has shape [2 3], here [2 4]": func() { trained(4, optim.NewAdam).LoadState(adam.State()) },
		"0.weight.sum is missing":                      func() { trained(3, optim.NewAdagrad).LoadState(adam.State()) },
		"steps is missing":                             func() { adam.LoadState(nil) },
		"0.weight.max_exp_avg_sq is missing": func() {
			optim.NewAdam(nn.NewLinear(3, 2), opt.Amsgrad(true)).LoadState(adam.State())
		},
	} {
		if err := tensor.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if adam.Steps != 1 {
		t.Errorf("%d steps", adam.Steps)
	}
}

// TestStateOfOptimizer: nn.State lists an optimizer's own state, and nn.Params says that it is no model.
func TestStateOfOptimizer(t *testing.T) {
	o := optim.NewSGD(nn.NewLinear(2, 1), opt.Lr(0.1))
	if got, want := nn.State(o).Names(), o.State().Names(); !slices.Equal(got, want) {
		t.Errorf("nn.State lists %q, the optimizer %q", got, want)
	}
	defer func() {
		if err, ok := recover().(*tensor.Error); !ok || !strings.Contains(err.Error(), "*optim.Optimizer is no model") {
			t.Errorf("nn.Params of an optimizer gives %v", err)
		}
	}()
	nn.Params(o)
}
