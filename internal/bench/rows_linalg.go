package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"

	"gonum.org/v1/gonum/mat"
)

// linearAlgebra adds factorizations and what is made of them: one larger matrix, and a batch of small ones.
func linearAlgebra(t *table) {
	t.in("linalg")
	for _, w := range []struct {
		name, expr string
		sizes      []int // of one matrix
		f          func(a T)
	}{
		{"inv", "torch.linalg.inv(a)", []int{64, 256}, func(a T) { tensor.LinalgInv(a) }},
		{"det", "torch.linalg.det(a)", []int{64, 256}, func(a T) { tensor.LinalgDet(a) }},
		{"solve", "torch.linalg.solve(a, a)", []int{64, 256}, func(a T) { tensor.LinalgSolve(a, a) }},
		{"lu", "torch.linalg.lu_factor(a)", []int{64, 512}, func(a T) { tensor.LinalgLuFactor(a) }},
		{"cholesky", "torch.linalg.cholesky(p)", []int{64, 512}, nil},
		{"qr", "torch.linalg.qr(a)", []int{64, 256}, func(a T) { tensor.LinalgQr(a) }},
		{"eigh", "torch.linalg.eigh(p)", []int{32, 128}, nil},
		{"svd", "torch.linalg.svd(a, full_matrices=False)", []int{32, 128},
			func(a T) { tensor.LinalgSvd(a, opt.FullMatrices(false)) }},
		{"eig", "torch.linalg.eig(a)", []int{32, 128}, func(a T) { tensor.LinalgEig(a) }},
		{"pinv", "torch.linalg.pinv(a)", []int{32, 128}, func(a T) { tensor.LinalgPinv(a) }},
		{"lstsq", "torch.linalg.lstsq(a, a)", []int{64}, func(a T) { tensor.LinalgLstsq(a, a) }},
		{"matrix_exp", "torch.linalg.matrix_exp(a)", []int{32, 128}, func(a T) { tensor.LinalgMatrixExp(a) }},
	} {
		f := w.f
		switch w.name {
		case "cholesky":
			f = func(p T) { tensor.LinalgCholesky(p) }
		case "eigh":
			f = func(p T) { tensor.LinalgEigh(p) }
		}
		add := func(name, py string, shape ...int) {
			setup := "a = g(" + py + ") + 4 * torch.eye(%d)\np = a @ a.mT"
			n := shape[len(shape)-1]
			t.add("t."+w.name+name, fmt.Sprintf(setup, n), w.expr, func() func() {
				a := g(shape...).Add(tensor.With().Eye(n).Mul(4))
				if w.f == nil {
					a = a.Matmul(a.MT())
				}
				return func() { f(a) }
			})
		}
		for _, n := range w.sizes {
			add(fmt.Sprintf(".%d", n), fmt.Sprintf("%d, %d", n, n), n, n)
		}
		add(".500x8", "500, 8, 8", 500, 8, 8)
	}
	inDoubles(t)
}

// inDoubles adds factorizations in float64, beside gonum's on the same memory.
func inDoubles(t *table) {
	const n = 256
	for _, w := range []struct {
		name, expr string
		f          func(a, p T)
		gonum      func(a *mat.Dense, p *mat.SymDense)
	}{
		{"inv", "torch.linalg.inv(a)", func(a, _ T) { tensor.LinalgInv(a) },
			func(a *mat.Dense, _ *mat.SymDense) { new(mat.Dense).Inverse(a) }},
		{"det", "torch.linalg.det(a)", func(a, _ T) { tensor.LinalgDet(a) },
			func(a *mat.Dense, _ *mat.SymDense) { mat.Det(a) }},
		{"solve", "torch.linalg.solve(a, p)", func(a, p T) { tensor.LinalgSolve(a, p) },
			func(a *mat.Dense, p *mat.SymDense) { new(mat.Dense).Solve(a, p) }},
		{"lu", "torch.linalg.lu_factor(a)", func(a, _ T) { tensor.LinalgLuFactor(a) },
			func(a *mat.Dense, _ *mat.SymDense) { new(mat.LU).Factorize(a) }},
		{"cholesky", "torch.linalg.cholesky(p)", func(_, p T) { tensor.LinalgCholesky(p) },
			func(_ *mat.Dense, p *mat.SymDense) { new(mat.Cholesky).Factorize(p) }},
		{"qr", "torch.linalg.qr(a)", func(a, _ T) { tensor.LinalgQr(a) },
			func(a *mat.Dense, _ *mat.SymDense) {
				var qr mat.QR
				qr.Factorize(a)
				qr.QTo(new(mat.Dense))
				qr.RTo(new(mat.Dense))
			}},
		{"eigh", "torch.linalg.eigh(p)", func(_, p T) { tensor.LinalgEigh(p) },
			func(_ *mat.Dense, p *mat.SymDense) { new(mat.EigenSym).Factorize(p, true) }},
		{"svd", "torch.linalg.svd(a, full_matrices=False)",
			func(a, _ T) { tensor.LinalgSvd(a, opt.FullMatrices(false)) },
			func(a *mat.Dense, _ *mat.SymDense) { new(mat.SVD).Factorize(a, mat.SVDThin) }},
		{"eig", "torch.linalg.eig(a)", func(a, _ T) { tensor.LinalgEig(a) },
			func(a *mat.Dense, _ *mat.SymDense) { new(mat.Eigen).Factorize(a, mat.EigenRight) }},
		{"matrix_exp", "torch.linalg.matrix_exp(a)", func(a, _ T) { tensor.LinalgMatrixExp(a) },
			func(a *mat.Dense, _ *mat.SymDense) { new(mat.Dense).Exp(a) }},
	} {
		operands := func() (a, p T) {
			a = tensor.With(tensor.Float64).Randn(n, n).Add(tensor.With(tensor.Float64).Eye(n).Mul(4))
			return a, a.Matmul(a.MT())
		}
		setup := "a = torch.randn(%[1]d, %[1]d, dtype=torch.float64) + 4 * torch.eye(%[1]d, dtype=torch.float64)\n" +
			"p = a @ a.mT"
		t.add(fmt.Sprintf("t.%s.f64.%d", w.name, n), fmt.Sprintf(setup, n), w.expr, func() func() {
			a, p := operands()
			return func() { w.f(a, p) }
		})
		t.beside(func() func() {
			a, p := operands()
			x, y := mat.NewDense(n, n, tensor.Data[float64](a)), mat.NewSymDense(n, tensor.Data[float64](p))
			return func() { w.gonum(x, y) }
		})
	}
}
