package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Derivatives of orthogonal factors, singular values and eigenvalues: QR after Walter and Lehmann (Walter, Structured
// Higher-Order Algorithmic Differentiation in the Forward and Reverse Mode, 2012), eigenvalues after Giles (2008), the
// complex singular value decomposition after Wan and Zhang (Automatic Differentiation for Complex Valued SVD, 2019),
// pseudoinverses after Golub and Pereyra (The Differentiation of Pseudo-Inverses, 1973).

func init() {
	register(map[string]Formula{
		"linalg.qr":                  {Save: Result0 | Result1, VJP: qrGrads},
		"linalg.householder_product": {Save: Arg0 | Arg1 | Result0, VJP: householderGrads},
		"linalg.eigh": {Save: Result0 | Result1, VJP: func(c *Ctx) Grads {
			return Grads{eighGrad(c, c.GradOf(0), c.GradOf(1), c.Result(0), c.Result(1))}
		}},
		"linalg.eigvalsh": {Save: Arg0, VJP: func(c *Ctx) Grads {
			_, v := tensor.LinalgEigh(c.Tensor(0), opt.UPLO(c.Str(1)))
			return Grads{v.Mul(c.Grad.Unsqueeze(-2)).Matmul(v.MH())}
		}},
		"linalg.svd": {Save: Result0 | Result1 | Result2, VJP: svdGrads},
		"linalg.svdvals": {Save: Arg0, VJP: func(c *Ctx) Grads {
			u, _, vh := tensor.LinalgSvd(c.Tensor(0), opt.FullMatrices(false))
			return Grads{u.Mul(c.Grad.Unsqueeze(-2)).Matmul(vh)}
		}},
		"linalg.pinv": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			return Grads{pinvGrad(c.Grad, c.Result(0), c.Tensor(0))}
		}},
	})
}

// qrGrads: of a matrix that is not wide, (gQ + Q sym(up(gR Rᴴ - Qᴴ gQ))) R⁻ᴴ, where sym mirrors the strict triangle
// and keeps the real part of the diagonal. The columns of a wide matrix beyond the square ones, A₂ = Q R₂, take part
// through Q and R₂ = Qᴴ A₂.
func qrGrads(c *Ctx) Grads {
	gq, gr, mode := c.GradOf(0), c.GradOf(1), c.Str(1)
	q, r := c.Result(0), c.Result(1)
	shape := c.Shape(0)
	m, n := shape[len(shape)-2], shape[len(shape)-1]
	switch {
	case gq == nil && gr == nil:
		return nil
	case mode == "r":
		panic(tensor.Errorf("linalg.qr", `the derivative depends on Q, which mode "r" does not compute`).
			WithHint(`use mode "reduced"`))
	case mode == "complete" && m > n:
		panic(tensor.Errorf("linalg.qr", `the decomposition of mode "complete" of a matrix with more rows than columns `+
			"has no derivative: its last columns of Q may be any that are orthogonal").WithHint(`use mode "reduced"`))
	}
	if gq == nil {
		gq = tensor.ZerosLike(q)
	}
	if gr == nil {
		gr = tensor.ZerosLike(r)
	}
	if m >= n {
		return Grads{squareQr(q, r, gq, gr)}
	}
	r2, gr2 := r.Narrow(-1, m, n-m), gr.Narrow(-1, m, n-m)
	gq = gq.Add(q.Matmul(r2).Matmul(gr2.MH()))
	square := squareQr(q, r.Narrow(-1, 0, m), gq, gr.Narrow(-1, 0, m))
	return Grads{tensor.Cat([]*tensor.Tensor{square, q.Matmul(gr2)}, opt.Dim(-1))}
}

func squareQr(q, r, gq, gr *tensor.Tensor) *tensor.Tensor {
	inner := gr.Matmul(r.MH()).Sub(q.MH().Matmul(gq))
	up := inner.Triu(opt.Diagonal(1))
	diagonal := inner.Diagonal(opt.Dim1(-2), opt.Dim2(-1))
	if diagonal.Dtype().IsComplex() {
		diagonal = diagonal.Real().To(diagonal.Dtype())
	}
	sym := up.Add(up.MH()).Add(tensor.DiagEmbed(diagonal))
	return tensor.LinalgSolveTriangular(r.MH(), gq.Add(q.Matmul(sym)), opt.Upper(false), opt.Left(false))
}

