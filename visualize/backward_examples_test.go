package visualize

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"backward", func(s *viewtest.Session) View {
			x, w := s.Leaf("x", 1, 2), s.Leaf("w", 2, 2)
			s.At("In[2]", 1, "y")
			y := s.Name("y", x.Mul(w).Tanh())
			s.At("In[2]", 2, "loss")
			loss := s.Name("loss", y.Add(x).Sum())
			s.Typed = []string{"loss"}
			return Backward(loss)
		}},
		exampleView{"backward_mlp", func(s *viewtest.Session) View { return Backward(mlp(s)) }},
		exampleView{"backward_loop", func(s *viewtest.Session) View {
			w := s.Leaf("w", 1, 3)
			h := tensor.Ones(3)
			for range 100 {
				s.At("In[2]", 2, "h")
				h = h.Mul(w).Tanh()
			}
			s.At("In[2]", 3, "y")
			s.Typed = []string{"y"}
			return Backward(h.Sum())
		}},
		exampleView{"backward_hook", func(s *viewtest.Session) View {
			x := s.Leaf("x", 1, 3)
			x.Mul(2).Sum().Backward() // so that there is a Grad to add to
			s.At("In[2]", 1, "y")
			y := s.Name("y", x.Exp())
			y.RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { return g.Mul(10) })
			s.At("In[2]", 2, "")
			s.Typed = []string{"y", "opt.Gradient(g)"}
			return Backward(y, opt.Gradient(viewtest.Floats(3)))
		}},
		exampleView{"backward_roots", func(s *viewtest.Session) View {
			x := s.Leaf("x", 1, 2)
			s.At("In[2]", 1, "a")
			a := s.Name("a", x.Sum())
			s.At("In[2]", 2, "b")
			b := s.Name("b", x.Mul(x).Sum())
			s.Typed = []string{"a", "b"}
			return Backward(a, b)
		}},
		exampleView{"backward_write", func(s *viewtest.Session) View {
			a, b := s.Leaf("a", 1, 2, 3), s.Leaf("b", 2, 3)
			s.At("In[2]", 1, "h")
			h := a.Mul(2)
			s.At("In[2]", 2, "")
			h.Select(0, 1).Mul_(b)
			s.At("In[2]", 3, "y")
			s.Typed = []string{"y"}
			return Backward(h.Sum())
		}},
		exampleView{"backward_second", func(s *viewtest.Session) View {
			x := s.Leaf("x", 1, 2)
			s.At("In[2]", 1, "y")
			y := s.Name("y", x.Mul(x).Mul(x).Sum())
			s.At("In[2]", 2, "")
			y.Backward(opt.CreateGraph(true))
			s.At("In[3]", 1, "z")
			g := s.Name("g", x.Grad())
			s.Typed = []string{"z"}
			z := g.Mul(g).Sum()
			return Backward(z)
		}},
	)
}
