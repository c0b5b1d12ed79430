package cpu_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// BenchmarkBroadcast adds operands of several shapes into memory that is kept.
func BenchmarkBroadcast(b *testing.B) {
	for _, c := range []struct {
		name string
		x, y []int
	}{
		{"flat", []int{316, 316}, []int{316, 316}},
		{"row", []int{316, 316}, []int{316}},
		{"column", []int{316, 316}, []int{316, 1}},
		{"outer", []int{316, 1}, []int{1, 316}},
		{"channel", []int{4, 64, 28, 28}, []int{64, 1, 1}},
		{"short row", []int{10000, 10}, []int{10}},
		{"short column", []int{10000, 10}, []int{10000, 1}},
		{"row of 32", []int{3000, 32, 1}, []int{3000, 1, 32}},
		{"rows of 16", []int{3000, 1, 16}, []int{32, 16}},
		{"rows of 32", []int{3000, 1, 32}, []int{32, 32}},
		{"middle", []int{100, 10, 100}, []int{100, 1, 100}},
		{"triple", []int{10000, 3, 3}, []int{3, 1}},
	} {
		b.Run(c.name, func(b *testing.B) {
			x, y := tensor.Randn(c.x...), tensor.Randn(c.y...)
			z := x.Add(y)
			for b.Loop() {
				tensor.Add(x, y, opt.Out(z))
			}
		})
	}
}
