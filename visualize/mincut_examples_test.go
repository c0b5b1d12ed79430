package visualize

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	layer := func(x, w *tensor.Tensor) *tensor.Tensor {
		return tensor.Gelu(x.Matmul(w)).Mul(2).Softmax(opt.Dim(-1)).Log().Sum()
	}
	addExamples(
		exampleView{"mincut", func(s *viewtest.Session) View {
			s.At("In[2]", 3, "y")
			s.Typed = []string{"layer", "x", "w"}
			return MinCut(layer, viewtest.Floats(8, 4), viewtest.Floats(4, 16))
		}},
		exampleView{"mincut_chain", func(s *viewtest.Session) View {
			s.Typed = []string{"f", "x"}
			return MinCut(func(x *tensor.Tensor) *tensor.Tensor { return x.Sin().Exp().Sigmoid().Cos() }, viewtest.Floats(64))
		}},
		exampleView{"operators_text", func(s *viewtest.Session) View { return Operators("shuffle") }},
		exampleView{"operators_class", func(s *viewtest.Session) View { return Operators("view", "dimension") }},
	)
}
