package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// indexing adds gathers, scatters and masks.
func indexing(t *table) {
	t.in("indexing")
	rows := "a, i = g(100000, 64), torch.randint(0, 100000, (50000,))"
	t.add("t.index_select.50000x64", rows, "torch.index_select(a, 0, i)", func() func() {
		a, i := g(100_000, 64), tensor.Randint(0, 100_000, 50_000)
		return func() { a.IndexSelect(0, i) }
	})
	t.add("t.index.50000x64", rows, "a[i]", func() func() {
		a, i := g(100_000, 64), tensor.Randint(0, 100_000, 50_000)
		return func() { a.Index(i) }
	})
	t.add("t.embedding_fwdbwd.1000x64", "w, i = g(10000, 64).requires_grad_(), torch.randint(0, 10000, (1000,))",
		"w.grad = None\nF.embedding(i, w).sum().backward()", func() func() {
			w, i := g(10_000, 64).RequiresGrad_(), tensor.Randint(0, 10_000, 1000)
			return func() {
				w.SetGrad(nil)
				tensor.Embedding(i, w).Sum().Backward()
			}
		})
	square := "a, b, i, m = g(1000, 1000), g(1000, 1000), torch.randint(0, 1000, (1000, 1000)), g(1000, 1000) > 0\nj = " +
		"torch.randint(0, 1000, (1000,))"
	for _, op := range []struct {
		name, py string
		f        func(a, b, i, m, j T)
	}{
		{"gather.1000x1000", "torch.gather(a, 1, i)", func(a, b, i, m, j T) { a.Gather(1, i) }},
		{"gather_dim0.1000x1000", "torch.gather(a, 0, i)", func(a, b, i, m, j T) { a.Gather(0, i) }},
		{"scatter_.1000x1000", "a.scatter_(1, i, b)", func(a, b, i, m, j T) { a.Scatter_(1, i, b) }},
		{"scatter_add.1000x1000", "a.scatter_add_(1, i, b)", func(a, b, i, m, j T) { a.ScatterAdd_(1, i, b) }},
		{"take.1e6", "torch.take(a, i)", func(a, b, i, m, j T) { a.Take(i) }},
		{"index_add_.1000", "a.index_add_(0, j, b)", func(a, b, i, m, j T) { a.IndexAdd_(0, j, b) }},
		{"index_put_.1000", "a[j] = b", func(a, b, i, m, j T) { a.IndexPut_(tensor.Ix{j}, b) }},
		{"index_pairs.1000", "a[j, j]", func(a, b, i, m, j T) { a.Index(j, j) }},
		{"masked_index.1e6", "a[m]", func(a, b, i, m, j T) { a.Index(m) }},
		{"masked_fill.1e6", "a.masked_fill(m, 0)", func(a, b, i, m, j T) { a.MaskedFill(m, 0) }},
		{"where_mask.1e6", "torch.where(m, a, b)", func(a, b, i, m, j T) { tensor.Where(m, a, b) }},
		{"nonzero.1e6", "m.nonzero()", func(a, b, i, m, j T) { m.Nonzero() }},
	} {
		t.add("t."+op.name, square, op.py, func() func() {
			a, b, i, m, j := g(1000, 1000), g(1000, 1000), tensor.Randint(0, 1000, 1000, 1000), g(1000, 1000).Gt(0),
				tensor.Randint(0, 1000, 1000)
			return func() { op.f(a, b, i, m, j) }
		})
	}
	t.add("t.one_hot.1e5", "i = torch.randint(0, 10, (100000,))", "F.one_hot(i, 10)", func() func() {
		i := tensor.Randint(0, 10, 100_000)
		return func() { tensor.OneHot(i, opt.NumClasses(10)) }
	})
}

