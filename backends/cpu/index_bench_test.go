package cpu_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// BenchmarkIndex reads and writes by index into memory that is kept.
func BenchmarkIndex(b *testing.B) {
	g, r := func(shape ...int) *tensor.Tensor { return tensor.Randn(shape...) }, tensor.Randint
	big, rows := g(100_000, 64), r(0, 100_000, 50_000)
	square, at, flat := g(1000, 1000), r(0, 1000, 1000, 1000), r(0, 1_000_000, 1_000_000)
	some, wide, line := tensor.Empty(50_000, 64), tensor.Empty(1000, 1000), tensor.Empty(1_000_000)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"index_select", func() { big.IndexSelect(0, rows, opt.Out(some)) }},
		{"gather", func() { square.Gather(1, at, opt.Out(wide)) }},
		{"take", func() { square.Take(flat, opt.Out(line)) }},
		{"scatter", func() { wide.Scatter_(1, at, square) }},
		{"scatter_add", func() { wide.ScatterAdd_(1, at, square) }},
		{"index_add", func() { wide.IndexAdd_(0, at.Select(0, 0), square) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.f()
			}
		})
	}
}
