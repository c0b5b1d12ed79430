package visualize

import (
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// failing is the picture of the error that f panics with.
func failing(s *session, typed []string, f func()) View {
	SetOperandTexts(func(string) [][]string {
		if typed == nil {
			return nil
		}
		return [][]string{typed}
	})
	defer SetOperandTexts(nil)
	return Explain(tensor.Try(f))
}

func init() {
	addExamples(
		exampleView{"broadcast", func(s *session) View {
			s.typed = []string{"x", "y"}
			return Broadcast(floats(2, 3, 4), floats(3, 1))
		}},
		exampleView{"broadcast_clash", func(s *session) View {
			s.typed = []string{"x", "y", "z"}
			return Broadcast(floats(2, 3), floats(2, 4), floats(5, 1, 1))
		}},
		exampleView{"broadcast_many", func(s *session) View {
			var xs []*tensor.Tensor
			for i := range 30 {
				xs = append(xs, floats(1, 1+i%2*2))
			}
			xs = append(xs, floats(7))
			return Broadcast(xs...)
		}},
		exampleView{"broadcast_numbers", func(s *session) View { return Broadcast(floats(), floats(0), floats(1)) }},
		exampleView{"broadcast_none", func(s *session) View { return Broadcast() }},
		exampleView{"error_broadcast", func(s *session) View {
			x := s.name("x", floats(2, 3))
			return failing(s, []string{"x", "row"}, func() { x.Add(floats(2)) })
		}},
		exampleView{"error_expand", func(s *session) View {
			x := s.name("x", floats(2, 3))
			return failing(s, nil, func() { x.Expand(4, 2, 4) })
		}},
		exampleView{"error_write", func(s *session) View {
			x, y := s.name("x", floats(2, 3)), floats(5, 2, 3)
			return failing(s, nil, func() { x.Add_(y) })
		}},
		exampleView{"error_cat", func(s *session) View {
			x, y := s.name("x", floats(2, 3)), s.name("y", floats(2, 4))
			return failing(s, nil, func() { tensor.Cat([]*tensor.Tensor{x, y}) })
		}},
		exampleView{"error_view", func(s *session) View {
			x := floats(2, 3, 4).Permute(1, 0, 2)
			return failing(s, []string{"x"}, func() { x.View(6, 4) })
		}},
		exampleView{"error_view_count", func(s *session) View {
			return failing(s, []string{"x"}, func() { floats(3, 4).View(5, -1) })
		}},
		exampleView{"error_index", func(s *session) View {
			x := s.name("x", floats(3, 24))
			return failing(s, nil, func() { x.Index(0, 30) })
		}},
		exampleView{"error_dim", func(s *session) View {
			return failing(s, nil, func() { floats(3, 4).Sum(opt.Dim(2)) })
		}},
		exampleView{"error_matmul", func(s *session) View {
			x, y := s.name("x", floats(4, 3)), s.name("y", floats(5, 3))
			return failing(s, []string{"x", "y"}, func() { x.Matmul(y) })
		}},
		exampleView{"error_linear", func(s *session) View {
			x, w := s.name("x", floats(4, 3)), s.name("net.W", floats(5, 2))
			return failing(s, nil, func() { tensor.Linear(x, w) })
		}},
	)
}

// TestExplainNames: of several calls in a line the one is meant whose shapes are those of the error; where that is not sure, nothing is said.
func TestExplainNames(t *testing.T) {
	s := newSession(t)
	x, y := s.name("x", floats(2, 3)), s.name("y", floats(4))
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
		SetOperandTexts(func(string) [][]string { return c.typed })
		b := Explain(tensor.Try(func() { x.Add(y) })).(*Broadcasting)
		SetOperandTexts(nil)
		if got := b.Operands[0].Name + " " + b.Operands[1].Name; got != c.want {
			t.Errorf("%v: %s, want %s", c.typed, got, c.want)
		}
	}
}

// TestAdvice: what is advised broadcasts, and has the shape that is told.
func TestAdvice(t *testing.T) {
	newSession(t)
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
		b := Explain(tensor.Try(func() { floats(c.x...).Add(floats(c.y...)) })).(*Broadcasting)
		var got []string
		for _, h := range b.Hints {
			got = append(got, h.Expr)
			other := c.x
			if strings.HasPrefix(h.Expr, "a") {
				other = c.y
			}
			if sum := floats(other...).Add(floats(h.Shape...)); join(sum.Shape(), " ") != join(h.Gives, " ") {
				t.Errorf("%v, %v: %s gives %v, not %v", c.x, c.y, h.Expr, sum.Shape(), h.Gives)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%v, %v: advice %q, want %q", c.x, c.y, got, c.want)
		}
	}
}
