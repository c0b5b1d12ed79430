package tensor_test

import (
	"fmt"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
)

// TestModeStack: modes nest, the innermost first; what a handler calls goes to the outer ones.
func TestModeStack(t *testing.T) {
	var log []string
	note := func(name string) func(c *tensor.Call) {
		return func(c *tensor.Call) {
			log = append(log, name+" "+c.Name())
			c.Next()
		}
	}
	x := tensor.Ones(2)
	tensor.WithMode(note("outer"), func() {
		tensor.WithMode(func(c *tensor.Call) {
			note("inner")(c)
			x.Neg()
		}, func() {
			x.Add(1)
			if got := fmt.Sprint(tensor.Modes()); got != "[inner outer]" {
				t.Error(got)
			}
		}, "inner")
		x.Exp()
	}, "outer")
	x.Sub(1)
	if got := strings.Join(log, ", "); got != "inner add, outer add, outer neg, outer exp" {
		t.Error(got)
	}
	done := make(chan int)
	tensor.WithMode(note("here"), func() {
		go func() { x.Abs(); done <- len(tensor.Modes()) }()
		if n := <-done; n != 0 {
			t.Error("a goroutine inherits modes")
		}
	})
	err := tensor.Try(func() { tensor.WithMode(note("a"), func() { x.View(7) }) })
	if err == nil || len(tensor.Modes()) != 0 {
		t.Error("a panic leaves the mode on", err)
	}
}

// TestModeAnswers: a handler may change the arguments, the results, or answer.
func TestModeAnswers(t *testing.T) {
	x := tensor.New([]float32{1, 2})
	double := func(c *tensor.Call) {
		c.Return(c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor { return t.Mul(2) }, nil)...)
	}
	tensor.WithMode(double, func() {
		if got := x.Neg().String(); got != "tensor([-2., -4.])" {
			t.Error(got)
		}
	})
	w := x.Clone().RequiresGrad_()
	tensor.WithMode(func(c *tensor.Call) {
		if c.Op.Name == "exp" {
			c.Return(c.Tensor(0).Sin())
			return
		}
		c.Next()
	}, func() { w.Exp().Sum().Backward() })
	if !tensor.Equal(w.Grad(), x.Cos()) {
		t.Error(w.Grad())
	}
	var seen []string
	tensor.WithMode(func(c *tensor.Call) { seen = append(seen, c.Name()); c.Next() }, func() {
		y := autograd.Vmap(func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x) })(tensor.Ones(3, 2))
		y.Add_(1)
	})
	if got := strings.Join(seen, " "); !strings.Contains(got, "mul") || !strings.HasSuffix(got, "add_") {
		t.Error(got)
	}
}

// TestModeNonsense: handlers that panic, forget, or answer wrongly end in an error, and the mode ends.
func TestModeNonsense(t *testing.T) {
	x := tensor.Ones(2)
	for want, h := range map[string]func(c *tensor.Call){
		"the mode m neither forwarded nor answered the call":   func(c *tensor.Call) {},
		"answered with 2 results; the operator has 1":          func(c *tensor.Call) { c.Return(x, x) },
		"answered with a nil tensor as result 0":               func(c *tensor.Call) { c.Return(nil) },
		"answered a call that writes into a tensor with anoth": func(c *tensor.Call) { c.Return(tensor.Ones(2)) },
		"no": func(c *tensor.Call) { panic(tensor.Errorf("handler", "no")) },
	} {
		err := tensor.Try(func() {
			tensor.WithMode(h, func() {
				if strings.Contains(want, "writes") {
					x.Add_(1)
				}
				x.Add(1)
			}, "m")
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if len(tensor.Modes()) != 0 {
			t.Fatal("the mode is still on")
		}
	}
	if err := tensor.Try(func() { tensor.WithMode(nil, func() {}) }); err == nil {
		t.Error("a nil handler was taken")
	}
}

// TestModeExamples: what modes are for: the first NaN, the peak of memory, a check of every result against float64,
// and autocast.
func TestModeExamples(t *testing.T) {
	nan := ""
	tensor.WithMode(func(c *tensor.Call) {
		c.Next()
		for _, r := range c.Results() {
			if nan == "" && r.Dtype().IsFloatingPoint() && r.Isnan().Any().ItemBool() {
				nan = c.Name()
			}
		}
	}, func() { tensor.New([]float32{-1, 1}).Sqrt().Mul(2).Exp() })
	if nan != "sqrt" {
		t.Error("the first NaN came from", nan)
	}

	live, peak := map[*tensor.Storage]bool{}, 0
	tensor.WithMode(func(c *tensor.Call) {
		c.Next()
		for _, r := range c.Results() {
			if s := r.Storage(); !live[s] {
				live[s] = true
				peak += s.Nbytes()
			}
		}
	}, func() { tensor.Ones(256).Exp().View(16, 16).T() })
	if peak != 2*256*4 {
		t.Error("made", peak, "bytes")
	}

	worst := 0.0
	tensor.WithMode(func(c *tensor.Call) {
		c.Next()
		if r := c.Results()[0]; r.Dtype() == tensor.Float32 && strings.HasSuffix(c.Op.Name, "softmax") {
			exact := c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor { return t.Double() }, nil)[0]
			worst = max(worst, exact.Sub(r).Abs().Max().Item())
		}
	}, func() { tensor.Randn(8, 8).Softmax(tensor.NewOption("dim", 1)) })
	if worst == 0 || worst > 1e-6 {
		t.Error("the verifier finds", worst)
	}

	autocast := func(c *tensor.Call) {
		if n := c.Op.Name; n != "mm" && n != "matmul" && n != "nn.functional.linear" {
			c.Next()
			return
		}
		c.Return(c.Again(func(_ int, t *tensor.Tensor) *tensor.Tensor { return t.To(tensor.Bfloat16) }, nil)...)
	}
	a, b := tensor.Rand(4, 4).RequiresGrad_(), tensor.Rand(4, 4)
	tensor.WithMode(autocast, func() {
		y := tensor.Matmul(a, b)
		if y.Dtype() != tensor.Bfloat16 || a.Add(b).Dtype() != tensor.Float32 {
			t.Error(y.Dtype())
		}
		y.Float().Sum().Backward()
	}, "autocast")
	if a.Grad().Dtype() != tensor.Float32 {
		t.Error(a.Grad().Dtype())
	}
}

func BenchmarkModeOff(b *testing.B) {
	x := tensor.Ones(1)
	for b.Loop() {
		x.Add(x)
	}
}