// householderGrads goes back through the product of reflectors, one after the other: with Q = (I - t v vᴴ) P, the
// gradients are gP = (I - conj(t) v vᴴ) G, gt = -vᴴ G (vᴴ P)ᴴ and gv = -conj(t) G (vᴴ P)ᴴ - t P Gᴴ v.
func householderGrads(c *Ctx) Grads {
	a, tau, g := c.Tensor(0), c.Tensor(1), c.Grad
	m, n, k := a.Size(-2), a.Size(-1), tau.Size(-1)
	if k == 0 {
		return Grads{tensor.ZerosLike(a), tensor.ZerosLike(tau)}
	}
	low := a.Tril(opt.Diagonal(-1)).Add(tensor.With(a.Dtype(), a.Device()).Eye(m, opt.M(n)))
	vector := func(i int) (v, vh, t *tensor.Tensor) {
		v = low.Narrow(-1, i, 1)
		return v, v.MH(), tau.Narrow(-1, i, 1).Unsqueeze(-1)
	}
	// The products behind each reflector come from the whole by its inverse, the reflector's adjoint, where it is
	// unitary; in general they are multiplied up from the last.
	behind := make([]*tensor.Tensor, k)
	p := tensor.With(a.Dtype(), a.Device()).Eye(m, opt.M(n)).Expand(a.Shape()...)
	for i := k - 1; i >= 0; i-- {
		behind[i] = p
		v, vh, t := vector(i)
		p = p.Sub(v.Mul(t).Matmul(vh.Matmul(p)))
	}
	columns, factors := make([]*tensor.Tensor, k), make([]*tensor.Tensor, k)
	for i := range k {
		v, vh, t := vector(i)
		w := vh.Matmul(behind[i]).MH()
		gw := g.Matmul(w)
		factors[i] = vh.Matmul(gw).Neg().Squeeze(-1)
		columns[i] = gw.Mul(conj(t)).Add(behind[i].Matmul(g.MH().Matmul(v)).Mul(t)).Neg()
		g = g.Sub(v.Mul(conj(t)).Matmul(vh.Matmul(g)))
	}
	ga := tensor.Cat(columns, opt.Dim(-1)).Tril(opt.Diagonal(-1))
	if n > k {
		ga = tensor.ConstantPadNd(ga, []int{0, n - k})
	}
	return Grads{ga, tensor.Cat(factors, opt.Dim(-1))}
}

// gaps are the differences x[j] - x[i] of the last dimension, and 1 where i = j.
func gaps(x *tensor.Tensor) *tensor.Tensor {
	return x.Unsqueeze(-2).Sub(x.Unsqueeze(-1)).Add(tensor.With(x.Dtype(), x.Device()).Eye(x.Size(-1)))
}

// offDiagonal is x with a diagonal of zeros.
func offDiagonal(x *tensor.Tensor) *tensor.Tensor {
	return x.Sub(tensor.DiagEmbed(x.Diagonal(opt.Dim1(-2), opt.Dim2(-1))))
}

// phaseFree panics where a loss depends on the phases of complex vectors, which are arbitrary: where the imaginary
// diagonal x is not zero. Inside of a transform the values cannot be asked for.
func phaseFree(op string, x *tensor.Tensor) {
	if x = x.Detach(); !x.Dtype().IsComplex() || !x.IsPlain() || x.Device() != tensor.CPU || x.Numel() == 0 {
		return
	}
	if x.Imag().Abs().Amax().Gt(1e-2).ItemBool() {
		panic(tensor.Errorf(op, "complex vectors are determined up to a phase exp(iφ), and the loss depends on it: it has "+
			"no derivative").WithHint("use absolute values, or products in which the phases cancel"))
	}
}

// eighGrad is V (diag(gL) + skew(Vᴴ gV) / 2E) Vᴴ with E the gaps between the eigenvalues: the Hermitian part of the
// gradient, as A moves among Hermitian matrices alone.
func eighGrad(c *Ctx, gl, gv, l, v *tensor.Tensor) *tensor.Tensor {
	switch {
	case gl == nil && gv == nil:
		return nil
	case gv == nil:
		return v.Mul(gl.Unsqueeze(-2)).Matmul(v.MH())
	}
	inner := v.MH().Matmul(gv)
	phaseFree("linalg.eigh", inner.Diagonal(opt.Dim1(-2), opt.Dim2(-1)))
	inner = offDiagonal(inner.Sub(inner.MH())).Div(gaps(l).Mul(2))
	if gl != nil {
		inner = inner.Add(tensor.DiagEmbed(gl))
	}
	return v.Matmul(inner).Matmul(v.MH())
}

