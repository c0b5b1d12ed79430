// Package optim has PyTorch's optimizers, and schedules of the learning rate as functions of the step.
//
//	o := optim.NewAdam(m, opt.Lr(1e-3))
//	for batch := range loader {
//		o.ZeroGrad()
//		nn.CrossEntropyLoss(m.Forward(batch.X), batch.Y).Backward()
//		o.Step()
//	}
//
// What is trained may be a module, nn.Params of one, a list of tensors, or groups of these with keywords of their own
// ([NewGroup]). A schedule stands where a learning rate does: opt.Lr(optim.Cosine(0.1, 1000)).
//
// A step is one loop over all elements of all parameters: optim.go has the optimizer, kernels.go the table of
// algorithms, kernels_*.go and loops.go their loops, step.go the walk over the parameters; lbfgs.go is the optimizer
// that calls the loss itself, clip.go limits gradients, schedule.go and plateau.go have the learning rates.
package optim

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/nn"
	"gotorch/tensor"
)

// Group is a list of parameters that are trained with the same numbers.
type Group struct {
	Params []*tensor.Tensor
	Names  []string
	// Schedule returns the learning rate of each step, counted from 0.
	Schedule Schedule
	// Values are the numbers of the algorithm by their keywords; betas are beta1 and beta2, true is 1.
	Values map[string]float64

	opts   []tensor.Option
	states []*state
}

// Lr is the group's learning rate at a step.
func (g *Group) Lr(step int) float64 { return g.Schedule(step) }

// SetLr makes lr the learning rate of all steps to come.
func (g *Group) SetLr(lr float64) { g.Schedule = Constant(lr) }

// NewGroup makes a group of a module, a list of parameters or of tensors. Options are those of the optimizer that
// the group is for; what is not given is the optimizer's.
func NewGroup(params any, opts ...tensor.Option) *Group {
	return Group{opts: opts}.of("optim.NewGroup", params)
}

func (g Group) of(op string, params any) *Group {
	switch p := params.(type) {
	case nil:
		panic(tensor.Errorf(op, "there is nothing to train"))
	case *tensor.Tensor:
		g.Params = []*tensor.Tensor{p}
	case []*tensor.Tensor:
		g.Params = slices.Clone(p)
	default:
		list, ok := params.(nn.ParamList)
		if !ok {
			list = nn.Params(params)
		}
		for _, q := range list {
			if !q.Buffer {
				g.Params, g.Names = append(g.Params, q.Tensor), append(g.Names, q.Name)
			}
		}
	}
	if g.Names == nil {
		for i := range g.Params {
			g.Names = append(g.Names, fmt.Sprint(i))
		}
	}
	return &g
}

// Optimizer changes parameters by their gradients.
type Optimizer struct {
	Groups []*Group
	// Steps counts the steps that were done.
	Steps int
	// KeepGrad allows gradients to add up over steps, without ZeroGrad between them.
	KeepGrad bool

	kernel *kernel
	run    run
}

// String is the algorithm and its numbers.
func (o *Optimizer) String() string {
	var b strings.Builder
	b.WriteString(o.kernel.name)
	for i, g := range o.Groups {
		n := 0
		for _, p := range g.Params {
			n += p.Numel()
		}
		fmt.Fprintf(&b, "\n  group %d: %d tensors, %d elements, lr=%.6g", i, len(g.Params), n, g.Lr(o.Steps))
		for _, d := range o.kernel.defaults {
			fmt.Fprintf(&b, ", %s=%.6g", d.name, g.Values[d.name])
		}
	}
	return b.String()
}

func newOptimizer(name string, params any, opts []tensor.Option) *Optimizer {
	k := kernels[name]
	o := &Optimizer{kernel: k}
	op := "optim." + name
	o.Groups = groupsOf(op, params)
	seen := map[*tensor.Tensor]bool{}
	trained := 0
	for _, g := range o.Groups {
		g.configure(op, k, append(slices.Clone(opts), g.opts...))
		g.states = make([]*state, len(g.Params))
		for i, p := range g.Params {
			checkParam(op, g.Names[i], p)
			if seen[p] {
				panic(tensor.Errorf(op, "parameter %s is there twice", g.Names[i]))
			}
			seen[p] = true
			if p.RequiresGrad() {
				trained++
			}
		}
	}
	if trained == 0 {
		panic(tensor.Errorf(op, "none of the %d parameters requires grad: there is nothing to train", len(seen)).
			WithHint("x.RequiresGrad_() makes a tensor trainable, nn.Params(m).Unfreeze() all of a model"))
	}
	return o
}

func groupsOf(op string, params any) []*Group {
	switch p := params.(type) {
	case *Group:
		return []*Group{p}
	case []*Group:
		return slices.Clone(p)
	}
	return []*Group{Group{}.of(op, params)}
}

func checkParam(op, name string, p *tensor.Tensor) {
	switch {
	case p == nil:
		panic(tensor.Errorf(op, "parameter %s is nil", name))
	case !p.IsLeaf():
		panic(tensor.Errorf(op, "parameter %s is the result of an operator, %s; only leaves can be trained", name,
			p.GradFn().Name()).WithHint("train the tensors that it was computed from, or p.Detach().RequiresGrad_()"))
	case !p.Dtype().IsFloatingPoint() && !p.Dtype().IsComplex():
		panic(tensor.Errorf(op, "parameter %s is %s; only floating point numbers can be trained", name, p.Dtype()))
	}
}

