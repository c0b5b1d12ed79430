package tensor_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"gotorch/autograd"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// mustSayFreed checks that f fails because a tensor was freed.
func mustSayFreed(t *testing.T, what string, f func()) {
	t.Helper()
	err := tensor.Try(f)
	if err == nil || !strings.Contains(err.Error(), "freed at the end of tensor.Tidy") {
		t.Errorf("%s: want an error about freed memory, got %v", what, err)
	}
}

// churn takes memory that has been freed, and writes to it.
func churn() {
	for range 8 {
		manyNumbers().Mul(-3).Add(7)
	}
}

// TestTidy checks what is freed and what stays: results, views of them, small results, what Keep was called with.
func TestTidy(t *testing.T) {
	x := manyNumbers()
	var gone, view, small, kept, viewOfKept *tensor.Tensor
	tensor.Tidy(func() {
		gone = x.Add(1)
		view = gone.T().Narrow(0, 3, 5)
		small = gone.Narrow(0, 0, 1).Add(1)
		viewOfKept = x.Mul(2).T()
		kept = tensor.Keep(viewOfKept)
		if y := gone.Sum().Item(); y != x.Add(1).Sum().Item() {
			t.Errorf("the sum within Tidy is %g", y)
		}
	})
	churn()
	if !tensor.Equal(kept, x.Mul(2).T()) || !tensor.Equal(small, x.Narrow(0, 0, 1).Add(1).Add(1)) {
		t.Error("what stays has changed")
	}
	if s := gone.String(); s != "tensor(..., device='freed', size=(200, 200))" {
		t.Errorf("a freed tensor is written as %s", s)
	}
	for name, y := range map[string]*tensor.Tensor{"a result": gone, "a view": view} {
		for use, f := range map[string]func(){
			"Add":      func() { y.Add(1) },
			"x.Add(y)": func() { x.Narrow(0, 0, y.Size(0)).Narrow(1, 0, y.Size(1)).Add(y) },
			"Add_":     func() { y.Add_(1) },
			"Sum":      func() { y.Sum() },
			"At":       func() { y.At(1, 2) },
			"Index":    func() { y.Select(0, 1) },
			"Tolist":   func() { y.Tolist() },
			"Data":     func() { tensor.Data[float32](y) },
			"Set":      func() { y.Set(1, 0, 0) },
			"To":       func() { y.To(tensor.Float64) },
			"Cpu":      func() { y.Cpu() },
			"Clone":    func() { y.Clone() },
			"Out":      func() { x.Add(x, opt.Out(y)) },
			"Cat":      func() { tensor.Cat([]*tensor.Tensor{x, y}) },
			"WriteNpy": func() { tensor.WriteNpy(new(bytes.Buffer), y) },
			"Grad":     func() { x.SetGrad(y.Reshape(200, 200)) },
			"Ptr":      func() { y.Ptr() },
			"Elems":    func() { tensor.StorageElems[float32](y) },
		} {
			mustSayFreed(t, use+" of "+name, f)
		}
	}
}

// TestTidyNested checks that an inner Tidy frees its own results, and an outer one the rest.
func TestTidyNested(t *testing.T) {
	x := manyNumbers()
	var a, b, c, d *tensor.Tensor
	tensor.Tidy(func() {
		a = x.Add(1)
		tensor.Tidy(func() {
			b = a.Add(1)
			c = tensor.Keep(a.Add(2))
		})
		d = tensor.Kron(x.Narrow(0, 0, 100), tensor.Ones(2, 1)) // a composite, which passes its result on
		mustSayFreed(t, "after the inner Tidy", func() { b.Sum() })
		if a.Sum().Item() != x.Add(1).Sum().Item() {
			t.Error("the inner Tidy freed a result of the outer one")
		}
	})
	mustSayFreed(t, "after the outer Tidy", func() { a.Sum() })
	mustSayFreed(t, "a composite's result", func() { d.Sum() })
	churn()
	if !tensor.Equal(c, x.Add(1).Add(2)) {
		t.Error("what the inner Tidy kept was freed by the outer one")
	}
}

