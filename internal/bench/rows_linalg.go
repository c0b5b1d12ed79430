package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
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
}
