package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// reductions adds reductions of everything and along each dimension.
func reductions(t *table) {
	t.in("reductions")
	whole := []struct {
		name, py string
		f        func(a T)
	}{
		{"sum", "a.sum()", func(a T) { a.Sum() }}, {"max", "a.max()", func(a T) { a.Max() }},
		{"mean", "a.mean()", func(a T) { a.Mean() }},
		{"norm", "a.norm()", func(a T) { a.Norm() }}, {"var", "a.var()", func(a T) { a.Var() }},
		{"argmax", "a.argmax()", func(a T) { a.Argmax() }},
		{"prod", "a.prod()", func(a T) { a.Prod() }}, {"any", "(a > 100).any()", func(a T) { a.Gt(100).Any() }},
		{"all_isfinite", "a.isfinite().all()", func(a T) { a.Isfinite().All() }},
		{"count_nonzero", "a.count_nonzero()", func(a T) { a.CountNonzero() }},
		{"aminmax", "torch.aminmax(a)", func(a T) { a.Aminmax() }},
	}
	for _, s := range sizes {
		for i, op := range whole {
			if i < 2 || s.n == 100_000 {
				t.add("t."+op.name+"."+s.tag, fmt.Sprintf("a = g(%d)", s.n), op.py, func() func() {
					a := g(s.n)
					return func() { op.f(a) }
				})
			}
		}
	}
	along := []struct {
		name string
		f    func(a T, d int)
	}{
		{"sum", func(a T, d int) { a.Sum(opt.Dim(d)) }}, {"argmax", func(a T, d int) { a.Argmax(opt.Dim(d)) }},
		{"mean", func(a T, d int) { a.Mean(opt.Dim(d)) }}, {"amax", func(a T, d int) { a.Amax(opt.Dim(d)) }},
		{"var", func(a T, d int) { a.Var(opt.Dim(d)) }}, {"max", func(a T, d int) { a.MaxDim(d) }},
		{"logsumexp", func(a T, d int) { a.Logsumexp(d) }}, {"norm", func(a T, d int) { a.Norm(opt.Dim(d)) }},
	}
	for _, q := range squares {
		for i, op := range along {
			for d := range 2 {
				if i < 2 || q.s == 316 {
					t.add(fmt.Sprintf("t.%s_dim%d.%s", op.name, d, q.tag), fmt.Sprintf("a = g(%d, %d)", q.s, q.s),
						fmt.Sprintf("a.%s(dim=%d)", op.name, d), func() func() {
							a := g(q.s, q.s)
							return func() { op.f(a, d) }
						})
				}
			}
		}
	}
	t.add("t.sum_middle.64x256x64", "a = g(64, 256, 64)", "a.sum(1)", func() func() {
		a := g(64, 256, 64)
		return func() { a.Sum(opt.Dim(1)) }
	})
	t.add("t.sum_dims02.64x256x64", "a = g(64, 256, 64)", "a.sum((0, 2))", func() func() {
		a := g(64, 256, 64)
		return func() { a.Sum(opt.Dim(0, 2)) }
	})
	t.add("t.sum_transposed.1000", "a = g(1000, 1000).t()", "a.sum(0)", func() func() {
		a := g(1000, 1000).T()
		return func() { a.Sum(opt.Dim(0)) }
	})
}

