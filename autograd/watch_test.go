package autograd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// witness writes down what it is told.
type witness struct{ log []string }

func (w *witness) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}
func numbers(x *tensor.Tensor) string {
	if x == nil {
		return "none"
	}
	return fmt.Sprint(tensor.Data[float64](x))
}
func (w *witness) Flow(f autograd.Flow) {
	from := "root"
	if f.From != nil {
		from = f.From.Name()
	}
	w.note("%s.%d to %s: %s after %s is %s", from, f.Arg, f.To.Node.Name(), numbers(f.Grad), numbers(f.Before),
		numbers(f.Sum))
}
func (w *witness) Hook(n *autograd.Node, output int, before, after *tensor.Tensor) {
	w.note("hook of %s.%d: %s to %s", n.Name(), output, numbers(before), numbers(after))
}
func (w *witness) Node(n *autograd.Node, grads []*tensor.Tensor) {
	w.note("%s runs with %s", n.Name(), numbers(grads[0]))
}
func (w *witness) Leaf(n *autograd.Node, g *tensor.Tensor) { w.note("leaf %s", numbers(g)) }

// TestWatch: an observer sees every gradient, every sum and every hook, in the engine's order; nothing has changed
// afterwards.
func TestWatch(t *testing.T) {
	x := vec([]int{2}, 3, 4).RequiresGrad_()
	y := x.Mul(x)
	y.RetainGrad()
	y.RegisterHook(func(g *tensor.Tensor) *tensor.Tensor { return g.Mul(10) })
	z := y.Add(x)
	var w witness
	autograd.Watch(&w, []*tensor.Tensor{z}, opt.Gradient(vec([]int{2}, 1, 2)))
	want := []string{
		"root.0 to AddBackward0: [1 2] after none is [1 2]",
		"AddBackward0 runs with [1 2]",
		"AddBackward0.0 to MulBackward0: [1 2] after none is [1 2]",
		"AddBackward0.1 to AccumulateGrad: [1 2] after none is [1 2]",
		"hook of MulBackward0.0: [1 2] to [10 20]",
		"MulBackward0 runs with [10 20]",
		"MulBackward0.0 to AccumulateGrad: [30 80] after [1 2] is [31 82]",
		"MulBackward0.1 to AccumulateGrad: [30 80] after [31 82] is [61 162]",
		"leaf [61 162]",
	}
	if !slices.Equal(w.log, want) {
		t.Errorf("seen:\n%s\nwant\n%s", strings.Join(w.log, "\n"), strings.Join(want, "\n"))
	}
	if x.Grad() != nil || y.Grad() != nil {
		t.Error("a gradient was written")
	}
	z.Backward(opt.Gradient(vec([]int{2}, 1, 2)))
	if got := numbers(x.Grad()); got != "[61 162]" {
		t.Errorf("afterwards Backward gives %s", got)
	}
}

// TestOrder: nodes know in the backward pass of what they were recorded.
func TestOrder(t *testing.T) {
	x := vec([]int{2}, 3, 4).RequiresGrad_()
	y := x.Mul(x).Mul(x).Sum()
	g := autograd.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, opt.CreateGraph(true))[0]
	h := autograd.Grad([]*tensor.Tensor{g.Sum()}, []*tensor.Tensor{x}, opt.CreateGraph(true))[0]
	for i, c := range []struct {
		x    *tensor.Tensor
		want int
	}{{y, 0}, {g, 1}, {g.Sum(), 0}, {h, 2}, {x.Exp(), 0}} {
		if got := autograd.GradFn(c.x).Order(); got != c.want {
			t.Errorf("case %d: order %d, want %d", i, got, c.want)
		}
	}
}

// TestDryRun: a formula is run on tensors without elements, and what it gives has the shapes that it will have;
// saved tensors that were freed or written to do not matter.
func TestDryRun(t *testing.T) {
	x, w := vec([]int{2, 3}, 1, 2, 3, 4, 5, 6).RequiresGrad_(), vec([]int{3, 1}, 1, 2, 3).RequiresGrad_()
	y := x.Matmul(w)
	n := autograd.GradFn(y)
	for _, state := range []string{"whole", "freed"} {
		var names []string
		grads, err := n.DryRun(func(parts []autograd.Part) {
			for _, p := range parts {
				if p.Tensor.Device() != tensor.Meta {
					t.Errorf("%s lies on %v", p.Name, p.Tensor.Device())
				}
				names = append(names, fmt.Sprintf("%s%v/%d", p.Name, p.Tensor.Shape(), p.Arg))
			}
		})
		if err != nil || fmt.Sprint(names) != "[grad[2 1]/-1 mat2[3 1]/1 self[2 3]/0]" && fmt.Sprint(names) !=
			"[grad[2 1]/-1 self[2 3]/0 mat2[3 1]/1]" {
			t.Fatalf("%s: %v, %v", state, names, err)
		}
		if a, b := grads[0].Shape(), grads[1].Shape(); !slices.Equal(a, []int{2, 3}) || !slices.Equal(b, []int{3, 1}) ||
			grads[0].Device() != tensor.Meta {
			t.Errorf("%s: shapes %v and %v", state, a, b)
		}
		if state == "whole" {
			y.Sum().Backward()
		}
	}
	if _, err := autograd.GradFn(x.Sum()).Next()[0].Node.DryRun(nil); err == nil {
		t.Error("a leaf has a formula")
	}
}
