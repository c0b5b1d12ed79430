package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Derivatives of determinants, inverses and solutions (Giles, An Extended Collection of Matrix Derivative Results,
// 2008). G stands for the gradient of a result Y: the gradient of A is what makes Re tr(Gᴴ dY) = Re tr(gAᴴ dA).

func init() {
	det := Formula{Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
		return Grads{matrix(c.Grad).Mul(adjugate(c.Tensor(0), c.Result(0)).MH())}
	}}
	slogdet := Formula{Save: Arg0 | Result0, VJP: slogdetGrads}
	inv := Formula{Save: Result0, VJP: func(c *Ctx) Grads {
		if c.GradOf(0) == nil {
			return nil
		}
		y := c.Result(0).MH()
		return Grads{y.Matmul(c.GradOf(0)).Matmul(y).Neg()}
	}}
	solve := Formula{Save: Arg0 | Result0, VJP: solveGrads}
	register(map[string]Formula{
		"linalg.det": det, "det": det,
		"linalg.slogdet": slogdet, "slogdet": slogdet,
		"linalg.inv": inv, "inverse": inv, "linalg.inv_ex": inv,
		"linalg.solve": solve, "linalg.solve_ex": solve,
		// X = det(A) A⁻¹: dX = tr(X dA) A⁻¹ - X dA A⁻¹
		"_adjugate": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			x, y := c.Result(0), inverseOf(c.Tensor(0))
			trace := conj(c.Grad).Mul(y).Sum(opt.Dim(-2, -1))
			return Grads{matrix(conj(trace)).Mul(x.MH()).Sub(x.MH().Matmul(c.Grad).Matmul(y.MH()))}
		}},
		"linalg.solve_triangular": {Save: Arg0 | Result0, VJP: solveTriangularGrads},
		"cholesky_solve":          {Save: Arg1 | Result0, VJP: choleskySolveGrads},
		"cholesky_inverse": {Save: Arg0 | Result0, VJP: func(c *Ctx) Grads {
			x := c.Result(0)
			both := x.Matmul(c.Grad.Add(c.Grad.MH()).Matmul(x)).Neg()
			if c.Bool(1) {
				return Grads{c.Tensor(0).Matmul(both)}
			}
			return Grads{both.Matmul(c.Tensor(0))}
		}},
	})
}

// matrix returns a number for each matrix the dimensions of matrices.
func matrix(x *tensor.Tensor) *tensor.Tensor { return x.Unsqueeze(-1).Unsqueeze(-1) }

// inverseOf is the inverse, infinite or NaN where there is none.
func inverseOf(a *tensor.Tensor) *tensor.Tensor {
	x, _ := tensor.LinalgInvEx(a)
	return x
}

// adjugate is det(A) A⁻¹. Where that shall be differentiated again and a matrix is singular, to rounding, it is made
// of the singular value decomposition, which has no inverse in it: adj(U S Vᴴ) = det(U) det(Vᴴ) V adj(S) Uᴴ.
func adjugate(a, det *tensor.Tensor) *tensor.Tensor {
	known := det.IsPlain() && det.Device() == tensor.CPU && det.Numel() > 0
	if !IsGradEnabled() || !known || !det.Detach().Abs().Lt(100*epsilon(det)).Any().ItemBool() {
		return tensor.Private("_adjugate", a)
	}
	u, s, vh := tensor.LinalgSvd(a)
	n := s.Size(-1)
	// the products of all singular values but one
	others := s.Unsqueeze(-2).MaskedFill(tensor.With(tensor.Bool, s.Device()).Eye(n), 1).Prod(opt.Dim(-1))
	phase := tensor.LinalgDet(u).Mul(tensor.LinalgDet(vh))
	return vh.MH().Mul(others.Unsqueeze(-2)).Matmul(u.MH()).Mul(matrix(phase))
}

// epsilon is the distance of 1 to the next number of x's dtype.
func epsilon(x *tensor.Tensor) float64 {
	if x.Dtype().ToReal() == tensor.Float64 {
		return 0x1p-52
	}
	return 0x1p-23
}

// slogdetGrads: d(log |det| + i arg det) = tr(A⁻¹ dA).
func slogdetGrads(c *Ctx) Grads {
	g := c.GradOf(1)
	sign := c.Result(0)
	if g == nil {
		g = tensor.ZerosLike(sign.Abs())
	}
	if sign.Dtype().IsComplex() {
		if gs := c.GradOf(0); gs != nil {
			g = tensor.Complex(g, gs.Mul(conj(sign)).Imag())
		} else {
			g = tensor.Complex(g, tensor.ZerosLike(g))
		}
	}
	return Grads{matrix(g).Mul(inverseOf(c.Tensor(0)).MH())}
}

// solveGrads: of A X = B, gB solves Aᴴ gB = G, and gA = -gB Xᴴ; of X A = B, gB Aᴴ = G and gA = -Xᴴ gB.
func solveGrads(c *Ctx) Grads {
	if c.GradOf(0) == nil {
		return nil
	}
	a, x, g, left := c.Tensor(0), c.Result(0), c.GradOf(0), c.Bool(2)
	vector := x.Dim() != len(c.Shape(1)) || len(c.Shape(1)) < 2
	vector = vector || tensor.VectorRightSide(a, tensor.With(tensor.Meta).Empty(c.Shape(1)...))
	if vector {
		x, g = x.Unsqueeze(-1), g.Unsqueeze(-1)
	}
	gb, _ := tensor.LinalgSolveEx(a.MH(), g, opt.Left(left))
	var ga *tensor.Tensor
	if c.Needs(0) {
		ga = matrixOfSolution(gb, x, left)
	}
	if vector {
		gb = gb.Squeeze(-1)
	}
	return Grads{ga, gb}
}

// matrixOfSolution is the gradient of A from those of the right side.
func matrixOfSolution(gb, x *tensor.Tensor, left bool) *tensor.Tensor {
	if left {
		return gb.Matmul(x.MH()).Neg()
	}
	return x.MH().Matmul(gb).Neg()
}

// solveTriangularGrads is solveGrads where only a triangle of A takes part.
func solveTriangularGrads(c *Ctx) Grads {
	a, x, upper, left, unit := c.Tensor(0), c.Result(0), c.Bool(2), c.Bool(3), c.Bool(4)
	gb := tensor.LinalgSolveTriangular(a.MH(), c.Grad, opt.Upper(!upper), opt.Left(left), opt.Unitriangular(unit))
	var ga *tensor.Tensor
	if c.Needs(0) {
		ga = matrixOfSolution(gb, x, left)
		diagonal := 0
		if unit {
			diagonal = 1
		}
		if upper {
			ga = ga.Triu(opt.Diagonal(diagonal))
		} else {
			ga = ga.Tril(opt.Diagonal(-diagonal))
		}
	}
	return Grads{ga, gb}
}

// choleskySolveGrads: the gradient of L is that of L Lᴴ = A; as PyTorch's it fills both triangles.
func choleskySolveGrads(c *Ctx) Grads {
	l, x, upper := c.Tensor(1), c.Result(0), c.Bool(2)
	gb := c.Grad.CholeskySolve(l, opt.Upper(upper))
	var gl *tensor.Tensor
	if c.Needs(1) {
		common := gb.Matmul(x.MH())
		if common = common.Add(common.MH()).Neg(); upper {
			gl = l.Matmul(common)
		} else {
			gl = common.Matmul(l)
		}
	}
	return Grads{gb, gl}
}
