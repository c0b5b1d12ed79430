package optim

import (
	"math"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Steps with sparse gradients, which touch only the rows that the gradient has. SGD and SparseAdam have such steps;
// SGD with momentum and Adagrad compute what they would with all zeros; the others refuse, as in PyTorch.

// sparsePart is a parameter whose gradient is sparse: its values are q.g, the rows of the parameter that they belong
// to are rows.
type sparsePart struct {
	part
	rows *tensor.Tensor
}

// sparse takes a sparse gradient into the step, unless it becomes strided.
func (o *Optimizer) sparse(q part) {
	g := q.g
	v := q.group.Values
	switch name := o.kernel.name; {
	case name == "SparseAdam", name == "SGD" && v["momentum"] == 0 && v["weight_decay"] == 0:
		if g.IsSparse() && g.SparseDim() == 1 {
			g = g.Coalesce()
			q.g = g.Values()
			if !q.g.Isfinite().All().ItemBool() {
				panic(o.notFinite(&q))
			}
			o.run.sparse = append(o.run.sparse, sparsePart{q, g.Indices().Select(0, 0)})
			return
		}
		if name == "SparseAdam" {
			panic(tensor.Errorf(o.op(), "the gradient of %s must have one sparse dimension, it has layout %s",
				q.group.Names[q.at], g.Layout()))
		}
	case name != "SGD" && name != "Adagrad":
		panic(tensor.Errorf(o.op(), "%s does not support sparse gradients, such as that of %s", name, q.group.Names[q.at]).
			WithHint("optim.NewSGD, optim.NewAdagrad and optim.NewSparseAdam do"))
	}
	q.g = g.ToDense()
	o.run.parts = append(o.run.parts, q)
}

// stepSparse does the steps of parameters with sparse gradients.
func (o *Optimizer) stepSparse() {
	for i := range o.run.sparse {
		q := &o.run.sparse[i]
		o.begin(&q.part)
		c := &q.coefs
		if o.kernel.name == "SGD" {
			q.p.IndexAdd_(0, q.rows, q.g.Mul(-c.a*c.sign))
			continue
		}
		// mean and square are lazy: rows without a gradient keep theirs
		s := q.group.states[q.at].slots
		old := s[0].IndexSelect(0, q.rows)
		step := q.g.Mul(c.sign).Sub(old).Mul(1 - c.a)
		s[0].IndexAdd_(0, q.rows, step)
		square := s[1].IndexSelect(0, q.rows)
		more := q.g.Square().Sub(square).Mul(1 - c.b)
		s[1].IndexAdd_(0, q.rows, more)
		q.p.IndexAdd_(0, q.rows, step.Add(old).Div(more.Add(square).Sqrt().Add(c.c)), opt.Alpha(-c.d))
	}
	clear(o.run.sparse)
	o.run.sparse = o.run.sparse[:0]
}

// sparseAdam: the coefficients of a step. Its loop over all elements is never run.
func sparseAdamCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	t := float64(s.step)
	c.a, c.b, c.c = v["beta1"], v["beta2"], v["eps"]
	c.d = lr * math.Sqrt(1-math.Pow(c.b, t)) / (1 - math.Pow(c.a, t))
}

// NewSparseAdam makes the lazy form of Adam for sparse gradients, such as those of an embedding with opt.Sparse(true):
// moments of rows that have no gradient stay as they are. Options: opt.Lr (1e-3), opt.Betas (0.9, 0.999), opt.Eps
// (1e-8), opt.Maximize (false). Its steps panic with an *Error where a gradient is strided.
func NewSparseAdam(params any, opts ...tensor.Option) *Optimizer {
	return newOptimizer("SparseAdam", params, opts)
}