// TestTidyPanics checks that nothing is freed where the function fails: its results may be in the error.
func TestTidyPanics(t *testing.T) {
	x := manyNumbers()
	var y *tensor.Tensor
	if err := tensor.Try(func() { tensor.Tidy(nil) }); err == nil {
		t.Error("Tidy(nil) is no error")
	}
	if err := tensor.Try(func() {
		tensor.Tidy(func() {
			y = x.Add(1)
			x.Add(tensor.Ones(3))
		})
	}); err == nil {
		t.Fatal("no error came out of Tidy")
	}
	churn()
	if !tensor.Equal(y, x.Add(1)) {
		t.Error("a result was freed after a panic")
	}
	tensor.Tidy(func() { y = x.Add(2) }) // the scope is gone
	mustSayFreed(t, "a Tidy after a panic", func() { y.Sum() })
}

// TestTidyWatched checks that Tidy frees nothing where somebody sees the results.
func TestTidyWatched(t *testing.T) {
	x := manyNumbers()
	f := func(x *tensor.Tensor) (y *tensor.Tensor) {
		tensor.Tidy(func() { y = x.Sin().Mul(2) })
		return y
	}
	want := x.Sin().Mul(2)
	if got := tensor.Fuse(f)(x); !tensor.Equal(got, want) {
		t.Error("Fuse of Tidy differs")
	}
	if got := autograd.Vmap(f)(x); !tensor.Equal(got, want) {
		t.Error("Vmap of Tidy differs")
	}
}

// TestTidyGradients checks that a gradient stays as long as its leaf has it, and is freed then.
func TestTidyGradients(t *testing.T) {
	w, v := manyNumbers().RequiresGrad_(), manyNumbers().RequiresGrad_()
	loss := func() *tensor.Tensor { return w.Matmul(v).Tanh().Add(w).Mean() }
	want := autograd.Grad([]*tensor.Tensor{loss()}, []*tensor.Tensor{w, v})
	same := func(what string, a, b *tensor.Tensor) {
		t.Helper()
		if !tensor.Equal(a, b) {
			t.Errorf("%s: the gradients differ", what)
		}
	}
	var asked []*tensor.Tensor
	tensor.Tidy(func() {
		asked = autograd.Grad([]*tensor.Tensor{loss()}, []*tensor.Tensor{w, v})
		churn()
		same("within Tidy", asked[0], want[0])
		tensor.Tidy(func() { loss().Backward() })
		churn()
	})
	mustSayFreed(t, "what Grad returned", func() { asked[0].Sum() })
	churn()
	same("the leaf's", w.Grad(), want[0])
	same("the leaf's", v.Grad(), want[1])

	tensor.Tidy(func() { loss().Backward() })
	churn()
	same("the sum of two passes", w.Grad(), want[0].Add(want[0]))

	old, kept := w.Grad(), tensor.Keep(v.Grad())
	w.SetGrad(nil)
	v.SetGrad(nil)
	churn()
	mustSayFreed(t, "a gradient that its leaf lost", func() { old.Sum() })
	same("a gradient that was kept", kept, want[1].Add(want[1]))

	tensor.Tidy(func() { loss().Backward() })
	v.SetGrad(w.Grad()) // two leaves have it
	w.SetGrad(nil)
	churn()
	same("a shared gradient", v.Grad(), want[0])

	tensor.Tidy(func() {
		w.SetGrad(w.Detach().Mul(3)) // set by hand
		loss().Backward(opt.Inputs(v))
	})
	churn()
	same("set by hand", w.Grad(), w.Detach().Mul(3))
	same("with inputs", v.Grad(), want[0].Add(want[1]))

	three := w.Detach().Mul(3)
	tensor.Tidy(func() { // two leaves are given one gradient
		g := w.Detach().Mul(3)
		w.SetGrad(g)
		v.SetGrad(g.T())
	})
	w.SetGrad(nil)
	churn()
	same("given to two", v.Grad(), three.T())

	tensor.Tidy(func() { // an inner Tidy sets what the outer one made
		g := w.Detach().Mul(3)
		tensor.Tidy(func() { w.SetGrad(g) })
	})
	w.SetGrad(w.Grad())
	churn()
	same("set within an inner Tidy", w.Grad(), three)

	var y *tensor.Tensor
	tensor.Tidy(func() { y = tensor.Keep(w.Matmul(v).Tanh().Exp()) })
	mustSayFreed(t, "a pass after Tidy", func() { y.Sum().Backward() })
}