// sorting adds sorts and selections.
func sorting(t *table) {
	t.in("sort, select")
	for _, op := range []struct {
		name, setup, py string
		make            func() T
		f               func(a T)
	}{
		{"sort.1e6", "a = g(1000000)", "torch.sort(a)", func() T { return g(1_000_000) }, func(a T) { a.Sort() }},
		{"sort.1000x1000", "a = g(1000, 1000)", "torch.sort(a, 1)", func() T { return g(1000, 1000) },
			func(a T) { a.Sort(opt.Dim(1)) }},
		{"sort_dim0.1000x1000", "a = g(1000, 1000)", "torch.sort(a, 0)", func() T { return g(1000, 1000) },
			func(a T) { a.Sort(opt.Dim(0)) }},
		{"sort_i64.1e5", "a = torch.randint(0, 1000000, (100000,))", "torch.sort(a)", func() T {
			return tensor.Randint(0, 1_000_000, 100_000)
		},
			func(a T) { a.Sort() }},
		{"argsort.1e5", "a = g(100000)", "torch.argsort(a)", func() T { return g(100_000) }, func(a T) { a.Argsort() }},
		{"topk100.1e6", "a = g(1000000)", "torch.topk(a, 100)", func() T { return g(1_000_000) }, func(a T) { a.Topk(100) }},
		{"topk5.1000x1000", "a = g(1000, 1000)", "torch.topk(a, 5)", func() T { return g(1000, 1000) },
			func(a T) { a.Topk(5) }},
		{"median.1e6", "a = g(1000000)", "torch.median(a)", func() T { return g(1_000_000) }, func(a T) { a.Median() }},
		{"kthvalue.1e6", "a = g(1000000)", "torch.kthvalue(a, 1000)", func() T { return g(1_000_000) },
			func(a T) { a.Kthvalue(1000) }},
		{"quantile.1e5", "a = g(100000)", "torch.quantile(a, 0.3)", func() T { return g(100_000) },
			func(a T) { a.Quantile(0.3) }},
		{"unique.1e5", "a = torch.randint(0, 1000, (100000,))", "torch.unique(a)", func() T {
			return tensor.Randint(0, 1000, 100_000)
		},
			func(a T) { a.Unique() }},
		{"bincount.1e6", "a = torch.randint(0, 1000, (1000000,))", "torch.bincount(a)", func() T {
			return tensor.Randint(0, 1000, 1_000_000)
		},
			func(a T) { a.Bincount() }},
		{"histc.1e6", "a = g(1000000)", "torch.histc(a, 100)", func() T { return g(1_000_000) },
			func(a T) { a.Histc(opt.Bins(100)) }},
		{"searchsorted.1e5", "a = torch.sort(g(100000))[0]", "torch.searchsorted(a, a)", func() T {
			v, _ := g(100_000).Sort()
			return v
		},
			func(a T) { tensor.Searchsorted(a, a) }},
	} {
		t.add("t."+op.name, op.setup, op.py, func() func() {
			a := op.make()
			return func() { op.f(a) }
		})
	}
}

// randomNumbers adds random operators.
func randomNumbers(t *table) {
	t.in("random")
	for _, op := range []struct {
		name, py string
		f        func(a, p T)
	}{
		{"randn.1e6", "torch.randn(1000000)", func(a, p T) { tensor.Randn(1_000_000) }},
		{"rand.1e6", "torch.rand(1000000)", func(a, p T) { tensor.Rand(1_000_000) }},
		{"randint.1e6", "torch.randint(0, 100, (1000000,))", func(a, p T) { tensor.Randint(0, 100, 1_000_000) }},
		{"randperm.1e5", "torch.randperm(100000)", func(a, p T) { tensor.Randperm(100_000) }},
		{"normal_.1e5", "a.normal_()", func(a, p T) { a.Normal_() }},
		{"uniform_.1e5", "a.uniform_()", func(a, p T) { a.Uniform_() }},
		{"exponential_.1e5", "a.exponential_()", func(a, p T) { a.Exponential_() }},
		{"bernoulli.1e5", "torch.bernoulli(p)", func(a, p T) { p.Bernoulli() }},
		{"dropout.1e5", "F.dropout(a, 0.5)", func(a, p T) { tensor.Dropout(a, opt.P(0.5)) }},
		{"multinomial.1000of1e5", "torch.multinomial(p, 1000, True)", func(a, p T) {
			p.Multinomial(1000, opt.Replacement(true))
		}},
	} {
		t.add("t."+op.name, "a, p = g(100000), torch.rand(100000)", op.py, func() func() {
			a, p := g(100_000), tensor.Rand(100_000)
			return func() { op.f(a, p) }
		})
	}
}

