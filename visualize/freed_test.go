package visualize_test

import (
	"strings"
	"testing"

	"gotorch/tensor"
	. "gotorch/visualize"
	"gotorch/visualize/internal/viewtest"
)

// TestFreed draws tensors whose memory tensor.Tidy has freed: a view shows their shape without elements, or says what
// happened.
func TestFreed(t *testing.T) {
	viewtest.NewSession(t)
	var xs []*tensor.Tensor
	tensor.Tidy(func() {
		x := tensor.Rand(3, 64, 64)
		c := tensor.With(tensor.Complex64).Randn(40, 40)
		xs = []*tensor.Tensor{x, x.Transpose(0, 2), x.Select(0, 1), c, tensor.Arange(300), x.Select(0, 1).Gt(0.5)}
	})
	for _, x := range xs {
		for name, draw := range map[string]func() any{
			"Card": func() any { return Card(x) }, "Strides": func() any { return Strides(x) },
			"Explore": func() any { return Explore(x) }, "Header": func() any { return Header(x) },
			"Aliases": func() any { return Aliases(x) }, "Hist": func() any { return Hist(x) },
			"Plot": func() any { return Plot(x) }, "Heatmap": func() any { return Heatmap(x) },
			"Image": func() any { return Image(x) }, "Order": func() any { return Order(x) },
			"Address": func() any { return Address(x, make([]int, x.Dim())...) },
		} {
			err := tensor.Try(func() {
				v := draw()
				if s, ok := v.(interface{ SVG() string }); ok && !strings.Contains(s.SVG(), "<svg") {
					t.Errorf("%s of shape %v has no picture", name, x.Shape())
				}
				if s, ok := v.(interface{ HTML() string }); ok {
					s.HTML()
				}
				if s, ok := v.(interface{ Text(bool) string }); ok {
					s.Text(false)
				}
			})
			if name == "Card" || name == "Strides" {
				if err != nil {
					t.Errorf("%s of shape %v: %v", name, x.Shape(), err)
				}
			}
		}
	}
	if s := Card(xs[0]).Text(false); !strings.Contains(s, "freed") {
		t.Errorf("the card does not say freed:\n%s", s)
	}
}
