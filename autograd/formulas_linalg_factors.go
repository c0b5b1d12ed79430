package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Derivatives of LU and Cholesky factors (Murray, Differentiation of the Cholesky decomposition, 2016, whose way of
// splitting a product into triangles holds for LU too).

func init() {
	lu := Formula{Save: Result0 | Result1, VJP: func(c *Ctx) Grads {
		if c.GradOf(0) == nil {
			return nil
		}
		p, l, u := tensor.LuUnpack(c.Result(0), c.Result(1))
		return Grads{p.Matmul(luGrad(c.GradOf(0), l, u))}
	}}
	cholesky := Formula{Save: Result0, VJP: func(c *Ctx) Grads {
		if c.GradOf(0) == nil {
			return nil
		}
		return Grads{choleskyGrad(c.GradOf(0), c.Result(0), c.Bool(1))}
	}}
	register(map[string]Formula{
		"linalg.lu_factor": lu, "linalg.lu_factor_ex": lu, "lu": lu,
		"linalg.cholesky": cholesky, "cholesky": cholesky, "linalg.cholesky_ex": cholesky,
		"lu_unpack":       {Fixed: Result0, VJP: luUnpackGrads},
		"linalg.lu_solve": {For: []Saves{Arg0 | Arg1 | Result0, 0, Arg0 | Arg1}, VJP: luSolveGrads},
	})
}

// luGrad is the gradient of Pᵀ A from g, that of L (below the diagonal) and U packed into one matrix.
//
// Of a square A it is L⁻ᴴ (low(Lᴴ gL) + up(gU Uᴴ)) U⁻ᴴ, where low takes what is below the diagonal and up the rest. A
// wide matrix has more columns, U₂ = L⁻¹ A₂, a high one more rows, L₂ = A₂ U⁻¹. With their gradients put in, and one
// of the two products with its inverse cancelled, it is
//
//	L⁻ᴴ (gU + [low(Lᴴ gL - gU Uᴴ) U₁⁻ᴴ, 0])   of a matrix that is not higher than wide
//	([up(gU Uᴴ - Lᴴ gL); 0] + gL) U⁻ᴴ          of a high one, the first term with L₁⁻ᴴ before it
func luGrad(g, l, u *tensor.Tensor) *tensor.Tensor {
	m, n := g.Size(-2), g.Size(-1)
	k := min(m, n)
	gl, gu := g.Narrow(-1, 0, k).Tril(opt.Diagonal(-1)), g.Narrow(-2, 0, k).Triu()
	inner := l.MH().Matmul(gl).Sub(gu.Matmul(u.MH()))
	if m <= n {
		inner = tensor.LinalgSolveTriangular(u.Narrow(-1, 0, k).MH(), inner.Tril(opt.Diagonal(-1)), opt.Upper(false),
			opt.Left(false))
		if n > k {
			inner = tensor.ConstantPadNd(inner, []int{0, n - k})
		}
		return tensor.LinalgSolveTriangular(l.MH(), gu.Add(inner), opt.Upper(true), opt.Unitriangular(true))
	}
	inner = tensor.LinalgSolveTriangular(l.Narrow(-2, 0, k).MH(), inner.Triu(), opt.Upper(true), opt.Unitriangular(true))
	inner = tensor.ConstantPadNd(inner, []int{0, 0, 0, m - k})
	return tensor.LinalgSolveTriangular(u.MH(), gl.Sub(inner), opt.Upper(false), opt.Left(false))
}

// luUnpackGrads puts the triangles back into one matrix.
func luUnpackGrads(c *Ctx) Grads {
	shape := c.Shape(0)
	m, n := shape[len(shape)-2], shape[len(shape)-1]
	k := min(m, n)
	gl, gu := c.GradOf(1), c.GradOf(2)
	if !c.Bool(2) || gl == nil && gu == nil {
		return nil
	}
	var out *tensor.Tensor
	if gl != nil {
		if out = gl.Tril(opt.Diagonal(-1)); n > k {
			out = tensor.ConstantPadNd(out, []int{0, n - k})
		}
	}
	if gu != nil {
		up := gu.Triu()
		if m > k {
			up = tensor.ConstantPadNd(up, []int{0, 0, 0, m - k})
		}
		if out == nil {
			out = up
		} else {
			out = out.Add(up)
		}
	}
	return Grads{out}
}

// luSolveGrads finds the gradient of A as that of a system of equations, and from it those of its factors.
func luSolveGrads(c *Ctx) Grads {
	lu, pivots, left, adjoint := c.Tensor(0), c.Tensor(1), c.Bool(3), c.Bool(4)
	gb := tensor.LinalgLuSolve(lu, pivots, c.Grad, opt.Left(left), opt.Adjoint(!adjoint))
	if !c.Needs(0) {
		return Grads{nil, nil, gb}
	}
	x := c.Result(0)
	ga := matrixOfSolution(gb, x, left)
	if adjoint {
		ga = ga.MH()
	}
	p, l, u := tensor.LuUnpack(lu, pivots)
	ga = p.MT().Matmul(ga)
	return Grads{ga.Matmul(u.MH()).Tril(opt.Diagonal(-1)).Add(l.MH().Matmul(ga).Triu()), nil, gb}
}

// choleskyGrad is L⁻ᴴ sym(low(Lᴴ G)) L⁻¹, where sym mirrors the lower triangle and halves what stands beside the
// diagonal: A is taken for Hermitian.
func choleskyGrad(g, l *tensor.Tensor, upper bool) *tensor.Tensor {
	if upper {
		g, l = g.MH(), l.MH()
	}
	low := l.MH().Matmul(g).Tril()
	both := low.Add(low.Tril(opt.Diagonal(-1)).MH())
	out := tensor.LinalgSolveTriangular(l.MH(), both, opt.Upper(true))
	out = tensor.LinalgSolveTriangular(l, out, opt.Upper(false), opt.Left(false))
	return out.Mul(0.5)
}