// smallCalls adds views, calls whose arithmetic costs nothing, and printing.
func smallCalls(t *table) {
	t.in("views, small calls")
	for _, op := range []struct {
		name, setup, py string
		make            func() T
		f               func(a T)
	}{
		{"view_t", "a = g(4, 5)", "a.t()", func() T { return g(4, 5) }, func(a T) { a.T() }},
		{"index_int", "a = g(10, 10)", "a[3]", func() T { return g(10, 10) }, func(a T) { a.Index(3) }},
		{"slice", "a = g(10, 10)", "a[2:5, 1]", func() T { return g(10, 10) },
			func(a T) { a.Index(tensor.Slice(2, 5, nil), 1) }},
		{"view", "a = g(4, 5)", "a.view(20)", func() T { return g(4, 5) }, func(a T) { a.View(20) }},
		{"permute", "a = g(4, 5, 6)", "a.permute(2, 0, 1)", func() T { return g(4, 5, 6) },
			func(a T) { a.Permute(2, 0, 1) }},
		{"expand", "a = g(4, 1)", "a.expand(4, 5)", func() T { return g(4, 1) }, func(a T) { a.Expand(4, 5) }},
		{"unsqueeze", "a = g(4, 5)", "a.unsqueeze(1)", func() T { return g(4, 5) }, func(a T) { a.Unsqueeze(1) }},
		{"chunk", "a = g(12, 5)", "a.chunk(3)", func() T { return g(12, 5) }, func(a T) { a.Chunk(3) }},
		{"empty1", "a = 1", "torch.empty(1)", func() T { return nil }, func(a T) { tensor.Empty(1) }},
		{"item", "a = g(1)", "a.item()", func() T { return g(1) }, func(a T) { a.Item() }},
		{"add.1", "a = g(1)", "a + a", func() T { return g(1) }, func(a T) { a.Add(a) }},
		{"mul.1", "a = g(1)", "a * a", func() T { return g(1) }, func(a T) { a.Mul(a) }},
		{"add_.1", "a = g(1)", "a.add_(a)", func() T { return g(1) }, func(a T) { a.Add_(a) }},
		{"add_scalar.1", "a = g(1)", "a + 1", func() T { return g(1) }, func(a T) { a.Add(1) }},
		{"add_bcast.2x3+3", "a = g(2, 3)\nb = g(3)", "a + b", func() T {
			b3 = g(3)
			return g(2, 3)
		}, func(a T) { a.Add(b3) }},
		{"sum.2x3", "a = g(2, 3)", "a.sum()", func() T { return g(2, 3) }, func(a T) { a.Sum() }},
		{"matmul.2x2", "a = g(2, 2)", "a @ a", func() T { return g(2, 2) }, func(a T) { a.Matmul(a) }},
		{"cat.2x3", "a = g(2, 3)", "torch.cat([a, a])", func() T { return g(2, 3) }, func(a T) { tensor.Cat([]T{a, a}) }},
		{"softmax.10", "a = g(10)", "a.softmax(0)", func() T { return g(10) }, func(a T) { a.Softmax(opt.Dim(0)) }},
	} {
		t.add("t."+op.name, op.setup, op.py, func() func() {
			a := op.make()
			return func() { op.f(a) }
		})
	}
	t.in("printing")
	for _, n := range []int{10, 1000, 10_000_000} {
		t.add(fmt.Sprintf("t.print.%d", n), fmt.Sprintf("a = g(%d)", n), "repr(a)", func() func() {
			a := g(n)
			return func() { _ = a.String() }
		})
	}
	t.add("t.print.20x20", "a = g(20, 20)", "repr(a)", func() func() {
		a := g(20, 20)
		return func() { _ = a.String() }
	})
}

// b3 is the row of add_bcast.
var b3 T
