package tensor

import "gotorch/tensor/opdef"

// storing are the operators that take the dtypes for storage, beside views and what pointwise kernels say themselves:
// those that move elements without looking at them, and those that make tensors.
var storing = map[string]bool{
	"copy_": true, "clone": true, "_to_copy": true, "fill_": true, "zero_": true, "resize_": true,
	"empty": true, "empty_strided": true, "zeros": true, "ones": true, "full": true, "arange": true, "eye": true,
	"empty_like": true, "zeros_like": true, "ones_like": true, "full_like": true,
	"new_empty": true, "new_empty_strided": true, "new_zeros": true, "new_ones": true, "new_full": true,
	"cat": true, "stack": true, "flip": true, "roll": true, "repeat": true,
	"_index": true, "_index_put_impl_": true, "index_select": true, "gather": true, "take": true, "masked_select": true,
	"equal": true,
}

// checkStored rejects dtypes for storage where the operator does not move elements alone. It is small enough for the
// compiler to put into its caller.
func (c *Call) checkStored() {
	if class := c.Op.class; class != opdef.View && class != opdef.Pointwise {
		c.checkEachStored()
	}
}

func (c *Call) checkEachStored() {
	for i := range c.args {
		v := &c.args[i]
		switch {
		case v.t != nil && v.t.dtype.forStorage():
			c.stored(v.t)
		case v.kind == otherValue:
			if l, ok := v.x.([]*Tensor); ok {
				for _, t := range l {
					if t.dtype.forStorage() {
						c.stored(t)
					}
				}
			}
		}
	}
	for _, t := range c.ret {
		if t != nil && t.dtype.forStorage() {
			c.stored(t)
		}
	}
}

// stored panics unless the operator takes t's dtype, one for storage.
func (c *Call) stored(t *Tensor) {
	if !storing[c.Op.Full] {
		panic(Errorf(c.Name(), "not implemented for %s", t.dtype).WithHint(t.dtype.ConvertHint()))
	}
}
