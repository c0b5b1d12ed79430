package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// squares are the sides of matrices of 1e5 and 1e7 elements.
var squares = []struct {
	s   int
	tag string
}{{316, "1e5"}, {3162, "1e7"}}

// layouts adds operators over strided, broadcast and transposed operands, and copies.
func layouts(t *table) {
	t.in("layouts, copies")
	for _, q := range squares {
		s := q.s
		empty := fmt.Sprintf("c = torch.empty(%d, %d)\n", s, s)
		add := func(name, setup string, make func() (a, b T)) {
			t.add("t."+name+"."+q.tag+".out", empty+setup, "torch.add(a, b, out=c)", func() func() {
				a, b := make()
				c := tensor.Empty(s, s)
				return func() { tensor.Add(a, b, opt.Out(c)) }
			})
		}
		add("add_transposed", fmt.Sprintf("a, b = g(%d, %d), g(%d, %d).t()", s, s, s, s),
			func() (a, b T) { return g(s, s), g(s, s).T() })
		add("add_bcast_row", fmt.Sprintf("a, b = g(%d, %d), g(%d)", s, s, s), func() (a, b T) { return g(s, s), g(s) })
		add("add_bcast_col", fmt.Sprintf("a, b = g(%d, %d), g(%d, 1)", s, s, s), func() (a, b T) { return g(s, s), g(s, 1) })
		add("add_outer", fmt.Sprintf("a, b = g(%d, 1), g(1, %d)", s, s), func() (a, b T) { return g(s, 1), g(1, s) })
		t.add("t.add_stride2."+q.tag+".out", empty+fmt.Sprintf("a = g(%d, %d)[:, ::2]", s, 2*s), "torch.add(a, 1.0, out=c)",
			func() func() {
				a, c := g(s, 2*s).Index(tensor.Colon, tensor.Slice(nil, nil, 2)), tensor.Empty(s, s)
				return func() { tensor.Add(a, 1.0, opt.Out(c)) }
			})
		t.add("t.transpose_contig."+q.tag, fmt.Sprintf("a = g(%d, %d).t()", s, s), "a.contiguous()", func() func() {
			a := g(s, s).T()
			return func() { a.Contiguous() }
		})
		t.add("t.transpose_copy."+q.tag+".out", empty+fmt.Sprintf("a = g(%d, %d).t()", s, s), "c.copy_(a)", func() func() {
			a, c := g(s, s).T(), tensor.Empty(s, s)
			return func() { c.Copy_(a) }
		})
		t.add("t.zeros."+q.tag, "", fmt.Sprintf("torch.zeros(%d)", s*s), func() func() {
			return func() { tensor.Zeros(s * s) }
		})
		t.add("t.full."+q.tag, "", fmt.Sprintf("torch.full((%d,), 2.5)", s*s), func() func() {
			return func() { tensor.Full([]int{s * s}, 2.5) }
		})
	}
	t.add("t.permute_contig.64x56x56x64", "a = g(16, 64, 56, 56).permute(0, 2, 3, 1)", "a.contiguous()", func() func() {
		a := g(16, 64, 56, 56).Permute(0, 2, 3, 1)
		return func() { a.Contiguous() }
	})
	t.add("t.expand_contig.1000x1000", "a = g(1000, 1).expand(1000, 1000)", "a.contiguous()", func() func() {
		a := g(1000, 1).Expand(1000, 1000)
		return func() { a.Contiguous() }
	})
	t.add("t.mul_bcast_channel", "a, b = g(16, 64, 56, 56), g(64, 1, 1)", "a * b", func() func() {
		a, b := g(16, 64, 56, 56), g(64, 1, 1)
		return func() { a.Mul(b) }
	})
	t.add("t.tanh_transposed.1000", "a = g(1000, 1000).t()", "a.tanh()", func() func() {
		a := g(1000, 1000).T()
		return func() { a.Tanh() }
	})
	t.add("t.flip.1000", "a = g(1000, 1000)", "a.flip(1)", func() func() {
		a := g(1000, 1000)
		return func() { a.Flip(1) }
	})
	t.add("t.roll.1000", "a = g(1000, 1000)", "a.roll(3, 1)", func() func() {
		a := g(1000, 1000)
		return func() { a.Roll(3, 1) }
	})
	t.add("t.repeat.250", "a = g(250, 250)", "a.repeat(4, 4)", func() func() {
		a := g(250, 250)
		return func() { a.Repeat(4, 4) }
	})
	t.add("t.pad.constant", "a = g(16, 64, 56, 56)", "F.pad(a, (1, 1, 1, 1))", func() func() {
		a := g(16, 64, 56, 56)
		return func() { tensor.Pad(a, []int{1, 1, 1, 1}) }
	})
	t.add("t.pad.reflect", "a = g(16, 16, 56, 56)", `F.pad(a, (1, 1, 1, 1), mode="reflect")`, func() func() {
		a := g(16, 16, 56, 56)
		return func() { tensor.Pad(a, []int{1, 1, 1, 1}, opt.Mode("reflect")) }
	})
	t.add("t.tril.1000", "a = g(1000, 1000)", "a.tril()", func() func() {
		a := g(1000, 1000)
		return func() { a.Tril() }
	})
	t.add("t.arange.1e6", "", "torch.arange(1000000)", func() func() { return func() { tensor.Arange(1_000_000) } })
	t.add("t.linspace.1e6", "", "torch.linspace(0, 1, 1000000)", func() func() {
		return func() { tensor.Linspace(0, 1, 1_000_000) }
	})
	for d, shape := range [][2]int{{250, 1000}, {1000, 250}} {
		t.add(fmt.Sprintf("t.cat_dim%d.4x%dx%d", d, shape[0], shape[1]),
			fmt.Sprintf("a = [g(%d, %d) for _ in range(4)]", shape[0], shape[1]),
			fmt.Sprintf("torch.cat(a, %d)", d), func() func() {
				a := []T{g(shape[0], shape[1]), g(shape[0], shape[1]), g(shape[0], shape[1]), g(shape[0], shape[1])}
				return func() { tensor.Cat(a, opt.Dim(d)) }
			})
	}
	t.add("t.stack.4x250x1000", "a = [g(250, 1000) for _ in range(4)]", "torch.stack(a)", func() func() {
		a := []T{g(250, 1000), g(250, 1000), g(250, 1000), g(250, 1000)}
		return func() { tensor.Stack(a) }
	})
}
