package autograd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// step is one line of a random program: it makes a tensor of earlier ones, or writes into one.
type step struct {
	what string
	run  func(a, b *tensor.Tensor) *tensor.Tensor
}

// Smooth functions only: differences cannot see a corner.
var steps = []step{
	{"add", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Add(b, opt.Alpha(0.5)) }},
	{"sub", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Sub(b) }},
	{"mul", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Mul(b) }},
	{"tanh", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Tanh() }},
	{"exp", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Tanh().Exp() }},
	{"neg", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Neg() }},
	{"t", func(a, b *tensor.Tensor) *tensor.Tensor { return a.T().Mul(1.5).T() }},
	{"view", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Reshape(-1).View(a.Shape()...) }},
	{"flip", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Slice(opt.Dim(1), opt.Step(-1)) }},
	{"row", func(a, b *tensor.Tensor) *tensor.Tensor { return a.Select(0, 1).Expand(a.Shape()...) }},
	{"cat", func(a, b *tensor.Tensor) *tensor.Tensor {
		return tensor.Cat([]*tensor.Tensor{a, b}).Slice(opt.Step(2))
	}},
	{"windows", func(a, b *tensor.Tensor) *tensor.Tensor {
		return a.Unfold(1, 2, 1).Sum(opt.Dim(1)).Mul(b.Select(1, 0).Unsqueeze(1)).Sum(opt.Dim(1), opt.Keepdim(true)).Add(b)
	}},
	{"strided", func(a, b *tensor.Tensor) *tensor.Tensor {
		return a.Clone(tensor.ContiguousFormat).AsStrided([]int{2, 3}, []int{1, 1}).Mul(b)
	}},
	{"unbind", func(a, b *tensor.Tensor) *tensor.Tensor {
		parts := a.Unbind()
		return tensor.Stack([]*tensor.Tensor{parts[1], parts[0].Mul(2)})
	}},
	{"diagonal", func(a, b *tensor.Tensor) *tensor.Tensor {
		return a.Add(b.Diagonal().Sum())
	}},
	{"mul_", func(a, b *tensor.Tensor) *tensor.Tensor { a = a.Mul(1); a.Mul_(b); return a }},
	{"write a row", func(a, b *tensor.Tensor) *tensor.Tensor {
		a = a.Mul(1)
		a.Select(0, 0).Mul_(b.Select(0, 1))
		return a
	}},
	{"write a column", func(a, b *tensor.Tensor) *tensor.Tensor {
		a = a.Mul(1)
		v := a.T()
		a.Slice(opt.Dim(1), opt.Start(1)).Copy_(b.Slice(opt.Dim(1), opt.End(2)))
		return v.T()
	}},
	{"zero a part", func(a, b *tensor.Tensor) *tensor.Tensor {
		a = a.Mul(1)
		a.Select(1, 2).Zero_()
		return a.Add(b)
	}},
}

// A program of random steps over matrices of 2×3, and a vector that is broadcast.
func program(r *rand.Rand, length int) (run autograd.Func, text string) {
	type line struct{ op, a, b int }
	lines := make([]line, length)
	for i := range lines {
		lines[i] = line{r.IntN(len(steps)), r.IntN(i + 2), r.IntN(i + 2)}
		if r.IntN(3) > 0 {
			lines[i].a = i + 1 // build on the newest
		}
		text += fmt.Sprintf("v%d = %s(v%d, v%d)\n", i+2, steps[lines[i].op].what, lines[i].a, lines[i].b)
	}
	return func(in []*tensor.Tensor) []*tensor.Tensor {
		v := []*tensor.Tensor{in[0], in[0].Mul(in[1])}
		for _, l := range lines {
			v = append(v, steps[l.op].run(v[l.a], v[l.b]))
		}
		return []*tensor.Tensor{v[len(v)-1].Sum(), v[len(v)/2].Mul(v[len(v)-1]).Sum()}
	}, text
}

func TestRandomGraphs(t *testing.T) {
	n := 500
	if testing.Short() {
		n = 50
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		f, text := program(r, 1+r.IntN(7))
		if err := autograd.Gradcheck(f, []*tensor.Tensor{leaf(r, 2, 3), leaf(r, 3)}); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	}
}

func TestRandomSecondDerivatives(t *testing.T) {
	for seed := range 60 {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		f, text := program(r, 1+r.IntN(4))
		if err := autograd.Gradgradcheck(f, []*tensor.Tensor{leaf(r, 2, 3), leaf(r, 3)}); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	}
}

func TestGradcheckFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	x := leaf(r, 2, 2)
	half := func(in []*tensor.Tensor) []*tensor.Tensor { // backward sees one factor only
		return []*tensor.Tensor{in[0].Mul(in[0].Detach())}
	}
	fails(t, func() {
		if err := autograd.Gradcheck(half, []*tensor.Tensor{x}); err != nil {
			panic(err)
		}
	}, "output 0", "input 0", "by backward", "by differences")
	if err := autograd.Gradcheck(half, []*tensor.Tensor{x.Detach()}); err == nil {
		t.Error("no input requires grad, and no error")
	}
	cube := func(in []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{in[0].Mul(in[0]).Mul(in[0])} }
	if err := autograd.Gradgradcheck(cube, []*tensor.Tensor{x}); err != nil {
		t.Error(err)
	}
}

func TestGradcheckComplex(t *testing.T) {
	z := tensor.FromSlice([]complex128{1 + 2i, -0.5 + 0.3i, 0.7 - 1i, 0.2}, 2, 2).RequiresGrad_()
	w := tensor.FromSlice([]complex128{0.3 - 1i, 2i}, 2).RequiresGrad_()
	f := func(in []*tensor.Tensor) []*tensor.Tensor {
		p := in[0].Mul(in[1]).Add(in[0].Exp(), opt.Alpha(2i))
		return []*tensor.Tensor{p, tensor.ViewAsReal(p).Mul(tensor.ViewAsReal(in[0]))}
	}
	if err := autograd.Gradcheck(f, []*tensor.Tensor{z, w}); err != nil {
		t.Error(err)
	}
	if err := autograd.Gradgradcheck(f, []*tensor.Tensor{z, w}); err != nil {
		t.Error(err)
	}
	x := vec([]int{2, 2}, 1, 2, 3, 4).RequiresGrad_() // a real factor gets the real part
	g := func(in []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{in[0].Mul(in[1])} }
	if err := autograd.Gradcheck(g, []*tensor.Tensor{x, z}); err != nil {
		t.Error(err)
	}
}
