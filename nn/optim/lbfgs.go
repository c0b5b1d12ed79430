package optim

import (
	"math"
	"slices"

	"gotorch/autograd"
	"gotorch/tensor"
)

// LBFGS minimizes a loss that it may ask for several times in a step: the quasi-Newton method of limited memory
// (Nocedal and Wright, Numerical Optimization, 2nd edition, section 7.2), as PyTorch has it.
type LBFGS struct {
	Params                         []*tensor.Tensor
	Schedule                       Schedule
	MaxIter, MaxEval, History      int
	ToleranceGrad, ToleranceChange float64
	StrongWolfe                    bool
	Steps                          int

	iters      int
	direction  *tensor.Tensor
	dirs, stps []*tensor.Tensor // differences of gradients, and of points
	ro         []float64
	prevGrad   *tensor.Tensor
	diag       float64
	t          float64
}

// NewLBFGS makes an LBFGS. Options: opt.Lr (1), opt.MaxIter (20), opt.MaxEval (5/4 of that), opt.ToleranceGrad (1e-7),
// opt.ToleranceChange (1e-9), opt.HistorySize (100), opt.LineSearchFn ("strong_wolfe"; none without).
func NewLBFGS(params any, opts ...tensor.Option) *LBFGS {
	const op = "optim.LBFGS"
	m := tensor.Keywords(op, opts, "lr", "max_iter", "max_eval", "tolerance_grad", "tolerance_change",
		"history_size", "line_search_fn")
	l := &LBFGS{Schedule: scheduleOf(op, m["lr"], 1), MaxIter: 20, History: 100, ToleranceGrad: 1e-7,
		ToleranceChange: 1e-9}
	groups := groupsOf(op, params)
	if len(groups) != 1 {
		panic(tensor.Errorf(op, "it takes one group of parameters, got %d", len(groups)))
	}
	l.Params = groups[0].Params
	for i, p := range l.Params {
		checkParam(op, groups[0].Names[i], p)
	}
	for name, at := range map[string]*int{"max_iter": &l.MaxIter, "max_eval": &l.MaxEval, "history_size": &l.History} {
		if v, ok := m[name].(int); ok {
			*at = v
		}
	}
	if l.MaxEval == 0 {
		l.MaxEval = l.MaxIter * 5 / 4
	}
	for name, at := range map[string]*float64{"tolerance_grad": &l.ToleranceGrad,
		"tolerance_change": &l.ToleranceChange} {
		if v, ok := m[name].(float64); ok {
			*at = v
		}
	}
	switch f := m["line_search_fn"]; f {
	case nil, "":
	case "strong_wolfe":
		l.StrongWolfe = true
	default:
		panic(tensor.Errorf(op, `line_search_fn must be "strong_wolfe", not %v`, f))
	}
	return l
}

// ZeroGrad drops the gradients.
func (l *LBFGS) ZeroGrad() {
	for _, p := range l.Params {
		p.SetGrad(nil)
	}
}

// gather is the gradients in one vector.
func (l *LBFGS) gather() *tensor.Tensor {
	parts := make([]*tensor.Tensor, len(l.Params))
	for i, p := range l.Params {
		if g := p.Grad(); g != nil {
			parts[i] = g.Reshape(-1)
		} else {
			parts[i] = tensor.With(p.Dtype()).Zeros(p.Numel())
		}
	}
	return tensor.Cat(parts)
}

// move adds t times the direction to the parameters.
func (l *LBFGS) move(t float64, d *tensor.Tensor) {
	at := 0
	for _, p := range l.Params {
		n := p.Numel()
		p.Add_(d.Narrow(0, at, n).Reshape(p.Shape()...).Mul(t))
		at += n
	}
}

func (l *LBFGS) points() []*tensor.Tensor {
	out := make([]*tensor.Tensor, len(l.Params))
	for i, p := range l.Params {
		out[i] = p.Detach().Clone()
	}
	return out
}

func (l *LBFGS) moveTo(points []*tensor.Tensor) {
	for i, p := range l.Params {
		p.Copy_(points[i])
	}
}

