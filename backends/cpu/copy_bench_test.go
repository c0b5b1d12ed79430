package cpu_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// BenchmarkCopy copies views of many layouts into memory that is kept.
func BenchmarkCopy(b *testing.B) {
	g := func(shape ...int) *tensor.Tensor { return tensor.Randn(shape...) }
	for _, c := range []struct {
		name string
		src  *tensor.Tensor
	}{
		{"contiguous", g(316, 316)},
		{"rows", g(1000, 1010).Narrow(1, 3, 1000)},
		{"short rows", g(100000, 12).Narrow(1, 0, 10)},
		{"column", g(1000, 1).Expand(1000, 1000)},
		{"row", g(1000).Expand(1000, 1000)},
		{"narrow column", g(100000, 1).Expand(100000, 4)},
		{"stride 3", g(1000, 1000, 3).Select(2, 0)},
		{"transposed", g(1000, 1000).T()},
		{"transposed bool", g(1000, 1000).Gt(0).T()},
		{"transposed half", g(1000, 1000).To(tensor.Float16).T()},
		{"transposed complex128", g(500, 500).To(tensor.Complex128).T()},
		{"permuted 0231", g(16, 64, 28, 28).Permute(0, 2, 3, 1)},
		{"permuted 0312", g(16, 28, 28, 64).Permute(0, 3, 1, 2)},
		{"permuted 210", g(100, 100, 100).Permute(2, 1, 0)},
		{"permuted 102", g(100, 100, 100).Permute(1, 0, 2)},
		{"permuted narrow", g(100000, 3, 3).Permute(0, 2, 1)},
		{"heads", g(8, 128, 8, 32).Permute(0, 2, 1, 3)},
	} {
		b.Run(c.name, func(b *testing.B) {
			dst := tensor.Empty(1).To(c.src.Dtype()).Expand(c.src.Shape()...).Clone(opt.MemoryFormat(tensor.ContiguousFormat))
			b.SetBytes(int64(dst.Numel() * dst.ElementSize()))
			for b.Loop() {
				dst.Copy_(c.src)
			}
		})
	}
}
