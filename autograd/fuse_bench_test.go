package autograd_test

import (
	"fmt"
	"testing"

	"gotorch/tensor"
)

// BenchmarkFuse is a chain of pointwise operators over 1e5 and 1e7 elements, plain and fused, and the backward pass of
// gelu(tanh) over 1e5.
func BenchmarkFuse(b *testing.B) {
	type T = *tensor.Tensor
	chain := func(x, y T) T { return x.Mul(y).Add(x).Sub(0.5).Mul(y).Maximum(x) }
	for _, n := range []int{100000, 10000000} {
		x, y := tensor.Randn(n), tensor.Randn(n)
		for name, f := range map[string]func(x, y T) T{"plain": chain, "fused": tensor.Fuse(chain)} {
			b.Run(fmt.Sprint(name, " ", n), func(b *testing.B) {
				for b.Loop() {
					f(x, y)
				}
			})
		}
	}
	x := tensor.Randn(100000).RequiresGrad_()
	b.Run("gelu backward", func(b *testing.B) {
		for b.Loop() {
			tensor.Gelu(x, tensor.NewOption("approximate", "tanh")).Backward(tensor.NewOption("gradient", x.Detach()))
			x.SetGrad(nil)
		}
	})
}
