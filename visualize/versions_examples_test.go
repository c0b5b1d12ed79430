package visualize

import (
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	anyTensorViews["versions"] = func(x *tensor.Tensor) View { return Versions(x) }
	addExamples(
		exampleView{"versions", func(s *viewtest.Session) View {
			x := s.Leaf("x", 1, 3)
			s.At("In[2]", 1, "y")
			y := s.Name("y", x.Exp())
			s.At("In[2]", 2, "z")
			s.Name("z", y.Square())
			s.At("In[3]", 1, "")
			y.Mul_(2)
			s.At("In[3]", 2, "")
			y.Select(0, 1).Fill_(7)
			s.Typed = []string{"y"}
			return Versions(y)
		}},
		exampleView{"versions_stale", func(s *viewtest.Session) View { return Explain(stale(s)) }},
		exampleView{"versions_loop", func(s *viewtest.Session) View {
			x := s.Leaf("w", 1, 3)
			w := s.Name("w", x.Detach())
			for i := range 100 {
				s.At("In[4]", 2, "")
				w.Add_(0.5)
				if i%40 == 9 {
					s.At("In[4]", 3, "")
					s.Name("y"+draw.Subscript(i), w.Mul(x))
				}
			}
			return Versions(w)
		}},
		exampleView{"card_grad", func(s *viewtest.Session) View {
			x := s.Leaf("x", 1, 3)
			s.At("In[2]", 1, "y")
			return Card(s.Name("y", x.Mul(2)))
		}},
		exampleView{"card_shared", func(s *viewtest.Session) View {
			x := tensor.Zeros(1 << 19)
			s.At("In[2]", 1, "a")
			s.Name("a", x.Narrow(0, 7, 4))
			s.At("In[2]", 2, "b")
			return Card(s.Name("b", x.Narrow(0, 9, 100)))
		}},
		exampleView{"versions_new", func(s *viewtest.Session) View {
			return Versions(s.Name("a<b>", viewtest.Floats(2, 2)))
		}},
	)
}

// stale is the error of a saved tensor that was written to.
func stale(s *viewtest.Session) error {
	x := s.Leaf("x", 1, 2)
	s.At("In[2]", 1, "y")
	y := s.Name("y", x.Exp())
	s.At("In[3]", 1, "")
	y.Mul_(2)
	s.At("In[3]", 2, "")
	y.Add_(1)
	return tensor.Try(func() { y.Sum().Backward(opt.RetainGraph(true)) })
}

// TestExplain: an error has its picture, and other errors have none.
func TestExplain(t *testing.T) {
	s := viewtest.NewSession(t)
	s.Source = func(at tensor.Site) string { return "y.Write(" + at.String() + ")" }
	v := Explain(stale(s))
	if v == nil {
		t.Fatal("no picture of a stale saved tensor")
	}
	text := v.Text(false)
	for _, want := range []string{"v0  as it was made", "exp saved the result (ExpBackward0 @ In[2]:1): stale",
		"v1  mul_", "y.Write(In[3]:2)", "◂ now", "needs version 0 and finds version 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, err := range []error{nil, tensor.Try(func() {
		viewtest.Floats(2).Add(viewtest.Floats(3))
	}), strings.NewReader("").UnreadByte()} {
		if e, ok := err.(*tensor.Error); ok && e.Details != nil {
			continue
		}
		if v := Explain(err); v != nil {
			t.Errorf("a picture of %v: %v", err, v)
		}
	}
}
