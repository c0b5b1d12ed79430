package tensor

import (
	"slices"
)

// ReduceDims tells which of n dimensions the list dims names; an empty list names all. A dimension out of range or
// named twice panics with an *Error.
//
//gotorch:internal
func ReduceDims(op string, dims []int, n int) []bool {
	if n > 64 {
		panic(Errorf(op, "only tensors with up to 64 dimensions are supported, got %d", n))
	}
	mask := make([]bool, n)
	if len(dims) == 0 {
		for i := range mask {
			mask[i] = true
		}
		return mask
	}
	seen := -1
	for _, d := range dims {
		d = WrapDim(op, d, n)
		if n == 0 {
			if seen == d {
				panic(Errorf(op, "dim %d appears multiple times in the list of dims %v", d, dims))
			}
			seen = d
			continue
		}
		if mask[d] {
			panic(Errorf(op, "dim %d appears multiple times in the list of dims %v", d, dims))
		}
		mask[d] = true
	}
	return mask
}

// reducedShape takes the dimensions of mask away, or leaves them with size 1.
func reducedShape(shape []int, mask []bool, keepdim bool) []int {
	out := make([]int, 0, len(shape))
	for i, s := range shape {
		switch {
		case !mask[i]:
			out = append(out, s)
		case keepdim:
			out = append(out, 1)
		}
	}
	return out
}

// reduced is the shape of the result of a reduction with parameters dim and keepdim, where the operator has them.
func (c *Call) reduced() []int {
	x := c.Self()
	return reducedShape(x.shape, ReduceDims(c.Name(), c.ReduceArg(), len(x.shape)), c.keepdim())
}

func (c *Call) keepdim() bool {
	i := c.Op.Param("keepdim")
	return i >= 0 && c.Bool(i)
}

// ReduceArg is the argument called dim as a list, nil for all dimensions.
func (c *Call) ReduceArg() []int {
	if i := c.Op.Param("dim"); i >= 0 {
		return c.Ints(i)
	}
	return nil
}

// notEmpty rejects reductions of dimensions without elements, where a reduction has no value for them.
func (c *Call) notEmpty() {
	x := c.Self()
	if x.numel > 0 {
		return
	}
	dims := c.ReduceArg()
	if len(dims) == 0 {
		panic(Errorf(c.Name(), "expected reduction dim to be specified for input.numel() == 0; the shape is %v", x.shape))
	}
	for i, reduce := range ReduceDims(c.Name(), dims, len(x.shape)) {
		if reduce && x.shape[i] == 0 {
			panic(Errorf(c.Name(), "expected reduction dim %d to have non-zero size; the shape is %v", i, x.shape))
		}
	}
}

func init() {
	m := map[string]Kernel{
		"sum":  func(c *Call) { c.New(c.reduced(), c.sumDtype()) },
		"prod": func(c *Call) { c.New(c.reduced(), c.sumDtype()) },
		"nansum": func(c *Call) {
			noComplex(c, c.Self().dtype)
			c.New(c.reduced(), c.sumDtype())
		},
		"mean": func(c *Call) {
			dt := c.DtypeOption(c.Self().dtype)
			if !dt.IsDifferentiable() {
				panic(Errorf(c.Name(), "could not infer output dtype: the input must be floating point or complex, got %s", dt).
					WithHint("Float() it first, or give a dtype"))
			}
			if c.Variant == OutVariant && c.out[0].dtype != dt {
				panic(Errorf(c.Name(), "expected opt.Out to have dtype %v but got %v", dt, c.out[0].dtype).OnArg("out"))
			}
			c.New(c.reduced(), dt)
		},
		"logsumexp": func(c *Call) {
			dt := c.Self().dtype
			noComplex(c, dt)
			if !dt.IsDifferentiable() {
				dt = DefaultDtype()
			}
			c.New(c.reduced(), dt)
		},
		"count_nonzero":      func(c *Call) { c.New(c.reduced(), Int64) },
		"norm":               normShape,
		"linalg.vector_norm": normShape,
		"_unitary_factor":    func(c *Call) { c.New(c.Self().shape, c.Self().dtype) },
		"trace": func(c *Call) {
			x := c.Self()
			if len(x.shape) != 2 {
				panic(Errorf(c.Name(), "expected a matrix, but got tensor with dim %d", len(x.shape)))
			}
			c.New([]int{}, c.sumDtype())
		},
		"aminmax": func(c *Call) {
			noComplex(c, c.Self().dtype)
			c.notEmpty()
			c.New(c.reduced(), c.Self().dtype)
			c.New(c.reduced(), c.Self().dtype)
		},
		"median":    func(c *Call) { noComplex(c, c.Self().dtype); c.New([]int{}, c.Self().dtype) },
		"nanmedian": func(c *Call) { noComplex(c, c.Self().dtype); c.New([]int{}, c.Self().dtype) },
		"equal":     equalShape,
		"isin": func(c *Call) {
			shape := []int{}
			if x := c.Tensor(0); x != nil {
				shape = x.shape
			} else if c.Tensor(1) == nil {
				panic(Errorf(c.Name(), "elements and test_elements are both numbers; one must be a tensor"))
			}
			for i := range 2 {
				if x := c.Tensor(i); x != nil {
					noComplex(c, x.dtype)
				}
			}
			c.New(shape, Bool)
		},
	}
	for _, name := range []string{"max", "min", "amax", "amin"} {
		m[name] = func(c *Call) {
			noComplex(c, c.Self().dtype)
			c.notEmpty()
			c.New(c.reduced(), c.Self().dtype)
		}
	}
	for _, name := range []string{"argmax", "argmin"} {
		m[name] = func(c *Call) {
			noComplex(c, c.Self().dtype)
			noBool(c, c.Self().dtype)
			c.notEmpty()
			c.New(c.reduced(), Int64)
		}
	}
	for _, name := range []string{"max.dim", "min.dim", "median.dim", "nanmedian.dim", "mode"} {
		m[name] = func(c *Call) {
			noComplex(c, c.Self().dtype)
			c.notEmpty()
			c.New(c.reduced(), c.Self().dtype)
			c.New(c.reduced(), Int64)
		}
	}
	for _, name := range []string{"all", "any"} {
		m[name] = func(c *Call) {
			dt := Bool
			if c.Self().dtype == Uint8 {
				dt = Uint8
			}
			c.New(c.reduced(), dt)
		}
	}
	for _, name := range []string{"var", "std", "var_mean", "std_mean"} {
		m[name] = func(c *Call) {
			dt := c.Self().dtype
			if !dt.IsDifferentiable() {
				panic(Errorf(c.Name(), "only floating point and complex dtypes are supported, got %s", dt).
					WithHint("Float() it first"))
			}
			c.New(c.reduced(), dt.ToReal())
			if len(c.Op.Rets) == 2 {
				c.New(c.reduced(), dt)
			}
		}
	}
	shapes(m)
}

