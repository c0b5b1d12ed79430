package visualize

import (
	"fmt"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// deep is a model of n blocks of four layers, each layer at lines of its own.
func deep(s *viewtest.Session, n int) *tensor.Tensor {
	w := s.Leaf("w", 1, 4, 4)
	x := s.Leaf("x", 2, 2, 3, 4)
	for range n {
		for layer := range 4 {
			s.At("In[2]", 2*layer+1, "h")
			h := x.Matmul(w)
			s.At("In[2]", 2*layer+2, "x")
			x = x.Add(h.Tanh())
		}
	}
	s.At("In[3]", 1, "loss")
	return x.Sum()
}

// TestOutline: blocks that are alike are written once, with their number; the calls of all lines add up to the
// graph's,
// and a matmul is one of them.
func TestOutline(t *testing.T) {
	for _, n := range []int{4, 12, 60} {
		s := viewtest.NewSession(t)
		g := Graph(deep(s, n))
		viewtest.CheckForms(t, g)
		text := g.Text(false)
		if want := fmt.Sprintf("× %d  12 calls each, %d in all", n, 12*n); !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
		if lines := strings.Count(text, "\n"); lines > 20 {
			t.Errorf("%d lines of %d blocks", lines, n)
		}
		for _, hidden := range []string{"UnsafeView", "ReshapeAlias"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%s in %s", hidden, text)
			}
		}
		calls := 0
		for _, s := range g.Steps {
			calls += s.Calls * max(s.Times, 1)
		}
		if calls != 12*n+1 {
			t.Errorf("%d calls, not %d", calls, 12*n+1)
		}
		if html := g.HTML(); !strings.Contains(html, "<details") || strings.Contains(html, "<img") {
			t.Error("the page does not unfold")
		}
	}
}

// TestOutlineStale: what was written to since it was saved is marked, in its line and above it.
func TestOutlineStale(t *testing.T) {
	s := viewtest.NewSession(t)
	x := deep(s, 6)
	s.At("In[4]", 1, "y")
	y := x.Exp()
	z := y.Mul(2)
	y.Detach().Add_(1)
	s.Typed = []string{"z"}
	if text := Graph(z).Text(false); strings.Count(text, "written to since it was saved") != 1 {
		t.Error(text)
	}
}

// TestProductIsOneNode: in a small graph too.
func TestProductIsOneNode(t *testing.T) {
	s := viewtest.NewSession(t)
	q, k := s.Leaf("q", 1, 2, 4, 3, 5), s.Leaf("k", 2, 2, 4, 5, 3)
	g := Graph(q.Matmul(k))
	if len(g.Nodes) != 3 || g.Nodes[0].Name != "MatmulBackward0" || g.Nodes[0].Shape != "float32[2 4 3 3]" {
		t.Errorf("%s", g)
	}
}

// TestTraceOutline: a long trace is an outline of a screen, in all forms, whose calls add up; All shows it whole.
func TestTraceOutline(t *testing.T) {
	s := viewtest.NewSession(t)
	tr := TraceFunc(func() { deep(s, 12).Backward() })
	viewtest.CheckForms(t, tr)
	text := tr.Text(false)
	if n := strings.Count(text, "\n"); n > 62 || !strings.Contains(text, "× 12") ||
		!strings.Contains(text, "trace --all") {
		t.Errorf("%d lines:\n%s", n, text)
	}
	if html := tr.HTML(); !strings.Contains(html, "<details") || !strings.Contains(html, "redispatch") {
		t.Error("calls do not unfold to their keys")
	}
	tr.All = true
	viewtest.CheckForms(t, tr)
	if whole := tr.Text(false); strings.Count(whole, "\n") < 100 || strings.Contains(whole, "trace --all") {
		t.Error(whole)
	}
}

// TestBackwardOutline: the pass of a model is an outline of a screen, whose steps add up; of rounds that are alike one
// is gone through, with its values.
func TestBackwardOutline(t *testing.T) {
	s := viewtest.NewSession(t)
	b := Backward(deep(s, 12))
	viewtest.CheckForms(t, b)
	text := b.Text(false)
	if n := strings.Count(text, "\n"); n > 62 || !strings.Contains(text, " × ") {
		t.Errorf("%d lines:\n%s", n, text)
	}
	steps, bytes := 0, 0
	for _, s := range b.Outline {
		steps += s.All
		bytes += s.Bytes
	}
	if steps != b.Total || bytes != b.Held {
		t.Errorf("%d steps of %d, %d bytes of %d", steps, b.Total, bytes, b.Held)
	}
	if n := b.Steps(); n < 12 || n > 80 {
		t.Errorf("%d steps are gone through", n)
	}
	last := -1
	for _, p := range b.Pass {
		if p.Number-last-1 != p.Skip {
			t.Errorf("step %d follows %d, %d left out", p.Number, last, p.Skip)
		}
		if last = p.Number; p.Number > 0 && len(p.Grads) == 0 {
			t.Errorf("step %d has no gradient", p.Number)
		}
	}
	if html := b.HTML(); !strings.Contains(html, "<details") || !strings.Contains(html, "the graph keeps") {
		t.Error("steps do not unfold")
	}
}
