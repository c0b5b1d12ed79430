package autograd_test

import (
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// cube has a derivative that says 3x², made of what forward saved.
var cube = autograd.Custom("Cube", func(s *autograd.Saving, x *T) *T {
	s.Save(x)
	return x.Mul(x).Mul(x)
}, func(s *autograd.Saving, g *T) *T { return g.Mul(s.Saved(0).Square()).Mul(3) })

// scaled has two inputs and two results, and saves a result and a Go value.
var scaled = autograd.Custom("Scaled", func(s *autograd.Saving, x, w *T) (*T, *T) {
	y := x.Mul(w).Exp()
	s.Save(x, w, y)
	s.Value = 2.0
	return y, x.Mul(2)
}, func(s *autograd.Saving, gy, gz *T) (*T, *T) {
	e := gy.Mul(s.Saved(2))
	return e.Mul(s.Saved(1)).Add(gz.Mul(s.Value.(float64))), e.Mul(s.Saved(0))
})

func plainCube(x *T) *T { return x.Pow(3) }

func plainScaled(x, w *T) []*T { return []*T{x.Mul(w).Exp(), x.Mul(2)} }

func TestCustomDerivative(t *testing.T) {
	x, w := seeded(1, 3).RequiresGrad_(), seeded(2, 3).RequiresGrad_()
	y := cube.Apply(x)
	if n := autograd.GradFn(y); n.Name() != "CubeBackward" || n.OpName() != "Cube" || n.Saved()[0].Name != "saved[0]" {
		t.Error(n, n.Saved())
	}
	y.Sum().Backward()
	same(t, "gradient", x.Grad(), x.Square().Mul(3), 1e-12)
	one := func(xs []*T) []*T { return []*T{cube.Apply(xs[0])} }
	two := func(xs []*T) []*T { return scaled.ApplyAll(xs...) }
	for name, err := range map[string]error{
		"cube":         autograd.Gradcheck(one, []*T{x}),
		"cube again":   autograd.Gradgradcheck(one, []*T{x}),
		"scaled":       autograd.Gradcheck(two, []*T{x, w}),
		"scaled again": autograd.Gradgradcheck(two, []*T{x, w}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	wrong := autograd.Custom("Wrong", func(x *T) *T { return x.Mul(2) }, func(g *T) *T { return g.Mul(3) })
	if err := autograd.Gradcheck(func(xs []*T) []*T { return []*T{wrong.Apply(xs[0])} }, []*T{x}); err == nil {
		t.Error("a wrong derivative passes")
	}
	if y := cube.Apply(x.Detach()); y.RequiresGrad() {
		t.Error("a result without history requires grad")
	}
	autograd.NoGrad(func() {
		if y := cube.Apply(x); y.RequiresGrad() {
			t.Error("a result inside NoGrad requires grad")
		}
	})
	v := x.Detach().Clone().RequiresGrad_()
	u := v.Mul(1)
	z := cube.Apply(u).Sum()
	u.Mul_(2)
	if err := tensor.Try(func() { z.Backward() }); err == nil || !strings.Contains(err.Error(), "modified in place") ||
		!strings.Contains(err.Error(), "Cube") {
		t.Error(err)
	}
}

// Custom functions give what operators of the same value give, inside of every transform.
func TestCustomTransforms(t *testing.T) {
	x, xs, w := seeded(1, 3), seeded(2, 4, 3), seeded(3, 3)
	sum := func(ys []*T) *T { return ys[0].Sum().Add(ys[1].Square().Sum()) }
	for name, c := range map[string]struct{ got, want func(x, w *T) *T }{
		"cube": {func(x, w *T) *T { return cube.Apply(x).Mul(w) }, func(x, w *T) *T { return plainCube(x).Mul(w) }},
		"scaled": {func(x, w *T) *T { return sum(scaled.ApplyAll(x, w)) },
			func(x, w *T) *T { return sum(plainScaled(x, w)) }},
		"shared": {func(x, w *T) *T { return scaled.ApplyAll(w, w)[0].Mul(x) },
			func(x, w *T) *T { return plainScaled(w, w)[0].Mul(x) }},
	} {
		total := func(f func(x, w *T) *T) func(x, w *T) *T { return func(x, w *T) *T { return f(x, w).Sum() } }
		for how, f := range map[string]func(f func(x, w *T) *T) *T{
			"value":  func(f func(x, w *T) *T) *T { return f(x, w) },
			"grad":   func(f func(x, w *T) *T) *T { return autograd.GradOf(total(f), opt.Argnums(1))(x, w) },
			"vmap":   func(f func(x, w *T) *T) *T { return autograd.Vmap(f, opt.InDims(0, nil))(xs, w) },
			"jacrev": func(f func(x, w *T) *T) *T { return autograd.Jacrev(f)(x, w) },
			"jacfwd": func(f func(x, w *T) *T) *T { return autograd.Jacfwd(f)(x, w) },
			"hessian": func(f func(x, w *T) *T) *T {
				return autograd.Hessian(total(f), opt.Argnums(1))(x, w)
			},
			"reverse twice": func(f func(x, w *T) *T) *T { return autograd.Jacrev(autograd.GradOf(total(f)))(x, w) },
			"vmap of grad": func(f func(x, w *T) *T) *T {
				return autograd.Vmap(autograd.GradOf(total(f), opt.Argnums(1)), opt.InDims(0, nil))(xs, w)
			},
			"grad of vmap": func(f func(x, w *T) *T) *T {
				return autograd.GradOf(func(w *T) *T {
					return autograd.Vmap(f, opt.InDims(0, nil))(xs,
						w).Square().Sum()
				})(w)
			},
			"grad of vmap of grad": func(f func(x, w *T) *T) *T {
				return autograd.GradOf(func(w *T) *T {
					return autograd.Vmap(autograd.GradOf(total(f)), opt.InDims(0, nil))(xs, w).Square().Sum()
				})(w)
			},
			"vmap of hessian": func(f func(x, w *T) *T) *T {
				return autograd.Vmap(autograd.Hessian(total(f)), opt.InDims(0, nil))(xs, w)
			},
		} {
			var got, want *T
			if err := tensor.Try(func() { got, want = f(c.got), f(c.want) }); err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
				continue
			}
			same(t, name+", "+how, got, want, 1e-10)
		}
	}
	calls := 0
	ruled := autograd.Custom("Ruled", func(x *T) *T { return x.Mul(2) }, func(g *T) *T { return g.Mul(2) }).
		WithVmap(func(x *T) *T { calls++; return x.Mul(2) })
	same(t, "own rule", autograd.Vmap(ruled.Apply)(xs), xs.Mul(2), 0)
	if calls != 1 {
		t.Error("the rule was not called")
	}
}

func TestCustomErrors(t *testing.T) {
	id := func(x *T) *T { return x.Mul(1) }
	x := seeded(1, 3).RequiresGrad_()
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"no function": {func() { autograd.Custom("A", 3, id) }, "forward of A must be a function"},
		"argument":    {func() { autograd.Custom("A", func(x int) *T { return nil }, id) }, "not int"},
		"result":      {func() { autograd.Custom("A", id, func(g *T) int { return 1 }) }, "not int"},
		"no name":     {func() { autograd.Custom("", id, id) }, "needs a name"},
		"inputs":      {func() { autograd.Custom("A", id, id).Apply(x, x) }, "forward takes 1 tensors and is given 2"},
		"gradients": {func() {
			autograd.Custom("A", id, func(g *T) (*T, *T) { return g, g }).Apply(x).Sum().Backward()
		}, "2 gradients for 1 inputs"},
		"shape": {func() {
			autograd.Custom("A", id, func(g *T) *T { return g.Narrow(0, 0, 2) }).Apply(x).Sum().Backward()
		}, "shape [2] for input 0 of shape [3]"},
		"saved": {func() {
			autograd.Custom("A", id, func(s *autograd.Saving, g *T) *T { return s.Saved(0) }).Apply(x).Sum().Backward()
		}, "forward saved 0"},
		"results": {func() { autograd.Custom("A", func(x *T) (*T, *T) { return x, x }, id).Apply(x) }, "use ApplyAll"},
	} {
		if err := tensor.Try(c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
