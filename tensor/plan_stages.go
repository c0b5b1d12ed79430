package tensor

import "slices"

// Note: looking at plans. A plan is finished in place and forgets how it came about, so that a call costs nothing for
// being looked at. The stages are found again afterwards by the planner's own steps, on the same operands.

// PlanStages is how the plan of a pointwise call came about, for tools.
type PlanStages struct {
	Shape []int // that all operands are broadcast to, in the order of the result's dimensions
	Order []int // the dimensions of Shape as the loops walk them, slowest first
	Same  bool  // all operands lie alike, one element after the other: one run, found without any stage
	Out   OperandStages
	In    []OperandStages

	Permuted  []int // Shape in the order of the loops
	Coalesced []int // the loops that are left: Shape of the plan
}

// OperandStages are the strides of one operand, in elements, through the stages. A number has none but the last two.
type OperandStages struct {
	Broadcast []int // to the common shape: 0 where the operand is broadcast
	Permuted  []int // in the order of the loops
	Coalesced []int // of the loops that are left
}

// PlanStages finds how the plan of the call came about; nil for a call without one. It is for wrapping kernels, after
// [Call.Next].
func (c *Call) PlanStages() *PlanStages {
	if c.plan == nil || c.plan.Out.Tensor == nil {
		return nil
	}
	return c.plan.stages(c.Variant != Functional)
}

// stages goes through the planner's steps again; given says that the result was there before.
func (p *Plan) stages(given bool) *PlanStages {
	dst := p.Out.Tensor
	shape := dst.shape
	s := &PlanStages{Shape: slices.Clone(shape), Same: true, In: make([]OperandStages, len(p.In))}
	q := Plan{Op: p.Op, In: slices.Clone(p.In)}
	if given {
		q.expand(shape, dst)
	} else {
		q.expand(shape, nil)
	}
	q.order(shape)
	q.setOut(dst)
	s.Order = slices.Clone(q.perm)
	slices.Reverse(s.Order)
	s.Coalesced = slices.Clone(p.Shape)
	s.Out.Broadcast = slices.Clone(q.Out.Stride)
	for i := range q.In {
		if t := q.In[i].Tensor; t != nil {
			s.In[i].Broadcast = slices.Clone(q.In[i].Stride)
			s.Same = s.Same && slices.Equal(t.shape, shape) && isContiguous(t.shape, t.stride, NoFormat)
		}
	}
	s.Same = s.Same && isContiguous(shape, dst.stride, NoFormat)
	q.permute(shape)
	s.Permuted = slices.Clone(q.Shape)
	s.Out.Permuted, s.Out.Coalesced = slices.Clone(q.Out.Stride), slices.Clone(p.Out.Stride)
	for i := range q.In {
		s.In[i].Permuted, s.In[i].Coalesced = slices.Clone(q.In[i].Stride), slices.Clone(p.In[i].Stride)
	}
	return s
}
