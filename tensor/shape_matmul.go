package tensor

import (
	"strings"
)

func init() {
	shapes(map[string]Kernel{
		"mm":      func(c *Call) { mmShape(c, c.Tensor(0), c.Tensor(1)) },
		"bmm":     func(c *Call) { bmmShape(c, c.Tensor(0), c.Tensor(1)) },
		"mv":      func(c *Call) { mvShape(c, c.Tensor(0), c.Tensor(1)) },
		"dot":     dotShape,
		"vdot":    dotShape,
		"addmm":   func(c *Call) { addShape(c, mmSizes(c, c.Tensor(1), c.Tensor(2))) },
		"addmv":   func(c *Call) { addShape(c, mvSizes(c, c.Tensor(1), c.Tensor(2))) },
		"baddbmm": func(c *Call) { addShape(c, bmmSizes(c, c.Tensor(1), c.Tensor(2))) },
		"addbmm":  func(c *Call) { addShape(c, bmmSizes(c, c.Tensor(1), c.Tensor(2))[1:]) },
	})
}

func mmShape(c *Call, a, b *Tensor)  { c.New(mmSizes(c, a, b), a.dtype) }
func bmmShape(c *Call, a, b *Tensor) { c.New(bmmSizes(c, a, b), a.dtype) }
func mvShape(c *Call, a, b *Tensor)  { c.New(mvSizes(c, a, b), a.dtype) }

// times writes sizes as 2x3.
func times(shape []int) string {
	parts := make([]string, len(shape))
	for i, s := range shape {
		parts[i] = itoa(s)
	}
	return strings.Join(parts, "x")
}

// wantDims panics if x has not n dimensions.
func wantDims(c *Call, arg string, x *Tensor, n int) {
	if len(x.shape) != n {
		kind := map[int]string{1: "a vector", 2: "a matrix", 3: "a batch of matrices"}[n]
		panic(Errorf(c.Name(), "%s must be %s (%dD), but it is %dD, of shape %v", arg, kind, n, len(x.shape), x.shape).
			OnArg(arg))
	}
}

func productDtypes(c *Call, a, b *Tensor) {
	if a.dtype != b.dtype {
		panic(Errorf(c.Name(), "both must have the same dtype, but got %s and %s", a.dtype, b.dtype).
			WithHint("To(" + goDtype(a.dtype) + ") converts one"))
	}
}

// goDtype is the name of the constant for d.
func goDtype(d Dtype) string { s := d.String(); return strings.ToUpper(s[:1]) + s[1:] }

// slotName is the name of the parameter that x stands in.
func (c *Call) slotName(x *Tensor) string {
	for i := range c.args {
		if c.args[i].t == x {
			return c.Op.Params[i].Name
		}
	}
	return "self"
}

func mmSizes(c *Call, a, b *Tensor) []int {
	wantDims(c, c.slotName(a), a, 2)
	wantDims(c, c.slotName(b), b, 2)
	if a.shape[1] != b.shape[0] {
		panic(Errorf(c.Name(), "mat1 and mat2 shapes cannot be multiplied (%s and %s)", times(a.shape), times(b.shape)).
			WithHint("columns of the first must equal rows of the second; T() transposes").WithDetails(matmulDetails(a, b)))
	}
	productDtypes(c, a, b)
	return []int{a.shape[0], b.shape[1]}
}

func bmmSizes(c *Call, a, b *Tensor) []int {
	wantDims(c, c.slotName(a), a, 3)
	wantDims(c, c.slotName(b), b, 3)
	if a.shape[0] != b.shape[0] || a.shape[2] != b.shape[1] {
		panic(Errorf(c.Name(), "expected size for first two dimensions of the second batch to be [%d, %d] but got [%d, "+
			"%d]: shapes %v and %v cannot be multiplied", a.shape[0], a.shape[2], b.shape[0], b.shape[1], a.shape, b.shape).
			WithDetails(matmulDetails(a, b)))
	}
	productDtypes(c, a, b)
	return []int{a.shape[0], a.shape[1], b.shape[2]}
}

func mvSizes(c *Call, a, b *Tensor) []int {
	wantDims(c, c.slotName(a), a, 2)
	wantDims(c, c.slotName(b), b, 1)
	if a.shape[1] != b.shape[0] {
		panic(Errorf(c.Name(), "size mismatch: a matrix (%s) cannot be multiplied by a vector (%d): sizes %d and %d differ",
			times(a.shape), b.shape[0], a.shape[1], b.shape[0]).WithDetails(matmulDetails(a, b)))
	}
	productDtypes(c, a, b)
	return []int{a.shape[0]}
}

func dotShape(c *Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	if len(a.shape) != 1 || len(b.shape) != 1 {
		panic(Errorf(c.Name(), "1D tensors expected, but got %dD and %dD tensors of shapes %v and %v", len(a.shape),
			len(b.shape), a.shape, b.shape).WithHint("Matmul takes any dimensions"))
	}
	productDtypes(c, a, b)
	if a.shape[0] != b.shape[0] {
		panic(Errorf(c.Name(), "inconsistent tensor size: vectors of sizes %d and %d cannot be multiplied, both must have "+
			"the same number of elements", a.shape[0], b.shape[0]).WithDetails(matmulDetails(a, b)))
	}
	c.New([]int{}, a.dtype)
}

// addShape checks self of beta*self + alpha*product, which broadcasts to shape.
func addShape(c *Call, shape []int) {
	self, a := c.Tensor(0), c.Tensor(1)
	if self.dtype != a.dtype {
		panic(Errorf(c.Name(), "self and the product must have the same dtype, but got %s and %s", self.dtype, a.dtype))
	}
	if _, ok := BroadcastStrides(self.shape, self.stride, shape); !ok {
		panic(Errorf(c.Name(), "self of shape %v does not expand to the shape %v of the product", self.shape, shape).
			WithDetails(expandDetails(self, shape)))
	}
	c.New(shape, a.dtype)
}
