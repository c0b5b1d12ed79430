package visualize

import (
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

// failing is the picture of the error that f panics with.
func failing(s *viewtest.Session, typed []string, f func()) View {
	s.Operands = func(string) [][]string {
		if typed == nil {
			return nil
		}
		return [][]string{typed}
	}
	defer func() { s.Operands = nil }()
	return Explain(tensor.Try(f))
}

func init() {
	addExamples(
		exampleView{"broadcast", func(s *viewtest.Session) View {
			s.Typed = []string{"x", "y"}
			return Broadcast(viewtest.Floats(2, 3, 4), viewtest.Floats(3, 1))
		}},
		exampleView{"broadcast_clash", func(s *viewtest.Session) View {
			s.Typed = []string{"x", "y", "z"}
			return Broadcast(viewtest.Floats(2, 3), viewtest.Floats(2, 4), viewtest.Floats(5, 1, 1))
		}},
		exampleView{"broadcast_many", func(s *viewtest.Session) View {
			var xs []*tensor.Tensor
			for i := range 30 {
				xs = append(xs, viewtest.Floats(1, 1+i%2*2))
			}
			xs = append(xs, viewtest.Floats(7))
			return Broadcast(xs...)
		}},
		exampleView{"broadcast_numbers", func(s *viewtest.Session) View {
			return Broadcast(viewtest.Floats(), viewtest.Floats(0), viewtest.Floats(1))
		}},
		exampleView{"broadcast_none", func(s *viewtest.Session) View { return Broadcast() }},
		exampleView{"error_broadcast", func(s *viewtest.Session) View {
			x := s.Name("x", viewtest.Floats(2, 3))
			return failing(s, []string{"x", "row"}, func() { x.Add(viewtest.Floats(2)) })
		}},
		exampleView{"error_expand", func(s *viewtest.Session) View {
			x := s.Name("x", viewtest.Floats(2, 3))
			return failing(s, nil, func() { x.Expand(4, 2, 4) })
		}},
		exampleView{"error_write", func(s *viewtest.Session) View {
			x, y := s.Name("x", viewtest.Floats(2, 3)), viewtest.Floats(5, 2, 3)
			return failing(s, nil, func() { x.Add_(y) })
		}},
		exampleView{"error_cat", func(s *viewtest.Session) View {
			x, y := s.Name("x", viewtest.Floats(2, 3)), s.Name("y", viewtest.Floats(2, 4))
			return failing(s, nil, func() { tensor.Cat([]*tensor.Tensor{x, y}) })
		}},
		exampleView{"error_view", func(s *viewtest.Session) View {
			x := viewtest.Floats(2, 3, 4).Permute(1, 0, 2)
			return failing(s, []string{"x"}, func() { x.View(6, 4) })
		}},
		exampleView{"error_view_count", func(s *viewtest.Session) View {
			return failing(s, []string{"x"}, func() { viewtest.Floats(3, 4).View(5, -1) })
		}},
		exampleView{"error_index", func(s *viewtest.Session) View {
			x := s.Name("x", viewtest.Floats(3, 24))
			return failing(s, nil, func() { x.Index(0, 30) })
		}},
		exampleView{"error_dim", func(s *viewtest.Session) View {
			return failing(s, nil, func() { viewtest.Floats(3, 4).Sum(opt.Dim(2)) })
		}},
		exampleView{"error_matmul", func(s *viewtest.Session) View {
			x, y := s.Name("x", viewtest.Floats(4, 3)), s.Name("y", viewtest.Floats(5, 3))
			return failing(s, []string{"x", "y"}, func() { x.Matmul(y) })
		}},
		exampleView{"error_linear", func(s *viewtest.Session) View {
			x, w := s.Name("x", viewtest.Floats(4, 3)), s.Name("net.W", viewtest.Floats(5, 2))
			return failing(s, nil, func() { tensor.Linear(x, w) })
		}},
	)
}

// TestExplainNames: of several calls in a line the one is meant whose shapes are those of the error; where that is
// not sure, nothing is said.
func TestExplainNames(t *testing.T) {
	s := viewtest.NewSession(t)
	x, y := s.Name("x", viewtest.Floats(2, 3)), s.Name("y", viewtest.Floats(4))
	for _, c := range []struct {
		typed [][]string
		want  string
	}{
		{[][]string{{"x", "f(2)"}}, "x f(2)"},
		{[][]string{{"y", "f(2)"}, {"x", "g(4)"}}, "x g(4)"},
		{[][]string{{"a + x", "f(2)"}, {"x", "g(4)"}}, "x y"},
		{[][]string{{"x"}}, "x y"},
		{nil, "x y"},
	} {
		s.Operands = func(string) [][]string { return c.typed }
		b := Explain(tensor.Try(func() { x.Add(y) })).(*Broadcasting)
		s.Operands = nil
		if got := b.Operands[0].Name + " " + b.Operands[1].Name; got != c.want {
			t.Errorf("%v: %s, want %s", c.typed, got, c.want)
		}
	}
}

// TestAdvice: what is advised broadcasts, and has the shape that is told.
func TestAdvice(t *testing.T) {
	viewtest.NewSession(t)
	for _, c := range []struct {
		x, y []int
		want string
	}{
		{[]int{2, 3}, []int{2}, "b.Unsqueeze(1)"},
		{[]int{2, 3, 4}, []int{2}, "b.View(2, 1, 1)"},
		{[]int{2, 3, 4}, []int{2, 4}, "b.Unsqueeze(1)"},
		{[]int{2, 3}, []int{3, 2}, "b.T()"},
		{[]int{3}, []int{4}, "a.Unsqueeze(1)"},
		{[]int{2, 3}, []int{4, 5}, ""},
	} {
		b := Explain(tensor.Try(func() { viewtest.Floats(c.x...).Add(viewtest.Floats(c.y...)) })).(*Broadcasting)
		var got []string
		for _, h := range b.Hints {
			got = append(got, h.Expr)
			other := c.x
			if strings.HasPrefix(h.Expr, "a") {
				other = c.y
			}
			if sum := viewtest.Floats(other...).Add(viewtest.Floats(h.Shape...)); draw.Join(sum.Shape(), " ") != draw.Join(h.Gives, " ") {
				t.Errorf("%v, %v: %s gives %v, not %v", c.x, c.y, h.Expr, sum.Shape(), h.Gives)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%v, %v: advice %q, want %q", c.x, c.y, got, c.want)
		}
	}
}
