package tensor_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// BenchmarkCall measures calls of operators on a few elements: what a call costs beside its kernel.
func BenchmarkCall(b *testing.B) {
	x, y, row := tensor.Ones(2, 3), tensor.Ones(2, 3), tensor.Ones(3)
	one, big, out := tensor.Ones(1), tensor.Ones(4, 5, 6), tensor.Zeros(2, 3)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"add one", func() { one.Add(one) }},
		{"add_ one", func() { one.Add_(one) }},
		{"add out", func() { x.Add(y, opt.Out(out)) }},
		{"add number", func() { x.Add(2.5) }},
		{"add row", func() { x.Add(row) }},
		{"add transposed", func() { x.Add(x.T().T()) }},
		{"neg", func() { one.Neg() }},
		{"sum", func() { x.Sum() }},
		{"cat", func() { tensor.Cat([]*tensor.Tensor{x, y}) }},
		{"zeros", func() { tensor.Zeros(2, 3) }},
		{"T", func() { x.T() }},
		{"view", func() { x.View(6) }},
		{"index int", func() { big.Index(3) }},
		{"index slices", func() { big.Index(tensor.Slice(2, 4, nil), 1) }},
		{"detach", func() { x.Detach() }},
		{"item", func() { one.Item() }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.f()
			}
		})
	}
}
