package tensor

import (
	"maps"
	"slices"
)

// ByDtype are the kernels of an operator by the dtype that they compute in: one generic function, once for each.
//
//	tensor.ByDtype{tensor.Float32: clip[float32], tensor.Float64: clip[float64], tensor.Int64: clip[int64]}
type ByDtype map[Dtype]Kernel

// SwitchDtype runs the kernel for dt, PyTorch's AT_DISPATCH. The trace says which ran. A dtype that has none panics
// with an *Error that lists those that have.
func (c *Call) SwitchDtype(dt Dtype, kernels ByDtype) {
	if f := kernels[dt]; f != nil {
		if c.all.Has(KeyTrace) && c.Note == "" {
			c.Note = dt.String()
		}
		f(c)
		return
	}
	have := slices.Sorted(maps.Keys(kernels))
	panic(Errorf(c.Name(), "not implemented for %v", dt).WithHint("it is for " + dtypeList(have)))
}
