package tensor

import "slices"

// Bodies of operators that are views in a row.

func init() {
	passes(map[string]Kernel{
		"view_as":      func(c *Call) { c.Return(c.Tensor(0).View(c.Tensor(1).shape...)) },
		"reshape_as":   func(c *Call) { c.Return(c.Tensor(0).Reshape(c.Tensor(1).shape...)) },
		"expand_as":    func(c *Call) { c.Return(c.Tensor(0).Expand(c.Tensor(1).shape...)) },
		"broadcast_to": func(c *Call) { c.Return(c.Tensor(0).Expand(c.Ints(1)...)) },
		"reshape":      func(c *Call) { c.Return(reshaped(c.Name(), c.Tensor(0), c.Ints(1))) },
		"flatten":      flattenBody,
		"ravel":        func(c *Call) { c.Return(c.Tensor(0).Contiguous().View(-1)) },
		"unflatten":    unflattenBody,
		"movedim":      movedimBody,
		"moveaxis":     movedimBody,
		"swapaxes":     func(c *Call) { c.Return(c.Tensor(0).Transpose(c.Int(1), c.Int(2))) },
		"swapdims":     func(c *Call) { c.Return(c.Tensor(0).Transpose(c.Int(1), c.Int(2))) },
		"swapaxes_":    func(c *Call) { c.Return(c.Tensor(0).Transpose_(c.Int(1), c.Int(2))) },
		"swapdims_":    func(c *Call) { c.Return(c.Tensor(0).Transpose_(c.Int(1), c.Int(2))) },
		"mT":           func(c *Call) { c.Return(matrix(c).Transpose(-2, -1)) },
		"mH":           func(c *Call) { c.Return(adjoint(matrix(c))) },
		"adjoint":      func(c *Call) { c.Return(adjoint(matrix(c))) },
		"H": func(c *Call) {
			x := c.Tensor(0)
			switch len(x.shape) {
			case 0:
				if x.dtype.IsComplex() {
					x = x.Conj()
				}
				c.Return(x)
			case 2:
				c.Return(adjoint(x))
			default:
				panic(Errorf(c.Name(), "only supported on matrices (2-D tensors), got a %d-D tensor of shape %v", len(x.shape),
					x.shape).WithHint("MH is for batches of matrices"))
			}
		},
		"narrow": func(c *Call) { c.narrow(c.Int(2)) },
		"narrow.Tensor": func(c *Call) {
			start := c.Tensor(2)
			if len(start.shape) > 0 || !start.dtype.IsIntegral() {
				panic(Errorf(c.Name(), "start must be an integer tensor of no dimensions, got %s of shape %v", start.dtype,
					start.shape).OnArg("start"))
			}
			c.narrow(start.ItemInt())
		},
		"broadcast_tensors": func(c *Call) {
			ts := c.Tensors(0)
			shapes := make([][]int, len(ts))
			for i, t := range ts {
				shapes[i] = t.shape
			}
			defer addDetails(func() any { return broadcastDetails(ts...) })
			shape, out := broadcastAll(c.Name(), shapes), make([]*Tensor, len(ts))
			for i, t := range ts {
				out[i] = t.Expand(shape...)
			}
			c.Return(out...)
		},
		"atleast_1d": atleast(1),
		"atleast_2d": atleast(2),
		"atleast_3d": atleast(3),
		"real": func(c *Call) {
			x := c.Tensor(0)
			if !x.dtype.IsComplex() {
				c.Return(x)
				return
			}
			c.Return(ViewAsReal(x).Select(-1, 0))
		},
		"imag": func(c *Call) {
			x := c.Tensor(0)
			if !x.dtype.IsComplex() {
				panic(Errorf(c.Name(), "imag is not implemented for tensors with non-complex dtypes, got %s", x.dtype))
			}
			c.Return(ViewAsReal(x).Select(-1, 1))
		},
		"detach_": func(c *Call) {
			x := c.Tensor(0)
			if x.view.base != nil {
				panic(Errorf(c.Name(), "can't detach views in-place").WithHint("use Detach instead"))
			}
			if a := x.ag; a != nil {
				a.Fn, a.Output, a.Requires = nil, 0, false
				x.SetAutogradMeta(a)
			}
			c.Return(x)
		},
	})
}

// reshaped is a view of x where its strides allow it, else a copy under the new shape.
func reshaped(op string, x *Tensor, size []int) *Tensor {
	shape := x.inferShape(op, size)
	if stride, ok := viewStrides(x.shape, x.stride, shape); ok {
		return callReshapeAlias(x, shape, stride...)
	}
	return callUnsafeView(x.Clone(ContiguousFormat), shape...)
}

