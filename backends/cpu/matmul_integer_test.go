package cpu_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestIntegerProducts holds products of integers, which are small enough for it, against those of float64.
func TestIntegerProducts(t *testing.T) {
	for _, dt := range []tensor.Dtype{tensor.Int32, tensor.Int64, tensor.Int16} {
		random := func(shape ...int) *tensor.Tensor { return tensor.Randint(-9, 10, shape...).To(dt) }
		for _, s := range [][3]int{{3, 4, 16}, {20, 33, 40}, {9, 300, 1100}, {100, 5, 17}, {1, 50, 70}} {
			m, k, n := s[0], s[1], s[2]
			for layout := range 2 {
				a, b, d := random(m, k), random(k, n), random(n)
				if layout == 1 {
					a, b, d = random(k, m).T(), random(n, k).T(), random(m, n)
				}
				want := a.To(tensor.Float64).Mm(b.To(tensor.Float64))
				if got := a.Mm(b); !got.To(tensor.Float64).Equal(want) {
					t.Errorf("%s, %v, layout %d: mm is wrong", dt, s, layout)
				}
				want = want.Mul(3).Add(d.To(tensor.Float64).Mul(-2))
				if got := tensor.Addmm(d, a, b, opt.Alpha(3), opt.Beta(-2)); !got.To(tensor.Float64).Equal(want) {
					t.Errorf("%s, %v, layout %d: addmm is wrong", dt, s, layout)
				}
			}
		}
	}
}