// sumDtype is the dtype of sums and products: int64 for integers and bools, or what was asked for.
func (c *Call) sumDtype() Dtype {
	dt := c.Self().dtype
	if !dt.IsDifferentiable() {
		dt = Int64
	}
	return c.DtypeOption(dt)
}

// normShape checks what vector norms and norm check.
func normShape(c *Call) {
	x := c.Self()
	if !x.dtype.IsDifferentiable() {
		panic(Errorf(c.Name(), "expected a floating point or complex tensor as input, got %s", x.dtype).
			WithHint("Float() it first"))
	}
	dt := c.DtypeOption(x.dtype)
	switch {
	case !dt.IsDifferentiable():
		panic(Errorf(c.Name(), "dtype should be floating point or complex, got %v", dt).OnArg("dtype"))
	case x.dtype.IsComplex() != dt.IsComplex():
		panic(Errorf(c.Name(), "dtype should be complex for complex inputs and real for real ones, got %v for %v", dt,
			x.dtype).OnArg("dtype"))
	case PromoteTypes(x.dtype, dt) != dt:
		panic(Errorf(c.Name(), "the dtype of the input, %v, should be convertible without narrowing to %v", x.dtype, dt).
			OnArg("dtype"))
	}
	p, ok := c.Scalar(1)
	if ok && p.IsComplex() {
		panic(Errorf(c.Name(), "expected a non-complex order of the norm").OnArg(c.Op.Params[1].Name))
	}
	if s := c.Str(1); s == "nuc" {
		if c.Dtype(4) != NoDtype {
			panic(Errorf(c.Name(), "dtype is not supported by the nuclear norm").OnArg("dtype"))
		}
		d := NuclearDims(c.Name(), c.Ints(2), len(x.shape))
		c.New(reducedShape(x.shape, ReduceDims(c.Name(), d[:], len(x.shape)), c.keepdim()), dt.ToReal())
		return
	} else if s != "" && s != "fro" {
		panic(Errorf(c.Name(), `p must be a number, "fro" or "nuc", not "%s"`, s).OnArg("p"))
	}
	mask := ReduceDims(c.Name(), c.ReduceArg(), len(x.shape))
	if ok && x.numel == 0 && (p.Float() < 0 || p.Float() > 1e308) {
		for i, reduce := range mask {
			if reduce && x.shape[i] == 0 {
				panic(Errorf(c.Name(), "the norm of order %v of dimension %d, which is empty, has no value; the shape is %v", p, i,
					x.shape))
			}
		}
	}
	c.New(reducedShape(x.shape, mask, c.keepdim()), dt.ToReal())
}

func equalShape(c *Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	if a.dtype != b.dtype && slices.Equal(a.shape, b.shape) {
		panic(Errorf(c.Name(), "expected tensors of one dtype, got %s and %s", a.dtype, b.dtype))
	}
	c.New([]int{}, Bool)
}

// NuclearDims returns the two dimensions of the matrices of a nuclear norm. It panics where dims are not two, or, left
// out, the tensor of n dimensions is no matrix.
func NuclearDims(op string, dims []int, n int) [2]int {
	switch {
	case len(dims) == 2:
		return [2]int{WrapDim(op, dims[0], n), WrapDim(op, dims[1], n)}
	case len(dims) != 0:
		panic(Errorf(op, "the nuclear norm is one of matrices: dim needs two dimensions, not %d", len(dims)).OnArg("dim"))
	case n != 2:
		panic(Errorf(op, "the nuclear norm without dim expects a tensor with 2 dimensions, got %d", n).
			WithHint("give the two dimensions of the matrices"))
	}
	return [2]int{0, 1}
}
