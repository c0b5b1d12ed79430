package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// products adds matrix products.
func products(t *table) {
	t.in("matmul")
	for _, d := range []struct {
		name, py string
		dtype    tensor.Dtype
		sizes    []int
	}{
		{"f32", "float32", tensor.Float32, []int{32, 64, 128, 256, 512, 1024, 2048}},
		{"f64", "float64", tensor.Float64, []int{128, 512, 1024}}, {"bf16", "bfloat16", tensor.Bfloat16, []int{256, 1024}},
		{"c64", "complex64", tensor.Complex64, []int{32, 256}}, {"c128", "complex128", tensor.Complex128, []int{256}},
		{"i64", "int64", tensor.Int64, []int{128}}, {"i32", "int32", tensor.Int32, []int{128}},
	} {
		for _, n := range d.sizes {
			t.add(fmt.Sprintf("t.mm.%s.%d.out", d.name, n),
				fmt.Sprintf("a, b = g(%d, %d).to(torch.%s), g(%d, %d).to(torch.%s)\nc = torch.empty_like(a)", n, n,
					d.py, n, n, d.py),
				"torch.mm(a, b, out=c)", func() func() {
					a, b, c := g(n, n).To(d.dtype), g(n, n).To(d.dtype), tensor.With(d.dtype).Empty(n, n)
					return func() { tensor.Mm(a, b, opt.Out(c)) }
				})
		}
	}
	two := func(name, setup, expr string, shapeA, shapeB []int, f func(a, b T)) {
		t.add("t."+name, setup, expr, func() func() {
			a, b := g(shapeA...), g(shapeB...)
			return func() { f(a, b) }
		})
	}
	matmul := func(a, b T) { a.Matmul(b) }
	two("mm_nt.1024", "a, b = g(1024, 1024), g(1024, 1024)", "a @ b.t()", []int{1024, 1024},
		[]int{1024, 1024}, func(a, b T) {
			a.Matmul(b.T())
		})
	two("mm_tn.1024", "a, b = g(1024, 1024), g(1024, 1024)", "a.t() @ b", []int{1024, 1024},
		[]int{1024, 1024}, func(a, b T) {
			a.T().Matmul(b)
		})
	two("mm_tall.10000x32x32", "a, b = g(10000, 32), g(32, 32)", "a @ b", []int{10000, 32}, []int{32, 32}, matmul)
	two("mm_wide.8x1024x1024", "a, b = g(8, 1024), g(1024, 1024)", "a @ b", []int{8, 1024}, []int{1024, 1024}, matmul)
	two("mm_inner.16x10000x16", "a, b = g(16, 10000), g(10000, 16)", "a @ b", []int{16, 10000}, []int{10000, 16}, matmul)
	two("bmm.64x128", "a, b = g(64, 128, 128), g(64, 128, 128)", "torch.bmm(a, b)", []int{64, 128, 128},
		[]int{64, 128, 128}, matmul)
	two("bmm.512x32", "a, b = g(512, 32, 32), g(512, 32, 32)", "torch.bmm(a, b)", []int{512, 32, 32},
		[]int{512, 32, 32}, matmul)
	two("bmm_bcast.16x128", "a, b = g(16, 128, 128), g(128, 128)", "a @ b", []int{16, 128, 128}, []int{128, 128}, matmul)
	two("mv.4096", "a, b = g(4096, 4096), g(4096)", "torch.mv(a, b)", []int{4096, 4096}, []int{4096},
		func(a, b T) { a.Mv(b) })
	two("mv_t.1000", "a, b = g(1000, 1000), g(1000)", "torch.mv(a.t(), b)", []int{1000, 1000}, []int{1000},
		func(a, b T) { a.T().Mv(b) })
	two("dot.1e5", "a, b = g(100000), g(100000)", "torch.dot(a, b)", []int{100_000}, []int{100_000},
		func(a, b T) { a.Dot(b) })
	two("outer.1000", "a, b = g(1000), g(1000)", "torch.outer(a, b)", []int{1000}, []int{1000},
		func(a, b T) { a.Outer(b) })
	two("addmm.256", "a, b = g(256, 256), g(256, 256)", "torch.addmm(b, a, b)", []int{256, 256},
		[]int{256, 256}, func(a, b T) {
			tensor.Addmm(b, a, b)
		})
	two("baddbmm.16x64", "a, b = g(16, 64, 64), g(16, 64, 64)", "torch.baddbmm(b, a, b)", []int{16, 64, 64},
		[]int{16, 64, 64},
		func(a, b T) { tensor.Baddbmm(b, a, b) })
	two("einsum.bij,bjk", "a, b = g(16, 64, 64), g(16, 64, 64)", `torch.einsum("bij,bjk->bik", a, b)`, []int{16, 64, 64},
		[]int{16, 64, 64},
		func(a, b T) { tensor.Einsum("bij,bjk->bik", a, b) })
	two("cdist.500x64", "a, b = g(500, 64), g(500, 64)", "torch.cdist(a, b)", []int{500, 64},
		[]int{500, 64}, func(a, b T) {
			tensor.Cdist(a, b)
		})
	two("mm_tall.4000x500x20", "a, b = g(4000, 500), g(500, 20)", "a @ b", []int{4000, 500}, []int{500, 20}, matmul)
	two("mm_nt.64", "a, b = g(64, 64), g(64, 64)", "a @ b.t()", []int{64, 64}, []int{64, 64},
		func(a, b T) { a.Matmul(b.T()) })
	two("bmm_nt.64x64", "a, b = g(64, 64, 64), g(64, 64, 64)", "a @ b.transpose(1, 2)", []int{64, 64, 64},
		[]int{64, 64, 64},
		func(a, b T) { a.Matmul(b.Transpose(1, 2)) })
	two("addbmm.16x64", "a, b = g(16, 64, 64), g(16, 64, 64)", "torch.addbmm(a[0], a, b)", []int{16, 64, 64},
		[]int{16, 64, 64},
		func(a, b T) { tensor.Addbmm(a.Select(0, 0), a, b) })
	two("mv.256", "a, b = g(256, 256), g(256)", "torch.mv(a, b)", []int{256, 256}, []int{256}, func(a, b T) { a.Mv(b) })
	two("addmv.1000", "a, b = g(1000, 1000), g(1000)", "torch.addmv(b, a, b)", []int{1000, 1000},
		[]int{1000}, func(a, b T) {
			tensor.Addmv(b, a, b)
		})
	two("tensordot.32x16x32", "a, b = g(32, 16, 32), g(16, 32, 64)", "torch.tensordot(a, b, 2)", []int{32, 16, 32},
		[]int{16, 32, 64},
		func(a, b T) { tensor.Tensordot(a, b) })
	two("einsum.bhid,bhjd", "a, b = g(8, 8, 128, 32), g(8, 8, 128, 32)", `torch.einsum("bhid,bhjd->bhij", a, b)`,
		[]int{8, 8, 128, 32}, []int{8, 8, 128, 32},
		func(a, b T) { tensor.Einsum("bhid,bhjd->bhij", a, b) })
	two("einsum.ij,kj", "a, b = g(64, 64), g(64, 64)", `torch.einsum("ij,kj->ik", a, b)`, []int{64, 64}, []int{64, 64},
		func(a, b T) { tensor.Einsum("ij,kj->ik", a, b) })
	two("einsum.ii", "a, b = g(512, 512), g(1)", `torch.einsum("ii", a)`, []int{512, 512}, []int{1},
		func(a, b T) { tensor.Einsum("ii", a) })
	two("kron.32", "a, b = g(32, 32), g(32, 32)", "torch.kron(a, b)", []int{32, 32}, []int{32, 32},
		func(a, b T) { a.Kron(b) })
	two("cdist_p1.200x32", "a, b = g(200, 32), g(200, 32)", "torch.cdist(a, b, 1.0)", []int{200, 32}, []int{200, 32},
		func(a, b T) { tensor.Cdist(a, b, opt.P(1)) })
	t.add("t.bilinear.64x32", "x, y, w = g(64, 32), g(64, 32), g(16, 32, 32)", "F.bilinear(x, y, w)", func() func() {
		x, y, w := g(64, 32), g(64, 32), g(16, 32, 32)
		return func() { tensor.Bilinear(x, y, w) }
	})
	t.add("t.linear.128x784x256", "x, w, b = g(128, 784), g(256, 784), g(256)", "F.linear(x, w, b)", func() func() {
		x, w, b := g(128, 784), g(256, 784), g(256)
		return func() { tensor.Linear(x, w, opt.Bias(b)) }
	})
	t.add("t.linear_fwdbwd.128x784x256",
		"x, w, b = g(128, 784).requires_grad_(), g(256, 784).requires_grad_(), g(256).requires_grad_()\ngy = g(128, 256)",
		"x.grad = w.grad = b.grad = None\nF.linear(x, w, b).backward(gy)", func() func() {
			x, w, b, gy := g(128, 784).RequiresGrad_(), g(256, 784).RequiresGrad_(), g(256).RequiresGrad_(), g(128, 256)
			return func() {
				clearGrads([]T{x, w, b})
				tensor.Linear(x, w, opt.Bias(b)).Backward(opt.Gradient(gy))
			}
		})
	t.add("t.attention.8x8x128x32", "q, k, v = g(8, 8, 128, 32), g(8, 8, 128, 32), g(8, 8, 128, 32)",
		"torch.softmax(q @ k.transpose(-2, -1) / 5.656854, -1) @ v", func() func() {
			q, k, v := g(8, 8, 128, 32), g(8, 8, 128, 32), g(8, 8, 128, 32)
			return func() { tensor.ScaledDotProductAttention(q, k, v) }
		})
}

// pyList writes ints as a Python list.
func pyList(xs []int) string {
	s := "["
	for _, x := range xs {
		s += fmt.Sprint(x, ",")
	}
	return s + "]"
}
