package tensor

import "slices"

// Note: memory formats of results. Convolutions, poolings and the like give a picture in channels last for one in
// channels last, as PyTorch does. Most of their kernels fill rows that lie one after the other: for such an operator
// (the shape function has called newFormat) the kernel fills a result of rows, which is then copied.

// newFormat makes the next result, in the memory format of the first of xs that is in channels last.
func (c *Call) newFormat(shape []int, dt Dtype, xs ...*Tensor) *Tensor {
	for _, x := range xs {
		if f := x.suggestedFormat(); f != ContiguousFormat && formatOrder(len(shape), f) != nil {
			c.inRows = true
			return c.NewStrided(shape, strides(c.Name(), shape, f), dt)
		}
	}
	return c.New(shape, dt)
}

// fillRows runs the kernel of a call with results that are not row by row, and copies what it filled.
func (c *Call) fillRows(f Kernel) {
	kept := slices.Clone(c.ret)
	for i, r := range kept {
		if !r.Contig() {
			c.ret[i] = allocTensor(c.Name(), r.shape, nil, r.dtype, c.device, !c.all.Has(KeyAutograd), c.Op.zeroed())
		}
	}
	f(c)
	for i, r := range kept {
		if c.ret[i] != r {
			rawCopy(c.Name(), r, c.ret[i])
			c.ret[i] = r
		}
	}
}
