package cpu_test

import (
	"testing"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestComplexProducts holds products that are made of the parts of complex numbers against sums of elementwise
// products.
func TestComplexProducts(t *testing.T) {
	defer parallel.SetThreads(0)
	for _, dt := range []tensor.Dtype{tensor.Complex64, tensor.Complex128} {
		random := func(shape ...int) *tensor.Tensor { return tensor.With(dt).Randn(shape...) }
		for _, s := range [][3]int{{17, 33, 40}, {4, 300, 5}, {70, 20, 64}} {
			m, k, n := s[0], s[1], s[2]
			for layout := range 3 {
				a, b := random(3, m, k), random(3, k, n)
				switch layout {
				case 1:
					a, b = random(3, k, m).Transpose(1, 2), random(3, n, k).Transpose(1, 2)
				case 2:
					a, b = random(1, m, k).Expand(3, m, k), random(3, k, 2*n).Narrow(2, 1, n)
				}
				want := a.Unsqueeze(3).Mul(b.Unsqueeze(1)).Sum(opt.Dim(2))
				alpha, beta := complex(0.5, 2), complex(-1, 0.25)
				row, full := random(n), random(m, n)
				for _, threads := range []int{1, 3} {
					parallel.SetThreads(threads)
					for _, c := range []struct {
						name      string
						got, want *tensor.Tensor
					}{
						{"bmm", a.Bmm(b), want},
						{"mm", a.Select(0, 1).Mm(b.Select(0, 1)), want.Select(0, 1)},
						{"addmm row", tensor.Addmm(row, a.Select(0, 1), b.Select(0, 1)), want.Select(0, 1).Add(row)},
						{"baddbmm", tensor.Baddbmm(full, a, b, opt.Alpha(alpha), opt.Beta(beta)), want.Mul(alpha).Add(full.Mul(beta))},
						{"addbmm", tensor.Addbmm(full, a, b, opt.Beta(beta)), want.Sum(opt.Dim(0)).Add(full.Mul(beta))},
					} {
						if d := c.got.Sub(c.want).Abs().Max().Item(); !(d < map[tensor.Dtype]float64{tensor.Complex64: 2e-3, tensor.Complex128: 1e-11}[dt]) {
							t.Errorf("%s, %v, layout %d, %d threads: %s is off by %v", dt, s, layout, threads, c.name, d)
						}
					}
				}
			}
		}
	}
}
