package optim

import (
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: one loop for a step. The elements of all parameters are cut into blocks, and the threads take blocks, whatever
// parameter they belong to: a model of many small tensors is as quick as one of few large ones. What a step needs
// beside the loop lies in the optimizer and is used again, so that steps leave no garbage. Results are the same for
// any number of threads, since every element is computed by itself.

const (
	blockSize = 1 << 13
	grain     = 4 // blocks that a thread takes at a time
)

// job is a block of a parameter.
type job struct {
	part   *part
	lo, hi int
	wrong  bool // an element of the gradient is not finite
	s32    [slotsMost][]float32
	s64    [slotsMost][]float64
}

// part is a parameter in a step.
type part struct {
	p, g  *tensor.Tensor // as the kernel wants them: of elements one after the other, float32 or float64
	into  *tensor.Tensor // the parameter itself where p is a copy
	group *Group
	at    int // the place in its group
	coefs coefs
}

// run is what a step needs beside the optimizer's state.
type run struct {
	parts  []part
	jobs   []job
	sparse []sparsePart
	check  func(lo, hi int)
	step   func(lo, hi int)
}

// Step changes every parameter that has a gradient. It panics with an *Error, and changes nothing, where no parameter
// has one, where a gradient still has that of the last step in it, and where one is NaN or infinite.
func (o *Optimizer) Step() {
	tensor.Under(0, tensor.Set(tensor.KeyAutograd), o.stepInside)
	if s := tensor.CurrentScope(); s != nil {
		if w, ok := s.Watch.(Watcher); ok {
			w.Stepped(o)
		}
	}
}

// Watcher is told of the steps of optimizers in a loop; see package nn/train.
type Watcher interface{ Stepped(o *Optimizer) }

func (o *Optimizer) stepInside() {
	r := &o.run
	if o.collect(); len(r.parts)+len(r.sparse) == 0 {
		return
	}
	if r.step == nil {
		r.check, r.step = o.checkJobs, o.stepJobs
	}
	o.each(r.check)
	for i := range r.jobs {
		if j := &r.jobs[i]; j.wrong {
			panic(o.notFinite(j.part))
		}
	}
	for i := range r.parts {
		o.begin(&r.parts[i])
	}
	o.each(r.step)
	o.stepSparse()
	for i := range r.parts {
		q := &r.parts[i]
		switch {
		case q.into == nil:
			tensor.MarkWritten(q.p, &o.kernel.note)
		case q.into.Dtype().IsComplex():
			q.into.Copy_(tensor.ViewAsComplex(q.p))
		default:
			q.into.Copy_(q.p)
		}
	}
	clear(r.parts)
	clear(r.jobs)
	o.Steps++
}

func (o *Optimizer) notFinite(q *part) *tensor.Error {
	return tensor.Errorf(o.op(), "the gradient of %s has NaN or infinite elements", q.group.Names[q.at]).
		WithHint("a smaller learning rate or optim.ClipGradNorm_ may help; nothing was changed")
}

func (o *Optimizer) op() string { return "optim." + o.kernel.name }

// each calls f for all jobs, on several threads where that is worth it.
func (o *Optimizer) each(f func(lo, hi int)) {
	n := len(o.run.jobs)
	elements := 0
	for i := range o.run.jobs {
		elements += o.run.jobs[i].hi - o.run.jobs[i].lo
	}
	if elements < 2*blockSize {
		f(0, n)
		return
	}
	parallel.For(n, grain, f)
}

// collect lists the parameters that have a gradient, and cuts them into blocks. Where gradients have shapes alone, as
// in visualize.Shapes, there is nothing to change.
func (o *Optimizer) collect() {
	r, shapes := &o.run, false
	r.parts, r.jobs, r.sparse = r.parts[:0], r.jobs[:0], r.sparse[:0]
	for _, g := range o.Groups {
		for i, p := range g.Params {
			grad := p.Grad()
			if grad == nil || !p.RequiresGrad() {
				continue
			}
			if grad.Device().Virtual() {
				shapes = true
				continue
			}
			s := g.states[i]
			if s != nil && !o.KeepGrad && s.grad == grad.Storage().ID() && grad.Version() == s.version+1 {
				panic(tensor.Errorf(o.op(), "the gradient of %s still has that of the step before in it", g.Names[i]).
					WithHint("call o.ZeroGrad() before Backward; o.KeepGrad = true allows it"))
			}
			q := part{p: p, g: grad, group: g, at: i}
			switch {
			case grad.Layout() != tensor.Strided:
				o.sparse(q)
			case o.kernel.f32 == nil:
				panic(tensor.Errorf(o.op(), "%s does not support strided gradients, such as that of %s", o.kernel.name,
					g.Names[i]).WithHint("optim.NewAdam does"))
			default:
				r.parts = append(r.parts, q)
			}
		}
	}
	if len(r.parts)+len(r.sparse) == 0 && !shapes {
		panic(tensor.Errorf(o.op(), "no parameter has a gradient").WithHint("call loss.Backward() before the step"))
	}
	for i := range r.parts {
		q := &r.parts[i]
		q.prepare()
		for lo, n := 0, q.p.Numel(); lo < n; lo += blockSize {
			r.jobs = append(r.jobs, job{part: q, lo: lo, hi: min(lo+blockSize, n)})
		}
	}
}

// begin makes the state of a new parameter, and the coefficients of its step.
func (o *Optimizer) begin(q *part) {
	lr := q.group.Schedule(o.Steps)
	s := q.group.states[q.at]
	if s == nil {
		s = o.newState(q.group, q.p, lr)
		q.group.states[q.at] = s
	}
	s.step++
	grad := q.group.Params[q.at].Grad()
	s.grad, s.version = grad.Storage().ID(), grad.Version()
	o.kernel.coefs(q.group.Values, lr, s, &q.coefs)
}

// newState makes what is kept for a parameter: one tensor for each slot that the numbers of its group need.
func (o *Optimizer) newState(g *Group, p *tensor.Tensor, lr float64) *state {
	s := new(state)
	tensor.Lasting(func() { o.fillState(s, g, p, lr) })
	return s
}

func (o *Optimizer) fillState(s *state, g *Group, p *tensor.Tensor, lr float64) {
	for j, slot := range o.kernel.slots {
		if o.kernel.needs(slot, g.Values) {
			s.slots[j] = tensor.With(p.Dtype()).Zeros(p.Shape()...)
		}
	}
	if o.kernel.begin != nil {
		o.kernel.begin(g.Values, lr, s)
	}
}

// needs reports whether a slot is used with these numbers.
func (k *kernel) needs(slot string, v map[string]float64) bool {
	switch slot {
	case "momentum_buffer":
		return v["momentum"] != 0
	case "max_exp_avg_sq":
		return v["amsgrad"] != 0
	case "grad_avg":
		return v["centered"] != 0
	}
	return true
}

// prepare makes p and g what the loops can walk: of other dtypes, complex ones or with gaps they work on copies.
func (q *part) prepare() {
	d := q.p.Dtype()
	switch {
	case d.IsComplex():
		q.into = q.p
		q.p, q.g = tensor.ViewAsReal(q.p).Contiguous(), tensor.ViewAsReal(q.g).Contiguous()
	case d != tensor.Float32 && d != tensor.Float64:
		q.into = q.p
		q.p, q.g = q.p.To(tensor.Float32).Contiguous(), q.g.To(tensor.Float32).Contiguous()
	default:
		if !q.p.Contig() {
			q.into, q.p = q.p, q.p.Contiguous()
		}
		if !q.g.Contig() {
			q.g = q.g.Contiguous()
		}
	}
}

// checkJobs looks for gradients that are not finite. It goes from the last block to the first, which are then in the
// caches when the step begins with them.
func (o *Optimizer) checkJobs(lo, hi int) {
	n := len(o.run.jobs)
	for i := lo; i < hi; i++ {
		j := &o.run.jobs[n-1-i]
		if j.part.p.Dtype() == tensor.Float32 {
			j.wrong = !simd.FiniteFloat32(tensor.Elems[float32](j.part.g)[j.lo:j.hi])
		} else {
			j.wrong = !simd.FiniteFloat64(tensor.Elems[float64](j.part.g)[j.lo:j.hi])
		}
	}
}

// stepJobs runs the kernel on some blocks.
func (o *Optimizer) stepJobs(lo, hi int) {
	for i := lo; i < hi; i++ {
		j := &o.run.jobs[i]
		if j.part.p.Dtype() == tensor.Float32 {
			stepBlock(o.kernel.f32, j, &j.s32)
		} else {
			stepBlock(o.kernel.f64, j, &j.s64)
		}
	}
}

func stepBlock[T float](f func(c *coefs, p, g []T, s *[slotsMost][]T), j *job, slots *[slotsMost][]T) {
	for i, s := range j.part.group.states[j.part.at].slots {
		if s != nil {
			slots[i] = tensor.Elems[T](s)[j.lo:j.hi]
		}
	}
	f(&j.part.coefs, tensor.Elems[T](j.part.p)[j.lo:j.hi], tensor.Elems[T](j.part.g)[j.lo:j.hi], slots)
}