// TestTidyTraining checks that steps within Tidy give the numbers of steps without, for optimizers with a state.
func TestTidyTraining(t *testing.T) {
	train := func(around func(func()), name string) []float64 {
		x := manyNumbers()
		w, v := manyNumbers().Mul(0.1).RequiresGrad_(), manyNumbers().T().Contiguous().Mul(0.1).RequiresGrad_()
		ps := []*tensor.Tensor{w, v}
		loss := func() *tensor.Tensor { return x.Matmul(w).Tanh().Matmul(v).Sub(x).Pow(2).Mean() }
		var step func()
		var o interface{ ZeroGrad() }
		switch name {
		case "LBFGS":
			l := optim.NewLBFGS(ps, opt.MaxIter(3))
			o, step = l, func() { l.Step(loss) }
		case "Adam":
			a := optim.NewAdam(ps, opt.Lr(0.01))
			o, step = a, func() { loss().Backward(); a.Step() }
		default:
			s := optim.NewSGD(ps, opt.Lr(0.1), opt.Momentum(0.9))
			o, step = s, func() { loss().Backward(); s.Step() }
		}
		for range 4 {
			around(func() { o.ZeroGrad(); step() })
			churn()
		}
		return tensor.Data[float64](tensor.Cat(ps).Detach().To(tensor.Float64).Reshape(-1))
	}
	for _, name := range []string{"SGD", "Adam", "LBFGS"} {
		plain, tidy := train(func(f func()) { f() }, name), train(tensor.Tidy, name)
		for i := range plain {
			if plain[i] != tidy[i] {
				t.Fatalf("%s: parameter %d is %g without Tidy and %g with it", name, i, plain[i], tidy[i])
			}
		}
	}
}

// TestTidyRandom runs random programs twice, with and without Tidy. What they keep must be equal.
func TestTidyRandom(t *testing.T) {
	run := func(seed uint64, around func(func())) (kept []*tensor.Tensor) {
		r := rand.New(rand.NewPCG(seed, 0))
		pool := []*tensor.Tensor{manyNumbers(), manyNumbers().Mul(-0.5).RequiresGrad_()}
		var body func(depth int)
		body = func(depth int) {
			local := append([]*tensor.Tensor(nil), pool...)
			for range 3 + r.IntN(10) {
				a, b := local[r.IntN(len(local))], local[r.IntN(len(local))]
				var y *tensor.Tensor
				switch r.IntN(11) {
				case 0:
					y = a.Add(b)
				case 1:
					y = a.T()
				case 2:
					y = a.Mul(0.5).Tanh_()
				case 3:
					y = a.Softmax(opt.Dim(1))
				case 4:
					y = tensor.Cat([]*tensor.Tensor{a.Narrow(0, 0, 100), b.Narrow(0, 100, 100)})
				case 5:
					y = a.Detach().Clone().Narrow(0, 50, 150).Contiguous()
				case 6:
					y = tensor.Keep(a.Matmul(b).Tanh())
					kept = append(kept, y.Detach())
				case 7:
					y = a.Sub(b).Reshape(400, 100).T().Reshape(200, 200)
				case 8:
					if depth < 3 {
						around(func() { body(depth + 1) })
					}
				case 9:
					a.Mul(b).Mean().Add(pool[1].Sum()).Backward(opt.RetainGraph(true))
				case 10:
					pool[1].SetGrad(nil)
				}
				if y != nil && y.Numel() == 200*200 {
					local = append(local, y)
				}
			}
		}
		around(func() { body(0) })
		if g := pool[1].Grad(); g != nil {
			kept = append(kept, g)
		}
		return kept
	}
	for seed := range uint64(60) {
		plain, tidy := run(seed, func(f func()) { f() }), run(seed, tensor.Tidy)
		for i := range plain {
			if !tensor.Equal(plain[i].NanToNum(), tidy[i].NanToNum()) {
				t.Fatalf("seed %d: result %d differs", seed, i)
			}
		}
	}
}

