package tensor

import (
	"slices"
)

// Powers, long products, and linear maps between tensors.

func init() {
	power := func(c *Call) { c.Return(matrixPower(c, c.Tensor(0), c.Int(1))) }
	composites(map[string]Kernel{
		"linalg.matrix_power": power,
		"matrix_power":        power,
		"linalg.matmul":       func(c *Call) { c.Return(matmulBody(c.Name(), c.Tensor(0), c.Tensor(1))) },
		"linalg.multi_dot":    multiDotBody,
		"linalg.vecdot":       vecdotBody,
		"linalg.diagonal": func(c *Call) {
			c.Return(c.Tensor(0).Diagonal(optOffset(c.Int(1)), optDim1(c.Int(2)), optDim2(c.Int(3))))
		},
		"linalg.vander":      linalgVanderBody,
		"linalg.tensorinv":   tensorinvBody,
		"linalg.tensorsolve": tensorsolveBody,
	})
}

// matrixPower multiplies by squaring.
func matrixPower(c *Call, a *Tensor, n int) *Tensor {
	d := len(a.shape)
	if d < 2 || a.shape[d-1] != a.shape[d-2] {
		p := c.Op.Params[0].Name
		panic(Errorf(c.Name(), "%s must be batches of square matrices, but it has the shape %v", p, a.shape).OnArg(p))
	}
	switch {
	case n == 0:
		return a.Clone().Copy_(With(a.dtype, a.Device()).Eye(a.shape[d-1]).Expand(a.shape...))
	case n == 1:
		return a.Clone()
	case n == 3:
		return a.Matmul(a).Matmul(a)
	case n < 0:
		a, n = LinalgInv(a), -n
	}
	var out *Tensor
	for ; ; a = a.Matmul(a) {
		if n&1 == 1 {
			if out == nil {
				out = a
			} else {
				out = out.Matmul(a)
			}
		}
		if n >>= 1; n == 0 {
			return out
		}
	}
}

// multiDotBody makes a row of a vector in front and a column of one at the end.
func multiDotBody(c *Call) {
	ms := slices.Clone(c.Tensors(0))
	if len(ms) < 2 {
		panic(Errorf(c.Name(), "expected at least 2 tensors, got %d", len(ms)))
	}
	last := len(ms) - 1
	first, end := len(ms[0].shape) == 1, len(ms[last].shape) == 1
	for i, m := range ms {
		switch {
		case len(m.shape) != 2 && (i > 0 && i < last || len(m.shape) != 1):
			panic(Errorf(c.Name(), "tensor %d must be a matrix%s, but it has %d dimensions", i,
				map[bool]string{true: " or a vector"}[i == 0 || i == last], len(m.shape)))
		case m.dtype != ms[0].dtype:
			panic(Errorf(c.Name(), "the tensors must have the same dtype, but got %s and %s", ms[0].dtype, m.dtype))
		}
	}
	if first {
		ms[0] = ms[0].Unsqueeze(0)
	}
	if end {
		ms[last] = ms[last].Unsqueeze(1)
	}
	out := chain(c, ms)
	if end {
		out = out.Squeeze(-1)
	}
	if first {
		out = out.Squeeze(0)
	}
	c.Return(out)
}

func vecdotBody(c *Call) {
	x, y := c.Tensor(0), c.Tensor(1)
	if !x.dtype.IsDifferentiable() {
		panic(Errorf(c.Name(), "expected a floating point or complex tensor as input, got %s", x.dtype).
			WithHint("Float() it first"))
	}
	productDtypes(c, x, y)
	if len(x.shape) == 1 && len(y.shape) == 1 && x.shape[0] == y.shape[0] {
		c.wrapDim(2, c.Int(2), 1)
		c.Return(x.Vdot(y))
		return
	}
	c.Return(x.Conj().Mul(y).Sum(optDim(c.Int(2))))
}

// linalgVanderBody multiplies up a row of ones and n-1 times the element.
func linalgVanderBody(c *Call) {
	x := c.Tensor(0)
	n := c.Int(1)
	switch {
	case c.IsNone(1) && len(x.shape) == 0:
		n = 1
	case c.IsNone(1):
		n = x.shape[len(x.shape)-1]
	case n <= 1:
		panic(Errorf(c.Name(), "N must be greater than 1, got %d", n).OnArg("N"))
	}
	if len(x.shape) == 0 {
		x = x.Unsqueeze(0)
	}
	powers := x.Unsqueeze(-1).Expand(join(x.shape, n-1)...).Cumprod(-1)
	ones := With(powers.dtype, x.Device()).Ones(join(x.shape, 1)...)
	c.Return(Cat([]*Tensor{ones, powers}, optDim(-1)))
}

func tensorinvBody(c *Call) {
	a, ind := c.Tensor(0), c.Int(1)
	if ind <= 0 {
		panic(Errorf(c.Name(), "ind must be a strictly positive number, got %d", ind).OnArg("ind"))
	}
	ind = min(ind, len(a.shape))
	front, back := a.shape[:ind], a.shape[ind:]
	m, n := product(front), product(back)
	if m != n {
		panic(Errorf(c.Name(), "the product of the first %d sizes must equal that of the others, but they are %d and %d, "+
			"of shape %v", ind, m, n, a.shape))
	}
	c.Return(LinalgInv(a.Reshape(m, n)).Reshape(append(slices.Clone(back), front...)...))
}

func tensorsolveBody(c *Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	if !c.IsNone(2) {
		dims := c.Ints(2)
		to := make([]int, len(dims))
		for i := range dims {
			to[i] = len(a.shape) - len(dims) + i
		}
		a = a.Movedim(dims, to)
	}
	rest := a.shape[min(len(b.shape), len(a.shape)):]
	n, m := product(rest), product(b.shape)
	if n != m || product(a.shape) != n*m {
		panic(Errorf(c.Name(), "the product of the last sizes of A, %d, must equal the number of elements of B, %d: the "+
			"shapes are %v and %v", n, m, a.shape, b.shape))
	}
	x := LinalgSolve(a.Reshape(m, n), b.Reshape(m))
	c.Return(x.Reshape(rest...))
}
