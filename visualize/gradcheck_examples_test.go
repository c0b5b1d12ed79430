package visualize

import (
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// wrongCube has the derivative 2x², which is right at 0 alone.
func wrongCube() *autograd.CustomFunction {
	return autograd.Custom("Cube", func(s *autograd.Saving, x *tensor.Tensor) *tensor.Tensor {
		s.Save(x)
		return x.Mul(x).Mul(x)
	}, func(s *autograd.Saving, g *tensor.Tensor) *tensor.Tensor {
		return g.Mul(2).Mul(s.Saved(0)).Mul(s.Saved(0))
	})
}

func init() {
	addExamples(
		exampleView{"gradcheck", func(s *viewtest.Session) View {
			s.Typed = []string{"f", "x"}
			return Gradcheck(func(x *tensor.Tensor) *tensor.Tensor { return x.Cumsum(0).Sin() }, viewtest.Floats(4))
		}},
		exampleView{"gradcheck_wrong", func(s *viewtest.Session) View {
			s.Typed = []string{"cube.Apply", "x"}
			return Gradcheck(wrongCube().Apply, tensor.Arange(3.0))
		}},
		exampleView{"gradcheck_two", func(s *viewtest.Session) View {
			f := func(a, b *tensor.Tensor) *tensor.Tensor { return a.Matmul(b) }
			return Gradcheck(f, viewtest.Floats(3, 5), viewtest.Floats(5, 3))
		}},
	)
}

// TestGradcheck: the entries that are wrong are the ones that are marked.
func TestGradcheck(t *testing.T) {
	v := Gradcheck(wrongCube().Apply, tensor.Arange(3.0))
	if v.Failed != 2 || v.Total != 9 || v.Worst == nil || v.Worst.Numeric < 11.9 || v.Worst.Numeric > 12.1 {
		t.Errorf("%+v, worst %+v", v, v.Worst)
	}
	for _, right := range []any{tensor.Sin, func(x *tensor.Tensor) *tensor.Tensor { return x.Sum() }} {
		if v := Gradcheck(right, tensor.Arange(1.0, 4.0)); v.Failed != 0 {
			t.Error(v)
		}
	}
	tensor.ManualSeed(0)
	if v := Gradcheck(nn.NewLinear(3, 2).Forward, tensor.Rand(2, 3)); v.Failed != 0 || v.Dtype != "float32" {
		t.Error(v)
	}
	for want, f := range map[string]func(){
		"has 129 elements": func() { Gradcheck(tensor.Sin, tensor.Rand(129)) },
		"nothing to check": func() { Gradcheck(tensor.Sin, tensor.Arange(3)) },
		"wants a function": func() { Gradcheck(3) },
		"a nil tensor":     func() { Gradcheck(tensor.Sin, nil) },
		"real numbers":     func() { Gradcheck(tensor.Sin, tensor.Rand(2).To(tensor.Complex64)) },
		"has 4 features":   func() { Gradcheck(nn.NewLinear(3, 2).Forward, tensor.Rand(2, 4)) },
	} {
		if err := tensor.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
}
