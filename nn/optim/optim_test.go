package optim_test

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/nn"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestDtypes: a step of other dtypes, of views with gaps and of complex numbers is that of float32.
func TestDtypes(t *testing.T) {
	data := []float64{1, -2, 3, 0.5, -1, 2}
	want := func() T {
		p := tensor.New(data).To(tensor.Float32).View(2, 3).RequiresGrad_()
		p.Square().Sum().Backward()
		optim.NewAdam(p, opt.Lr(0.1)).Step()
		return p
	}()
	for _, dt := range []tensor.Dtype{tensor.Float64, tensor.Bfloat16, tensor.Float16} {
		p := tensor.New(data).To(dt).View(2, 3).RequiresGrad_()
		p.Square().Sum().Backward()
		optim.NewAdam(p, opt.Lr(0.1)).Step()
		if !tensor.Allclose(p.To(tensor.Float32), want, opt.Rtol(0.01)) {
			t.Errorf("%s: %v, want %v", dt, p, want)
		}
	}
	gaps := tensor.New(data).To(tensor.Float32).View(2, 3).T().Contiguous().T().Detach().RequiresGrad_()
	gaps.Square().Sum().Backward()
	optim.NewAdam(gaps, opt.Lr(0.1)).Step()
	if !tensor.Equal(gaps, want) {
		t.Errorf("transposed: %v, want %v", gaps, want)
	}
	z := tensor.ViewAsComplex(tensor.New(data).To(tensor.Float32).View(3, 2)).Detach().Clone().RequiresGrad_()
	tensor.Real(z.Mul(z.Conj())).Sum().Backward()
	optim.NewSGD(z, opt.Lr(0.25)).Step()
	if got := tensor.ViewAsReal(z).Flatten(); !tensor.Allclose(got, tensor.New(data).To(tensor.Float32).Mul(0.5)) {
		t.Errorf("complex: %v", got)
	}
}

// TestManyElements: blocks and threads change nothing.
func TestManyElements(t *testing.T) {
	p := tensor.With(tensor.Float64).Randn(100_003).RequiresGrad_()
	q := tensor.With(tensor.Float64).Randn(7).RequiresGrad_()
	wantP, wantQ := p.Detach().Mul(0.8), q.Detach().Mul(0.8)
	p.Square().Sum().Add(q.Square().Sum()).Backward()
	optim.NewSGD([]T{p, q}, opt.Lr(0.1)).Step()
	if !tensor.Allclose(p, wantP) || !tensor.Allclose(q, wantQ) {
		t.Error("a step of many elements differs from that of each")
	}
}

// TestMistakes: what students do wrong is said, and changes nothing.
func TestMistakes(t *testing.T) {
	p := tensor.Ones(3).RequiresGrad_()
	o := optim.NewSGD(p, opt.Lr(0.1))
	loss := func() T { return p.Square().Sum() }
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"no parameter has a gradient (call loss.Backward() before the step)", o.Step},
		{"", func() { loss().Backward(); o.Step() }},
		{"still has that of the step before", func() { loss().Backward(); o.Step() }},
		{"", func() { o.ZeroGrad(); loss().Backward(); o.Step() }},
		{"", func() { p.Grad().Zero_(); loss().Backward(); o.Step() }},
		{"the gradient of 0 has NaN", func() { o.ZeroGrad(); loss().Mul(math.NaN()).Backward(); o.Step() }},
		{"only leaves can be trained", func() { optim.NewSGD(p.Mul(2), opt.Lr(0.1)) }},
		{"none of the 1 parameters requires grad", func() { optim.NewSGD(tensor.Ones(2), opt.Lr(0.1)) }},
		{"parameter 1 is there twice", func() { optim.NewAdam([]T{p, p}) }},
		{"no keyword momentum is taken", func() { optim.NewAdam(p, opt.Momentum(0.9)) }},
		{"nesterov needs a momentum", func() { optim.NewSGD(p, opt.Nesterov(true)) }},
		{"must not be negative", func() { optim.NewSGD(p, opt.Lr(-1)) }},
		{"beta 2 must be", func() { optim.NewAdam(p, opt.Betas(0.9, 1)) }},
		{"betas must be two numbers", func() { optim.NewAdam(p, opt.Betas(0.9)) }},
		{"must be a number or a schedule", func() { optim.NewAdam(p, opt.Lr("fast")) }},
	} {
		before := p.Detach().Clone()
		err := tensor.Try(c.f)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("got %v, want %s", err, c.want)
		case c.want != "" && !tensor.Equal(before, p):
			t.Errorf("%s: the parameter changed", c.want)
		}
	}
}

// TestStaleGraph: a step is a write that autograd knows of.
func TestStaleGraph(t *testing.T) {
	p := tensor.Ones(3).RequiresGrad_()
	y := p.Square().Sum()
	p.Sum().Backward()
	optim.NewSGD(p, opt.Lr(0.1)).Step()
	if err := tensor.Try(func() { y.Backward() }); err == nil || !strings.Contains(err.Error(), "optim.SGD") {
		t.Errorf("backward through a graph of old values: %v", err)
	}
}

// TestFrozen: parameters that require no grad stay as they are, and take part again later.
func TestFrozen(t *testing.T) {
	m := nn.Sequential{nn.NewLinear(2, 2), nn.NewLinear(2, 1)}
	nn.Params(m[0]).Freeze()
	o := optim.NewAdamW(m, opt.Lr(0.1))
	before := nn.Params(m).Get("0.weight").Clone()
	x := tensor.Ones(4, 2)
	step := func() {
		o.ZeroGrad()
		m.Forward(x).Square().Sum().Backward()
		o.Step()
	}
	step()
	if !tensor.Equal(before, nn.Params(m).Get("0.weight")) {
		t.Error("a frozen parameter changed")
	}
	nn.Params(m[0]).Unfreeze()
	step()
	if tensor.Equal(before, nn.Params(m).Get("0.weight")) {
		t.Error("an unfrozen parameter did not change")
	}
}

// TestNoGarbage: a step leaves nothing behind.
func TestNoGarbage(t *testing.T) {
	var p []T
	for range 20 {
		x := tensor.Randn(500).RequiresGrad_()
		x.SetGrad(tensor.Ones(500))
		p = append(p, x)
	}
	o := optim.NewAdam(p)
	o.Step()
	if n := testing.AllocsPerRun(100, o.Step); n > 3 {
		t.Errorf("%v allocations in a step", n)
	}
}

// TestThreads: the numbers of a step do not depend on the number of threads.
func TestThreads(t *testing.T) {
	var got [2]T
	for i, n := range []int{1, 4} {
		was := runtime.GOMAXPROCS(n)
		p := tensor.Linspace(-1, 1, 50_000).RequiresGrad_()
		o := optim.NewAdam(p, opt.Lr(0.01))
		for range 3 {
			o.ZeroGrad()
			p.Sin().Sum().Backward()
			o.Step()
		}
		autograd.NoGrad(func() { got[i] = p.Clone() })
		runtime.GOMAXPROCS(was)
	}
	if !tensor.Equal(got[0], got[1]) {
		t.Error("the threads change the result")
	}
}

func BenchmarkStep(b *testing.B) {
	for name, make := range map[string]func(any, ...tensor.Option) *optim.Optimizer{"SGD": optim.NewSGD,
		"Adam": optim.NewAdam} {
		b.Run(name, func(b *testing.B) {
			p := tensor.Randn(1 << 20).RequiresGrad_()
			p.SetGrad(tensor.Randn(1 << 20))
			o := make(p)
			for b.Loop() {
				o.Step()
			}
		})
	}
}
