package tensor

func init() {
	factory := func(size int) Kernel { // sizes in a slot
		return func(c *Call) { c.New(c.Ints(size), floatFactoryDtype(c)) }
	}
	self := func(c *Call) { c.Return(c.Tensor(0)) }
	shapes(map[string]Kernel{
		"rand":  factory(0),
		"randn": factory(0),
		"randint": func(c *Call) {
			checkRange(c, int64(c.Int(0)), int64(c.Int(1)), c.DtypeOption(Int64))
			c.New(c.Ints(2), c.DtypeOption(Int64))
		},
		"randint.high": func(c *Call) {
			checkRange(c, 0, int64(c.Int(0)), c.DtypeOption(Int64))
			c.New(c.Ints(1), c.DtypeOption(Int64))
		},
		"randperm": func(c *Call) {
			n, dt := c.Int(0), c.DtypeOption(Int64)
			if n < 0 {
				panic(Errorf(c.Name(), "n must be non-negative, got %d", n).OnArg("n"))
			}
			checkRange(c, 0, int64(max(n, 1)), dt)
			if dt == Bool {
				panic(Errorf(c.Name(), "not implemented for %s", dt).OnArg("dtype"))
			}
			c.New([]int{n}, dt)
		},
		"rand_like":  likeSelf,
		"randn_like": likeSelf,
		"randint_like": func(c *Call) {
			checkRange(c, int64(c.Int(1)), int64(c.Int(2)), c.DtypeOption(c.Tensor(0).dtype))
			likeSelf(c)
		},
		"randint_like.high": func(c *Call) {
			checkRange(c, 0, int64(c.Int(1)), c.DtypeOption(c.Tensor(0).dtype))
			likeSelf(c)
		},
		"normal": normalShape,
		"bernoulli": func(c *Call) {
			c.NewStrided(c.Tensor(0).shape, c.Tensor(0).preservedStrides(), c.Tensor(0).dtype)
		},
		"multinomial":       multinomialShape,
		"poisson":           func(c *Call) { c.New(c.Tensor(0).shape, c.Tensor(0).dtype) },
		"binomial":          binomialShape,
		"_standard_gamma":   func(c *Call) { c.New(c.Tensor(0).shape, c.Tensor(0).dtype) },
		"_sample_dirichlet": func(c *Call) { c.New(c.Tensor(0).shape, c.Tensor(0).dtype) },
		"_standard_gamma_grad": func(c *Call) {
			c.New(c.BroadcastTwo(c.Tensor(0), c.Tensor(1)), c.Tensor(1).dtype)
		},
		"_dirichlet_grad": func(c *Call) { c.New(c.Tensor(0).shape, c.Tensor(0).dtype) },
		"uniform_":        floatSelf,
		"normal_":         floatSelf,
		"random_":         randomShape,
		"bernoulli_":      self,
		"exponential_":    floatSelf,
		"log_normal_":     floatSelf,
		"geometric_":      self,
		"cauchy_":         floatSelf,
	})
}

// floatFactoryDtype is the dtype asked for, the default one otherwise; it must be floating point.
func floatFactoryDtype(c *Call) Dtype {
	dt := c.DtypeOption(DefaultDtype())
	if !dt.IsDifferentiable() {
		panic(Errorf(c.Name(), "draws floating point or complex numbers, not %v", dt).OnArg("dtype"))
	}
	return dt
}

// binomialShape holds count and prob to one dtype and one shape.
func binomialShape(c *Call) {
	count, prob := c.Tensor(0), c.Tensor(1)
	switch {
	case count.dtype != prob.dtype:
		panic(Errorf(c.Name(), "count and prob must have one dtype, got %s and %s", count.dtype, prob.dtype))
	case !count.dtype.IsFloatingPoint():
		panic(Errorf(c.Name(), "count and prob must be floating point, got %s", count.dtype).
			WithHint("Float() them first"))
	}
	c.New(c.BroadcastTwo(count, prob), count.dtype)
}

// floatSelf is the shape function of in-place draws that need a fraction.
func floatSelf(c *Call) {
	x := c.Tensor(0)
	if !x.dtype.IsDifferentiable() {
		panic(Errorf(c.Name(), "draws floating point or complex numbers, but the tensor is %s", x.dtype))
	}
	switch c.Op.Name {
	case "uniform_":
		if from, to := c.Float(1), c.Float(2); from > to {
			panic(Errorf(c.Name(), "from (%g) must not be above to (%g)", from, to))
		}
	case "normal_", "log_normal_":
		if std := c.Float(2); std < 0 {
			panic(Errorf(c.Name(), "the standard deviation must not be negative, got %g", std))
		}
	case "exponential_":
		if l := c.Float(1); l <= 0 {
			panic(Errorf(c.Name(), "lambd must be positive, got %g", l))
		}
	}
	c.Return(x)
}

