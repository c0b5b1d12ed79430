package grad

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

// TestBackwardChangesNothing: neither gradients nor the graph know that someone looked, and Backward afterwards gives
// what the view said.
func TestBackwardChangesNothing(t *testing.T) {
	s := viewtest.NewSession(t)
	x := s.Leaf("x", 1, 3)
	w := s.Leaf("w", 2, 3)
	s.At("In[2]", 1, "h")
	h := x.Mul(w).Exp()
	h.RetainGrad()
	calls := 0
	h.RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { calls++; return nil })
	s.At("In[2]", 2, "y")
	y := h.Mul(h).Sum()
	s.Typed = []string{"y"}
	first := Backward(y)
	if x.Grad() != nil || w.Grad() != nil || h.Grad() != nil {
		t.Error("a Grad was written")
	}
	if calls != 1 {
		t.Errorf("the hook ran %d times", calls)
	}
	if again := Backward(y); again.Text(false) != first.Text(false) || again.HTML() != first.HTML() {
		t.Error("it differs the second time")
	}
	y.Backward()
	for _, l := range first.Pass[len(first.Pass)-1].Leaves {
		leaf := map[string]*tensor.Tensor{"∂x": x, "∂w": w}[l.Name]
		if leaf == nil || valueText(leaf.Grad()) != l.Text {
			t.Errorf("%s is %s in the view", l.Name, l.Text)
		}
	}
	if h.Grad() == nil {
		t.Error("a gradient that is retained was lost")
	}
	err := tensor.Try(func() { Backward(y) })
	if err == nil || !strings.Contains(err.Error(), "a second time") ||
		!strings.Contains(err.Error(), "RetainGraph(true)") {
		t.Errorf("a graph that was freed: %v", err)
	}
}

// TestBackwardErrors: what autograd says of wrong arguments.
func TestBackwardErrors(t *testing.T) {
	s := viewtest.NewSession(t)
	x := s.Leaf("x", 1, 3)
	y := x.Exp()
	stale := x.Exp()
	z := stale.Sum()
	stale.Mul_(2)
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{y}, "only for scalar outputs, but output 0 has shape [3]"},
		{[]any{y, opt.Gradient(tensor.Ones(2))}, "mismatch in shape"},
		{[]any{y.Sum(), y}, "only for scalar outputs, but output 1"},
		{[]any{tensor.Ones()}, "does not require grad"},
		{[]any{(*tensor.Tensor)(nil)}, "nil"},
		{[]any{7}, "argument 0 is a int"},
		{[]any{y.Sum(), opt.RetainGraph(true)}, "retain_graph"},
		{[]any{z}, "modified in place by mul_"},
		{nil, "at least one tensor"},
	} {
		if err := tensor.Try(func() { Backward(c.args...) }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
}

// TestBackwardLong: long graphs and large tensors are shown in time and within the bound; both ends are there and the
// middle is counted.
func TestBackwardLong(t *testing.T) {
	s := viewtest.NewSession(t)
	w := s.Leaf("w", 1, 200)
	h := w
	for i := range 5000 {
		s.At("In[2]", i, "h")
		h = h.Mul(w).Sin()
	}
	s.Typed = []string{"loss"}
	start := time.Now()
	b := Backward(h.Sum())
	viewtest.CheckForms(t, b)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	left := 0
	for _, st := range b.Pass {
		left += st.Skip
	}
	if b.Total != 10001 || len(b.Pass)+left != b.Total+1 || b.Pass[len(b.Pass)-1].Number != b.Total {
		t.Errorf("%d steps, %d shown, %d left out", b.Total, len(b.Pass), left)
	}
	if last := b.Pass[len(b.Pass)-1]; last.Held != 0 || len(last.Leaves) != 1 {
		t.Errorf("in the end %d B, leaves %v", last.Held, last.Leaves)
	}
	for i := range b.Pass {
		b.Step(i, true)
	}
	viewtest.CheckForms(t, Backward(tensor.Cat(manyLeaves(s, 300)).Sum()))
}

func manyLeaves(s *viewtest.Session, n int) (xs []*tensor.Tensor) {
	for range n {
		xs = append(xs, s.Leaf(strings.Repeat("name", 20), 1, 2))
	}
	return xs
}

// TestBackwardKeepsNothing: a run holds no tensor.
func TestBackwardKeepsNothing(t *testing.T) {
	s := viewtest.NewSession(t)
	var gone []weak.Pointer[tensor.Tensor]
	var run *BackwardRun
	func() {
		x := tensor.Randn(64, 64).RequiresGrad_()
		y := x.Exp()
		gone = append(gone, weak.Make(x), weak.Make(y))
		run = Backward(y.Sum())
		clear(s.Named)
	}()
	for range 20 {
		runtime.GC()
	}
	for i, p := range gone {
		if p.Value() != nil {
			t.Errorf("tensor %d is kept alive", i)
		}
	}
	runtime.KeepAlive(run)
}

// TestFormulas: the text of formulas, as the formulas themselves give it, and that it is that of the branch which the
// node will take.
func TestFormulas(t *testing.T) {
	viewtest.NewSession(t)
	x, y := viewtest.Floats(2, 3).RequiresGrad_(), viewtest.Floats(2, 3)
	v := viewtest.Floats(3).RequiresGrad_()
	for _, c := range []struct {
		y    *tensor.Tensor
		want string
	}{
		{x.Mul(2), "g · 2"},
		{x.Mul(y), "g · other"},
		{y.Mul(x), "g · self"},
		{x.Mul(v), "g · other; sum_to_size(g · self, [3])"},
		{x.Matmul(y.T()), "g @ mat2ᵀ"},
		{x.Tanh(), "g · (1 - result²)"},
		{x.Div(y), "g / other"},
		{y.Div(x), "-g · (self / other / other)"},
		{x.Sub(v), "g; sum_to_size(-g, [3])"},
		{x.Pow(3), "g · (self² · 3)"},
		{x.Sum(), "expand(g, [2 3])"},
		{x.T(), "gᵀ"},
		{x.Select(0, 1), "zeros([2 3]) with select(0, 1) = g"},
		{tensor.Cat([]*tensor.Tensor{x, x}), "narrow(g, 0, 0, 2); narrow(g, 0, 2, 2)"},
	} {
		n := autograd.GradFn(c.y)
		of := dryRun(n, func(int) string { return "g" }, func(p autograd.Part) string { return p.Name })
		var got []string
		for i := range n.Next() {
			if of[i] != "" {
				got = append(got, of[i])
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s, want %s", n.Name(), text, c.want)
		}
	}
}
