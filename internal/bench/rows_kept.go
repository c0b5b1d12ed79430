package main

import (
	"strconv"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// keptResults adds copies, factories and reads by index whose result is kept, so that they show the kernels alone.
func keptResults(t *table) {
	t.in("layouts, copies")
	for _, op := range []struct {
		name, setup, py string
		result          []int
		make            func() []T
		f               func(a []T, out tensor.Option)
	}{
		{"cat_dim0.4x250x1000", "a = [g(250, 1000) for _ in range(4)]", "torch.cat(a, 0, out=out)", []int{1000, 1000},
			func() []T { return []T{g(250, 1000), g(250, 1000), g(250, 1000), g(250, 1000)} },
			func(a []T, out tensor.Option) { tensor.Cat(a, opt.Dim(0), out) }},
		{"cat_dim1.4x1000x250", "a = [g(1000, 250) for _ in range(4)]", "torch.cat(a, 1, out=out)", []int{1000, 1000},
			func() []T { return []T{g(1000, 250), g(1000, 250), g(1000, 250), g(1000, 250)} },
			func(a []T, out tensor.Option) { tensor.Cat(a, opt.Dim(1), out) }},
		{"stack_last.4x1e5", "a = [g(100000) for _ in range(4)]", "torch.stack(a, 1, out=out)", []int{100_000, 4},
			func() []T { return []T{g(100_000), g(100_000), g(100_000), g(100_000)} },
			func(a []T, out tensor.Option) { tensor.Stack(a, opt.Dim(1), out) }},
		{"tril.1000", "a = g(1000, 1000)", "torch.tril(a, out=out)", []int{1000, 1000},
			func() []T { return []T{g(1000, 1000)} }, func(a []T, out tensor.Option) { a[0].Tril(out) }},
		{"linspace.1e6", "a = 1", "torch.linspace(0, 1, 1000000, out=out)", []int{1_000_000},
			func() []T { return nil }, func(a []T, out tensor.Option) { tensor.Linspace(0, 1, 1_000_000, out) }},

		{"index_select.50000x64", "a, i = g(100000, 64), torch.randint(0, 100000, (50000,))",
			"torch.index_select(a, 0, i, out=out)", []int{50_000, 64},
			func() []T { return []T{g(100_000, 64), tensor.Randint(0, 100_000, 50_000)} },
			func(a []T, out tensor.Option) { a[0].IndexSelect(0, a[1], out) }},
		{"index_select_dim1.1000", "a, i = g(1000, 1000), torch.randint(0, 1000, (1000,))",
			"torch.index_select(a, 1, i, out=out)", []int{1000, 1000},
			func() []T { return []T{g(1000, 1000), tensor.Randint(0, 1000, 1000)} },
			func(a []T, out tensor.Option) { a[0].IndexSelect(1, a[1], out) }},
		{"gather.1000x1000", "a, i = g(1000, 1000), torch.randint(0, 1000, (1000, 1000))", "torch.gather(a, 1, i, out=out)",
			[]int{1000, 1000},
			func() []T { return []T{g(1000, 1000), tensor.Randint(0, 1000, 1000, 1000)} },
			func(a []T, out tensor.Option) { a[0].Gather(1, a[1], out) }},
		{"take.1e6", "a, i = g(1000, 1000), torch.randint(0, 1000000, (1000000,))", "torch.take(a, i, out=out)",
			[]int{1_000_000},
			func() []T { return []T{g(1000, 1000), tensor.Randint(0, 1_000_000, 1_000_000)} },
			func(a []T, out tensor.Option) { a[0].Take(a[1], out) }},
	} {
		t.add("t."+op.name+".out", op.setup+"\nout = torch.empty("+tuple(op.result)+")", op.py, func() func() {
			a, out := op.make(), opt.Out(tensor.Empty(op.result...))
			return func() { op.f(a, out) }
		})
	}
	for _, op := range []struct {
		name, setup, py string
		make            func() []T
		f               func(a []T)
	}{
		{"fill_.1e5", "a = g(100000)", "a.fill_(2.5)", func() []T { return []T{g(100_000)} },
			func(a []T) { a[0].Fill_(2.5) }},
		{"copy_column.1000x1000", "a, b = g(1000, 1000), g(1000, 1)", "a.copy_(b)", func() []T {
			return []T{g(1000, 1000), g(1000, 1)}
		}, func(a []T) { a[0].Copy_(a[1]) }},
		{"copy_rows.100000x10", "a, b = g(100000, 10), g(100000, 12)[:, 1:11]", "a.copy_(b)",
			func() []T { return []T{g(100_000, 10), g(100_000, 12).Narrow(1, 1, 10)} }, func(a []T) { a[0].Copy_(a[1]) }},
		{"copy_permuted.16x28x28x64", "a, b = g(16, 28, 28, 64), g(16, 64, 28, 28).permute(0, 2, 3, 1)", "a.copy_(b)",
			func() []T {
				return []T{g(16, 28, 28, 64), g(16, 64, 28, 28).Permute(0, 2, 3, 1)}
			}, func(a []T) { a[0].Copy_(a[1]) }},
		{"copy_heads.8x128x8x32", "a, b = g(8, 8, 128, 32), g(8, 128, 8, 32).permute(0, 2, 1, 3)", "a.copy_(b)",
			func() []T {
				return []T{g(8, 8, 128, 32), g(8, 128, 8, 32).Permute(0, 2, 1, 3)}
			}, func(a []T) { a[0].Copy_(a[1]) }},
		{"copy_transposed_bool.1000", "a, b = g(1000, 1000) > 0, (g(1000, 1000) > 0).t()", "a.copy_(b)",
			func() []T { return []T{g(1000, 1000).Gt(0), g(1000, 1000).Gt(0).T()} }, func(a []T) { a[0].Copy_(a[1]) }},
		{"add_column_.10000x10", "a, b = g(10000, 10), g(10000, 1)", "a.add_(b)", func() []T {
			return []T{g(10_000, 10), g(10_000, 1)}
		}, func(a []T) { a[0].Add_(a[1]) }},
		{"add_channel_.4x64x28x28", "a, b = g(4, 64, 28, 28), g(64, 1, 1)", "a.add_(b)",
			func() []T { return []T{g(4, 64, 28, 28), g(64, 1, 1)} }, func(a []T) { a[0].Add_(a[1]) }},
		{"index_fill_.1000", "a, b = g(1000, 1000), torch.randint(0, 1000, (500,))", "a.index_fill_(0, b, 1.5)",
			func() []T {
				return []T{g(1000, 1000), tensor.Randint(0, 1000, 500)}
			}, func(a []T) { a[0].IndexFill_(0, a[1], 1.5) }},
		{"index_copy_.1000", "a, i, b = g(1000, 1000), torch.randperm(1000), g(1000, 1000)", "a.index_copy_(0, i, b)",
			func() []T {
				return []T{g(1000, 1000), tensor.Randperm(1000), g(1000, 1000)}
			}, func(a []T) { a[0].IndexCopy_(0, a[1], a[2]) }},
		{"masked_fill_.1000", "a, m = g(1000, 1000), g(1000, 1000) > 0", "a.masked_fill_(m, 0)",
			func() []T { return []T{g(1000, 1000), g(1000, 1000).Gt(0)} }, func(a []T) { a[0].MaskedFill_(a[1], 0) }},
	} {
		t.add("t."+op.name, op.setup, op.py, func() func() {
			a := op.make()
			return func() { op.f(a) }
		})
	}
}

// tuple writes sizes as Python does in a call.
func tuple(sizes []int) string {
	s := ""
	for _, n := range sizes {
		s += strconv.Itoa(n) + ", "
	}
	return s
}
