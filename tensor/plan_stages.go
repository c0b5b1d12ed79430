package tensor

import "slices"

// Note: looking at plans. A plan is finished in place and forgets how it came about, so that a call costs nothing for being looked at. The
// stages are found again afterwards by the planner's own steps, on the same operands.

// PlanStages is how the plan of a pointwise call came about, for tools.
type PlanStages struct {
	Shape []int // that all operands are broadcast to, in the order of the result's dimensions
	Order []int // the dimensions of Shape as the loops walk them, slowest first
	Same  bool  // all operands lie alike, one element after the other: one run, found without any stage
	Out   OperandStages
	In    []OperandStages

	Ordered []int // Shape in the order of the loops
	Melted  []int // the loops that are left: Shape of the plan
}

// OperandStages are the strides of one operand, in elements, through the stages. A number has none but the last two.
type OperandStages struct {
	Broadcast []int // to the common shape: 0 where the operand is stretched
	Ordered   []int // in the order of the loops
	Melted    []int // of the loops that are left
}

// PlanStages finds how the plan of the call came about; nil for a call without one. It is for wrapping kernels, after [Call.Next].
func (c *Call) PlanStages() *PlanStages {
	if c.plan == nil || c.plan.Out.Tensor == nil {
		return nil
	}
	return c.plan.stages(c.Variant != Functional)
}

// stages goes through the planner's steps again; given says that the result was there before.
func (p *Plan) stages(given bool) *PlanStages {
	shape := p.Out.Tensor.shape
	s := &PlanStages{Shape: slices.Clone(shape), Same: true, In: make([]OperandStages, len(p.In))}
	q := Plan{Op: p.Op, In: slices.Clone(p.In)}
	var dst *Tensor
	if given {
		dst = p.Out.Tensor
	}
	perm := q.order(shape, dst)
	s.Order = slices.Clone(perm)
	slices.Reverse(s.Order)
	s.Melted = slices.Clone(p.Shape)
	done := []*PlanOperand{&p.Out}
	for i := range p.In {
		done = append(done, &p.In[i])
	}
	for i, o := range q.arrange(shape, p.Out.Tensor, perm) {
		into := &s.Out
		if i > 0 {
			into = &s.In[i-1]
		}
		if t := o.Tensor; t != nil {
			into.Broadcast, _ = BroadcastStrides(t.shape, t.stride, shape)
			s.Same = s.Same && slices.Equal(t.shape, shape) && isContiguous(t.shape, t.stride, NoFormat)
		}
		into.Ordered, into.Melted = slices.Clone(o.Stride), slices.Clone(done[i].Stride)
	}
	s.Ordered = slices.Clone(q.Shape)
	return s
}