// configure reads a group's numbers; of two options with one keyword the later counts.
func (g *Group) configure(op string, k *kernel, opts []tensor.Option) {
	last := map[string]tensor.Option{}
	known := []string{"lr"}
	for _, o := range opts {
		if o != nil {
			last[tensor.KeywordOf(o)] = o
		}
	}
	var list []tensor.Option
	for _, o := range last {
		list = append(list, o)
	}
	for _, d := range k.defaults {
		known = append(known, d.keyword())
	}
	m := tensor.Keywords(op, list, known...)
	g.Schedule = scheduleOf(op, m["lr"], k.lr)
	g.Values = map[string]float64{}
	for _, d := range k.defaults {
		g.Values[d.name] = d.read(op, m)
	}
	if k.check != nil {
		k.check(op, g.Values)
	}
}

// ZeroGrad drops the gradients of all parameters.
func (o *Optimizer) ZeroGrad() {
	for _, g := range o.Groups {
		for _, p := range g.Params {
			p.SetGrad(nil)
		}
	}
}

// Lr is the learning rate of the first group at the next step.
func (o *Optimizer) Lr() float64 { return o.Groups[0].Lr(o.Steps) }

// SetLr makes lr the learning rate of all groups.
func (o *Optimizer) SetLr(lr float64) {
	for _, g := range o.Groups {
		g.SetLr(lr)
	}
}

// The optimizers. Each takes a module, nn.Params, a list of tensors, a *Group or a []*Group, and the keywords that
// PyTorch has, with its defaults; lr is a number or a Schedule.

// NewSGD makes stochastic gradient descent. Options: opt.Lr (1e-3), opt.Momentum (0), opt.Dampening (0), opt.Nesterov
// (false), opt.WeightDecay (0), opt.Maximize (false).
func NewSGD(params any, opts ...tensor.Option) *Optimizer { return newOptimizer("SGD", params, opts) }

// NewAdam makes Adam (Kingma and Ba 2015). Options: opt.Lr (1e-3), opt.Betas (0.9, 0.999), opt.Eps (1e-8),
// opt.WeightDecay (0), opt.Amsgrad (false), opt.Maximize (false).
func NewAdam(params any, opts ...tensor.Option) *Optimizer { return newOptimizer("Adam", params, opts) }

// NewAdamW makes Adam whose weight decay is apart from the gradient (Loshchilov and Hutter 2019). Options as for
// [NewAdam], but opt.WeightDecay is 0.01 without.
func NewAdamW(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("AdamW", params, opts)
}

// NewNAdam makes Adam with Nesterov's momentum (Dozat 2016). Options: opt.Lr (2e-3), opt.Betas (0.9, 0.999), opt.Eps
// (1e-8), opt.WeightDecay (0), opt.MomentumDecay (4e-3).
func NewNAdam(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("NAdam", params, opts)
}

// NewRAdam makes rectified Adam (Liu et al. 2020). Options: opt.Lr (1e-3), opt.Betas (0.9, 0.999), opt.Eps (1e-8),
// opt.WeightDecay (0).
func NewRAdam(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("RAdam", params, opts)
}

// NewAdagrad makes Adagrad (Duchi et al. 2011). Options: opt.Lr (1e-2), opt.LrDecay (0), opt.WeightDecay (0),
// opt.InitialAccumulatorValue (0), opt.Eps (1e-10), opt.Maximize (false).
func NewAdagrad(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("Adagrad", params, opts)
}

// NewAdadelta makes Adadelta (Zeiler 2012). Options: opt.Lr (1), opt.Rho (0.9), opt.Eps (1e-6), opt.WeightDecay (0),
// opt.Maximize (false).
func NewAdadelta(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("Adadelta", params, opts)
}

// NewAdamax makes Adam by the infinity norm (Kingma and Ba 2015). Options: opt.Lr (2e-3), opt.Betas (0.9, 0.999),
// opt.Eps (1e-8), opt.WeightDecay (0), opt.Maximize (false).
func NewAdamax(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("Adamax", params, opts)
}

// NewRMSprop makes RMSprop (Hinton 2012). Options: opt.Lr (1e-2), opt.Alpha (0.99), opt.Eps (1e-8), opt.WeightDecay
// (0), opt.Momentum (0), opt.Centered (false), opt.Maximize (false).
func NewRMSprop(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("RMSprop", params, opts)
}

// NewRprop makes resilient backpropagation (Riedmiller and Braun 1993). Options: opt.Lr (1e-2), opt.Etas (0.5, 1.2),
// opt.StepSizes (1e-6, 50), opt.Maximize (false).
func NewRprop(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("Rprop", params, opts)
}

// NewASGD makes averaged stochastic gradient descent (Polyak and Juditsky 1992). Options: opt.Lr (1e-2), opt.Lambd
// (1e-4), opt.Alpha (0.75), opt.T0 (1e6), opt.WeightDecay (0), opt.Maximize (false).
func NewASGD(params any, opts ...tensor.Option) *Optimizer { return newOptimizer("ASGD", params, opts) }
