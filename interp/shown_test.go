package interp

import (
	"strings"
	"testing"
)

// TestFunctionsShown: a cell that ends with a function says what it is and how it is called, no address.
func TestFunctionsShown(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "x := Ones(2, 3)\ntype F func(int) int\ntype P struct{}\nfunc (p P) M(q P) P { return p }\nfunc half(n int) int { return n / 2 }\nvar none func()\nvar p P")
	for _, c := range []struct{ src, want string }{
		{"x.Shape", "func() []int   a method: x.Shape() calls it"},
		{"x.Sum", "func(opts ...Option) *Tensor   a method: x.Sum() calls it"},
		{"half", "func(n int) int   a function: half(…) calls it"},
		{"p.M", "func(q P) P   a method: p.M(…) calls it"},
		{"F(half)", "F   a function: F(half)(…) calls it"},
		{"math.Sqrt", "func(x float64) float64   a function: math.Sqrt(…) calls it"},
		{"Ones", "func(size ...int) *Tensor   a function: Ones(…) calls it"},
		{"none", "<nil>"},
		{"slices.Values([]int(nil))", "iter.Seq[int]   a sequence: for … range slices.Values([]int(nil)) goes through it"},
		{"x.Dim, x.Stride()", "func() int   a method: x.Dim() calls it\n[3 1]"},
		{"x.RequiresGrad_().Sum().GradFn()", "<SumBackward0 at In[12]:1>"},
	} {
		if got := strings.TrimSpace(cell(s, c.src)); got != c.want {
			t.Errorf("%s gives\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}