// svdGrads: with E the gaps between the squares of the singular values and skew(X) = X - Xᴴ, the part within the
// spaces of U and V is U (skew(Uᴴ gU)/E S + S skew(Vᴴ gV)/E + diag(gS)) Vᴴ; what gU and gV have outside of them is
// added.
func svdGrads(c *Ctx) Grads {
	gu, gs, gvh := c.GradOf(0), c.GradOf(1), c.GradOf(2)
	u, s, vh := c.Result(0), c.Result(1), c.Result(2)
	if gu == nil && gs == nil && gvh == nil {
		return nil
	}
	shape, k := c.Shape(0), s.Size(-1)
	m, n := shape[len(shape)-2], shape[len(shape)-1]
	u, vh = u.Narrow(-1, 0, k), vh.Narrow(-2, 0, k)
	if gu == nil && gvh == nil {
		return Grads{u.Mul(gs.Unsqueeze(-2)).Matmul(vh)}
	}
	row, column := s.Unsqueeze(-2), s.Unsqueeze(-1)
	skew := func(x *tensor.Tensor) *tensor.Tensor { return x.Sub(x.MH()) }
	var inner, turn *tensor.Tensor
	add := func(x *tensor.Tensor) {
		if inner == nil {
			inner = x
		} else {
			inner = inner.Add(x)
		}
	}
	if gu != nil {
		gu = gu.Narrow(-1, 0, k)
		turn = skew(u.MH().Matmul(gu))
		add(turn.Mul(row))
	}
	if gvh != nil {
		gvh = gvh.Narrow(-2, 0, k)
		x := skew(vh.Matmul(gvh.MH()))
		add(column.Mul(x))
		both := x
		if turn != nil {
			both = both.Add(turn)
		}
		phaseFree("linalg.svd", both.Diagonal(opt.Dim1(-2), opt.Dim2(-1)))
	} else {
		phaseFree("linalg.svd", turn.Diagonal(opt.Dim1(-2), opt.Dim2(-1)))
	}
	inner = offDiagonal(inner).Div(gaps(s.Mul(s)))
	if gs != nil {
		inner = inner.Add(tensor.DiagEmbed(gs))
	}
	if turn != nil && turn.Dtype().IsComplex() && gvh != nil {
		inner = inner.Add(tensor.DiagEmbed(turn.Diagonal(opt.Dim1(-2), opt.Dim2(-1)).Div(s.Mul(2))))
	}
	ga := u.Matmul(inner)
	if gu != nil && m > k {
		outside := gu.Div(row)
		ga = ga.Add(outside).Sub(u.Matmul(u.MH().Matmul(outside)))
	}
	ga = ga.Matmul(vh)
	if gvh != nil && n > k {
		outside := gvh.Div(column)
		ga = ga.Add(u.Matmul(outside.Sub(outside.Matmul(vh.MH()).Matmul(vh))))
	}
	return Grads{ga}
}

// pinvGrad is -(A⁺ᴴ G A⁺ᴴ) + (I - A A⁺) G ᴴ A⁺ A⁺ᴴ + A⁺ᴴ A⁺ Gᴴ (I - A⁺ A), in an order of products that keeps them
// small.
func pinvGrad(g, y, a *tensor.Tensor) *tensor.Tensor {
	gh, yh := g.MH(), y.MH()
	if a.Size(-2) <= a.Size(-1) {
		k := gh.Matmul(y)
		ky := k.Matmul(yh)
		return ky.Sub(y.Matmul(k).MH()).Sub(a.Matmul(y).Matmul(ky)).Add(yh.Matmul(y).Matmul(gh.Sub(k.Matmul(a))))
	}
	k := y.Matmul(gh)
	yk := yh.Matmul(k)
	return yk.Sub(k.Matmul(y).MH()).Add(gh.Sub(a.Matmul(k)).Matmul(y).Matmul(yh)).Sub(yk.Matmul(y).Matmul(a))
}
