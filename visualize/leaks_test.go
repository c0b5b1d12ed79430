package visualize

import (
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
	"gotorch/visualize/runs"
)

// collected runs the collector until all are gone, and returns the numbers of those that are not.
func collected(gone []weak.Pointer[tensor.Tensor]) (kept []int) {
	for range 40 {
		runtime.GC()
		kept = kept[:0]
		for i, p := range gone {
			if p.Value() != nil {
				kept = append(kept, i)
			}
		}
		if len(kept) == 0 {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return kept
}

// TestNothingKept: no view keeps a tensor alive, nor does what tensors note in a session, an error's details, a log or
// a hook.
func TestNothingKept(t *testing.T) {
	s := viewtest.NewSession(t)
	x := tensor.Ones(96, 96)
	if collected([]weak.Pointer[tensor.Tensor]{weak.Make(x)}) == nil {
		t.Fatal("a tensor that is held is taken to be gone")
	}
	runtime.KeepAlive(x)
	// each keeps what it gives, and says which tensors must not live through that
	cases := map[string]func(x *tensor.Tensor) any{
		"strides":          func(x *tensor.Tensor) any { return Strides(x, x.T()) },
		"graph of a chain": func(x *tensor.Tensor) any { return Graph(x.Exp().Mul(x).Sum()) },
		"trace of a pass":  func(x *tensor.Tensor) any { return TraceFunc(func() { x.Exp().Mul(x).Sum().Backward() }) },
		"flame of a pass":  func(x *tensor.Tensor) any { return Flame(func() { x.Exp().Mul(x).Sum().Backward() }) },
		"memory of a pass": func(x *tensor.Tensor) any {
			return Memory(func() { s.Name("h", x.Exp()).Mul(x).Sum().Backward() })
		},
		"backward pass": func(x *tensor.Tensor) any { return Backward(x.Exp().Mul(x).Sum()) },
		"stopped trace": func(x *tensor.Tensor) any {
			v, panicked := Record(func() { x.Exp().Add(tensor.Ones(5, 5, 5)) })
			return []any{v, panicked}
		},
		"stopped shapes": func(x *tensor.Tensor) any {
			v, panicked := RecordShapes(func() { x.Exp().Add(tensor.Ones(5, 5, 5)) })
			return []any{v, fmt.Sprint(panicked)}
		},
		"program with constants": func(x *tensor.Tensor) any {
			return Program(func(y *tensor.Tensor) *tensor.Tensor { return y.Add(x).Mul(x.Detach()) }, tensor.Ones(64, 64))
		},
		"shown explorer": func(x *tensor.Tensor) any { e := Explore(x); e.MIMEBundle(); return e },
		"live plot": func(x *tensor.Tensor) any {
			p := Live("loss")
			p.Add(0, x.Sum())
			p.Add(1, x.Mean())
			p.Flush()
			return p
		},
		"random numbers": func(x *tensor.Tensor) any { tensor.Randn(3, 4); x.Bernoulli(); return RNG() },
		"stale error": func(x *tensor.Tensor) any {
			y := x.Exp()
			y.Detach().Mul_(2)
			err := tensor.Try(func() { y.Sum().Backward() })
			if err == nil {
				t.Error("no error")
			}
			return []any{err, Explain(err)}
		},
		"what views note": func(x *tensor.Tensor) any { return x.Detach().T().Clone().T() },
		"what a storage notes": func(x *tensor.Tensor) any {
			y := tensor.Ones(64, 64)
			y.Mul_(x.Detach())
			y.Add_(x.Detach())
			return []any{y, Versions(y)}
		},
		"shown": func(x *tensor.Tensor) any { return Show(x) },
	}
	for name, f := range anyTensorViews {
		cases[name] = func(x *tensor.Tensor) any { return f(x) }
	}
	for name, make := range map[string]func(x *tensor.Tensor){
		"shapes": func(x *tensor.Tensor) { x.Add(tensor.Ones(7, 3)) }, "view": func(x *tensor.Tensor) { x.T().View(-1) },
		"index": func(x *tensor.Tensor) { x.Select(0, 1<<30) }, "dim": func(x *tensor.Tensor) { x.Sum(opt.Dim(9)) },
		"matmul": func(x *tensor.Tensor) { x.Matmul(x.Narrow(0, 0, 3)) },
		"cat":    func(x *tensor.Tensor) { tensor.Cat([]*tensor.Tensor{x, tensor.Ones(2, 2)}) },
		"write":  func(x *tensor.Tensor) { x.Detach().Select(0, 0).Add_(x) }, "item": func(x *tensor.Tensor) { x.Item() },
	} {
		cases["error of "+name] = func(x *tensor.Tensor) any {
			err := tensor.Try(func() { make(x) })
			if err == nil {
				t.Error(name + ": no error")
			}
			return []any{err, Explain(err)}
		}
	}
	for name, f := range cases {
		s.Shown = &viewtest.Sink{}
		s.At("In[1]", 1, "y")
		var gone []weak.Pointer[tensor.Tensor]
		var held any
		func() {
			x := s.Name("x", tensor.Randn(96, 96).RequiresGrad_())
			y := x.Mul(0.5)
			seen := s.Name("y", y)
			runs.WithDrawLog(func() {
				defer func() { recover() }() // what rejects the tensor keeps it no more than what takes it
				held = f(seen)
			})
			gone = append(gone, weak.Make(x), weak.Make(y))
			clear(s.Named)
		}()
		if kept := collected(gone); kept != nil {
			t.Errorf("%s keeps tensors %v", name, kept)
		}
		runtime.KeepAlive(held)
	}
}
