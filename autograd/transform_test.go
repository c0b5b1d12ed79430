package autograd_test

import (
	"math"
	"strings"
	"testing"

	"gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

type T = tensor.Tensor

func seeded(seed int, shape ...int) *T {
	return tensor.With(tensor.Float64).Full(shape, float64(seed)+0.1).Add(
		tensor.With(tensor.Float64).Linspace(-1, 1.3, product(shape)).View(shape...)).Sin()
}

func product(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

func same(t *testing.T, what string, got, want *T, tol float64) {
	t.Helper()
	if !tensor.Allclose(got.Detach(), want.Detach(), opt.Rtol(tol), opt.Atol(tol)) {
		t.Errorf("%s:\n%v\nwant\n%v", what, got, want)
	}
}

// rows calls f with every row of the batched tensors and stacks the results.
func rows(f func(x *T) *T, x *T) *T {
	var out []*T
	for i := range x.Size(0) {
		out = append(out, f(x.Select(0, i)))
	}
	return tensor.Stack(out)
}

func TestVmapNested(t *testing.T) {
	x, y := seeded(1, 3, 4), seeded(2, 5, 4)
	outer := autograd.Vmap(func(a *T) *T {
		return autograd.Vmap(func(b *T) *T { return a.Dot(b).Add(a.Mul(b).Sum()) })(y)
	})
	same(t, "all pairs", outer(x), x.Matmul(y.T()).Mul(2), 1e-12)
	both := autograd.Vmap(func(a, b *T) *T { return a.Mul(b).Sum() }, opt.InDims(0, nil), opt.OutDims(0))
	same(t, "shared", both(x, y.Select(0, 0)), x.Matmul(y.Select(0, 0)), 1e-12)
	last := autograd.Vmap(func(a *T) *T { return a.Mul(2) }, opt.InDims(1), opt.OutDims(-1))
	same(t, "other dims", last(x), x.Mul(2), 0)
	if err := tensor.Try(func() {
		autograd.Vmap(func(a, b *T) *T { return a })(x, y)
	}); err == nil || !strings.Contains(err.Error(), "5 examples") {
		t.Error(err)
	}
	var kept *T
	autograd.Vmap(func(a *T) *T { kept = a; return a })(x)
	if err := tensor.Try(func() { kept.Add(1) }); err == nil ||
		!strings.Contains(err.Error(), "after the transform ended") {
		t.Error(err)
	}
	if err := tensor.Try(func() {
		autograd.Vmap(func(a *T) *T { a.Sum().Item(); return a })(x)
	}); err == nil || !strings.Contains(err.Error(), "3 examples") {
		t.Error(err)
	}
}

// A write through a view is seen in the batch, and one into what all examples share is rejected.
func TestVmapWrites(t *testing.T) {
	x := seeded(1, 3, 4)
	got := autograd.Vmap(func(a *T) *T {
		b := a.Clone()
		b.Narrow(0, 1, 2).Mul_(a.Select(0, 0))
		return b
	})(x)
	same(t, "through a view", got, rows(func(a *T) *T {
		return tensor.Cat([]*T{a.Narrow(0, 0, 1), a.Narrow(0, 1, 2).Mul(a.Select(0, 0)), a.Narrow(0, 3, 1)})
	}, x), 0)
	if err := tensor.Try(func() {
		autograd.Vmap(func(a *T) *T { return tensor.ZerosLike(x.Select(0, 0)).Add_(a) })(x)
	}); err == nil ||
		!strings.Contains(err.Error(), "all share") {
		t.Error(err)
	}
}

func TestVmapRandomness(t *testing.T) {
	x := seeded(1, 3, 4)
	noisy := func(a *T) *T { return a.Add(tensor.With(tensor.Float64).Rand(4)).Add(tensor.RandLike(a)) }
	if err := tensor.Try(func() { autograd.Vmap(noisy)(x) }); err == nil ||
		!strings.Contains(err.Error(), "opt.Randomness") {
		t.Error(err)
	}
	tensor.ManualSeed(3)
	got := autograd.Vmap(noisy, opt.Randomness("same"))(x).Sub(x)
	for i := range 2 {
		same(t, "the same numbers", got.Select(0, i), got.Select(0, 2), 1e-12)
	}
	one := func(a *T) *T { return a.Add(tensor.RandLike(a)) }
	tensor.ManualSeed(3)
	got = autograd.Vmap(one, opt.Randomness("different"))(x)
	tensor.ManualSeed(3)
	same(t, "different numbers, as in a loop", got, rows(one, x), 0)
	tensor.ManualSeed(3)
	got = autograd.Vmap(func(a *T) *T { return tensor.Dropout(a, opt.P(0.5)) }, opt.Randomness("different"))(x)
	tensor.ManualSeed(3)
	same(t, "dropout", got, rows(func(a *T) *T { return tensor.Dropout(a, opt.P(0.5)) }, x), 1e-12)
}

func gradOf(f func(x *T) *T) func(x *T) *T {
	return func(x *T) *T {
		y := x.RequiresGrad_()
		return autograd.Grad([]*T{f(y)}, []*T{y}, opt.CreateGraph(true))[0]
	}
}

func cubic(x *T) *T { return x.Pow(3).Mul(x.Sin()).Sum().Add(x.Prod()) }

// Transforms stand inside each other in any order.
func TestTransformsCompose(t *testing.T) {
	x, v := seeded(1, 3, 4), seeded(5, 3, 4)
	fresh := func(f func(x *T) *T) func(x *T) *T {
		return func(x *T) *T { return gradOf(f)(x.Detach().Clone()).Detach() }
	}
	same(t, "vmap of grad", autograd.Vmap(func(a *T) *T { return gradOf(cubic)(a.Clone()) })(x),
		rows(fresh(cubic), x), 1e-10)

	leaf := x.Detach().Clone().RequiresGrad_()
	autograd.Vmap(cubic)(leaf).Sum().Backward()
	same(t, "grad of vmap", leaf.Grad(), rows(fresh(cubic), x), 1e-10)

	// The Hessian times a vector, three ways.
	a, d := x.Select(0, 0).Clone(), v.Select(0, 0).Clone()
	h := 1e-5
	want := fresh(cubic)(a.Add(d.Mul(h))).Sub(fresh(cubic)(a.Sub(d.Mul(h)))).Div(2 * h)
	_, forward := autograd.JVP(func(p *T) *T { return gradOf(cubic)(p.Mul(1)) }, []*T{a}, []*T{d})
	same(t, "jvp of grad", forward[0], want, 1e-6)
	p := a.Detach().Clone().RequiresGrad_()
	_, slope := autograd.JVP(cubic, []*T{p}, []*T{d})
	same(t, "grad of jvp", autograd.Grad(slope, []*T{p})[0], want, 1e-6)
	_, second := autograd.JVP(func(p *T) *T {
		_, s := autograd.JVP(cubic, []*T{p}, []*T{d})
		return s[0]
	}, []*T{a}, []*T{d})
	same(t, "jvp of jvp", second[0], want.Mul(d).Sum(), 1e-5)

	slopes := func(p, d *T) *T {
		_, s := autograd.JVP(cubic, []*T{p}, []*T{d})
		return s[0]
	}
	var loop []*T
	for i := range 3 {
		loop = append(loop, slopes(x.Select(0, i), v.Select(0, i)))
	}
	same(t, "vmap of jvp", autograd.Vmap(slopes)(x, v), tensor.Stack(loop), 1e-10)
	_, s := autograd.JVP(autograd.Vmap(cubic), []*T{x}, []*T{v})
	same(t, "jvp of vmap", s[0], tensor.Stack(loop), 1e-10)
}

func TestJVP(t *testing.T) {
	x, v := seeded(1, 6), seeded(2, 6)
	for name, f := range map[string]func(x *T) *T{
		"softmax": func(x *T) *T { return tensor.Softmax(x, opt.Dim(0)) },
		"writes": func(x *T) *T {
			y := x.Mul(2)
			y.Narrow(0, 1, 3).Mul_(x.Narrow(0, 2, 3))
			y.Select(0, 0).Fill_(4)
			y.T_()
			return y
		},
		"cases":   func(x *T) *T { return tensor.Where(x.Gt(0), x.Exp(), x.Square()) },
		"sorted":  func(x *T) *T { y, _ := x.Sort(); return y.Cumsum(0) },
		"product": func(x *T) *T { return x.View(2, 3).Matmul(x.View(3, 2)).Tanh() },
	} {
		const h = 1e-6
		y, got := autograd.JVP(f, []*T{x.Clone()}, []*T{v})
		same(t, name, y[0], f(x.Clone()), 1e-12)
		same(t, name+", the tangent", got[0], f(x.Add(v.Mul(h))).Sub(f(x.Sub(v.Mul(h)))).Div(2*h), 1e-7)
	}
	if _, s := autograd.JVP(func(x *T) *T { return tensor.Ones(2) }, []*T{x}, []*T{v}); s[0].Sum().Item() != 0 {
		t.Error("a constant moves")
	}
	if err := tensor.Try(func() { autograd.JVP(cubic, []*T{x}, []*T{seeded(1, 5)}) }); err == nil {
		t.Error("a tangent of another shape is no error")
	}
	if y, s := autograd.JVP(func(x *T) *T {
		if x.Sum().Item() > math.Inf(-1) { // a dual number can be read
			return x.Mul(3)
		}
		return x
	}, []*T{x}, []*T{v}); y[0].RequiresGrad() {
		t.Error("the result requires grad")
	} else {
		same(t, "3x", s[0], v.Mul(3), 0)
	}
}

// TestJVPWrites: what a write reads moves with its tangent; numbers, integers and random numbers do not move.
func TestJVPWrites(t *testing.T) {
	x, dx := seeded(1, 2, 3), seeded(2, 2, 3)
	whole := tensor.Arange(3)
	zero := dx.Mul(0)
	for name, c := range map[string]struct {
		write func(y, x *T)
		want  *T
	}{
		"copy":     {func(y, x *T) { y.Copy_(x.Mul(2)) }, dx.Mul(2)},
		"integers": {func(y, x *T) { y.Copy_(whole) }, zero},
		"number":   {func(y, x *T) { y.Fill_(3) }, zero},
		"tensor":   {func(y, x *T) { y.Fill_(x.Sum()) }, zero.Add(dx.Sum())},
		"diagonal": {func(y, x *T) { y.FillDiagonal_(5) }, dx.Clone().FillDiagonal_(0)},
		"index": {func(y, x *T) {
			y.IndexPut_([]any{tensor.Full([]int{1}, 1, opt.Dtype(tensor.Int64))}, x.Select(0, 0))
		}, dx.Clone().IndexPut_([]any{tensor.Full([]int{1}, 1, opt.Dtype(tensor.Int64))}, dx.Select(0, 0))},
		"zero":   {func(y, x *T) { y.Zero_() }, zero},
		"random": {func(y, x *T) { y.Uniform_() }, zero},
		"cauchy": {func(y, x *T) { y.Cauchy_() }, zero},
	} {
		_, ts := autograd.JVP(func(x *T) *T {
			y := x.Mul(1)
			c.write(y, x)
			return y
		}, []*T{x}, []*T{dx})
		same(t, name, ts[0], c.want, 1e-12)
	}
	_, ts := autograd.JVP(func(x *T) *T {
		return x.Expand(4, 2, 3).Permute(2, 0, 1).Reshape(-1).View(6, 4)
	}, []*T{x}, []*T{dx})
	same(t, "view of what lies otherwise", ts[0], dx.Expand(4, 2, 3).Permute(2, 0, 1).Reshape(6, 4), 0)
}
