package autograd_test

import (
	"math"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// logging notes the operators that it meets.
type logging struct {
	x   *tensor.Tensor
	log *[]string
}

func (l logging) Name() string          { return "Logging" }
func (l logging) Dense() *tensor.Tensor { return l.x }
func (l logging) Handle(c *tensor.Call) {
	*l.log = append(*l.log, c.Name())
	c.Forward(tensor.Wrapper.Dense, func(y *tensor.Tensor) tensor.Wrapper { return logging{y, l.log} })
}

func logged(x *tensor.Tensor) (*tensor.Tensor, *[]string) {
	log := new([]string)
	return tensor.NewWrapper(logging{x, log}, x), log
}

// negative holds the negative of its elements.
type negative struct{ minus *tensor.Tensor }

func (n negative) Name() string          { return "Negative" }
func (n negative) Dense() *tensor.Tensor { return n.minus.Neg() }
func (n negative) Handle(c *tensor.Call) {
	if c.Op == tensor.Lookup("neg") && c.Variant == tensor.Functional { // nothing to compute
		c.Return(n.minus)
		return
	}
	c.Forward(tensor.Wrapper.Dense, func(y *tensor.Tensor) tensor.Wrapper { return negative{y.Neg()} })
}

// quantized holds integers of 8 bits and a scale; its gradient is passed on as it is (straight through).
type quantized struct {
	q     *tensor.Tensor
	scale float64
}

func quantize(x *tensor.Tensor) quantized {
	s := max(x.Detach().Abs().Max().Item()/127, math.SmallestNonzeroFloat32)
	return quantized{x.Div(s).Round().Clamp(opt.Min(-127), opt.Max(127)).To(tensor.Int8), s}
}
func (q quantized) Name() string          { return "Int8" }
func (q quantized) Dense() *tensor.Tensor { return q.q.To(tensor.Float32).Mul(q.scale) }
func (q quantized) Handle(c *tensor.Call) {
	c.Forward(tensor.Wrapper.Dense, func(*tensor.Tensor) tensor.Wrapper { return nil }) // results are plain
}

// sameAs compares two tensors element by element.
func sameAs(t *testing.T, what string, got, want *tensor.Tensor) {
	t.Helper()
	got = got.Dense()
	if !got.Allclose(want.Dense(), opt.EqualNan(true)) {
		t.Errorf("%s: %v is not %v", what, got, want)
	}
}

func TestWrapperSeesOperators(t *testing.T) {
	x, log := logged(tensor.New([][]float32{{1, 2}, {3, 4}}))
	y := x.Add(1).Matmul(x.T()).Exp()
	z := x.Dense()
	sameAs(t, "y", y, z.Add(1).Matmul(z.T()).Exp())
	if got := strings.Join(*log, " "); got != "add t mm exp" {
		t.Errorf("the log is %q", got)
	}
	if got := y.String(); got != "Logging(f32[2 2])" {
		t.Error(got)
	}
	if got := x.Sum().Item(); got != 10 {
		t.Error(got)
	}
	if got := tensor.Data[float32](x.Select(0, 1)); got[1] != 4 {
		t.Error(got)
	}
	x.Add_(1)
	x.Select(0, 0).Zero_()
	sameAs(t, "written", x, tensor.New([][]float32{{0, 0}, {4, 5}}))
	list := tensor.Cat([]*tensor.Tensor{x, tensor.Ones(1, 2)})
	if list.Wrapper() == nil || list.Size(0) != 3 {
		t.Error(list)
	}
	out := tensor.Zeros(2, 2)
	tensor.Add(x, 1, opt.Out(out))
	sameAs(t, "out", out, x.Dense().Add(1))
}

// TestWrapperGradients: above, gradients are wrappers and nothing is recorded in the handler; beneath, what the
// wrapper holds has the history.
func TestWrapperGradients(t *testing.T) {
	f := func(x *tensor.Tensor) *tensor.Tensor {
		y := x.Mul(x).Add(x.Exp()).Select(0, 0).Add(x.T().Select(0, 1))
		return y.Softmax(opt.Dim(0)).Mul(tensor.New([]float64{1, 2})).Sum()
	}
	plain := tensor.New([][]float64{{0.5, -1}, {2, 0.25}}).RequiresGrad_()
	f(plain).Backward()

	above, _ := logged(plain.Detach().Clone())
	above.RequiresGrad_()
	y := f(above)
	if y.GradFn() == nil || y.Dense().RequiresGrad() {
		t.Errorf("%v, beneath %v", y, y.Dense())
	}
	y.Backward()
	if g := above.Grad(); g.Wrapper() == nil || g.Wrapper().Name() != "Logging" {
		t.Errorf("the gradient is %v", g)
	}
	sameAs(t, "above", above.Grad(), plain.Grad())
	f(above).Backward() // accumulates
	sameAs(t, "twice", above.Grad(), plain.Grad().Mul(2))

	inner := plain.Detach().Clone().RequiresGrad_()
	beneath, _ := logged(inner)
	if beneath.RequiresGrad() {
		t.Error("the wrapper itself requires grad")
	}
	f(beneath).Dense().Backward()
	sameAs(t, "beneath", inner.Grad(), plain.Grad())

	minus := tensor.NewWrapper(negative{plain.Detach().Neg()}, plain.Detach()).RequiresGrad_()
	f(minus).Backward()
	sameAs(t, "negative", minus.Grad(), plain.Grad())
	if n := minus.Detach().Neg(); n.Wrapper() != nil {
		t.Errorf("neg of a negative is %v", n)
	}
}

func TestWrapperInVmap(t *testing.T) {
	x, _ := logged(tensor.Arange(6.0).View(3, 2))
	f := func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(2).Sub(x.Sum(opt.Dim(0))).Cumsum(0) }
	sameAs(t, "vmap", autograd.Vmap(f)(x), autograd.Vmap(f)(x.Dense()))
	// made inside of a vmap
	g := func(x *tensor.Tensor) *tensor.Tensor { w, _ := logged(x); return f(w).Dense() }
	sameAs(t, "inside", autograd.Vmap(g)(x.Dense()), autograd.Vmap(f)(x.Dense()))
	square := func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x) }
	_, tangent := autograd.JVP(square,
		[]*tensor.Tensor{x}, []*tensor.Tensor{tensor.OnesLike(x)})
	sameAs(t, "jvp", tangent[0], x.Dense().Mul(2))
}

