package visualize

import (
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
	"gotorch/visualize/programs"
)

func init() {
	softmax := func(x, w *tensor.Tensor) *tensor.Tensor {
		x.Exp() // for nothing
		return x.Mul(w).Softmax(opt.Dim(-1)).Sum()
	}
	addExamples(
		exampleView{"program", func(s *viewtest.Session) View {
			s.At("In[2]", 3, "y")
			s.Typed = []string{"f", "x", "w"}
			return Program(softmax, viewtest.Floats(2, 3), viewtest.Floats(3))
		}},
		exampleView{"program_vmap", func(s *viewtest.Session) View {
			w := s.Name("w", viewtest.Floats(3))
			s.Typed = []string{"autograd.Vmap(f)", "x"}
			return Program(autograd.Vmap(func(x *tensor.Tensor) *tensor.Tensor { return softmax(x, w) }), viewtest.Floats(8, 3))
		}},
		exampleView{"program_jvp", func(s *viewtest.Session) View {
			return Program(func(x, t *tensor.Tensor) *tensor.Tensor {
				_, d := autograd.JVP(func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x).Sin().Sum() }, []*tensor.Tensor{x},
					[]*tensor.Tensor{t})
				return d[0]
			}, viewtest.Floats(3), viewtest.Floats(3))
		}},
		exampleView{"program_long", func(s *viewtest.Session) View {
			return Program(func(x *tensor.Tensor) *tensor.Tensor {
				for range 500 {
					x = x.Mul(2)
				}
				return x
			}, viewtest.Floats(3))
		}},
		exampleView{"program_guards", func(s *viewtest.Session) View {
			s.At("In[3]", 2, "y")
			s.Typed = []string{"f", "x"}
			return programs.Functionalize(Program(func(x *tensor.Tensor) *tensor.Tensor {
				y := x.Clone()
				if x.Sum().Item() > 0 {
					y.Select(0, 0).Mul_(2)
				}
				return y
			}, viewtest.Floats(2, 3)))
		}},
		exampleView{"layers_vmap", func(s *viewtest.Session) (v View) {
			s.Typed = []string{"row"}
			autograd.Vmap(func(row *tensor.Tensor) *tensor.Tensor { v = Layers(row); return row })(viewtest.Floats(4, 3))
			return v
		}},
		exampleView{"layers_nested", func(s *viewtest.Session) (v View) {
			s.Typed = []string{"<x>"}
			autograd.Vmap(func(x *tensor.Tensor) *tensor.Tensor {
				autograd.JVP(func(x *tensor.Tensor) *tensor.Tensor {
					v = Layers(x)
					return x
				}, []*tensor.Tensor{x}, []*tensor.Tensor{x.Mul(2)})
				return x
			})(viewtest.Floats(2, 3))
			return v
		}},
		exampleView{"layers_none", func(s *viewtest.Session) View { return Layers(viewtest.Floats(3)) }},
	)
}