// scansAndSoftmax adds cumulative operators, softmax, norms and losses, with their backward passes.
func scansAndSoftmax(t *table) {
	t.in("scans")
	for _, q := range squares {
		t.add("t.cumsum_dim1."+q.tag, fmt.Sprintf("a = g(%d, %d)", q.s, q.s), "a.cumsum(1)", func() func() {
			a := g(q.s, q.s)
			return func() { a.Cumsum(1) }
		})
	}
	for name, f := range map[string]func(a T){"cumsum(0)": func(a T) { a.Cumsum(0) },
		"cumprod(1)": func(a T) { a.Cumprod(1) },
		"cummax(1)":  func(a T) { a.Cummax(1) }, "logcumsumexp(1)": func(a T) { a.Logcumsumexp(1) },
		"diff()": func(a T) { a.Diff() }} {
		t.add("t."+name+".316", "a = g(316, 316)", "a."+name, func() func() {
			a := g(316, 316)
			return func() { f(a) }
		})
	}
	t.in("softmax, losses, norms")
	forward := []unaryOp{
		{"softmax.1024", "torch.softmax(a, 1)", func(a T) T { return a.Softmax(opt.Dim(1)) }},
		{"softmax_dim0.1024", "torch.softmax(a, 0)", func(a T) T { return a.Softmax(opt.Dim(0)) }},
		{"log_softmax.1024", "torch.log_softmax(a, 1)", func(a T) T { return a.LogSoftmax(opt.Dim(1)) }},
		{"logsumexp.1024", "torch.logsumexp(a, 1)", func(a T) T { return a.Logsumexp(1) }},
		{"normalize.1024", "F.normalize(a)", func(a T) T { return tensor.Normalize(a) }},
		{"layernorm.1024", "F.layer_norm(a, (1024,), w, b)", nil},
		{"group_norm.1024", "F.group_norm(a, 32, w, b)", nil},
	}
	w, b := func() T { return g(1024) }, func() T { return g(1024) }
	forward[5].f = func(a T) T { return tensor.LayerNorm(a, []int{1024}, opt.Weight(w1024), opt.Bias(b1024)) }
	forward[6].f = func(a T) T { return tensor.GroupNorm(a, 32, opt.Weight(w1024), opt.Bias(b1024)) }
	for _, op := range forward {
		t.add("t."+op.name, "a, w, b = g(1024, 1024), g(1024), g(1024)", op.py, func() func() {
			a := g(1024, 1024)
			w1024, b1024 = w(), b()
			return func() { op.f(a) }
		})
		t.add("t."+op.name+".bwd",
			"a, w, b = g(1024, 1024).requires_grad_(), g(1024).requires_grad_(), g(1024).requires_grad_()",
			"a.grad = w.grad = b.grad = None\n"+op.py+".sum().backward()", func() func() {
				a := g(1024, 1024).RequiresGrad_()
				w1024, b1024 = w().RequiresGrad_(), b().RequiresGrad_()
				return func() {
					a.SetGrad(nil)
					w1024.SetGrad(nil)
					b1024.SetGrad(nil)
					op.f(a).Sum().Backward()
				}
			})
	}
	losses := []binaryOp{
		{"cross_entropy.1024x1000", "F.cross_entropy(a, y)", func(a, y T) T { return tensor.CrossEntropy(a, y) }},
		{"mse.1024x1000", "F.mse_loss(a, z)", func(a, z T) T { return tensor.MseLoss(a, z) }},
		{"bce_logits.1024x1000", "F.binary_cross_entropy_with_logits(a, z)", func(a, z T) T {
			return tensor.BinaryCrossEntropyWithLogits(a, z)
		}},
		{"smooth_l1.1024x1000", "F.smooth_l1_loss(a, z)", func(a, z T) T { return tensor.SmoothL1Loss(a, z) }},
	}
	for i, op := range losses {
		for _, grad := range []bool{false, true} {
			suffix, setup, expr := "", "a, y, z = g(1024, 1000), torch.randint(0, 1000, (1024,)), torch.rand(1024, 1000)", op.py
			if grad {
				suffix, setup, expr = ".bwd", setup+"\na.requires_grad_()", "a.grad = None\n"+op.py+".backward()"
			}
			t.add("t."+op.name+suffix, setup, expr, func() func() {
				a, y := g(1024, 1000), tensor.Rand(1024, 1000)
				if i == 0 {
					y = tensor.Randint(0, 1000, 1024)
				}
				if !grad {
					return func() { op.f(a, y) }
				}
				a.RequiresGrad_()
				return func() {
					a.SetGrad(nil)
					op.f(a, y).Backward()
				}
			})
		}
	}
	for _, mode := range []string{"train", "eval", "bwd"} {
		setup := "x, w, b = g(8, 64, 56, 56), g(64), g(64)\nm, v = torch.zeros(64), torch.ones(64)"
		expr := "F.batch_norm(x, m, v, w, b, training=True)"
		switch mode {
		case "eval":
			expr = "F.batch_norm(x, m, v, w, b)"
		case "bwd":
			setup += "\nx.requires_grad_(), w.requires_grad_(), b.requires_grad_()\ngy = g(8, 64, 56, 56)"
			expr = "x.grad = w.grad = b.grad = None\n" + expr + ".backward(gy)"
		}
		t.add("t.batchnorm2d_"+mode+".8x64x56x56", setup, expr, func() func() {
			x, w, b, m, v, gy := g(8, 64, 56, 56), g(64), g(64), tensor.Zeros(64), tensor.Ones(64), g(8, 64, 56, 56)
			norm := func() T {
				return tensor.BatchNorm(x, m, v, opt.Weight(w), opt.Bias(b), opt.Training(mode != "eval"))
			}
			if mode != "bwd" {
				return func() { norm() }
			}
			params := []T{x.RequiresGrad_(), w.RequiresGrad_(), b.RequiresGrad_()}
			return func() {
				clearGrads(params)
				norm().Backward(opt.Gradient(gy))
			}
		})
	}
}

// w1024 and b1024 are the weight and bias of the norms' rows.
var w1024, b1024 T

// clearGrads removes the gradients of parameters.
func clearGrads(params []T) {
	for _, p := range params {
		p.SetGrad(nil)
	}
}
