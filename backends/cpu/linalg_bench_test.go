package cpu

import (
	"fmt"
	"testing"

	"gotorch/tensor"
)

// BenchmarkLinalg runs operators on one matrix of n rows, and on 500 of 8.
func BenchmarkLinalg(b *testing.B) {
	for _, shape := range [][]int{{32, 32}, {64, 64}, {256, 256}, {500, 8, 8}} {
		tensor.ManualSeed(1)
		x := tensor.Randn(shape...)
		symmetric := x.Matmul(x.MT()).Add(tensor.Eye(shape[len(shape)-1]))
		for _, f := range []struct {
			name string
			f    func()
		}{
			{"qr", func() { tensor.LinalgQr(x) }},
			{"lu", func() { tensor.LinalgLuFactor(x) }},
			{"inv", func() { tensor.LinalgInv(x) }},
			{"solve", func() { tensor.LinalgSolve(x, x) }},
			{"cholesky", func() { tensor.LinalgCholesky(symmetric) }},
			{"eigh", func() { tensor.LinalgEigh(symmetric) }},
			{"svd", func() { tensor.LinalgSvd(x) }},
			{"eig", func() { tensor.LinalgEig(x) }},
			{"lstsq", func() { tensor.LinalgLstsq(x, x) }},
		} {
			b.Run(fmt.Sprint(f.name, shape), func(b *testing.B) {
				for b.Loop() {
					f.f()
				}
			})
		}
	}
}