// TestWrapperQuantizes: products with weights of 8 bits, and a straight-through gradient.
func TestWrapperQuantizes(t *testing.T) {
	w := tensor.New([][]float32{{0.5, -1}, {0.25, 0.1}})
	q := quantize(w)
	qw := tensor.NewWrapper(q, w).RequiresGrad_()
	x := tensor.New([][]float32{{1, 2}})
	y := x.Matmul(qw)
	if err := y.Detach().Sub(x.Matmul(w)).Abs().Max().Item(); err > 3*q.scale || err == 0 {
		t.Errorf("the error is %g, the scale %g", err, q.scale)
	}
	y.Sum().Backward()
	sameAs(t, "straight through", qw.Grad(), tensor.New([][]float32{{1, 1}, {2, 2}}))
}

// verifier runs every operator twice, in float32 and in float64, and notes where they differ.
type verifier struct {
	x, exact *tensor.Tensor
	found    *[]string
}

func (v verifier) Name() string          { return "Verifier" }
func (v verifier) Dense() *tensor.Tensor { return v.x }
func (v verifier) Handle(c *tensor.Call) {
	exact := c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor {
		if w, ok := t.Wrapper().(verifier); ok {
			return w.exact
		}
		return t.Double()
	}, nil)
	i := 0
	c.Forward(tensor.Wrapper.Dense, func(y *tensor.Tensor) tensor.Wrapper {
		e := exact[i]
		i++
		if y.Double().Sub(e).Abs().Gt(e.Abs().Mul(1e-5)).Any().ItemBool() {
			*v.found = append(*v.found, c.Name())
		}
		return verifier{y, e, v.found}
	})
}

func TestWrapperVerifies(t *testing.T) {
	x := tensor.New([]float32{1e4, 1e4 + 1, 3})
	found := new([]string)
	w := tensor.NewWrapper(verifier{x, x.Double(), found}, x)
	w.Mul(2).Add(1e8).Sub(1e8).Exp() // the difference of large numbers
	if len(*found) == 0 || (*found)[0] != "sub" {
		t.Errorf("found %v", *found)
	}
}

// TestWrapperFaults: a handler that panics, forgets, forwards to kernels, answers nonsense or calls itself is an
// error.
func TestWrapperFaults(t *testing.T) {
	for name, c := range map[string]struct {
		handle func(self *tensor.Tensor, c *tensor.Call)
		want   string
	}{
		"panics":   {func(_ *tensor.Tensor, c *tensor.Call) { panic(tensor.Errorf(c.Name(), "not today")) }, "not today"},
		"forgets":  {func(*tensor.Tensor, *tensor.Call) {}, "the handler of Faulty neither forwarded nor answered the call"},
		"forwards": {func(_ *tensor.Tensor, c *tensor.Call) { c.Next() }, "no kernel can read a wrapper"},
		"nil":      {func(_ *tensor.Tensor, c *tensor.Call) { c.Return(nil) }, "answered with a nil tensor"},
		"many": {func(_ *tensor.Tensor, c *tensor.Call) { c.Return(tensor.Ones(2), tensor.Ones(2)) },
			"answered with 2 results; the operator has 1"},
		"recurs": {func(x *tensor.Tensor, c *tensor.Call) { c.Return(x.Exp()) }, "the handler of Faulty calls itself"},
	} {
		f := &faulty{handle: c.handle}
		f.self = tensor.NewWrapper(f, tensor.Ones(2))
		err := tensor.Try(func() { f.self.Exp() })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := &faulty{}
	f.self = tensor.NewWrapper(f, tensor.Ones(2))
	for name, read := range map[string]func(){
		"item": func() { f.self.At(0) }, "data": func() { tensor.Data[float32](f.self) },
		"lend": func() { tensor.WithData(f.self, func([]float32) {}) },
		"in place": func() {
			f.handle = func(_ *tensor.Tensor, c *tensor.Call) { c.Return(tensor.Ones(2)) }
			f.self.Add_(1)
		},
		"storage": func() { tensor.FromStorage("test", f.self.Storage(), []int{2}, []int{1}, 0, tensor.Float32) },
		"nil":     func() { tensor.NewWrapper(nil, tensor.Ones(2)) },
	} {
		if err := tensor.Try(read); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if tensor.Ones(2).Add(1).Sum().Item() != 4 {
		t.Error("the process has not survived")
	}
}

type faulty struct {
	self   *tensor.Tensor
	handle func(self *tensor.Tensor, c *tensor.Call)
}

func (f *faulty) Name() string          { return "Faulty" }
func (f *faulty) Dense() *tensor.Tensor { return nil }
func (f *faulty) Handle(c *tensor.Call) { f.handle(f.self, c) }
