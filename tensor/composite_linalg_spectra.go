package tensor

import "math"

// Factors under their older names, pseudoinverses, ranks and condition numbers.

func init() {
	composites(map[string]Kernel{
		"qr": func(c *Call) {
			mode := "complete"
			if c.Bool(1) {
				mode = "reduced"
			}
			q, r := LinalgQr(c.Tensor(0), optMode(mode))
			c.Return(q, r)
		},
		"orgqr":              func(c *Call) { c.Return(LinalgHouseholderProduct(c.Tensor(0), c.Tensor(1))) },
		"symeig":             symeigBody,
		"svd":                svdBody,
		"pinverse":           func(c *Call) { c.Return(LinalgPinv(c.Tensor(0), optAtol(0.0), optRtol(c.Float(1)))) },
		"linalg.matrix_rank": matrixRankBody,
		"linalg.cond":        condBody,
	})
	explicits(map[string]Kernel{"linalg.pinv": pinvBody})
}

func symeigBody(c *Call) {
	a, uplo := c.Tensor(0), optUPLO("L")
	if c.Bool(2) {
		uplo = optUPLO("U")
	}
	if c.Bool(1) {
		w, v := LinalgEigh(a, uplo)
		c.Return(w, v)
		return
	}
	c.Return(LinalgEigvalsh(a, uplo), a.NewEmpty([]int{0}))
}

func svdBody(c *Call) {
	a := c.Tensor(0)
	if c.Bool(2) {
		u, s, vh := LinalgSvd(a, optFullMatrices(!c.Bool(1)))
		c.Return(u, s, vh.MH())
		return
	}
	wantMatrices(c, 0, a)
	s := LinalgSvdvals(a)
	d := len(a.shape)
	batch, m, n := a.shape[:d-2], a.shape[d-2], a.shape[d-1]
	c.Return(a.NewZeros(join(batch, m, m)), s, a.NewZeros(join(batch, n, n)))
}

// zeroBelow is the limit up to which singular values count as zero, for each matrix of a, from parameters atol and
// rtol of the call: max(atol, rtol times the greatest). Without both, rtol is the greater size of a matrix times the
// distance of 1 to the next number; with a positive atol alone it is 0. The limit has a last dimension of size 1.
func zeroBelow(c *Call, a, greatest *Tensor) *Tensor {
	option := func(i int, absent *Tensor) *Tensor {
		switch s, ok := c.Scalar(i); {
		case ok:
			return FullLike(greatest, s.Float())
		case c.Tensor(i) == nil:
			return absent
		}
		t := c.Tensor(i)
		if t.dtype.IsComplex() {
			p := c.Op.Params[i].Name
			panic(Errorf(c.Name(), "%s must be real, got %v", p, t.dtype).OnArg(p))
		}
		return t.Unsqueeze(-1)
	}
	atol := option(1, nil)
	var defaultRtol *Tensor
	if c.IsNone(2) {
		d := len(a.shape)
		defaultRtol = FullLike(greatest, float64(max(a.shape[d-2], a.shape[d-1]))*epsilon(a.dtype.ToReal()))
		if atol != nil {
			defaultRtol = Where(atol.Gt(0), 0.0, defaultRtol)
		}
	}
	limit := option(2, defaultRtol).Mul(greatest)
	if atol == nil {
		return limit.Clamp(optMin(0.0))
	}
	return Maximum(atol.To(limit.dtype), limit)
}

// epsilon is the distance of 1 to the next number of a dtype.
func epsilon(dt Dtype) float64 {
	if dt == Float64 {
		return 0x1p-52
	}
	return 0x1p-23
}

// spectrum is the absolute eigenvalues of Hermitian matrices, or the singular values of others.
func spectrum(a *Tensor, hermitian bool) *Tensor {
	if hermitian {
		return LinalgEigvalsh(a).Abs()
	}
	return LinalgSvdvals(a)
}

func matrixRankBody(c *Call) {
	a, hermitian := c.Tensor(0), c.Bool(3)
	wantMatrices(c, 0, a)
	d := len(a.shape)
	batch, m, n := a.shape[:d-2], a.shape[d-2], a.shape[d-1]
	if a.numel == 0 {
		if hermitian && m != n {
			LinalgEigvalsh(a)
		}
		c.Return(With(Int64, a.Device()).Zeros(batch...))
		return
	}
	s := spectrum(a, hermitian)
	greatest := s.Amax(optDim(-1), optKeepdim(true))
	c.Return(s.Gt(zeroBelow(c, a, greatest)).Sum(optDim(-1)))
}

// pinvBody inverts the singular values that are not zero: A⁺ = V S⁺ Uᴴ.
func pinvBody(c *Call) {
	a := c.Tensor(0)
	wantMatrices(c, 0, a)
	d := len(a.shape)
	batch, m, n := a.shape[:d-2], a.shape[d-2], a.shape[d-1]
	if a.numel == 0 {
		if !a.dtype.IsDifferentiable() {
			LinalgSvdvals(a)
		}
		c.Return(a.NewZeros(join(batch, n, m)))
		return
	}
	inverse := func(s, size *Tensor) *Tensor {
		greatest := size.Amax(optDim(-1), optKeepdim(true))
		return Where(size.Gt(zeroBelow(c, a, greatest)), s.Reciprocal(), 0.0).Unsqueeze(-2)
	}
	if c.Bool(3) {
		w, v := LinalgEigh(a)
		c.Return(v.Mul(inverse(w, w.Abs())).Matmul(v.MH()))
		return
	}
	u, s, vh := LinalgSvd(a, optFullMatrices(false))
	c.Return(vh.MH().Mul(inverse(s, s)).Matmul(u.MH()))
}

// condBody is the ratio of the extreme singular values for p = 2 and -2, and norm(A) norm(A⁻¹) for others, infinite
// for singular matrices.
func condBody(c *Call) {
	a := c.Tensor(0)
	wantMatrices(c, 0, a)
	d := len(a.shape)
	two := c.IsNone(1)
	p, isNumber := c.Scalar(1)
	if isNumber {
		two = math.Abs(p.Float()) == 2
	}
	if a.numel == 0 && (two || a.shape[d-2] == a.shape[d-1]) {
		c.Return(With(a.dtype.ToReal(), a.Device()).Zeros(a.shape[:d-2]...))
		return
	}
	if two {
		s := LinalgSvdvals(a)
		most, least := s.Select(-1, 0), s.Select(-1, -1)
		if isNumber && p.Float() < 0 {
			most, least = least, most
		}
		c.Return(most.Div(least))
		return
	}
	ord := Option(nil)
	if isNumber {
		ord = optOrd(p.Float())
	} else {
		ord = optOrd(c.Str(1))
	}
	inverse, info := LinalgInvEx(a)
	inverse = Where(info.Ne(0).Unsqueeze(-1).Unsqueeze(-1), math.Inf(1), inverse)
	c.Return(LinalgMatrixNorm(a, ord).Mul(LinalgMatrixNorm(inverse, ord)))
}
