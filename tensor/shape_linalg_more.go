package tensor

// Shape functions of general eigenvalues, LDL factors, least squares and the exponential.

func init() {
	shapes(map[string]Kernel{
		"linalg.eig": func(c *Call) {
			x, batch, n := c.squares(0)
			c.New(join(batch, n), x.dtype.ToComplex())
			c.New(x.shape, x.dtype.ToComplex())
		},
		"linalg.eigvals": func(c *Call) {
			x, batch, n := c.squares(0)
			c.New(join(batch, n), x.dtype.ToComplex())
		},
		"linalg.ldl_factor":    ldlShape,
		"linalg.ldl_factor_ex": ldlShape,
		"linalg.ldl_solve": func(c *Call) {
			x, batch, n := c.squares(0)
			c.pivotsOf(1, batch, n)
			c.New(c.equations(0, 2, true), x.dtype)
		},
		"linalg.lstsq":      lstsqShape,
		"linalg.matrix_exp": expShape,
		"matrix_exp":        expShape,
	})
}

func ldlShape(c *Call) {
	x, batch, n := c.squares(0)
	c.New(x.shape, x.dtype)
	c.New(join(batch, n), Int32)
	if len(c.Op.Rets) > 2 {
		c.New(batch, Int32)
	}
}

func expShape(c *Call) {
	x := c.Tensor(0)
	if x.dtype == Float16 || x.dtype == Bfloat16 { // which are not factored, but multiplied
		d := len(x.shape)
		if d < 2 || x.shape[d-1] != x.shape[d-2] {
			p := c.Op.Params[0].Name
			panic(Errorf(c.Name(), "%s must be batches of square matrices, but it has the shape %v", p, x.shape).OnArg(p))
		}
	} else {
		c.squares(0)
	}
	c.New(x.shape, x.dtype)
}

// lstsqShape makes the residuals as they are for matrices of full rank; the kernel gives none for others.
func lstsqShape(c *Call) {
	a, batch, m, n := c.matrices(0)
	b := c.Tensor(1)
	driver := c.lstsqDriver()
	var shape []int
	rows, cols := 0, 1
	if LstsqVector(a, b) {
		c.sameField(0, 1)
		rows = b.shape[len(b.shape)-1]
		batch = broadcastTwo(c.Name(), batch, b.shape[:len(b.shape)-1])
		shape = join(batch, n)
	} else {
		_, batchB, r, k := c.matrices(1)
		c.sameField(0, 1)
		rows, cols = r, k
		batch = broadcastTwo(c.Name(), batch, batchB)
		shape = join(batch, n, cols)
	}
	if rows != m {
		panic(Errorf(c.Name(), "B must have as many rows as A, %d, but has %d: the shapes are %v and %v", m, rows, b.shape,
			a.shape).OnArg("B"))
	}
	c.New(shape, a.dtype)
	if m > n && driver != "gelsy" {
		c.New(join(batch, cols), a.dtype.ToReal())
	} else {
		c.New([]int{0}, a.dtype.ToReal())
	}
	if driver == "gels" {
		c.New([]int{0}, Int64)
	} else {
		c.New(batch, Int64)
	}
	if driver == "gelsd" || driver == "gelss" {
		c.New(join(batch, min(m, n)), a.dtype.ToReal())
	} else {
		c.New([]int{0}, a.dtype.ToReal())
	}
}

// LstsqVector reports whether b is a vector for each matrix of a, as linalg.lstsq decides.
func LstsqVector(a, b *Tensor) bool { return len(a.shape) == len(b.shape)+1 }

// lstsqDriver is the name of the way in which a least squares problem is solved.
func (c *Call) lstsqDriver() string {
	switch d := c.Str(3); d {
	case "":
		return "gelsy"
	case "gels", "gelsy", "gelsd", "gelss":
		return d
	default:
		panic(Errorf(c.Name(), `driver must be "gels", "gelsy", "gelsd" or "gelss", not %q`, d).OnArg("driver"))
	}
}
