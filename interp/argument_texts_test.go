package interp

import (
	"reflect"
	"testing"
)

func TestArgTexts(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
		want []string
	}{
		{"visualize.Strides(x, x.T(), x[1:, ::2])", 1, []string{"x", "x.T()", "x[1:, ::2]"}},
		{"y := 1\nm := visualize.Strides(a @ b,\n\tx.Sum(dim=0))", 2, []string{"a @ b", "x.Sum(dim=0)"}},
		{"func f(v *tensor.Tensor) any {\n\treturn visualize.Strides(v)\n}", 2, []string{"v"}},
		{"for i := range 3 {\n\tvisualize.Strides(xs[i])\n}", 2, []string{"xs[i]"}},
		{"for i := range 3 {\n\tvisualize.Strides(xs[i])\n}", 1, nil},
		{"a, b := visualize.Strides(x), visualize.Strides(y)", 1, nil}, // which of them runs is not known
		{"display.Display(visualize.Strides(x), visualize.Card(y))", 1, []string{"x"}},
		{"other.Strides(x)", 1, nil},
		{"visualize.Strides(\"…\" + s, x)", 1, []string{"\"…\" + s", "x"}},
	} {
		if got := argTextsOf(c.text, c.line, 0, "visualize", "Strides"); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q line %d: %q, want %q", c.text, c.line, got, c.want)
		}
	}
}
