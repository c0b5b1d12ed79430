package tensor

// Note: low rank. Random vectors, multiplied a few times by A and its adjoint, span nearly the space of the greatest
// singular values (Halko, Martinsson and Tropp, Finding Structure with Randomness, 2009, algorithms 4.4 and 5.1). The
// order of the steps is PyTorch's, so that the numbers drawn lead to the same vectors.

func init() {
	composites(map[string]Kernel{
		"svd_lowrank": func(c *Call) {
			a, m := c.Tensor(0), c.Tensor(3)
			wantMatrices(c, 0, a)
			c.Return(three(lowRank(a, m, c.Int(1), c.Int(2)))...)
		},
		"pca_lowrank": pcaBody,
	})
}

func pcaBody(c *Call) {
	a := c.Tensor(0)
	wantMatrices(c, 0, a)
	d := len(a.shape)
	m, n := a.shape[d-2], a.shape[d-1]
	q := min(6, m, n)
	if !c.IsNone(1) {
		q = c.Int(1)
	}
	if q < 0 || q > min(m, n) {
		panic(Errorf(c.Name(), "q must be from 0 to the lesser size of the matrices, %d, got %d", min(m, n), q).OnArg("q"))
	}
	if steps := c.Int(3); steps < 0 {
		panic(Errorf(c.Name(), "niter must not be negative, got %d", steps).OnArg("niter"))
	}
	if c.Bool(2) {
		a = a.Sub(a.Mean(optDim(-2), optKeepdim(true)))
	}
	c.Return(three(lowRank(a, nil, q, c.Int(3)))...)
}

// lowRank works on the transpose where that keeps the small factor small.
func lowRank(a, minus *Tensor, q, steps int) (u, s, v *Tensor) {
	d := len(a.shape)
	at, minusT := a.MT(), (*Tensor)(nil)
	if minus != nil {
		minusT = minus.MT()
	}
	if m, n := a.shape[d-2], a.shape[d-1]; m < n || n > q {
		basis := approximateBasis(at, minusT, q, steps)
		u, s, vh := LinalgSvd(less(a, minus, basis.Conj()), optFullMatrices(false))
		return u, s, basis.Matmul(vh.MH())
	}
	basis := approximateBasis(a, minus, q, steps)
	u, s, vh := LinalgSvd(less(at, minusT, basis.Conj()).MT(), optFullMatrices(false))
	return basis.Matmul(u), s, vh.MH()
}

// less is (a - minus) @ x.
func less(a, minus, x *Tensor) *Tensor {
	y := a.Matmul(x)
	if minus != nil {
		y = y.Sub(minus.Matmul(x))
	}
	return y
}

func approximateBasis(a, minus *Tensor, q, steps int) *Tensor {
	adjoint, minusAdjoint := a.MH(), (*Tensor)(nil)
	if minus != nil {
		minusAdjoint = minus.MH()
	}
	orthonormal := func(x *Tensor) *Tensor { x, _ = LinalgQr(x); return x }
	x := orthonormal(less(a, minus, With(a.dtype, a.Device()).Randn(a.shape[len(a.shape)-1], q)))
	for range steps {
		x = orthonormal(less(adjoint, minusAdjoint, x))
		x = orthonormal(less(a, minus, x))
	}
	return x
}
