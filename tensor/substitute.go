package tensor

import "slices"

// Note: substitutes. In a scope with a Substitute, another tensor stands for every tensor that a call, a gradient or a
// read of values meets: on the meta device, to run a user's code for its shapes alone. The tensors themselves stay as
// they are. Values may be read as long as the substitute was not written to: they are what they would be.

// SubstituteOf is the tensor that stands for x in the scope of the running goroutine: x itself, but in a scope with a
// Substitute.
func SubstituteOf(x *Tensor) *Tensor {
	if s := CurrentScope(); s != nil && s.Substitute != nil && x != nil {
		return s.Substitute(x)
	}
	return x
}

// SubstitutesOf is SubstituteOf for each of a list.
func SubstitutesOf(xs []*Tensor) []*Tensor {
	if s := CurrentScope(); s == nil || s.Substitute == nil || xs == nil {
		return xs
	}
	out := make([]*Tensor, len(xs))
	for i, x := range xs {
		out[i] = SubstituteOf(x)
	}
	return out
}

// readable is x, or its substitute where that has been written to: its values cannot be read then.
func (x *Tensor) readable() *Tensor {
	if y := SubstituteOf(x); y != x && y.st.Version() > 0 {
		return y
	}
	return x
}

// swap puts substitutes into the place of the call's tensors.
func (c *Call) swap(substitute func(*Tensor) *Tensor) {
	for i := range c.args {
		switch v := &c.args[i]; v.kind {
		case tensorValue:
			v.t = substitute(v.t)
		case otherValue:
			switch l := v.x.(type) {
			case []*Tensor:
				l = slices.Clone(l)
				for j, t := range l {
					if t != nil {
						l[j] = substitute(t)
					}
				}
				v.x = l
			case []any:
				l = slices.Clone(l)
				for j, e := range l {
					if t, ok := e.(*Tensor); ok && t != nil {
						l[j] = substitute(t)
					}
				}
				v.x = l
			}
		}
	}
	if len(c.out) > 0 {
		c.out = slices.Clone(c.out)
		for i, t := range c.out {
			c.out[i] = substitute(t)
		}
	}
}
