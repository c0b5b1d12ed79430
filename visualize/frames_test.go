package visualize

import (
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/internal/viewtest"
)

// withFunctions is a host that knows that lines of cell 1 stand in a function.
type withFunctions struct{ display.Host }

func (withFunctions) FuncAt(cell string, line int) string {
	if cell == "In[1]" {
		return "block"
	}
	return ""
}

// TestGraphFrames: a function that is called twice has a frame for each call; where another node stands between its
// own, it has none.
func TestGraphFrames(t *testing.T) {
	for _, c := range []struct {
		name   string
		frames int
		make   func(s *viewtest.Session, block, apart func(x *tensor.Tensor) *tensor.Tensor) *tensor.Tensor
	}{
		{"twice", 2, func(s *viewtest.Session, block, apart func(x *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
			return block(apart(block(s.Leaf("x", 1, 3))))
		}},
		{"around another", 0, func(s *viewtest.Session, _, apart func(x *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
			s.At("In[1]", 2, "h")
			h := s.Leaf("x", 1, 3).Exp()
			y := apart(h)
			s.At("In[1]", 3, "out")
			return h.Add(y)
		}},
		{"none", 0, func(s *viewtest.Session, block, apart func(x *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
			return apart(s.Leaf("x", 1, 3)).Tanh()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := viewtest.NewSession(t)
			block := func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[1]", 2, "h")
				h := x.Exp()
				s.At("In[1]", 3, "")
				return h.Add(x)
			}
			apart := func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 1, "y")
				return x.Sigmoid()
			}
			y := c.make(s, block, apart)
			bare := Graph(y).SVG()
			was := display.CurrentHost()
			display.Attach(func() display.Host { return withFunctions{was} })
			t.Cleanup(func() { display.Attach(func() display.Host { return was }) })
			g := Graph(y)
			viewtest.CheckForms(t, g)
			if n := strings.Count(g.SVG(), "<title>func block</title>"); n != c.frames {
				t.Errorf("%d frames, not %d", n, c.frames)
			}
			if same := g.SVG() == bare; same != (c.frames == 0) {
				t.Errorf("the graph is as one without functions: %v, with %d frames", same, c.frames)
			}
		})
	}
}
