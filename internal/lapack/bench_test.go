package lapack

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkFactorizations has each factorization of a real matrix.
func BenchmarkFactorizations(b *testing.B) {
	for _, n := range []int{8, 64, 256} {
		a := random[float64](rand.New(rand.NewPCG(1, 2)), n, n, n)
		s := make([]float64, n*n)
		for i := range n {
			for j := range n {
				s[i*n+j] = a[i*n+j] + a[j*n+i]
			}
		}
		x, y, z, w := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n)
		pivots, values := make([]int, n), make([]complex128, n)
		vectors := make([]complex128, n*n)
		for _, c := range []struct {
			name string
			of   []float64
			f    func()
		}{
			{"lu", a, func() { LU(x, n, n, pivots) }},
			{"qr", a, func() { QR(x, n, n, w) }},
			{"q", a, func() { QR(x, n, n, w); Q(x, n, n, n, w) }},
			{"eigh", s, func() { EigH(x, n, false, true, w) }},
			{"eigvalsh", s, func() { EigH(x, n, false, false, w) }},
			{"svd", a, func() { SVD(x, n, n, false, w, y, z) }},
			{"svdvals", a, func() { SVD(x, n, n, false, w, nil, nil) }},
			{"eig", a, func() { Eig(x, n, values, vectors) }},
			{"eigvals", a, func() { Eig(x, n, values, nil) }},
		} {
			b.Run(fmt.Sprint(c.name, "/", n), func(b *testing.B) {
				for b.Loop() {
					copy(x, c.of)
					c.f()
				}
			})
		}
	}
}
