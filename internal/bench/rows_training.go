package main

import (
	"fmt"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// training adds chains of small operators and steps of small models, written without modules on both sides.
func training(t *table) {
	t.in("autograd, training")
	for _, c := range []struct {
		name           string
		n, size        int
		grad, backward bool
	}{{"chain10_fwdbwd.1", 10, 1, true, true}, {"chain1000_fwd_nograd.1", 1000, 1, false, false},
		{"chain1000_fwd_grad.1", 1000, 1, true, false},
		{"chain1000_fwdbwd.1", 1000, 1, true, true}, {"chain1000_fwdbwd.1000", 1000, 1000, true, true}} {
		expr := fmt.Sprintf("y = x\nfor _ in range(%d): y = y * c", c.n)
		if c.backward {
			expr += "\ny.sum().backward()\nx.grad = None"
		}
		t.add("t."+c.name, fmt.Sprintf("x = torch.ones(%d)\nx.requires_grad_(%s)\nc = torch.full((%d,), 1.0001)", c.size,
			pyBool(c.grad), c.size), expr, func() func() {
			x, k := tensor.Ones(c.size), tensor.Full([]int{c.size}, 1.0001)
			if c.grad {
				x.RequiresGrad_()
			}
			return func() {
				y := x
				for range c.n {
					y = y.Mul(k)
				}
				if c.backward {
					y.Sum().Backward()
					x.SetGrad(nil)
				}
			}
		})
	}
	model := func(name, setup, forward string, params string, loss string, make func() (ps []T, f func() T)) {
		step := "for p in ps: p.grad = None\nl = " + loss +
			"\nl.backward()\nwith torch.no_grad():\n for p in ps: p.sub_(p.grad, alpha=0.01)"
		t.add("t."+name, setup+"\nps = ["+params+"]\nfor p in ps: p.requires_grad_()\n"+forward, step, func() func() {
			ps, f := make()
			for _, p := range ps {
				p.RequiresGrad_()
			}
			return func() {
				clearGrads(ps)
				f().Backward()
				autograd.NoGrad(func() {
					for _, p := range ps {
						p.Sub_(p.Grad(), opt.Alpha(0.01))
					}
				})
			}
		})
	}
	model("linreg_step", "x, y, w, b = g(100, 3), g(100, 1), g(3, 1), g(1)", "", "w, b", "((x @ w + b - y) ** 2).mean()",
		func() ([]T, func() T) {
			x, y, w, b := g(100, 3), g(100, 1), g(3, 1), g(1)
			return []T{w, b}, func() T { return x.Matmul(w).Add(b).Sub(y).Pow(2).Mean() }
		})
	model("xor_step", "x, y, w, b, v, c = g(4, 2), torch.rand(4, 1), g(2, 8), g(8), g(8, 1), g(1)", "", "w, b, v, c",
		"F.binary_cross_entropy_with_logits(torch.tanh(x @ w + b) @ v + c, y)", func() ([]T, func() T) {
			x, y, w, b, v, c := g(4, 2), tensor.Rand(4, 1), g(2, 8), g(8), g(8, 1), g(1)
			return []T{w, b, v, c}, func() T {
				return tensor.BinaryCrossEntropyWithLogits(x.Matmul(w).Add(b).Tanh().Matmul(v).Add(c), y)
			}
		})
	for _, n := range []int{1, 128} {
		model(fmt.Sprintf("mlp_step.b%d", n), fmt.Sprintf("x, y = g(%d, 784), torch.randint(0, 10, (%d,))\nw, b, v, c = "+
			"g(256, 784) * 0.03, g(256), g(10, 256) * 0.06, g(10)", n, n),
			"", "w, b, v, c", "F.cross_entropy(F.linear(F.relu(F.linear(x, w, b)), v, c), y)", func() ([]T, func() T) {
				x, y, w, b, v, c := g(n, 784), tensor.Randint(0, 10, n), g(256, 784).Mul(0.03), g(256), g(10, 256).Mul(0.06), g(10)
				return []T{w, b, v, c}, func() T {
					return tensor.CrossEntropy(tensor.Linear(tensor.Linear(x, w, opt.Bias(b)).Relu(), v, opt.Bias(c)), y)
				}
			})
	}
	t.add("t.mlp_infer.b128", "x, w, b, v, c = g(128, 784), g(256, 784), g(256), g(10, 256), g(10)",
		"F.linear(F.relu(F.linear(x, w, b)), v, c)", func() func() {
			x, w, b, v, c := g(128, 784), g(256, 784), g(256), g(10, 256), g(10)
			return func() { tensor.Linear(tensor.Linear(x, w, opt.Bias(b)).Relu(), v, opt.Bias(c)) }
		})
	model("lenet_step.b32", "x, y = g(32, 1, 28, 28), torch.randint(0, 10, (32,))\nk, q, w, b = g(6, 1, 5, 5) * 0.2, "+
		"g(16, 6, 5, 5) * 0.1, g(10, 256) * 0.06, g(10)",
		"", "k, q, w, b", "F.cross_entropy(F.linear(F.max_pool2d(F.relu(F.conv2d(F.max_pool2d(F.relu(F.conv2d(x, k)), 2), "+
			"q)), 2).flatten(1), w, b), y)",
		func() ([]T, func() T) {
			x, y, k, q, w, b := g(32, 1, 28, 28), tensor.Randint(0, 10, 32), g(6, 1, 5, 5).Mul(0.2), g(16, 6, 5, 5).Mul(0.1),
				g(10, 256).Mul(0.06), g(10)
			return []T{k, q, w, b}, func() T {
				h := tensor.MaxPool2d(tensor.Conv2d(x, k).Relu(), 2)
				h = tensor.MaxPool2d(tensor.Conv2d(h, q).Relu(), 2)
				return tensor.CrossEntropy(tensor.Linear(h.Flatten(opt.StartDim(1)), w, opt.Bias(b)), y)
			}
		})
	model("resblock_step.4x64x28x28", "x, u, v = g(4, 64, 28, 28), g(64, 64, 3, 3) * 0.04, g(64, 64, 3, 3) * 0.04\na, "+
		"b, m, s = torch.ones(64), torch.zeros(64), torch.zeros(64), torch.ones(64)",
		"", "u, v, a, b", "F.relu(x + F.conv2d(F.relu(F.batch_norm(F.conv2d(x, u, padding=1), m, s, a, b, "+
			"training=True)), v, padding=1)).mean()",
		func() ([]T, func() T) {
			x, u, v := g(4, 64, 28, 28), g(64, 64, 3, 3).Mul(0.04), g(64, 64, 3, 3).Mul(0.04)
			a, b, m, s := tensor.Ones(64), tensor.Zeros(64), tensor.Zeros(64), tensor.Ones(64)
			return []T{u, v, a, b}, func() T {
				h := tensor.BatchNorm(tensor.Conv2d(x, u, opt.Padding(1)), m, s, opt.Weight(a), opt.Bias(b),
					opt.Training(true)).Relu()
				return x.Add(tensor.Conv2d(h, v, opt.Padding(1))).Relu().Mean()
			}
		})
	transformer := "F.layer_norm(h + F.linear(F.gelu(F.linear(h, w1, b1)), w2, b2), (256,))"
	heads := "q, k, v = F.linear(x, wi).view(8, 128, 3, 8, 32).permute(2, 0, 3, 1, 4).unbind(0)\n" +
		"h = (torch.softmax(q @ k.transpose(-2, -1) / 5.656854, -1) @ v).transpose(1, 2).reshape(8, 128, 256)\nh = " +
		"F.layer_norm(x + F.linear(h, wo), (256,))\n"
	for _, grad := range []bool{false, true} {
		name, setup, expr := "t.transformer_block_fwd.8x128x256",
			"x, wi, wo, w1, b1, w2, b2 = g(8, 128, 256), g(768, 256) * 0.06, g(256, 256) * 0.06, g(1024, 256) * 0.06, "+
				"g(1024), g(256, 1024) * 0.03, g(256)", heads+transformer
		if grad {
			name, setup = "t.transformer_block_fwdbwd.8x128x256",
				setup+"\nps = [wi, wo, w1, b1, w2, b2]\nfor p in ps: p.requires_grad_()"
			expr = "for p in ps: p.grad = None\n" + heads + "(" + transformer + ").mean().backward()"
		}
		t.add(name, setup, expr, func() func() {
			x, wi, wo, w1, b1, w2, b2 := g(8, 128, 256), g(768, 256).Mul(0.06), g(256, 256).Mul(0.06), g(1024, 256).Mul(0.06),
				g(1024), g(256, 1024).Mul(0.03), g(256)
			ps := []T{wi, wo, w1, b1, w2, b2}
			block := func() T {
				qkv := tensor.Linear(x, wi).View(8, 128, 3, 8, 32).Permute(2, 0, 3, 1, 4).Unbind()
				h := tensor.ScaledDotProductAttention(qkv[0], qkv[1], qkv[2]).Transpose(1, 2).Reshape(8, 128, 256)
				h = tensor.LayerNorm(x.Add(tensor.Linear(h, wo)), []int{256})
				return tensor.LayerNorm(h.Add(tensor.Linear(tensor.Gelu(tensor.Linear(h, w1, opt.Bias(b1))), w2, opt.Bias(b2))),
					[]int{256})
			}
			if !grad {
				return func() { block() }
			}
			for _, p := range ps {
				p.RequiresGrad_()
			}
			return func() {
				clearGrads(ps)
				block().Mean().Backward()
			}
		})
	}
}

func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// sweepRows measures how the cost of some operators grows with size.
func sweepRows() []row {
	t := new(table)
	t.in("sweep")
	for _, op := range []struct {
		name, py string
		f        func(a T)
	}{{"add", "a + a", func(a T) { a.Add(a) }}, {"exp", "a.exp()", func(a T) { a.Exp() }},
		{"sum", "a.sum()", func(a T) { a.Sum() }},
		{"relu", "a.relu()", func(a T) { a.Relu() }}, {"softmax", "a.softmax(0)", func(a T) { a.Softmax(opt.Dim(0)) }}} {
		for n, e := 100, 2; n <= 10_000_000; n, e = n*10, e+1 {
			t.add(fmt.Sprintf("s.%s.1e%d", op.name, e), fmt.Sprintf("a = g(%d)", n), op.py, func() func() {
				a := g(n)
				return func() { op.f(a) }
			})
		}
	}
	for n := 16; n <= 2048; n *= 2 {
		t.add(fmt.Sprintf("s.mm.%d", n), fmt.Sprintf("a, b = g(%d, %d), g(%d, %d)", n, n, n, n), "a @ b", func() func() {
			a, b := g(n, n), g(n, n)
			return func() { a.Matmul(b) }
		})
	}
	return t.rows
}
