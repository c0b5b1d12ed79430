package tensor

import (
	"slices"
)

// Shape functions of linear algebra. All dimensions but the last two count matrices.

// matrices is argument i, which must be matrices of a dtype that is factored: float32, float64, complex64 or
// complex128. m and n are their rows and columns.
func (c *Call) matrices(i int) (x *Tensor, batch []int, m, n int) {
	x = c.Tensor(i)
	name := c.Op.Params[i].Name
	d := len(x.shape)
	switch {
	case d < 2:
		panic(Errorf(c.Name(), "%s must be a matrix or a batch of matrices, of at least 2 dimensions, but it has %d: "+
			"shape %v", name, d, x.shape).OnArg(name))
	case !x.dtype.IsDifferentiable():
		panic(Errorf(c.Name(), "expected a floating point or complex tensor as %s, got %v", name, x.dtype).OnArg(name).
			WithHint("Float() or Double() converts it"))
	case x.dtype == Float16 || x.dtype == Bfloat16:
		panic(Errorf(c.Name(), "dtypes of low precision are not supported, got %v", x.dtype).OnArg(name).
			WithHint("Float() converts it"))
	}
	return x, x.shape[: d-2 : d-2], x.shape[d-2], x.shape[d-1]
}

// squares is matrices whose rows and columns are as many.
func (c *Call) squares(i int) (x *Tensor, batch []int, n int) {
	x, batch, m, n := c.matrices(i)
	if m != n {
		name := c.Op.Params[i].Name
		panic(Errorf(c.Name(), "%s must be batches of square matrices, but they are %d by %d matrices, of shape %v", name, m,
			n, x.shape).OnArg(name))
	}
	return x, batch, n
}

// sameField panics where arguments i and j have different dtypes.
func (c *Call) sameField(i, j int) {
	if a, b := c.Tensor(i), c.Tensor(j); a.dtype != b.dtype {
		p := c.Op.Params
		panic(Errorf(c.Name(), "%s and %s must have the same dtype, but got %s and %s", p[i].Name, p[j].Name, a.dtype,
			b.dtype).WithHint("To(" + goDtype(a.dtype) + ") converts one"))
	}
}

// join appends sizes to those of a batch.
func join(batch []int, sizes ...int) []int { return append(slices.Clip(batch), sizes...) }

func init() {
	shapes(map[string]Kernel{
		"linalg.det":     func(c *Call) { x, batch, _ := c.squares(0); c.New(batch, x.dtype) },
		"det":            func(c *Call) { x, batch, _ := c.squares(0); c.New(batch, x.dtype) },
		"linalg.slogdet": slogdetShape,
		"slogdet":        slogdetShape,
		"_adjugate":      squareShape,
		"linalg.inv":     squareShape,
		"inverse":        squareShape,
		"linalg.inv_ex": func(c *Call) {
			x, batch, _ := c.squares(0)
			c.New(x.shape, x.dtype)
			c.New(batch, Int32)
		},
		"linalg.solve":            solveShape,
		"linalg.solve_ex":         solveShape,
		"linalg.solve_triangular": func(c *Call) { c.New(c.equations(0, 1, c.Bool(3)), c.Tensor(1).dtype) },
		"linalg.lu_factor":        luShape,
		"linalg.lu_factor_ex":     luShape,
		"lu":                      luShape,
		"linalg.lu_solve": func(c *Call) {
			x, batch, n := c.squares(0)
			c.pivotsOf(1, batch, n)
			c.New(c.equations(0, 2, c.Bool(3)), x.dtype)
		},
		"lu_unpack":          luUnpackShape,
		"linalg.cholesky":    squareShape,
		"cholesky":           squareShape,
		"linalg.cholesky_ex": func(c *Call) { x, batch, _ := c.squares(0); c.New(x.shape, x.dtype); c.New(batch, Int32) },
		"cholesky_inverse":   squareShape,
		"cholesky_solve":     func(c *Call) { c.New(c.equations(1, 0, true), c.Tensor(0).dtype) },
	})
}

func squareShape(c *Call) { x, _, _ := c.squares(0); c.New(x.shape, x.dtype) }

