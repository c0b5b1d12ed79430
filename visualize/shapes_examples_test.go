package visualize

import (
	"runtime"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"shapes", func(s *viewtest.Session) View {
			x, w := s.Name("x", viewtest.Floats(8, 20)), s.Name("w", viewtest.Floats(20, 5).RequiresGrad_())
			return Shapes(func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 2, "h")
				h := x.Matmul(w).Add(1)
				s.At("In[2]", 3, "top")
				top := h.Narrow(0, 0, 2)
				s.At("In[2]", 4, "")
				top.Mul_(2)
				return h.Sum()
			}, x)
		}},
		exampleView{"shapes_clash", func(s *viewtest.Session) View {
			x, b := s.Name("x", viewtest.Floats(8, 20)), s.Name("b", viewtest.Floats(8))
			return Shapes(func() {
				s.At("In[2]", 1, "h")
				h := x.Exp()
				s.At("In[2]", 2, "y")
				h.Add(b)
			})
		}},
		exampleView{"shapes_huge", func(s *viewtest.Session) View {
			x := s.Name("x", metaMatrix(100000))
			return Shapes(func() {
				s.At("In[2]", 1, "")
				for range 50 {
					x = x.Matmul(x).Tanh()
				}
			})
		}},
		exampleView{"shapes_values", func(s *viewtest.Session) View {
			x := s.Name("x", viewtest.Floats(8))
			return Shapes(func() {
				s.At("In[2]", 1, "")
				x.Sum().Item()
			})
		}},
		exampleView{"shapes_none", func(s *viewtest.Session) View { return Shapes(func() {}) }},
	)
}

// TestShapesLeaves: what is run for its shapes leaves tensors, gradients and random numbers as they are; writes,
// views and gradients have the shapes that they would have.
func TestShapesLeaves(t *testing.T) {
	viewtest.NewSession(t)
	x, w := viewtest.Floats(4, 3), viewtest.Floats(3, 2).RequiresGrad_()
	row := x.Narrow(0, 1, 1)
	state := tensor.DefaultGenerator().GetState()
	var grad []int
	v := Shapes(func() {
		x.Add_(1)
		row.Zero_()
		h := tensor.Dropout(x.Matmul(w), opt.P(0.5))
		tensor.Randn(5)
		h.Sum().Backward()
		grad = w.Grad().Shape()
		w.SetGrad(nil)
	})
	if v.Error != "" {
		t.Fatal(v.Error)
	}
	if draw.Join(grad, " ") != "3 2" || w.Grad() != nil {
		t.Errorf("the gradient has shape %v inside, and is %v after", grad, w.Grad())
	}
	if x.Storage().Version() != 0 || x.At(0, 1) != 0.25 || x.Device() != tensor.CPU {
		t.Errorf("x was changed: %v", x)
	}
	if tensor.DefaultGenerator().GetState() != state {
		t.Error("random numbers were drawn")
	}
	if tensor.CurrentScope() != nil {
		t.Error("the scope is left open")
	}
}

// TestShapesValues: a value that the run has not touched may be read; one that it would have computed or written may
// not.
func TestShapesValues(t *testing.T) {
	viewtest.NewSession(t)
	n, x := tensor.FromSlice([]int64{2}, 1), viewtest.Floats(4, 3)
	v := Shapes(func() { x.Narrow(0, 0, n.ItemInt()).Exp() })
	if v.Error != "" || draw.Join(v.Lines[1].Results[0].Shape, " ") != "2 3" {
		t.Errorf("%s %v", v.Error, v.Lines)
	}
	for name, f := range map[string]func(){
		"written": func() {
			n.Add_(1)
			n.ItemInt()
		}, "computed": func() { n.Add(1).ItemInt() }, "mask": func() { x.Index(x.Gt(1)) },
		"nonzero": func() { x.Nonzero() }, "lent": func() { tensor.WithData(x, func([]float32) {}) },
	} {
		v := Shapes(f)
		if !strings.Contains(v.Text(false), "depends on values") {
			t.Errorf("%s: %q", name, v.Text(false))
		}
	}
}

// TestShapesFrees: neither the view nor the run keeps tensors.
func TestShapesFrees(t *testing.T) {
	viewtest.NewSession(t)
	freed := make(chan bool, 1)
	x := viewtest.Floats(100)
	runtime.AddCleanup(x, func(c chan bool) { c <- true }, freed)
	v := Shapes(func() { x.Exp().Add(x) })
	x = nil
	for range 20 {
		runtime.GC()
		select {
		case <-freed:
			runtime.KeepAlive(v)
			return
		default:
		}
	}
	t.Error("the tensor is kept")
}

// TestShapesPanics: a panic that is no error of a tensor goes on.
func TestShapesPanics(t *testing.T) {
	viewtest.NewSession(t)
	defer func() {
		if recover() != "own" || tensor.CurrentScope() != nil {
			t.Error("the panic does not go on")
		}
	}()
	Shapes(func() { viewtest.Floats(2).Exp(); panic("own") })
}

// metaMatrix has no elements, however large it is.
func metaMatrix(n int) (x *tensor.Tensor) {
	tensor.OnDevice(tensor.Meta, func() { x = tensor.Zeros(n, n) })
	return x
}