// TestTidyGoroutines checks that each goroutine frees its own results.
func TestTidyGoroutines(t *testing.T) {
	x := manyNumbers()
	want := x.Add(1).Mul(2)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				tensor.Tidy(func() {
					if !tensor.Equal(x.Add(1).Mul(2), want) {
						t.Error("a result differs")
					}
				})
			}
		})
	}
	wg.Wait()
}

// TestTidySizes makes results of all sizes around those from which memory is used again, within Tidy and without, some
// kept and some not: a block has one finalizer at most, whoever had it before.
func TestTidySizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		n := []int{1 << 7, 1 << 8, 1 << 12, 1 << 13}[r.IntN(4)] + []int{0, 0, -1, 1, -40, 300}[r.IntN(6)]
		body := func() {
			x := tensor.Full([]int{n}, 2) // eight bytes each
			if r.IntN(4) == 0 {
				tensor.Keep(x)
			}
			if r.IntN(3) == 0 {
				tensor.Tidy(func() { x.Add(1).Mul(3) })
			}
			if got := x.Sum().Item(); got != float64(2*n) {
				t.Fatalf("the sum of %d twos is %g", n, got)
			}
		}
		if r.IntN(4) == 0 {
			body()
		} else {
			tensor.Tidy(body)
		}
	}
}

func ExampleTidy() {
	x := tensor.Ones(1000, 1000)
	total := tensor.Zeros()
	var last *tensor.Tensor
	for i := range 3 {
		tensor.Tidy(func() {
			y := x.Mul(i).Exp() // freed at the end of the round
			total.Add_(y.Mean())
			last = tensor.Keep(y.Narrow(0, 0, 1))
		})
	}
	fmt.Println(total)
	fmt.Println(last.Shape())
	// Output:
	// tensor(11.1073)
	// [1 1000]
}

// TestTidyAgain: an owner that was left by a panic, or that somebody kept something of, has nothing to do with those
// that come after it.
func TestTidyAgain(t *testing.T) {
	var left, kept *tensor.Tensor
	tensor.Try(func() {
		tensor.Tidy(func() {
			left = tensor.Arange(2000).Mul(2)
			panic(tensor.Errorf("test", "ends here"))
		})
	})
	tensor.Tidy(func() { kept = tensor.Keep(tensor.Arange(3000).Mul(3)) })
	var freed []*tensor.Tensor
	for range 5 {
		tensor.Tidy(func() {
			for range 5 { // more than an owner has room for itself
				freed = append(freed, tensor.Arange(2500).Add(1))
			}
			tensor.Tidy(func() { freed = append(freed, tensor.Arange(2500).Add(1)) })
		})
	}
	if got := left.Select(0, 1999).Item(); got != 3998 {
		t.Errorf("the last element of what a panic left is %v, want 3998", got)
	}
	if got := kept.Select(0, 2999).Item(); got != 8997 {
		t.Errorf("the last element of what was kept is %v, want 8997", got)
	}
	for i, x := range freed {
		if err := tensor.Try(func() { x.Add(1) }); err == nil {
			t.Errorf("tensor %d can be used after its Tidy", i)
		}
	}
}
