package tensor

import (
	"fmt"
	"math"
)

func init() {
	composites(map[string]Kernel{
		"linalg.matrix_norm": func(c *Call) {
			ord, name := c.orderOf(1)
			c.Return(matrixNorm(c, c.Tensor(0), ord, name, c.Ints(2), c.Bool(3), c.Dtype(4)))
		},
		"linalg.norm": linalgNormBody,
	})
}

// orderOf is argument i, the order of a norm: a number, or a name.
func (c *Call) orderOf(i int) (ord float64, name string) {
	if s, ok := c.Scalar(i); ok {
		if s.IsComplex() {
			p := c.Op.Params[i].Name
			panic(Errorf(c.Name(), "expected a non-complex order of the norm").OnArg(p))
		}
		return s.Float(), ""
	}
	return 0, c.Str(i)
}

// normInput converts x to dt, where one is given, and checks that norms are taken of such numbers.
func normInput(c *Call, x *Tensor, dt Dtype) *Tensor {
	if !x.dtype.IsDifferentiable() {
		panic(Errorf(c.Name(), "expected a floating point or complex tensor as input, got %s", x.dtype).
			WithHint("Float() it first"))
	}
	if dt == NoDtype || dt == x.dtype {
		return x
	}
	if !dt.IsDifferentiable() || dt.IsComplex() != x.dtype.IsComplex() || PromoteTypes(x.dtype, dt) != dt {
		panic(Errorf(c.Name(), "dtype must be a wider one of the same kind as the input's %v, got %v", x.dtype, dt).
			OnArg("dtype"))
	}
	return x.To(dt)
}

// matrixNorm is the norm of the matrices that the two dimensions dims of x make.
func matrixNorm(c *Call, x *Tensor, ord float64, name string, dims []int, keepdim bool, dt Dtype) *Tensor {
	x = normInput(c, x, dt)
	if len(x.shape) < 2 {
		panic(Errorf(c.Name(), "the input must be a matrix or a batch of matrices, of at least 2 dimensions, but it has %d",
			len(x.shape)))
	}
	if len(dims) != 2 {
		panic(Errorf(c.Name(), "dim must be two dimensions, got %v", dims).OnArg("dim"))
	}
	rows, cols := WrapDim(c.Name(), dims[0], len(x.shape)), WrapDim(c.Name(), dims[1], len(x.shape))
	if rows == cols {
		panic(Errorf(c.Name(), "the dimensions must be different, got %v", dims).OnArg("dim"))
	}
	size := math.Abs(ord)
	switch {
	case name == "fro":
		return LinalgVectorNorm(x, optOrd(2), optDim(rows, cols), optKeepdim(keepdim))
	case name == "nuc" || name == "" && size == 2:
		s := LinalgSvdvals(lastTwo(x, rows, cols))
		switch {
		case name == "nuc":
			s = s.Sum(optDim(-1), optKeepdim(keepdim))
		case ord > 0:
			s = s.Amax(optDim(-1), optKeepdim(keepdim))
		default:
			s = s.Amin(optDim(-1), optKeepdim(keepdim))
		}
		if keepdim {
			s = backInPlace(s.Unsqueeze(-1), rows, cols)
		}
		return s
	case name == "" && (size == 1 || math.IsInf(size, 1)):
		along, over := rows, cols
		if size != 1 {
			along, over = cols, rows
		}
		s := LinalgVectorNorm(x, optOrd(1), optDim(along), optKeepdim(true))
		if ord > 0 {
			s = s.Amax(optDim(over), optKeepdim(true))
		} else {
			s = s.Amin(optDim(over), optKeepdim(true))
		}
		if !keepdim {
			s = s.Squeeze(max(rows, cols)).Squeeze(min(rows, cols))
		}
		return s
	}
	order := `"` + name + `"`
	if name == "" {
		order = fmt.Sprint(ord)
	}
	panic(Errorf(c.Name(), `the order of a norm of matrices must be "fro", "nuc", 1, -1, 2, -2 or an infinity, not %s`,
		order).OnArg("ord").WithHint("LinalgVectorNorm takes any number"))
}

// lastTwo moves two dimensions to the end, in that order.
func lastTwo(x *Tensor, rows, cols int) *Tensor {
	var order []int
	for d := range x.shape {
		if d != rows && d != cols {
			order = append(order, d)
		}
	}
	return x.Permute(append(order, rows, cols)...)
}

// backInPlace is the opposite of lastTwo.
func backInPlace(x *Tensor, rows, cols int) *Tensor {
	n := len(x.shape)
	order, next := make([]int, n), 0
	for d := range order {
		switch d {
		case rows:
			order[d] = n - 2
		case cols:
			order[d] = n - 1
		default:
			order[d] = next
			next++
		}
	}
	return x.Permute(order...)
}

// linalgNormBody decides between vectors and matrices by ord and dim.
func linalgNormBody(c *Call) {
	x, keepdim := c.Tensor(0), c.Bool(3)
	dims := c.Ints(2)
	ord, name := c.orderOf(1)
	switch {
	case len(dims) > 2 || !c.IsNone(2) && len(dims) == 0:
		panic(Errorf(c.Name(), "dim must be one dimension or two, got %v", dims).OnArg("dim"))
	case c.IsNone(2) && !c.IsNone(1) && len(x.shape) != 1 && len(x.shape) != 2:
		panic(Errorf(c.Name(), "without dim, ord is for inputs of 1 or 2 dimensions, not %d", len(x.shape)).OnArg("dim").
			WithHint("dim names the dimension of vectors or the two of matrices"))
	}
	matrices := !c.IsNone(1) && (len(dims) == 2 || c.IsNone(2) && len(x.shape) == 2)
	if matrices {
		if c.IsNone(2) {
			dims = []int{0, 1}
		}
		c.Return(matrixNorm(c, x, ord, name, dims, keepdim, c.Dtype(4)))
		return
	}
	if name != "" {
		panic(Errorf(c.Name(), "the order %q is one of matrices, with two dimensions", name).OnArg("ord"))
	}
	if c.IsNone(1) {
		ord = 2
	}
	x = normInput(c, x, c.Dtype(4))
	opts := []Option{optOrd(ord), optKeepdim(keepdim)}
	if !c.IsNone(2) {
		opts = append(opts, optDim(dims...))
	}
	c.Return(LinalgVectorNorm(x, opts...))
}
