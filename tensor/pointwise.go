package tensor

import "gotorch/tensor/opdef"

// The shape function of pointwise operators follows from the row: every parameter that is a tensor, or a tensor or a
// number, is an operand. The dtype follows from the tags, or from a rule of the operator's own (see promotions). An
// operator with a shape function of its own keeps that (see shapes).

func init() {
	for i := range operators {
		o := &operators[i]
		if o.class == opdef.Pointwise && o.shape == nil {
			o.derivePointwise()
		}
	}
}

// derivePointwise sets the shape function that follows from the row.
func (o *Op) derivePointwise() {
	slots := operandSlots(o)
	o.derivedShape = true
	o.shape = func(c *Call) {
		compute, result := c.pointwiseDtypes(slots)
		c.PlanPointwise(slots, compute, result)
	}
}

// operandSlots lists the parameters of o that are elements: tensors and numbers beside tensors.
func operandSlots(o *Op) (slots []int) {
	for i := range o.Params {
		if o.Params[i].Is("Tensor") {
			slots = append(slots, i)
		}
	}
	return slots
}

// pointwiseDtypes finds what a call computes in and what it results in.
func (c *Call) pointwiseDtypes(slots []int) (compute, result Dtype) {
	if c.Op.promote != nil {
		return c.Op.promote(c)
	}
	compute = c.promoted(slots)
	if c.Op.Tags.Has(opdef.FloatResult) && !compute.IsDifferentiable() {
		compute = DefaultDtype()
	}
	result = compute
	if c.Op.Tags.Has(opdef.BoolResult) {
		result = Bool
	}
	return compute, result
}

// promoted is the common dtype of the operands in slots.
func (c *Call) promoted(slots []int) Dtype {
	if len(slots) == 1 {
		if t := c.arg(slots[0]).t; t != nil {
			return t.dtype
		}
	}
	p := promoter{op: c.Name()}
	for _, i := range slots {
		p.value(c.arg(i))
	}
	return p.result()
}
