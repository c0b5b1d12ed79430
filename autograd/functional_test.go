package autograd_test

import (
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func TestGradOf(t *testing.T) {
	x := seeded(1, 4)
	f := func(x *T) *T { return x.Pow(3).Sum() }
	same(t, "f'", autograd.GradOf(f)(x), x.Square().Mul(3), 1e-12)
	second := autograd.GradOf(func(x *T) *T { return autograd.GradOf(f)(x).Sum() })
	same(t, "f''", second(x), x.Mul(6), 1e-12)
	third := autograd.GradOf(func(x *T) *T { return second(x).Sum() })
	same(t, "f'''", third(x), x.Mul(0).Add(6), 1e-12)
	if g := third(x); g.RequiresGrad() || x.RequiresGrad() || x.Grad() != nil {
		t.Error("a history or a gradient is left")
	}
	// perturbations are not confused: d/dx (x · d/dy (x + y)) = 1
	conf := autograd.GradOf(func(x *T) *T {
		return x.Mul(autograd.GradOf(func(y *T) *T { return x.Add(y).Sum() })(x)).Sum()
	})
	same(t, "confusion", conf(x), x.Mul(0).Add(1), 1e-12)

	g := func(a, b *T) *T { return a.Mul(b).Sum().Add(b.Sin().Sum()) }
	y := seeded(2, 4)
	same(t, "first", autograd.GradOf(g)(x, y), y, 1e-12)
	same(t, "second", autograd.GradOf(g, opt.Argnums(1))(x, y), x.Add(y.Cos()), 1e-12)
	both := autograd.GradAll(g)(x, y)
	same(t, "all 0", both[0], y, 1e-12)
	same(t, "all 1", both[1], x.Add(y.Cos()), 1e-12)
	v, d := autograd.ValueAndGrad(g, opt.Argnums(-1))(x, y)
	same(t, "value", v, g(x, y), 1e-12)
	same(t, "grad", d, x.Add(y.Cos()), 1e-12)

	// What is outside and wants gradients gets them.
	w := seeded(3, 4).RequiresGrad_()
	h := autograd.GradOf(func(x *T) *T { return x.Square().Mul(w).Sum() })(x)
	if !h.RequiresGrad() {
		t.Fatal("the gradient does not lead to a captured leaf")
	}
	h.Sum().Backward()
	same(t, "captured", w.Grad(), x.Mul(2), 1e-12)
	leaf := x.Clone().RequiresGrad_()
	autograd.GradOf(f)(leaf).Sum().Backward()
	same(t, "input", leaf.Grad(), x.Mul(6), 1e-12)
	autograd.NoGrad(func() {
		if g := autograd.GradOf(f)(leaf); g.RequiresGrad() {
			t.Error("a gradient inside NoGrad has a history")
		} else {
			same(t, "inside NoGrad", g, x.Square().Mul(3), 1e-12)
		}
	})
	same(t, "unused", autograd.GradOf(func(a, b *T) *T { return b.Sum() })(x, y), x.Mul(0), 0)

	for what, c := range map[string]struct {
		f    func()
		want string
	}{
		"vector": {func() { autograd.GradOf(func(x *T) *T { return x })(x) }, "shape [4]"},
		"complex": {func() { autograd.GradOf(func(x *T) *T { return x.Sum() })(x.To(tensor.Complex128)) },
			"a real number"},
		"integers": {func() { autograd.GradOf(f)(tensor.Arange(3)) }, "int64"},
		"results":  {func() { autograd.GradOf(func(x *T) (*T, *T) { return x, x })(x) }, "not 2"},
		"argnums":  {func() { autograd.GradOf(f, opt.Argnums(1))(x) }, "input 1"},
		"function": {func() { autograd.Grad(f, x) }, "GradOf"},
		"nothing":  {func() { autograd.GradOf(3)(x) }, "wants a function"},
	} {
		if err := tensor.Try(c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestGradOfTensors(t *testing.T) {
	x := seeded(1, 3).RequiresGrad_()
	y := x.Square().Sum()
	want := x.Detach().Mul(2)
	same(t, "one", autograd.Grad(y, x, opt.RetainGraph(true))[0], want, 1e-12)
	same(t, "lists", autograd.Grad([]*T{y}, []*T{x}, opt.RetainGraph(true))[0], want, 1e-12)
	same(t, "struct", autograd.Grad(y, struct{ X *T }{x})[0], want, 1e-12)
}

type weights struct {
	W, B  *T
	Inner []layer
	Named map[string]*T
	Steps int
	Count *T
	left  *T
}

type layer struct{ G *T }

func TestGradTree(t *testing.T) {
	x := seeded(1, 2, 3)
	p := weights{W: seeded(2, 3, 4), B: seeded(3, 4), Inner: []layer{{seeded(4, 4)}, {nil}},
		Named: map[string]*T{"b": seeded(5, 4), "a": seeded(6, 4)},
		Steps: 7, Count: tensor.Arange(2), left: x}
	loss := func(p weights) *T {
		return x.Matmul(p.W).Add(p.B).Tanh().Mul(p.Inner[0].G).Add(p.Named["a"]).Mul(p.Named["b"]).Square().Mean()
	}
	ts := autograd.Flatten(p)
	if len(ts) != 6 || ts[2] != p.Inner[0].G || ts[3] != p.Named["a"] || ts[5] != p.Count {
		t.Fatalf("%d tensors: %v", len(ts), ts)
	}
	y, g := autograd.ValueAndGradTree(loss)(p)
	same(t, "value", y, loss(p), 1e-12)
	var leaves []*T
	for _, x := range ts[:5] {
		leaves = append(leaves, x.Clone().RequiresGrad_())
	}
	q := p
	autograd.Unflatten(&q, append(leaves, p.Count))
	want := autograd.Grad(loss(q), leaves)
	for i, got := range []*T{g.W, g.B, g.Inner[0].G, g.Named["a"], g.Named["b"]} {
		same(t, "gradient", got, want[i], 1e-12)
	}
	if g.Steps != 7 || g.Count != nil || g.Inner[1].G != nil || p.Inner[0].G != ts[2] || p.Named["a"] != ts[3] {
		t.Errorf("what is no weight: %+v, and the argument %+v", g, p)
	}
	// The Hessian times a vector, of a struct.
	v := p
	autograd.Unflatten(&v, []*T{seeded(7, 3, 4), seeded(8, 4), seeded(9, 4), seeded(1, 4), seeded(2, 4), p.Count})
	_, hv := autograd.HVP(loss, p, v)
	step := func(h float64) []*T {
		var moved []*T
		vs := autograd.Flatten(v)
		for i, x := range ts[:5] {
			moved = append(moved, x.Add(vs[i].Mul(h)))
		}
		q := p
		autograd.Unflatten(&q, append(moved, p.Count))
		return autograd.Flatten(autograd.GradTree(loss)(q))
	}
	up, down := step(1e-5), step(-1e-5)
	for i, got := range autograd.Flatten(hv) {
		same(t, "product", got, up[i].Sub(down[i]).Div(2e-5), 1e-6)
	}
	list := autograd.GradTree(func(xs []*T) *T { return xs[0].Mul(xs[1]).Sum() })([]*T{seeded(1, 2), seeded(2, 2)})
	same(t, "list", list[1], seeded(1, 2), 1e-12)
	if err := tensor.Try(func() { autograd.Unflatten(&q, leaves) }); err == nil || !strings.Contains(err.Error(),
		"6 tensors and is given 5") {
		t.Error(err)
	}
	type loop struct{ Next *loop }
	l := &loop{}
	l.Next = l
	if err := tensor.Try(func() { autograd.Flatten(l) }); err == nil || !strings.Contains(err.Error(),
		"points to itself") {
		t.Error(err)
	}
}

func TestVJP(t *testing.T) {
	x, y := seeded(1, 2, 3), seeded(2, 3)
	f := func(a, b *T) (*T, *T) { return a.Matmul(b), a.Sin().Mul(b) }
	ys, pull := autograd.VJP(f, x, y)
	u, v := seeded(3, 2), seeded(4, 2, 3)
	for range 2 {
		g := pull(u, v)
		same(t, "first", g[0], u.Unsqueeze(1).Mul(y).Add(v.Mul(y).Mul(x.Cos())), 1e-12)
		same(t, "second", g[1], x.T().Matmul(u).Add(v.Mul(x.Sin()).Sum(opt.Dim(0))), 1e-12)
		if g[0].RequiresGrad() || ys[0].RequiresGrad() {
			t.Error("a history is left")
		}
	}
	same(t, "value", ys[0], x.Matmul(y), 1e-12)
	same(t, "nil is zeros", pull(nil, v)[1], v.Mul(x.Sin()).Sum(opt.Dim(0)), 1e-12)
	us := seeded(5, 4, 2)
	batch := autograd.VmapAll(func(u *T) []*T { return pull(u, nil) })(us)
	for i := range 4 {
		same(t, "vmap", batch[0].Select(0, i), pull(us.Select(0, i), nil)[0], 1e-12)
	}
	_, pull = autograd.VJP(func(p weights, xs []*T) *T { return p.W.Mul(xs[0]).Sum().Add(xs[1].Sum()) },
		weights{W: x}, []*T{x.Mul(2), y})
	g := pull(tensor.With(tensor.Float64).Full([]int{}, 3))
	if len(g) != 3 {
		t.Fatal(g)
	}
	same(t, "struct", g[0], x.Mul(6), 1e-12)
	same(t, "in a list", g[2], y.Mul(0).Add(3), 1e-12)
	if err := tensor.Try(func() { pull() }); err == nil || !strings.Contains(err.Error(), "1 results and is given 0") {
		t.Error(err)
	}
	if err := tensor.Try(func() { pull(seeded(1, 2)) }); err == nil || !strings.Contains(err.Error(), "shape") {
		t.Error(err)
	}
}

func TestJacobians(t *testing.T) {
	x, y := seeded(1, 2, 3), seeded(2, 3)
	f := func(a, b *T) *T { return a.Mul(a).Matmul(b).Tanh() }
	var rows []*T
	for i := range 2 {
		rows = append(rows, autograd.GradOf(func(a *T) *T { return f(a, y).Select(0, i) })(x))
	}
	want := tensor.Stack(rows)
	for name, got := range map[string]*T{
		"jacrev":         autograd.Jacrev(f)(x, y),
		"jacfwd":         autograd.Jacfwd(f)(x, y),
		"jacrev chunked": autograd.Jacrev(f, opt.ChunkSize(1))(x, y),
		"jacfwd chunked": autograd.Jacfwd(f, opt.ChunkSize(4))(x, y),
		"jacobian":       autograd.Jacobian(func(a *T) *T { return f(a, y) }, x),
		"all":            autograd.JacobianAll(f, x, y)[0][0],
	} {
		same(t, name, got, want, 1e-12)
	}
	same(t, "by the second", autograd.Jacfwd(f, opt.Argnums(1))(x, y), autograd.Jacrev(f, opt.Argnums(1))(x, y), 1e-12)

	loss := func(a, b *T) *T { return f(a, b).Square().Sum() }
	h := autograd.Hessian(loss)(x, y)
	same(t, "hessian", h, autograd.Jacrev(autograd.GradOf(loss))(x, y), 1e-12)
	same(t, "reverse over reverse", h, autograd.Jacrev(autograd.Jacrev(loss))(x, y), 1e-12)
	same(t, "reverse over forward", h, autograd.Jacrev(autograd.Jacfwd(loss))(x, y), 1e-12)
	same(t, "forward over forward", h, autograd.Jacfwd(autograd.Jacfwd(loss))(x, y), 1e-12)
	pairs := autograd.HessianAll(loss, x, y)
	same(t, "pairs", pairs[0][0], h, 1e-12)
	same(t, "symmetric", pairs[0][1], pairs[1][0].Permute(1, 2, 0), 1e-12)
	v := seeded(5, 2, 3)
	val, hv := autograd.HVP(func(a *T) *T { return loss(a, y) }, x, v)
	same(t, "hvp", hv, tensor.Tensordot(h, v), 1e-12)
	same(t, "hvp value", val, loss(x, y), 1e-12)

	xs := seeded(3, 4, 2, 3)
	both := autograd.Vmap(func(a *T) *T { return autograd.Hessian(loss)(a, y) })(xs)
	for i := range 4 {
		same(t, "vmap of hessian", both.Select(0, i), autograd.Hessian(loss)(xs.Select(0, i), y), 1e-12)
	}
	outs, push := autograd.Linearize(f, x, y)
	same(t, "linearize", outs[0], f(x, y), 1e-12)
	for _, d := range []*T{v, v.Mul(2)} {
		_, ts := autograd.JVP(f, []*T{x, y}, []*T{d, y})
		same(t, "push", push(d, y)[0], ts[0], 1e-12)
		_, ts = autograd.JVP(f, []*T{x, y}, []*T{d, nil})
		same(t, "push of one", push(d, nil)[0], ts[0], 1e-12)
	}
	same(t, "constant", autograd.Jacrev(func(a *T) *T { return tensor.With(tensor.Float64).Ones(2) })(x),
		x.Expand(2, 2, 3).Mul(0), 0)
	none := tensor.With(tensor.Float64).Zeros(0)
	if s := autograd.Jacfwd(func(a *T) *T { return a.Sum() })(none); s.Dim() != 1 || s.Numel() != 0 {
		t.Error(s)
	}
	if s := autograd.Jacrev(func(a *T) *T { return a.Mul(2) })(none); s.Dim() != 2 {
		t.Error(s)
	}
}

// Rows through operators whose derivatives write into memory of their own.
func TestJacobianOfViews(t *testing.T) {
	x := seeded(1, 3, 4)
	for name, f := range map[string]func(x *T) *T{
		"strided":  func(x *T) *T { return x.AsStrided([]int{2, 2}, []int{4, 1}, opt.StorageOffset(1)) },
		"overlaps": func(x *T) *T { return x.AsStrided([]int{3, 2}, []int{1, 1}) },
		"unfold":   func(x *T) *T { return x.Unfold(1, 2, 1) },
		"select":   func(x *T) *T { return x.Select(0, 1) },
		"slices":   func(x *T) *T { return x.Index(tensor.Slice(nil, nil, 2), tensor.Slice(1, 3, nil)) },
		"diagonal": func(x *T) *T { return x.Diagonal() },
		"gather":   func(x *T) *T { return x.Index(tensor.FromSlice([]int64{2, 0, 2}, 3)) },
		"take":     func(x *T) *T { return x.Take(tensor.FromSlice([]int64{5, 0, 5}, 3)) },
		"max":      func(x *T) *T { v, _ := x.MaxDim(1); return v },
		"write":    func(x *T) *T { y := x.Clone(); y.Select(0, 1).Mul_(x.Select(0, 0)); return y },
		"copy":     func(x *T) *T { y := x.Mul(0); y.Narrow(1, 1, 2).Copy_(x.Narrow(1, 0, 2).Sin()); return y },
		"cat":      func(x *T) *T { return tensor.Cat([]*T{x, x.Mul(2)}, opt.Dim(1)) },
		"cumprod":  func(x *T) *T { return x.Cumprod(1) },
		"prod":     func(x *T) *T { return x.Prod() },
		"sort":     func(x *T) *T { v, _ := x.Sort(); return v },
		"conv":     func(x *T) *T { return tensor.Conv1d(x.Unsqueeze(0), tensor.With(tensor.Float64).Ones(2, 3, 2)) },
		"pool":     func(x *T) *T { return tensor.MaxPool1d(x.Unsqueeze(0), 2) },
		"norm":     func(x *T) *T { return tensor.LayerNorm(x, []int{4}) },
		"pad":      func(x *T) *T { return tensor.Pad(x, []int{1, 1}) },
		"chunks":   func(x *T) *T { return x.Chunk(2, opt.Dim(1))[1].Exp() },
		"inverse":  func(x *T) *T { return x.Matmul(x.T()).Add(tensor.With(tensor.Float64).Eye(3)).Inverse() },
		"index_put": func(x *T) *T {
			return x.Clone().IndexPut_([]any{tensor.FromSlice([]int64{0}, 1)}, x.Select(0, 2).Sin())
		},
		"scatter": func(x *T) *T {
			return x.Scatter(0, tensor.FromSlice([]int64{0, 2, 1, 1}, 1, 4), x.Narrow(0, 0, 1).Sin())
		},
		"masked":     func(x *T) *T { return x.MaskedFill(x.Detach().Gt(0), 1) },
		"logsumexp":  func(x *T) *T { return x.Logsumexp(1) },
		"contiguous": func(x *T) *T { return x.T().Contiguous().View(-1).Square() },
	} {
		var want *T
		if err := tensor.Try(func() {
			r := x.Detach().Clone().RequiresGrad_()
			y := f(r)
			var rows []*T
			for i := range y.Numel() {
				rows = append(rows, autograd.Grad(y.Reshape(-1).Select(0, i), r, opt.RetainGraph(true),
					opt.AllowUnused(true))[0])
			}
			want = tensor.Stack(rows).View(append(y.Shape(), x.Shape()...)...)
		}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for how, j := range map[string]func(any, ...tensor.Option) func(...*T) *T{"rev": autograd.Jacrev,
			"fwd": autograd.Jacfwd} {
			if err := tensor.Try(func() { same(t, name+" "+how, j(f)(x.Clone()), want, 1e-10) }); err != nil {
				t.Errorf("%s %s: %v", name, how, err)
			}
		}
		if err := tensor.Try(func() {
			of := autograd.GradOf(func(x *T) *T { return f(x).Sum() })
			got := autograd.Vmap(of)(tensor.Stack([]*T{x, x.Mul(0.5)}))
			same(t, name+" vmap of grad", got.Select(0, 1),
				autograd.GradOf(func(x *T) *T { return f(x).Sum() })(x.Mul(0.5)), 1e-10)
		}); err != nil {
			t.Errorf("%s vmap of grad: %v", name, err)
		}
	}
}

// A gradient by a tensor that all examples share is that of each example.
func TestVmapCaptured(t *testing.T) {
	w, xs := seeded(1, 3), seeded(2, 4, 3)
	loss := func(w, x *T) *T { return w.Mul(x).Sum().Square() }
	var want []*T
	for i := range 4 {
		want = append(want, autograd.GradOf(func(w *T) *T { return loss(w, xs.Select(0, i)) })(w))
	}
	for name, f := range map[string]func(x *T) *T{
		"leaf":    func(x *T) *T { v := w.Clone().RequiresGrad_(); return autograd.Grad(loss(v, x), v)[0] },
		"derived": func(x *T) *T { v := w.Clone().RequiresGrad_(); return autograd.Grad(loss(v.Mul(1), x), v)[0] },
		"grad of": func(x *T) *T { return autograd.GradOf(loss)(w, x) },
		"backward": func(x *T) *T {
			v := w.Clone().RequiresGrad_()
			loss(v, x).Backward()
			return v.Grad()
		},
		"written": func(x *T) *T {
			return autograd.GradOf(func(w *T) *T { v := w.Clone(); v.Mul_(1); return loss(v, x) })(w)
		},
	} {
		if err := tensor.Try(func() { same(t, name, autograd.Vmap(f)(xs), tensor.Stack(want), 1e-12) }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if w.RequiresGrad() {
		t.Error("the shared tensor was changed")
	}
	// and an outer gradient goes through the inner ones
	leaf := w.Clone().RequiresGrad_()
	autograd.Vmap(func(x *T) *T { return autograd.GradOf(loss)(leaf, x) })(xs).Sum().Backward()
	h := autograd.GradOf(func(w *T) *T {
		var s *T
		for i := range 4 {
			g := autograd.GradOf(func(w *T) *T { return loss(w, xs.Select(0, i)) })(w).Sum()
			if s == nil {
				s = g
			} else {
				s = s.Add(g)
			}
		}
		return s
	})(w)
	same(t, "outer", leaf.Grad(), h, 1e-12)
	got := autograd.Vmap(func(x *T) *T { return autograd.Hessian(loss)(w, x) }, opt.ChunkSize(3))(xs)
	same(t, "hessians", got.Select(0, 3), autograd.Hessian(loss)(w, xs.Select(0, 3)), 1e-12)
}
