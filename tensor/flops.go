package tensor

import "gotorch/tensor/opdef"

// Note: floating point operations. They are counted from the sizes of a call, by a rule of its operator or of the
// operator's class. A multiplication and an addition are two; any function of one element counts as one. What only
// moves elements, and what no rule knows, counts nothing.

func init() {
	matrix := func(c *Call) float64 { return 2 * c.outputs() * c.inner(0) }
	added := func(c *Call) float64 { return c.outputs() * (2*c.inner(1) + 1) }
	each := func(n float64) func(*Call) float64 { return func(c *Call) float64 { return n * c.outputs() } }
	inputs := func(c *Call) float64 { return float64(c.Tensor(0).numel) }
	for name, rule := range map[string]func(c *Call) float64{
		"mm": matrix, "bmm": matrix, "mv": matrix, "dot": matrix, "vdot": matrix,
		"addmm": added, "addmv": added, "baddbmm": added,
		"addbmm": func(c *Call) float64 { // one product more for each matrix of the batch
			return c.outputs() * (2*c.inner(1)*float64(c.Tensor(1).shape[0]) + 1)
		},
		"addcmul": each(3), "addcdiv": each(3), "lerp": each(3),
		"where": each(0), "masked_fill": each(0),
		"cumsum": inputs, "cumprod": inputs, "logcumsumexp": inputs,
		"convolution": func(c *Call) float64 { // each element of the smaller side meets each of a filter's
			n := c.outputs()
			if c.Bool(6) { // transposed
				n = float64(c.Tensor(0).numel)
			}
			return 2 * n * window(c.Tensor(1).shape)
		},
		"_convolution_weight": func(c *Call) float64 { // as many as the convolution itself
			return 2 * float64(c.Tensor(1).numel) * window(c.Ret(0).shape)
		},
		"_fused": func(c *Call) (n float64) {
			for _, s := range c.Arg(1).(*FusedBody).steps {
				n += float64(c.Arg(1).(*FusedBody).vals[s.out].fake.numel)
			}
			return n
		},
	} {
		registering("a rule of operations", name).flops = rule
	}
}

// Flops is the number of floating point operations of a call that has returned, as they are counted for rates; 0 for
// views, for what only moves elements, and where it is not known. Of a composite operator it is that of its parts, and
// not counted here.
func (c *Call) Flops() float64 {
	switch o := c.Op; {
	case len(c.ret) == 0 || c.ret[0] == nil || o.composite != nil:
		return 0
	case o.flops != nil:
		return o.flops(c)
	case o.class == opdef.Pointwise:
		return c.outputs()
	case o.class == opdef.Reduction && c.Tensor(0) != nil:
		return float64(c.Tensor(0).numel)
	}
	return 0
}

// outputs is the number of elements of the first result.
func (c *Call) outputs() float64 { return float64(c.ret[0].numel) }

// inner is the last size of argument i: the dimension that a product sums over.
func (c *Call) inner(i int) float64 {
	if s := c.Tensor(i).shape; len(s) > 0 {
		return float64(s[len(s)-1])
	}
	return 0
}

// window is the number of elements of one of a weight's filters.
func window(weight []int) float64 {
	n, _ := count(weight[1:])
	return float64(n)
}
