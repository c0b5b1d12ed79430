package visualize

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func init() {
	addExamples(
		exampleView{"backward", func(s *session) View {
			x, w := s.leaf("x", 1, 2), s.leaf("w", 2, 2)
			s.at("In[2]", 1, "y")
			y := s.name("y", x.Mul(w).Tanh())
			s.at("In[2]", 2, "loss")
			loss := s.name("loss", y.Add(x).Sum())
			s.typed = []string{"loss"}
			return Backward(loss)
		}},
		exampleView{"backward_mlp", func(s *session) View { return Backward(mlp(s)) }},
		exampleView{"backward_loop", func(s *session) View {
			w := s.leaf("w", 1, 3)
			h := tensor.Ones(3)
			for range 100 {
				s.at("In[2]", 2, "h")
				h = h.Mul(w).Tanh()
			}
			s.at("In[2]", 3, "y")
			s.typed = []string{"y"}
			return Backward(h.Sum())
		}},
		exampleView{"backward_hook", func(s *session) View {
			x := s.leaf("x", 1, 3)
			x.Mul(2).Sum().Backward() // so that there is a Grad to add to
			s.at("In[2]", 1, "y")
			y := s.name("y", x.Exp())
			y.RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { return g.Mul(10) })
			s.at("In[2]", 2, "")
			s.typed = []string{"y", "opt.Gradient(g)"}
			return Backward(y, opt.Gradient(floats(3)))
		}},
		exampleView{"backward_roots", func(s *session) View {
			x := s.leaf("x", 1, 2)
			s.at("In[2]", 1, "a")
			a := s.name("a", x.Sum())
			s.at("In[2]", 2, "b")
			b := s.name("b", x.Mul(x).Sum())
			s.typed = []string{"a", "b"}
			return Backward(a, b)
		}},
		exampleView{"backward_write", func(s *session) View {
			a, b := s.leaf("a", 1, 2, 3), s.leaf("b", 2, 3)
			s.at("In[2]", 1, "h")
			h := a.Mul(2)
			s.at("In[2]", 2, "")
			h.Select(0, 1).Mul_(b)
			s.at("In[2]", 3, "y")
			s.typed = []string{"y"}
			return Backward(h.Sum())
		}},
		exampleView{"backward_second", func(s *session) View {
			x := s.leaf("x", 1, 2)
			s.at("In[2]", 1, "y")
			y := s.name("y", x.Mul(x).Mul(x).Sum())
			s.at("In[2]", 2, "")
			y.Backward(opt.CreateGraph(true))
			s.at("In[3]", 1, "z")
			g := s.name("g", x.Grad())
			s.typed = []string{"z"}
			z := g.Mul(g).Sum()
			return Backward(z)
		}},
	)
}
