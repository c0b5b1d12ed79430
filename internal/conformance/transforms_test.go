package conformance

import (
	"fmt"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// eachFunction calls check with recorded calls of every operator as functions of tensors, as TestDerivatives takes
// them.
func eachFunction(t *testing.T, each int, check func(op string, f autograd.Func, inputs []*tensor.Tensor) error) {
	good, missing, refused := 0, 0, 0
	eachRecorded(t, each, func(string) bool { return false },
		func(op string, i int, f autograd.Func, inputs []*tensor.Tensor) {
			switch err := attempt(func() error { return check(op, f, inputs) }); {
			case err == nil:
				good++
			case strings.Contains(err.Error(), "no such operator") || strings.Contains(err.Error(), "there is no kernel"):
				missing++
			case strings.Contains(err.Error(), "written into a tensor that they all share") && strings.HasSuffix(op, "_norm"):
				refused++ // running statistics of a whole batch that every example would move: PyTorch rejects too
			default:
				t.Errorf("%s, case %d: %v", op, i, err)
			}
		})
	if good == 0 {
		t.Error("nothing was checked")
	}
	fmt.Printf("%s: %d checks, %d without a kernel, %d refused\n", t.Name(), good, missing, refused)
}

// TestVmap holds a vmap of every operator against a loop over the examples: once with all inputs batched, once with
// the first alone.
func TestVmap(t *testing.T) {
	const n = 3
	eachFunction(t, 60, func(op string, f autograd.Func, inputs []*tensor.Tensor) error {
		for _, alone := range []bool{false, true} {
			batched, dims := make([]*tensor.Tensor, len(inputs)), make([]any, len(inputs))
			for i, x := range inputs {
				if batched[i] = x.Detach(); i > 0 && alone {
					continue
				}
				var list []*tensor.Tensor
				for b := range n {
					list = append(list, x.Detach().Mul(1-float64(b)/8))
				}
				batched[i], dims[i] = tensor.Stack(list, opt.Dim(-1)), -1
			}
			loop := make([][]*tensor.Tensor, 0)
			for b := range n {
				example := make([]*tensor.Tensor, len(inputs))
				for i, x := range batched {
					if example[i] = x.Clone(); dims[i] != nil {
						example[i] = x.Select(-1, b).Clone()
					}
				}
				ys := f(example)
				for i, y := range ys {
					if b == 0 {
						loop = append(loop, nil)
					}
					loop[i] = append(loop[i], y)
				}
			}
			got := autograd.VmapAll(f, opt.InDims(dims...))(batched...)
			if len(got) != len(loop) {
				return fmt.Errorf("%d results, the loop gives %d", len(got), len(loop))
			}
			for i, y := range got {
				if err := nearly(y, tensor.Stack(loop[i]), 1e-9); err != nil {
					return fmt.Errorf("vmap (first input alone: %v), result %d: %w", alone, i, err)
				}
			}
		}
		return nil
	})
}

// TestJVP holds forward mode of every operator against the formulas of backward, which TestDerivatives holds against
// differences.
func TestJVP(t *testing.T) {
	eachFunction(t, 60, func(op string, f autograd.Func, inputs []*tensor.Tensor) error {
		primals, tangents := make([]*tensor.Tensor, len(inputs)), make([]*tensor.Tensor, len(inputs))
		leaves := make([]*tensor.Tensor, len(inputs))
		for i, x := range inputs {
			primals[i], leaves[i] = x.Detach().Clone(), x.Detach().Clone().RequiresGrad_()
			tangents[i] = tensor.With(x.Dtype().ToReal()).Linspace(-1, 1.5, x.Numel()).View(x.Shape()...).To(x.Dtype())
		}
		var ys, us []*tensor.Tensor
		var at []int
		for i, y := range f(leaves) {
			if y.RequiresGrad() {
				ys, us, at = append(ys, y), append(us, tensor.ZerosLike(y.Detach()).RequiresGrad_()), append(at, i)
			}
		}
		if len(ys) == 0 {
			return nil
		}
		gs := autograd.Grad(ys, leaves, opt.GradOutputs(us...), opt.CreateGraph(true), opt.AllowUnused(true))
		var moved, along []*tensor.Tensor
		for i, g := range gs {
			if g != nil && g.RequiresGrad() {
				moved, along = append(moved, g), append(along, tangents[i])
			}
		}
		want := make([]*tensor.Tensor, len(us))
		if len(moved) > 0 {
			want = autograd.Grad(moved, us, opt.GradOutputs(along...), opt.AllowUnused(true))
		}
		outs, got := autograd.JVP(f, primals, tangents)
		for k, i := range at {
			y := outs[i]
			if err := nearly(y, ys[k].Detach(), 1e-9); err != nil {
				return fmt.Errorf("result %d: %w", i, err)
			}
			w := want[k]
			if w == nil {
				w = tensor.ZerosLike(y)
			}
			if err := nearly(got[i], w, 1e-7); err != nil {
				return fmt.Errorf("tangent of result %d: %w", i, err)
			}
		}
		return nil
	})
}

// nearly reports where x and y differ by more than rounding.
func nearly(x, y *tensor.Tensor, tol float64) error {
	if fmt.Sprint(x.Shape()) != fmt.Sprint(y.Shape()) || x.Dtype() != y.Dtype() {
		return fmt.Errorf("%s %v, want %s %v", x.Dtype(), x.Shape(), y.Dtype(), y.Shape())
	}
	a, b := tensor.Data[complex128](x.Detach().To(tensor.Complex128)),
		tensor.Data[complex128](y.Detach().To(tensor.Complex128))
	for i := range a {
		if cmplx.IsNaN(a[i]) && cmplx.IsNaN(b[i]) || a[i] == b[i] {
			continue
		}
		if d := cmplx.Abs(a[i] - b[i]); !(d <= tol*math.Max(1, cmplx.Abs(b[i]))) {
			return fmt.Errorf("element %d is %v, want %v", i, a[i], b[i])
		}
	}
	return nil
}
