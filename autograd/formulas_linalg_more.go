package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Derivatives of general eigenvalues (Boeddeker and others, On the Computation of Complex-valued Gradients with
// Application to Statistically Optimum Beamforming, 2017), of least squares by the pseudoinverse, and of the
// exponential (Al-Mohy and Higham, Computing the Fréchet Derivative of the Matrix Exponential, 2009).

func init() {
	exp := Formula{Save: Arg0, VJP: func(c *Ctx) Grads { return Grads{expGrad(c.Grad, c.Tensor(0))} }}
	register(map[string]Formula{
		"linalg.matrix_exp": exp, "matrix_exp": exp,
		"linalg.eig": {Save: Result0 | Result1, VJP: eigGrads},
		"linalg.eigvals": {Save: Arg0, VJP: func(c *Ctx) Grads {
			_, v := tensor.LinalgEig(c.Tensor(0))
			return Grads{tensor.LinalgSolve(v.MH(), c.Grad.Unsqueeze(-1).Mul(v.MH()))}
		}},
		// X = A⁺ B
		"linalg.lstsq": {Save: Arg0 | Arg1, Fixed: Result1 | Result3, VJP: lstsqGrads},
	})
}

// eigGrads is V⁻ᴴ (diag(gL) + (Vᴴ gV - Vᴴ V diag(Re(Vᴴ gV))) / conj(E)) Vᴴ, with E the gaps between the eigenvalues:
// the norms of the vectors stay 1.
func eigGrads(c *Ctx) Grads {
	gl, gv := c.GradOf(0), c.GradOf(1)
	l, v := c.Result(0), c.Result(1)
	if gl == nil && gv == nil {
		return nil
	}
	vh := v.MH()
	if gv == nil {
		return Grads{tensor.LinalgSolve(vh, gl.Unsqueeze(-1).Mul(vh))}
	}
	inner := vh.Matmul(gv)
	diagonal := inner.Diagonal(opt.Dim1(-2), opt.Dim2(-1))
	phaseFree("linalg.eig", diagonal)
	inner = inner.Sub(vh.Matmul(v).Mul(diagonal.Real().Unsqueeze(-2)))
	inner = offDiagonal(inner).Div(conj(gaps(l)))
	if gl != nil {
		inner = inner.Add(tensor.DiagEmbed(gl))
	}
	return Grads{tensor.LinalgSolve(vh, inner.Matmul(vh))}
}

func lstsqGrads(c *Ctx) Grads {
	g := c.GradOf(0)
	if g == nil {
		return nil
	}
	a, b := c.Tensor(0), c.Tensor(1)
	vector := tensor.LstsqVector(a, b)
	if vector {
		b, g = b.Unsqueeze(-1), g.Unsqueeze(-1)
	}
	y := tensor.LinalgPinv(a)
	out := make(Grads, 2)
	if c.Needs(0) {
		out[0] = pinvGrad(g.Matmul(b.MH()), y, a)
	}
	if c.Needs(1) {
		if out[1] = y.MH().Matmul(g); vector {
			out[1] = out[1].Squeeze(-1)
		}
	}
	return out
}

// expGrad is the part in the upper right corner of the exponential of [Aᴴ G; 0 Aᴴ].
func expGrad(g, a *tensor.Tensor) *tensor.Tensor {
	n, ah := a.Size(-1), a.MH()
	top := tensor.Cat([]*tensor.Tensor{ah, g}, opt.Dim(-1))
	bottom := tensor.Cat([]*tensor.Tensor{tensor.ZerosLike(ah), ah}, opt.Dim(-1))
	both := tensor.Cat([]*tensor.Tensor{top, bottom}, opt.Dim(-2)).MatrixExp()
	return both.Narrow(-2, 0, n).Narrow(-1, n, n)
}