func flattenBody(c *Call) {
	x := c.Tensor(0)
	n := len(x.shape)
	from, to := c.wrapDim(1, c.Int(1), n), c.wrapDim(2, c.Int(2), n)
	switch {
	case from > to:
		panic(Errorf(c.Name(), "start_dim (%d) cannot come after end_dim (%d)", c.Int(1), c.Int(2)))
	case n == 0:
		c.Return(reshaped(c.Name(), x, []int{1}))
		return
	case from == to:
		c.Return(x)
		return
	}
	merged := 1
	for _, s := range x.shape[from : to+1] {
		merged *= s
	}
	c.Return(reshaped(c.Name(), x, slices.Replace(x.Shape(), from, to+1, merged)))
}

func unflattenBody(c *Call) {
	x, sizes := c.Tensor(0), c.Ints(2)
	d := c.wrapDim(1, c.Int(1), len(x.shape))
	if len(sizes) == 0 {
		panic(Errorf(c.Name(), "sizes must be non-empty"))
	}
	if len(x.shape) == 0 {
		c.Return(x.View(sizes...))
		return
	}
	product, free := 1, 0
	for _, s := range sizes {
		if s == -1 {
			free++
			continue
		}
		product *= s
	}
	if free > 1 || free == 0 && product != x.shape[d] ||
		free == 1 && (product <= 0 && x.shape[d] != 0 || product > 0 && x.shape[d]%product != 0) {
		panic(Errorf(c.Name(), "provided sizes %v don't multiply up to the size of dim %d (%d) in the input tensor", sizes,
			d, x.shape[d]))
	}
	if free == 1 && product > 0 {
		sizes = slices.Clone(sizes)
		sizes[slices.Index(sizes, -1)] = x.shape[d] / product
	}
	c.Return(x.View(slices.Replace(x.Shape(), d, d+1, sizes...)...))
}

func movedimBody(c *Call) {
	x, from, to := c.Tensor(0), c.Ints(1), c.Ints(2)
	if len(from) != len(to) {
		panic(Errorf(c.Name(), "invalid source or destination dims: source %v should contain the same number of dims as "+
			"destination %v", from, to))
	}
	n := len(x.shape)
	wrap := func(arg int, what string, dims []int) []int {
		out := make([]int, len(dims))
		for i, d := range dims {
			out[i] = c.wrapDim(arg, d, n)
			if slices.Contains(out[:i], out[i]) {
				panic(Errorf(c.Name(), "repeated dim %d in %s %v", d, what, dims))
			}
		}
		return out
	}
	from, to = wrap(1, "source", from), wrap(2, "destination", to)
	if n == 0 {
		c.Return(callAlias(x))
		return
	}
	perm, rest := make([]int, n), 0
	for i := range perm {
		if at := slices.Index(to, i); at >= 0 {
			perm[i] = from[at]
			continue
		}
		for slices.Contains(from, rest) {
			rest++
		}
		perm[i] = rest
		rest++
	}
	c.Return(x.Permute(perm...))
}

// matrix is the argument of an operator on matrices.
func matrix(c *Call) *Tensor {
	x := c.Tensor(0)
	if len(x.shape) < 2 {
		panic(Errorf(c.Name(), "only supported on matrices or batches of matrices, got a %d-D tensor", len(x.shape)))
	}
	return x
}

func adjoint(x *Tensor) *Tensor {
	x = x.Transpose(-2, -1)
	if x.dtype.IsComplex() {
		x = x.Conj()
	}
	return x
}

// atleast returns a tensor of n dimensions: those of size 1 come in front, but a matrix gets its third behind and a
// vector one on each side.
func atleast(n int) Kernel {
	return func(c *Call) {
		x := c.Tensor(0)
		switch have := len(x.shape); {
		case have >= n:
			c.Return(x)
		case have == 0:
			ones := []int{1, 1, 1}
			c.Return(x.Reshape(ones[:n]...))
		case n == 2:
			c.Return(x.Unsqueeze(0))
		case have == 1:
			c.Return(x.Unsqueeze(0).Unsqueeze(-1))
		default:
			c.Return(x.Unsqueeze(-1))
		}
	}
}

func (c *Call) narrow(start int) {
	x, length := c.Tensor(0), c.Int(3)
	d := innerDim(c, x, 1, c.Int(1))
	n := x.shape[d]
	if length < 0 {
		panic(Errorf(c.Name(), "length must be non-negative, got %d", length))
	}
	if start < -n || start > n || n == 0 && start != 0 {
		panic(Errorf(c.Name(), "start %d is out of range: dimension %d has size %d", start, d, n).OnArg("start").
			WithDetails(indexDetails(x, d, start)))
	}
	if start < 0 {
		start += n
	}
	if start+length > n {
		panic(Errorf(c.Name(), "start (%d) + length (%d) exceeds dimension size (%d)", start, length, n))
	}
	c.Return(x.Slice(optDim(d), optStart(start), optEnd(start+length)))
}