// evaluation asks for the loss and the gradient where the parameters are now.
func (l *LBFGS) evaluation(loss func() *tensor.Tensor) (value float64, grad *tensor.Tensor) {
	autograd.EnableGrad(func() {
		l.ZeroGrad()
		y := loss()
		if y == nil {
			panic(tensor.Errorf("optim.LBFGS", "the function gave no loss"))
		}
		if y.RequiresGrad() && l.noGrads() {
			y.Backward()
		}
		value = y.Item()
	})
	return value, l.gather()
}

func (l *LBFGS) noGrads() bool {
	for _, p := range l.Params {
		if p.Grad() != nil {
			return false
		}
	}
	return true
}

// Step minimizes for at most MaxIter iterations. loss computes the loss; it may call Backward itself, or leave that
// to the step. Step returns the loss of the beginning.
func (l *LBFGS) Step(loss func() *tensor.Tensor) (first float64) {
	autograd.NoGrad(func() { first = l.step(loss) })
	return first
}

// keep leaves what the next step needs to the collector, where this one runs in a tensor.Tidy.
func (l *LBFGS) keep() {
	for _, x := range slices.Concat(l.dirs, l.stps, []*tensor.Tensor{l.direction, l.prevGrad}) {
		tensor.Keep(x)
	}
}

func (l *LBFGS) step(loss func() *tensor.Tensor) (first float64) {
	defer l.keep()
	lr := l.Schedule(l.Steps)
	l.Steps++
	value, grad := l.evaluation(loss)
	first = value
	evals := 1
	if absMax(grad) <= l.ToleranceGrad {
		return first
	}
	for n := 0; n < l.MaxIter; {
		n++
		l.iters++
		l.turn(grad)
		l.prevGrad = grad.Clone()
		before := value
		if l.iters == 1 {
			l.t = min(1, 1/grad.Abs().Sum().Item()) * lr
		} else {
			l.t = lr
		}
		slope := grad.Dot(l.direction).Item()
		if slope > -l.ToleranceChange {
			break
		}
		done := 0
		flat := false
		if l.StrongWolfe {
			start := l.points()
			at := func(t float64) (float64, *tensor.Tensor) {
				l.move(t, l.direction)
				v, g := l.evaluation(loss)
				l.moveTo(start)
				return v, g
			}
			value, grad, l.t, done = strongWolfe(at, l.t, absMax(l.direction), value, grad, slope,
				func(g *tensor.Tensor) float64 {
					return g.Dot(l.direction).Item()
				})
			l.move(l.t, l.direction)
			flat = absMax(grad) <= l.ToleranceGrad
		} else {
			l.move(l.t, l.direction)
			if n != l.MaxIter {
				value, grad = l.evaluation(loss)
				flat = absMax(grad) <= l.ToleranceGrad
				done = 1
			}
		}
		evals += done
		if n == l.MaxIter || evals >= l.MaxEval || flat || absMax(l.direction.Mul(l.t)) <= l.ToleranceChange ||
			math.Abs(value-before) < l.ToleranceChange {
			break
		}
	}
	return first
}

func absMax(x *tensor.Tensor) float64 {
	if x.Numel() == 0 {
		return 0
	}
	return x.Abs().Max().Item()
}

// turn computes the next direction from the gradient and what was learned of the curvature.
func (l *LBFGS) turn(grad *tensor.Tensor) {
	if l.iters == 1 {
		l.direction = grad.Neg()
		l.dirs, l.stps, l.ro, l.diag = nil, nil, nil, 1
		return
	}
	y, s := grad.Sub(l.prevGrad), l.direction.Mul(l.t)
	if ys := y.Dot(s).Item(); ys > 1e-10 {
		if len(l.dirs) == l.History {
			l.dirs, l.stps, l.ro = l.dirs[1:], l.stps[1:], l.ro[1:]
		}
		l.dirs, l.stps, l.ro = append(l.dirs, y), append(l.stps, s), append(l.ro, 1/ys)
		l.diag = ys / y.Dot(y).Item()
	}
	al := make([]float64, len(l.dirs))
	q := grad.Neg()
	for i := len(l.dirs) - 1; i >= 0; i-- {
		al[i] = l.stps[i].Dot(q).Item() * l.ro[i]
		q.Sub_(l.dirs[i].Mul(al[i]))
	}
	r := q.Mul(l.diag)
	for i := range l.dirs {
		r.Add_(l.stps[i].Mul(al[i] - l.dirs[i].Dot(r).Item()*l.ro[i]))
	}
	l.direction = r
}
