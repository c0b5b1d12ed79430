package visualize

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"memory", func(s *viewtest.Session) View {
			steady(s)
			x, w := s.Name("x", viewtest.Floats(16, 8)), s.Leaf("w", 1, 8, 4)
			return Memory(func() {
				s.At("In[2]", 1, "h")
				h := s.Name("h", x.Matmul(w).Relu())
				s.At("In[2]", 2, "loss")
				loss := s.Name("loss", h.Exp().Mean())
				s.At("In[2]", 3, "")
				loss.Backward()
			})
		}},
		exampleView{"memory_loop", func(s *viewtest.Session) View {
			steady(s)
			x := s.Name("x", viewtest.Floats(64, 64))
			return Memory(func() {
				for range 60 {
					s.At("In[2]", 2, "x")
					delete(s.Named, x)
					x = s.Name("x", x.Mul(2).Add(1))
				}
			})
		}},
		exampleView{"memory_grown", func(s *viewtest.Session) View {
			steady(s)
			return Memory(func() {
				s.At("In[2]", 1, "out")
				out := s.Name("out", tensor.Zeros(0))
				s.At("In[2]", 2, "")
				tensor.Add(tensor.Ones(100), 1, opt.Out(out))
			})
		}},
		exampleView{"memory_none", func(s *viewtest.Session) View { steady(s); return Memory(func() {}) }},
	)
	anyTensorViews["memory"] = func(x *tensor.Tensor) View { return Memory(func() { x.Detach() }) }
}
