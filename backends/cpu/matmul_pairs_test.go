package cpu_test

import (
	"testing"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestBfloat16Products holds products of bfloat16 matrices in all layouts, of odd and even sizes and offsets, against
// those of the same numbers in float64.
func TestBfloat16Products(t *testing.T) {
	defer parallel.SetThreads(0)
	half := tensor.With(tensor.Bfloat16)
	for _, s := range [][3]int{{17, 33, 40}, {64, 64, 64}, {9, 501, 31}, {70, 128, 5}, {530, 1040, 600}} {
		m, k, n := s[0], s[1], s[2]
		count := 3
		if m > 500 && testing.Short() {
			continue // minutes where another machine is emulated
		}
		if m > 500 {
			count = 1
		}
		for layout := range 5 {
			a, b := half.Randn(count, m, k), half.Randn(count, k, n)
			switch layout {
			case 1:
				a, b = half.Randn(count, k, m).Transpose(1, 2), half.Randn(count, n, k).Transpose(1, 2)
			case 2:
				a, b = half.Randn(1, m, k).Expand(count, m, k), half.Randn(count, k, 2*n).Narrow(2, 1, n)
			case 3:
				a, b = half.Randn(count, m, k+1).Narrow(2, 1, k), half.Randn(count, n, k+2).Narrow(2, 2, k).Transpose(1, 2)
			case 4:
				a, b = half.Randn(m, k, count).Permute(2, 0, 1), half.Randn(n, k, count).Permute(2, 1, 0)
			}
			want := a.To(tensor.Float64).Bmm(b.To(tensor.Float64))
			row := half.Randn(n)
			for _, threads := range []int{1, 3} {
				parallel.SetThreads(threads)
				for _, c := range []struct {
					name      string
					got, want *tensor.Tensor
				}{
					{"bmm", a.Bmm(b), want},
					{"mm", a.Select(0, count-1).Mm(b.Select(0, count-1)), want.Select(0, count-1)},
					{"addmm", tensor.Addmm(row, a.Select(0, 0), b.Select(0, 0), opt.Alpha(0.5)),
						want.Select(0, 0).Mul(0.5).Add(row.To(tensor.Float64))},
				} {
					// half a unit in the last place of bfloat16, and what float32 sums lose
					off := c.got.To(tensor.Float64).Sub(c.want).Abs().Sub(c.want.Abs().Mul(0x1p-8)).Max().Item()
					if !(off <= 1e-3) {
						t.Errorf("%v, layout %d, %d threads: %s is off by %v", s, layout, threads, c.name, off)
					}
				}
			}
		}
	}
}
