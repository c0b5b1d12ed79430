package optim_test

import (
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/nn/internal/recorded"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

var sparseOptimizers = map[string]func(p T) *optim.Optimizer{
	"sgd":          func(p T) *optim.Optimizer { return optim.NewSGD(p, opt.Lr(0.1)) },
	"sgd_maximize": func(p T) *optim.Optimizer { return optim.NewSGD(p, opt.Lr(0.1), opt.Maximize(true)) },
	"sgd_momentum": func(p T) *optim.Optimizer {
		return optim.NewSGD(p, opt.Lr(0.1), opt.Momentum(0.9), opt.Dampening(0.1))
	},
	"adagrad":     func(p T) *optim.Optimizer { return optim.NewAdagrad(p, opt.Lr(0.1), opt.LrDecay(0.01)) },
	"sparse_adam": func(p T) *optim.Optimizer { return optim.NewSparseAdam(p, opt.Lr(0.05)) },
	"sparse_adam_betas": func(p T) *optim.Optimizer {
		return optim.NewSparseAdam(p, opt.Lr(0.05), opt.Betas(0.8, 0.9), opt.Eps(1e-6), opt.Maximize(true))
	},
}

// TestSparseRecorded: steps with sparse gradients are those of torch 1.13.
func TestSparseRecorded(t *testing.T) {
	var file struct {
		First, Weights *recorded.Tensor
		Rows           [][]int
		Steps          map[string][]*recorded.Tensor
	}
	recorded.Read(t, "testdata/sparse.json.gz", &file)
	weights := file.Weights.Tensor(t)
	if len(file.Steps) != len(sparseOptimizers) {
		t.Fatalf("%d optimizers recorded", len(file.Steps))
	}
	for name, make := range sparseOptimizers {
		w := file.First.Tensor(t).RequiresGrad_()
		o := make(w)
		for i, rows := range file.Rows {
			o.ZeroGrad()
			tensor.Embedding(tensor.New(rows), w, opt.Sparse(true)).Mul(weights.Select(0, i)).Sum().Backward()
			if !w.Grad().IsSparse() {
				t.Fatalf("%s: the gradient is %v", name, w.Grad())
			}
			o.Step()
			recorded.Close(t, name, w.Detach(), file.Steps[name][i].Tensor(t), 1e-14)
		}
	}
}

// TestSparseRefused: optimizers without a step for a layout say so, and change nothing.
func TestSparseRefused(t *testing.T) {
	e := nn.NewEmbedding(4, 2, opt.Sparse(true))
	before := e.Weight.Detach().Clone()
	e.Forward(tensor.New([]int{1, 2})).Sum().Backward()
	for name, f := range map[string]func(){
		"Adam does not support sparse gradients": func() { optim.NewAdam(e).Step() },
		"SparseAdam does not support strided gradients": func() {
			p := tensor.Ones(2).RequiresGrad_()
			p.Sum().Backward()
			optim.NewSparseAdam(p).Step()
		},
		"NaN or infinite": func() {
			e.Weight.Grad().Mul_(1e38).Mul_(1e38)
			optim.NewSGD(e).Step()
		},
	} {
		if err := tensor.Try(f); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !e.Weight.Detach().Equal(before) {
		t.Error("a refused step changed the weight")
	}
}
