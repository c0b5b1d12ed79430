package visualize

import (
	"runtime"
	"strings"
	"testing"
	"weak"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"plan", func(s *viewtest.Session) View {
			x, y := s.Name("x", viewtest.Floats(2, 3)), s.Name("y", viewtest.Floats(3))
			return Plans(func() { s.At("In[3]", 1, "z"); x.Add(y) })
		}},
		exampleView{"plan_layouts", func(s *viewtest.Session) View {
			x := s.Name("x", viewtest.Floats(2, 3, 4, 5))
			last := s.Name("last", x.Contiguous(opt.MemoryFormat(tensor.ChannelsLast)))
			return Plans(func() {
				s.At("In[3]", 1, "")
				last.Mul(last)
				last.Mul(x)
			})
		}},
		exampleView{"plan_dtypes", func(s *viewtest.Session) View {
			n, x := s.Name("n", tensor.Arange(6)), s.Name("x", viewtest.Floats(6))
			half := s.Name("half", tensor.Ones(6).To(tensor.Float16))
			return Plans(func() {
				s.At("In[3]", 1, "")
				for range 3 {
					n.Add(x)
				}
				n.Mul(0.5)
				half.Add(tensor.Ones())
				n.Exp()
				x.Lt(1)
				x.Add_(n)
			})
		}},
		exampleView{"plan_reductions", func(s *viewtest.Session) View {
			x := s.Name("x", viewtest.Floats(4, 6))
			return Plans(func() {
				s.At("In[3]", 1, "")
				x.Sum(opt.Dim(0))
				x.Sum(opt.Dim(1))
				x.T().Matmul(x)
			})
		}},
		exampleView{"plan_error", func(s *viewtest.Session) View {
			x := s.Name("<x>", viewtest.Floats(2, 3))
			v, _ := RecordPlans(func() { x.Neg(); x.Add(viewtest.Floats(4)) })
			return v
		}},
		exampleView{"plan_none", func(s *viewtest.Session) View { return Plans(func() {}) }},
	)
	anyTensorViews["plan"] = func(x *tensor.Tensor) View {
		v, _ := RecordPlans(func() {
			if x.Numel() < 1<<20 { // the time is that of the function
				x.Neg()
			}
			x.Narrow(0, 0, 1).Sum()
		})
		return v
	}
}

// TestPlansRunTheLoops: the loops that a plan is written as compute what the call did.
func TestPlansRunTheLoops(t *testing.T) {
	viewtest.NewSession(t)
	x := tensor.Arange(48).To(tensor.Float32).View(4, 12)
	for _, pair := range [][2]*tensor.Tensor{
		{x, x.Narrow(0, 1, 1)}, {x.T(), x.T()}, {x.T(), x.T().Contiguous()}, {x.Narrow(1, 2, 4), x.Narrow(1, 0, 4)},
		{x.Select(1, 3), x.Select(1, 0)},
		{x.View(2, 2, 12).Permute(2, 0, 1), x.View(2, 2, 12).Permute(2, 0, 1).Narrow(1, 1, 1)},
	} {
		a, b := pair[0], pair[1]
		var sum *tensor.Tensor
		p := Plans(func() { sum = a.Sub(b) }).Calls[0]
		memory := x.Flatten()
		result := sum.Flatten()
		if !sum.IsContiguous() {
			result = tensor.FromStorage("test", sum.Storage(), []int{sum.Numel()}, []int{1}, 0, sum.Dtype())
		}
		index := make([]int, len(p.Loops))
		place := func(o *PlannedOperand) int {
			n := o.Offset
			for d, i := range index {
				n += i * o.Coalesced[d]
			}
			return n
		}
		value := func(x *tensor.Tensor, i int) float64 { v, _ := tensor.ScalarOf(x.At(i)); return v.Float() }
		steps := 0
		for done := false; !done; steps++ {
			out, in, other := place(&p.Operands[0]), place(&p.Operands[1]), place(&p.Operands[2])
			m := func(o *PlannedOperand, x *tensor.Tensor, at int) float64 {
				if x.Storage() != memory.Storage() && x != sum {
					return value(x.Flatten(), at) // a copy that lies row by row
				}
				return value(memory, at)
			}
			if got, want := value(result, out), m(&p.Operands[1], a, in)-m(&p.Operands[2], b, other); got != want {
				t.Fatalf("%v %v: result[%d] is %v, the loops say %v", a.Stride(), b.Stride(), out, got, want)
			}
			done = true
			for d := len(index) - 1; d >= 0 && done; d-- {
				if index[d]++; index[d] < p.Loops[d] {
					done = false
				} else {
					index[d] = 0
				}
			}
		}
		if steps != sum.Numel() {
			t.Errorf("%d steps for %d elements", steps, sum.Numel())
		}
	}
}

// TestPlansPanics: a panic of the function goes on, and nothing is recorded after it.
func TestPlansPanics(t *testing.T) {
	viewtest.NewSession(t)
	err := tensor.Try(func() { Plans(func() { viewtest.Floats(2).Add(viewtest.Floats(3)) }) })
	if err == nil || !strings.Contains(err.Error(), "size") {
		t.Errorf("the panic became %v", err)
	}
	if s := tensor.CurrentScope(); s != nil {
		t.Errorf("the scope is still open: %+v", s)
	}
}

// TestPlansKeepNothing: what the views of this family hold keeps no tensor alive.
func TestPlansKeepNothing(t *testing.T) {
	s := viewtest.NewSession(t)
	var views []any
	var gone []weak.Pointer[tensor.Tensor]
	func() {
		x := s.Name("x", tensor.Randn(64, 64))
		views = append(views, Order(x), Plans(func() {
			y := x.Add(x.T())
			gone = append(gone, weak.Make(x), weak.Make(y))
		}))
		clear(s.Named)
		s.Named = map[*tensor.Tensor]string{}
	}()
	for range 20 {
		runtime.GC()
	}
	for i, p := range gone {
		if p.Value() != nil {
			t.Errorf("tensor %d is kept alive", i)
		}
	}
	runtime.KeepAlive(views)
}