// A program that is run again gives what the function gives, on the tensors that it was captured with and on others.
func TestProgramRun(t *testing.T) {
	w := viewtest.Floats(3, 3).Sin()
	for name, f := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"plain": func(x *tensor.Tensor) *tensor.Tensor { return x.Matmul(w).Softmax(opt.Dim(1)).Mul(0.5) },
		"index": func(x *tensor.Tensor) *tensor.Tensor {
			return x.Index(tensor.Slice(1, nil, nil), tensor.FromSlice([]int64{2, 0}, 2)).T()
		},
		"write": func(x *tensor.Tensor) *tensor.Tensor {
			y := x.Clone()
			y.Select(0, 1).Mul_(3)
			return y.Clamp(opt.Min(0.2), opt.Max(1)).Relu()
		},
		"vmap": func(x *tensor.Tensor) *tensor.Tensor {
			return autograd.Vmap(func(x *tensor.Tensor) *tensor.Tensor { return x.Cumsum(0).Sub(x.Mean()) })(x)
		},
		"grad": func(x *tensor.Tensor) *tensor.Tensor {
			y := x.Detach().RequiresGrad_()
			return autograd.Grad([]*tensor.Tensor{y.Sin().Mul(y).Sum()}, []*tensor.Tensor{y})[0]
		},
		"jvp": func(x *tensor.Tensor) *tensor.Tensor {
			_, d := autograd.JVP(func(x *tensor.Tensor) *tensor.Tensor { return x.Matmul(w).Tanh() }, []*tensor.Tensor{x},
				[]*tensor.Tensor{x})
			return d[0]
		},
		"list": func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Cat(append(x.Split(1), tensor.Full([]int{1, 3}, 7)), opt.Dim(0))
		},
	} {
		p := Program(f, viewtest.Floats(2, 3))
		for _, x := range []*tensor.Tensor{viewtest.Floats(2, 3), viewtest.Floats(2, 3).Cos()} {
			got := p.Run(x)
			if len(got) != 1 || !tensor.Equal(got[0], f(x)) {
				t.Errorf("%s: %v, want %v\n%v", name, got, f(x), p)
			}
		}
	}
	r := Program(func(x *tensor.Tensor) *tensor.Tensor { x.Exp(); y := x.Sin(); y.Cos(); return y }, viewtest.Floats(2))
	if s := r.Steps; len(s) != 3 || !s[0].Dead || s[1].Dead || !s[2].Dead {
		t.Errorf("dead steps:\n%v", r)
	}
	if err := tensor.Try(func() { r.Run() }); err == nil || !strings.Contains(err.Error(), "takes 1 tensors") {
		t.Error(err)
	}
}

// TestProgramNames: variables are those of the user, what is assigned twice has a number, and what has no name is
// numbered; the list of variables is whole.
func TestProgramNames(t *testing.T) {
	s := viewtest.NewSession(t)
	x := s.Name("x", viewtest.Floats(3, 3))
	w := s.Name("layers[0].Query.Weight", viewtest.Floats(3, 3))
	p, _ := programs.RecordProgram(func() {
		s.At("In[2]", 1, "h")
		h := x.Matmul(w).Relu()
		for range 3 {
			s.At("In[2]", 3, "h")
			h = h.Mul(h)
			s.At("In[2]", 4, "k") // on one line with the next
			k := h.Exp()
			s.At("In[2]", 4, "l")
			l := k.Add(h)
			s.At("In[2]", 5, "lo, hi")
			lo, hi := l.Aminmax()
			s.At("In[2]", 6, "")
			h = lo.Add(hi)
		}
	})
	text := p.String()
	for _, want := range []string{"matmul(x, layers[0].Query.Weight)", "h:float32[3 3]", "h₂:", "h₃:", "k₃:", "l₂:",
		"add(k, h₂)", "lo:float32[], hi:float32[]", "add(lo₂, hi₂)", "#1:"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	seen := map[string]bool{}
	for _, st := range p.Steps {
		for _, v := range st.Results {
			if seen[v.Name] {
				t.Errorf("two variables are named %s", v.Name)
			}
			seen[v.Name] = true
		}
		for _, u := range st.Uses {
			if !seen[u] && u != "x" && u != "layers[0].Query.Weight" {
				t.Errorf("%s is used, and nothing made it", u)
			}
		}
	}
	many := make([]*tensor.Tensor, 20)
	for i := range many {
		many[i] = s.Name("blocks[3].Attention.Query.Weight"+strings.Repeat("X", i), viewtest.Floats(2))
	}
	q, _ := programs.RecordProgram(func() { tensor.Stack(many) })
	for _, line := range strings.Split(q.SVG(), "</text>") {
		if n := draw.Width(line[strings.LastIndex(line, ">")+1:]); n > 112 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	if text := q.String(); strings.Count(text[:strings.Index(text, "stack")], ":float32[2]") != 20 {
		t.Error(text)
	}
}
