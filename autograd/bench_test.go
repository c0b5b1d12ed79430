package autograd_test

import (
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
)

// BenchmarkRecord is one recorded product of one element: the node, the edges, the result.
func BenchmarkRecord(b *testing.B) {
	x, y := vec([]int{1}, 1).RequiresGrad_(), vec([]int{1}, 1)
	b.ReportAllocs()
	for b.Loop() {
		x.Mul(y)
	}
}

// BenchmarkNoGrad is the same without recording.
func BenchmarkNoGrad(b *testing.B) {
	x, y := vec([]int{1}, 1).RequiresGrad_(), vec([]int{1}, 1)
	b.ReportAllocs()
	autograd.NoGrad(func() {
		for b.Loop() {
			x.Mul(y)
		}
	})
}

// BenchmarkChain is forward and backward through a chain of 100 small operators; ns/op is for one of them.
func BenchmarkChain(b *testing.B) {
	x, w := vec([]int{8}, 1, 1, 1, 1, 1, 1, 1, 1).RequiresGrad_(), vec([]int{8}, 1, 1, 1, 1, 1, 1, 1, 1)
	b.ReportAllocs()
	n := 0
	var h *tensor.Tensor
	for b.Loop() {
		if n%100 == 0 {
			h = x
		}
		h = h.Mul(w)
		if n++; n%100 == 0 {
			h.Sum().Backward()
		}
	}
}
