package tensor

import "slices"

// Note: twins. In a scope with a Twin, another tensor stands for every tensor that a call, a gradient or a read of
// values meets: on the meta device, to run a user's code for its shapes alone. The tensors themselves stay as they
// are. Values may be read as long as the twin was not written to: they are what they would be.

// TwinOf is the tensor that stands for x in the scope of the running goroutine: x itself, but in a scope with a Twin.
func TwinOf(x *Tensor) *Tensor {
	if s := CurrentScope(); s != nil && s.Twin != nil && x != nil {
		return s.Twin(x)
	}
	return x
}

// TwinsOf is TwinOf for each of a list.
func TwinsOf(xs []*Tensor) []*Tensor {
	if s := CurrentScope(); s == nil || s.Twin == nil || xs == nil {
		return xs
	}
	out := make([]*Tensor, len(xs))
	for i, x := range xs {
		out[i] = TwinOf(x)
	}
	return out
}

// readable is x, or its twin where that has been written to: its values cannot be read then.
func (x *Tensor) readable() *Tensor {
	if y := TwinOf(x); y != x && y.st.Version() > 0 {
		return y
	}
	return x
}

// swap puts twins into the place of the call's tensors.
func (c *Call) swap(twin func(*Tensor) *Tensor) {
	for i := range c.args {
		switch v := &c.args[i]; v.kind {
		case tensorValue:
			v.t = twin(v.t)
		case otherValue:
			switch l := v.x.(type) {
			case []*Tensor:
				l = slices.Clone(l)
				for j, t := range l {
					if t != nil {
						l[j] = twin(t)
					}
				}
				v.x = l
			case []any:
				l = slices.Clone(l)
				for j, e := range l {
					if t, ok := e.(*Tensor); ok && t != nil {
						l[j] = twin(t)
					}
				}
				v.x = l
			}
		}
	}
	if len(c.out) > 0 {
		c.out = slices.Clone(c.out)
		for i, t := range c.out {
			c.out[i] = twin(t)
		}
	}
}
