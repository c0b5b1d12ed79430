package tensor

// Shape functions of running sums and the like, triangles and diagonals.

func init() {
	shapes(map[string]Kernel{
		"cumsum":  scanShape,
		"cumprod": scanShape,
		"logcumsumexp": func(c *Call) {
			x := c.Tensor(0)
			c.wrapDim(1, c.Int(1), len(x.shape))
			if !x.dtype.IsFloatingPoint() {
				panic(Errorf(c.Name(), "not implemented for %v", x.dtype).OnArg("self"))
			}
			c.New(x.shape, x.dtype)
		},
		"cummax": runningExtreme,
		"cummin": runningExtreme,
		"tril":   triangleShape,
		"triu":   triangleShape,
		"diag": func(c *Call) {
			x, k := c.Tensor(0), c.Int(1)
			switch len(x.shape) {
			case 1:
				n := x.shape[0] + max(k, -k)
				c.New([]int{n, n}, x.dtype)
			case 2:
				rows, cols := x.shape[0], x.shape[1]
				if k >= 0 {
					cols -= k
				} else {
					rows += k
				}
				c.New([]int{max(min(rows, cols), 0)}, x.dtype)
			default:
				panic(Errorf(c.Name(), "wants a vector or a matrix, got shape %v", x.shape).OnArg("self").
					WithHint("DiagEmbed and Diagonal work on batches"))
			}
		},
		"diag_embed": func(c *Call) {
			x, k := c.Tensor(0), c.Int(1)
			n := len(x.shape) + 1
			if n < 2 {
				panic(Errorf(c.Name(), "a tensor of 0 dimensions has no diagonal to embed").OnArg("self"))
			}
			a, b := c.wrapDim(2, c.Int(2), n), c.wrapDim(3, c.Int(3), n)
			if a == b {
				panic(Errorf(c.Name(), "diagonal dimensions cannot be identical %d, %d", c.Int(2), c.Int(3)))
			}
			size := x.shape[n-2] + max(k, -k)
			shape := make([]int, 0, n)
			for d, next := 0, 0; d < n; d++ {
				if d == a || d == b {
					shape = append(shape, size)
					continue
				}
				shape = append(shape, x.shape[next])
				next++
			}
			c.New(shape, x.dtype)
		},
	})
}

// scanShape: integers and bools run in int64, unless a dtype is given; in place the tensor keeps its own.
func scanShape(c *Call) {
	x := c.Tensor(0)
	c.wrapDim(1, c.Int(1), len(x.shape))
	dt := x.dtype
	if !dt.IsDifferentiable() {
		dt = Int64
	}
	if c.Variant != Functional {
		dt = c.Written()[0].dtype
	}
	if dt = c.DtypeOption(dt); dt == Bool {
		panic(Errorf(c.Name(), "not implemented for %s", dt).WithHint("opt.Dtype(tensor.Int64) computes with integers"))
	}
	c.New(x.shape, dt)
}

func runningExtreme(c *Call) {
	x := c.Tensor(0)
	c.wrapDim(1, c.Int(1), len(x.shape))
	if x.dtype.IsComplex() {
		panic(Errorf(c.Name(), "not implemented for %v: complex numbers have no order", x.dtype).OnArg("self"))
	}
	c.New(x.shape, x.dtype)
	c.New(x.shape, Int64)
}

func triangleShape(c *Call) {
	x := c.Tensor(0)
	if len(x.shape) < 2 {
		panic(Errorf(c.Name(), "wants a tensor of at least 2 dimensions, got shape %v", x.shape).OnArg("self"))
	}
	if c.Variant == InPlace {
		c.Return(x)
		return
	}
	c.New(x.shape, x.dtype)
}
