package tensor

import (
	"slices"
	"strings"
)

// Note: writing kernels. What kernels and shape functions of any package use: checks whose errors name the operator
// and the argument (this file), a choice by dtype (kernel_dtypes.go), loops over the elements of pointwise calls
// (kernel_loops.go), access by indices (accessor.go) and loops on all threads (threads.go).

// Check panics with an *Error about argument i, formatted, unless ok.
//
//	c.Check(c.Float(1) > 0, 1, "must be positive, got %v", c.Float(1))
func (c *Call) Check(ok bool, i int, format string, args ...any) {
	if ok {
		return
	}
	name := c.Op.Params[i].Name
	e := Errorf(c.Name(), "argument %s "+format, append([]any{name}, args...)...)
	panic(e.OnArg(name))
}

// CheckDim panics unless tensor argument i has one of the numbers of dimensions.
func (c *Call) CheckDim(i int, dims ...int) {
	x := c.mustTensor(i)
	var want []string
	for _, d := range dims {
		want = append(want, itoa(d))
	}
	word := "dimensions"
	if len(want) == 1 && dims[0] == 1 {
		word = "dimension"
	}
	c.Check(slices.Contains(dims, len(x.shape)), i, "must have %s "+word+", got %d: shape %v", strings.Join(want, " or "),
		len(x.shape), x.shape)
}

// CheckSize panics unless dimension d of tensor argument i has size n.
func (c *Call) CheckSize(i, d, n int) {
	x := c.mustTensor(i)
	d = WrapDim(c.Name(), d, len(x.shape))
	c.Check(x.shape[d] == n, i, "must have size %d in dimension %d, got shape %v", n, d, x.shape)
}

// CheckSameShape panics unless the tensor arguments i and j have one shape.
func (c *Call) CheckSameShape(i, j int) {
	x, y := c.mustTensor(i), c.mustTensor(j)
	c.Check(slices.Equal(x.shape, y.shape), j, "must have the shape of %s, %v, got %v", c.Op.Params[i].Name,
		x.shape, y.shape)
}

// CheckDtype panics unless tensor argument i has one of the dtypes.
func (c *Call) CheckDtype(i int, dtypes ...Dtype) {
	x := c.mustTensor(i)
	c.Check(slices.Contains(dtypes, x.dtype), i, "must be %s, got %v", dtypeList(dtypes), x.dtype)
}

// CheckFloating panics unless tensor argument i is of floating point numbers.
func (c *Call) CheckFloating(i int) {
	x := c.mustTensor(i)
	c.Check(x.dtype.IsFloatingPoint(), i, "must be of floating point numbers, got %v", x.dtype)
}

// CheckContiguous panics unless the elements of tensor argument i lie row by row.
func (c *Call) CheckContiguous(i int) {
	x := c.mustTensor(i)
	c.Check(x.Contig(), i, "must be contiguous, got shape %v with stride %v", x.shape, x.stride)
}

// mustTensor is tensor argument i, which must have been given.
func (c *Call) mustTensor(i int) *Tensor {
	x := c.Tensor(i)
	c.Check(x != nil, i, "must be a tensor")
	return x
}

func dtypeList(dtypes []Dtype) string {
	var names []string
	for _, d := range dtypes {
		names = append(names, d.String())
	}
	return strings.Join(names, " or ")
}