// checkRange panics where there is no integer from low up to but not including high, or where dt does not have them.
func checkRange(c *Call, low, high int64, dt Dtype) {
	if low >= high {
		panic(Errorf(c.Name(), "low (%d) must be below high (%d)", low, high))
	}
	if dt.IsComplex() {
		panic(Errorf(c.Name(), "draws integers, which are not drawn as %s", dt).OnArg("dtype"))
	}
	for _, n := range []int64{low, high - 1} {
		in := holds(dt, IntScalar(n))
		switch {
		case dt == Bool:
			in = n == 0 || n == 1
		case dt.IsIntegral():
			in = fits(dt, IntScalar(n)) && (n >= 0 || dt == Int64 || Iinfo(dt).Min < 0)
		}
		if !in {
			panic(Errorf(c.Name(), "%d is out of bounds for %s: integers are drawn from %d to %d", n, dt, low, high-1))
		}
	}
}

func randomShape(c *Call) {
	if x := c.Tensor(0); x.dtype.IsComplex() {
		panic(Errorf(c.Name(), "not implemented for %s", x.dtype).OnArg("self"))
	}
	if c.Given(1) || c.Given(2) {
		low, high := RandomLimits(c)
		checkRange(c, low, high, c.Tensor(0).dtype)
	}
	c.Return(c.Tensor(0))
}

// RandomLimits are the limits of a call of random_: from and to, where one alone is the upper.
//
//gotorch:internal
func RandomLimits(c *Call) (low, high int64) {
	if c.IsNone(2) {
		return 0, int64(c.Int(1))
	}
	return int64(c.Int(1)), int64(c.Int(2))
}

func normalShape(c *Call) {
	mean, std := c.Tensor(0), c.Tensor(1)
	var shape []int
	dt := DefaultDtype()
	switch {
	case mean != nil && std != nil:
		shape, dt = broadcastTwo(c.Name(), mean.shape, std.shape), mean.dtype
	case mean != nil:
		shape, dt = mean.shape, mean.dtype
	case std != nil:
		shape, dt = std.shape, std.dtype
	case c.IsNone(2):
		panic(Errorf(c.Name(), "two numbers need a size"))
	}
	if !c.IsNone(2) {
		if mean != nil || std != nil {
			panic(Errorf(c.Name(), "a size is for two numbers: a mean or std that is a tensor has one").OnArg("size"))
		}
		shape = c.Ints(2)
	}
	if std != nil && std.dtype.IsComplex() {
		panic(Errorf(c.Name(), "the standard deviation must be real, not %s", std.dtype))
	}
	if s, ok := c.Scalar(1); ok && s.Float() < 0 {
		panic(Errorf(c.Name(), "the standard deviation must not be negative, got %g", s.Float()))
	}
	if dt = c.DtypeOption(dt); !dt.IsDifferentiable() {
		panic(Errorf(c.Name(), "draws floating point or complex numbers, not %s", dt))
	}
	c.New(shape, dt)
}

func multinomialShape(c *Call) {
	x, n := c.Tensor(0), c.Int(1)
	switch {
	case len(x.shape) == 0 || len(x.shape) > 2:
		panic(Errorf(c.Name(), "the weights must have 1 or 2 dimensions, got shape %v", x.shape))
	case !x.dtype.IsFloatingPoint():
		panic(Errorf(c.Name(), "the weights must be floating point, not %s", x.dtype))
	case n <= 0:
		panic(Errorf(c.Name(), "num_samples must be positive, got %d", n))
	case !c.Bool(2) && n > x.shape[len(x.shape)-1]:
		panic(Errorf(c.Name(), "cannot draw %d samples without replacement from %d categories", n, x.shape[len(x.shape)-1]))
	}
	shape := append([]int{}, x.shape...)
	shape[len(shape)-1] = n
	for _, d := range c.out {
		if d.dtype != Int64 {
			panic(Errorf(c.Name(), "the result is int64, opt.Out is %s", d.dtype))
		}
	}
	c.New(shape, Int64)
}