func slogdetShape(c *Call) {
	x, batch, _ := c.squares(0)
	c.New(batch, x.dtype)
	c.New(batch, x.dtype.ToReal())
}

// equations checks the matrices a of A X = B, or X A = B, against b, and returns the shape of X: batches broadcast.
func (c *Call) equations(a, b int, left bool) []int {
	x, batch, n := c.squares(a)
	y, batchB, rows, cols := c.matrices(b)
	c.sameField(a, b)
	size := cols
	if left {
		size = rows
	}
	if size != n {
		p := c.Op.Params
		side, which := "A X = B", "rows"
		if !left {
			side, which = "X A = B", "columns"
		}
		panic(Errorf(c.Name(), "incompatible shapes of %s and %s for the equation %s: %v and %v; %s must have %d %s, not %d",
			p[a].Name, p[b].Name, side, x.shape, y.shape, p[b].Name, n, which, size).OnArg(p[b].Name))
	}
	return join(broadcastTwo(c.Name(), batch, batchB), rows, cols)
}

// VectorRightSide reports whether b is a vector for each matrix of a, not a matrix, as linalg.solve decides.
func VectorRightSide(a, b *Tensor) bool {
	return len(b.shape) == 1 || len(a.shape)-1 == len(b.shape) && slices.Equal(b.shape, a.shape[:len(a.shape)-1])
}

func solveShape(c *Call) {
	a, batch, n := c.squares(0)
	b, left := c.Tensor(1), c.Bool(2)
	if len(b.shape) == 0 {
		panic(Errorf(c.Name(), "B must have at least 1 dimension, but it has none").OnArg("B"))
	}
	var shape []int
	if VectorRightSide(a, b) {
		c.sameField(0, 1)
		if !left {
			panic(Errorf(c.Name(), "B is a vector, which left = false does not take").OnArg("left").
				WithHint("B.Unsqueeze(-2) makes it a row"))
		}
		if size := b.shape[len(b.shape)-1]; size != n {
			panic(Errorf(c.Name(), "incompatible shapes of A and B for the equation A X = B: %v and %v; B must have %d "+
				"elements, not %d", a.shape, b.shape, n, size).OnArg("B"))
		}
		shape = join(broadcastTwo(c.Name(), batch, b.shape[:len(b.shape)-1]), n)
	} else {
		shape = c.equations(0, 1, left)
	}
	c.New(shape, a.dtype)
	if len(c.Op.Rets) > 1 {
		c.New(batch, Int32)
	}
}

func luShape(c *Call) {
	x, batch, m, n := c.matrices(0)
	if !c.Bool(1) && c.device == CPU {
		panic(Errorf(c.Name(), "LU without pivoting is not implemented on the CPU").OnArg("pivot"))
	}
	c.New(x.shape, x.dtype)
	c.New(join(batch, min(m, n)), Int32)
	if len(c.Op.Rets) > 2 {
		c.New(batch, Int32)
	}
}

// pivotsOf checks the pivots in argument i of a batch of factors with k of them each.
func (c *Call) pivotsOf(i int, batch []int, k int) {
	p := c.Tensor(i)
	name := c.Op.Params[i].Name
	if p.dtype != Int32 {
		panic(Errorf(c.Name(), "%s must be int32, as the factorization gives them, got %v", name, p.dtype).OnArg(name))
	}
	if want := join(batch, k); !slices.Equal(p.shape, want) {
		panic(Errorf(c.Name(), "%s must have the shape %v, one number for each row that was exchanged, but it has the "+
			"shape %v", name, want, p.shape).OnArg(name))
	}
}

func luUnpackShape(c *Call) {
	x, batch, m, n := c.matrices(0)
	k := min(m, n)
	if c.Bool(3) {
		c.pivotsOf(1, batch, k)
		c.New(join(batch, m, m), x.dtype)
	} else {
		c.New([]int{0}, x.dtype)
	}
	if c.Bool(2) {
		c.New(join(batch, m, k), x.dtype)
		c.New(join(batch, k, n), x.dtype)
	} else {
		c.New([]int{0}, x.dtype)
		c.New([]int{0}, x.dtype)
	}
}
