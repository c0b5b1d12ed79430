package autograd_test

import (
	"testing"

	"gotorch/tensor"
)

// BenchmarkViewOne is a view of a small matrix.
func BenchmarkViewOne(b *testing.B) {
	x := tensor.Ones(2, 2)
	b.ReportAllocs()
	for b.Loop() {
		x.T()
	}
}
