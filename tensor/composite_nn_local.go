package tensor

import "slices"

// Layers over neighbouring elements and pairs that are made of other operators.

func init() {
	composites(map[string]Kernel{
		"narrow_copy": func(c *Call) {
			c.Return(c.Tensor(0).Narrow(c.Int(1), c.Int(2), c.Int(3)).Clone())
		},
		"renorm":                            renormBody,
		"nn.functional.pdist":               pdistBody,
		"nn.functional.bilinear":            bilinearBody,
		"nn.functional.local_response_norm": localResponseBody,
	})
}

func renormBody(c *Call) {
	x, dim := c.Tensor(0), c.Int(2)
	p, _ := c.Scalar(1)
	limit, _ := c.Scalar(3)
	switch {
	case len(x.shape) < 2:
		panic(Errorf(c.Name(), "input needs at least 2 dimensions, got %d dimensions", len(x.shape)))
	case !(p.Float() > 0):
		panic(Errorf(c.Name(), "non-positive norm not supported").OnArg("p"))
	case !(limit.Float() >= 0):
		panic(Errorf(c.Name(), "expected maxnorm to be >= 0").OnArg("maxnorm"))
	}
	dim = c.wrapDim(2, dim, len(x.shape))
	var others []int
	for i := range x.shape {
		if i != dim {
			others = append(others, i)
		}
	}
	norm := LinalgVectorNorm(x.To(x.dtype.Accumulate()), optOrd(p.Any()), optDim(others...), optKeepdim(true))
	factor := Where(norm.Gt(limit.Any()), norm.Add(1e-7).Reciprocal().Mul(limit.Any()), 1)
	c.Return(x.Mul(factor).To(x.dtype))
}

func pdistBody(c *Call) {
	x := c.Tensor(0)
	if len(x.shape) != 2 {
		panic(Errorf(c.Name(), "only a matrix of vectors is supported, got shape %v", x.shape))
	}
	if c.Float(1) < 0 {
		panic(Errorf(c.Name(), "only non-negative p values are supported").OnArg("p"))
	}
	n := float64(x.shape[0])
	mustFit(c.Name(), n*(n-1)) // two indices for each pair
	var first, second []int64
	for i := range x.shape[0] {
		Interrupted(c.Name())
		for j := i + 1; j < x.shape[0]; j++ {
			first, second = append(first, int64(i)), append(second, int64(j))
		}
	}
	at := func(ix []int64) *Tensor {
		if len(ix) == 0 {
			return x.Narrow(0, 0, 0)
		}
		return x.IndexSelect(0, New(ix, x.st.device))
	}
	c.Return(at(first).Sub(at(second)).Norm(optP(c.Float(1)), optDim(1)))
}

func bilinearBody(c *Call) {
	a, b, w := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	n := len(a.shape)
	if n == 0 || len(w.shape) != 3 || len(b.shape) != n || !slices.Equal(a.shape[:n-1], b.shape[:n-1]) ||
		a.shape[n-1] != w.shape[1] || b.shape[n-1] != w.shape[2] {
		panic(Errorf(c.Name(), "expected inputs (*, I) and (*, J) and a weight (O, I, J), got %v, %v and %v", a.shape,
			b.shape, w.shape))
	}
	out := Einsum("...i,oij,...j->...o", a, w, b)
	if bias := c.Tensor(3); bias != nil {
		out = out.Add(bias)
	}
	c.Return(out)
}

// localResponseBody divides by the mean square of the channels nearby.
func localResponseBody(c *Call) {
	x, size := c.Tensor(0), c.Int(1)
	if len(x.shape) < 3 {
		panic(Errorf(c.Name(), "expected 3D or higher dimensionality input (got %d dimensions)", len(x.shape)))
	}
	if x.numel == 0 {
		c.Return(x)
		return
	}
	squares := x.Mul(x).Reshape(x.shape[0], 1, x.shape[1], -1)
	squares = Pad(squares, []int{0, 0, size / 2, (size - 1) / 2})
	mean := AvgPool2d(squares, []int{size, 1}, optStride(1)).Reshape(x.shape...)
	c.Return(x.Div(mean.Mul(c.Float(2)).Add(c.Float(4)).Pow(c.Float(3))))
}
