package tensor

// The body of gradient: slopes by differences of second order inside, and of edge_order at the ends.

func init() { composites(map[string]Kernel{"gradient": gradientBody}) }

func gradientBody(c *Call) {
	x, order := c.Tensor(0), c.Int(3)
	if order != 1 && order != 2 {
		panic(Errorf(c.Name(), "edge_order must be 1 or 2, got %d", order).OnArg("edge_order"))
	}
	var dims []int
	if c.IsNone(2) {
		for d := range x.shape {
			dims = append(dims, d)
		}
	} else {
		ReduceDims(c.Name(), c.Ints(2), len(x.shape)) // rejects what is out of range or there twice
		for _, d := range c.Ints(2) {
			dims = append(dims, c.wrapDim(2, d, len(x.shape)))
		}
	}
	at := gradientSpacing(c, len(dims))
	out := make([]*Tensor, len(dims))
	for i, d := range dims {
		if len(x.shape) == 0 || x.shape[d] < order+1 {
			panic(Errorf(c.Name(), "each dimension must have at least edge_order+1 = %d elements, got shape %v", order+1,
				x.shape))
		}
		s := slopes{x: x, dim: d, order: order}
		if t, ok := at(i).(*Tensor); ok {
			if len(t.shape) != 1 || t.numel != x.shape[d] {
				panic(Errorf(c.Name(), "the coordinates of dimension %d must be a vector of %d elements, got shape %v", d,
					x.shape[d], t.shape).OnArg("spacing"))
			}
			out[i] = s.uneven(t)
		} else {
			out[i] = s.even(at(i))
		}
	}
	c.Return(out...)
}

// gradientSpacing returns the spacing of each dimension: a number, or a tensor of coordinates.
func gradientSpacing(c *Call, dims int) func(i int) any {
	check := func(n int) {
		if n != dims {
			panic(Errorf(c.Name(), "spacing must be one number, or have one entry for each of the %d dimensions, got %d", dims,
				n).OnArg("spacing"))
		}
	}
	if s, ok := c.Scalar(1); ok {
		return func(int) any { return s.Any() }
	}
	if list := c.Tensors(1); list != nil {
		check(len(list))
		return func(i int) any { return list[i] }
	}
	if list := c.Scalars(1); list != nil {
		check(len(list))
		return func(i int) any { return list[i].Any() }
	}
	return func(int) any { return 1 }
}

// slopes are those of x along dim.
type slopes struct {
	x          *Tensor
	dim, order int
}

// from is x without its first i and last j elements along dim.
func (s slopes) from(i, j int) *Tensor { return s.x.Narrow(s.dim, i, max(s.x.shape[s.dim]-i-j, 0)) }

// even is for neighbours of one distance.
func (s slopes) even(h any) *Tensor {
	n := s.x.shape[s.dim]
	twice := any(nil)
	if v, _ := ScalarOf(h); v.IsComplex() {
		twice = 2 * v.Complex()
	} else {
		twice = 2 * v.Float()
	}
	below := s.from(0, 2)
	inner := s.from(2, 0).Sub(below).Div(twice)
	at := func(i int) *Tensor { return s.x.Narrow(s.dim, i, 1) }
	var first, last *Tensor
	if s.order == 1 {
		a, b := at(0), at(n-2)
		first, last = at(1).Sub(a).Div(h), at(n-1).Sub(b).Div(h)
	} else {
		c, b, a := at(2).Mul(0.5), at(1).Mul(2), at(0).Mul(-1.5)
		first = a.Add(b).Sub(c).Div(h)
		c, b, a = at(n-1).Mul(1.5), at(n-2).Mul(2), at(n-3).Mul(0.5)
		last = a.Sub(b).Add(c).Div(h)
	}
	return Cat([]*Tensor{first, inner, last}, optDim(s.dim))
}

// uneven is for coordinates: the slope of the parabola through three points.
func (s slopes) uneven(t *Tensor) *Tensor {
	n := s.x.shape[s.dim]
	step := t.Diff()
	// along puts a vector, one number for each element along dim, beside x.
	along := func(v *Tensor) *Tensor {
		for range len(s.x.shape) - 1 - s.dim {
			v = v.Unsqueeze(-1)
		}
		return v
	}
	d1, d2 := along(step.Narrow(0, 0, n-2)), along(step.Narrow(0, 1, n-2))
	sum := d1.Add(d2)
	inner := s.from(0, 2).Mul(d2.Neg().Div(d1.Mul(sum))).Add(s.from(1, 1).Mul(d2.Sub(d1).Div(d1.Mul(d2)))).Add(s.from(2,
		0).Mul(d1.Div(d2.Mul(sum))))
	at := func(i int) *Tensor { return s.x.Narrow(s.dim, i, 1) }
	first := at(1).Sub(at(0)).Div(along(step.Narrow(0, 0, 1)))
	last := at(n - 1).Sub(at(n - 2)).Div(along(step.Narrow(0, n-2, 1)))
	if s.order == 2 {
		d1, d2 = along(step.Narrow(0, 0, 1)), along(step.Narrow(0, 1, 1))
		sum = d1.Add(d2)
		a, b, k := d1.Add(sum).Neg().Div(d1.Mul(sum)), sum.Div(d1.Mul(d2)), d1.Div(d2.Mul(sum))
		first = at(0).Mul(a).Add(at(1).Mul(b)).Sub(at(2).Mul(k))
		d1, d2 = along(step.Narrow(0, n-3, 1)), along(step.Narrow(0, n-2, 1))
		sum = d1.Add(d2)
		a, b, k = d2.Div(d1.Mul(sum)), sum.Div(d1.Mul(d2)), d2.Add(sum).Div(d2.Mul(sum))
		last = at(n - 3).Mul(a).Sub(at(n - 2).Mul(b)).Add(at(n - 1).Mul(k))
	}
	return Cat([]*Tensor{first, inner, last}, optDim(s.dim))
}
