package visualize

import (
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples([]exampleView{
		{"contract_matmul", func(s *viewtest.Session) View {
			s.Typed = []string{"x", "w"}
			return Matmul(tensor.Zeros(5, 1, 3, 4), tensor.Zeros(2, 4, 6))
		}},
		{"contract_vector", func(s *viewtest.Session) View {
			s.Typed = []string{"x", "v"}
			return Matmul(tensor.Zeros(3, 4), tensor.Zeros(4))
		}},
		{"contract_einsum", func(s *viewtest.Session) View {
			s.Typed = []string{"equation", "q", "k"}
			return Einsum("b h q d, b h k d -> b h q k", tensor.Zeros(8, 4, 10, 16), tensor.Zeros(8, 4, 12, 16))
		}},
		{"contract_trace", func(s *viewtest.Session) View {
			s.Typed = []string{"equation", "m"}
			return Einsum("ii", tensor.Zeros(4, 4))
		}},
	}...)
}

// TestContractShapes: the shapes and sums are those of the operators.
func TestContractShapes(t *testing.T) {
	viewtest.NewSession(t)
	for _, c := range [][2][]int{{{3}, {3}}, {{2, 3}, {3}}, {{3}, {3, 4}}, {{2, 3}, {3, 4}}, {{7, 2, 3}, {3, 4}},
		{{7, 2, 3}, {5, 1, 3, 4}}, {{1, 1, 2, 3}, {6, 3, 4}}, {{2, 0}, {0, 4}}, {{5, 4, 3}, {3}}} {
		a, b := tensor.Zeros(c[0]...), tensor.Zeros(c[1]...)
		v, ok := Matmul(a, b).(*Contraction)
		if !ok {
			t.Errorf("%v @ %v is no product", c[0], c[1])
			continue
		}
		if want := a.Matmul(b).Shape(); !slices.Equal(v.Result, want) || v.Terms != c[0][len(c[0])-1] {
			t.Errorf("%v @ %v: %v of %d products, want %v of %d", c[0], c[1], v.Result, v.Terms, want, c[0][len(c[0])-1])
		}
		if e := Einsum(v.Equation, a, b); !slices.Equal(e.Result, v.Result) && len(c[0])+len(c[1]) < 5 {
			t.Errorf("%s: %v, want %v", v.Equation, e.Result, v.Result)
		}
	}
	for _, c := range []struct {
		equation string
		shapes   [][]int
	}{{"ij,jk->ik", [][]int{{2, 3}, {3, 4}}}, {"ij->ji", [][]int{{2, 3}}}, {"ij,ij", [][]int{{2, 3}, {2, 3}}},
		{"b,a", [][]int{{2}, {3}}}, {"i,j,k->", [][]int{{2}, {3}, {4}}}, {"ii->i", [][]int{{3, 3}}}} {
		var xs []*tensor.Tensor
		for _, s := range c.shapes {
			xs = append(xs, tensor.Zeros(s...))
		}
		if got, want := Einsum(c.equation, xs...).Result, tensor.Einsum(c.equation, xs...).Shape(); !slices.Equal(got,
			want) {
			t.Errorf("%s: %v, want %v", c.equation, got, want)
		}
	}
	x := tensor.Zeros(2, 3)
	for want, f := range map[string]func(){
		"names 3 dimensions of x":             func() { Einsum("ijk->ijk", x) },
		"is for 2 tensors, and there are 1":   func() { Einsum("ij,jk", x) },
		`gives "z", which no operand has`:     func() { Einsum("ij->z", x) },
		`gives "i" twice`:                     func() { Einsum("ij->ii", x) },
		"has size 3 in x":                     func() { Einsum("ij,jk", x, x) },
		"dimensions are letters":              func() { Einsum("...i", x) },
		"is a single number, which has no ro": func() { Matmul(x, tensor.Zeros()) },
		"is nil, which has no rows":           func() { Matmul(nil, x) },
	} {
		if err := tensor.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, ok := Matmul(x, x).(*Product); !ok {
		t.Error("sizes that do not meet are not shown as such")
	}
}
