package shell_test

import (
	"regexp"
	"strings"
	"testing"

	"gotorch/interp"
	"gotorch/interp/internal/celltest"
)

// TestSymbolicShapesInCells: %shapes … with … of functions, variables, statements and numbers, what it refuses, and
// that it leaves nothing behind.
func TestSymbolicShapesInCells(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "import \"fmt\"; w := Randn(4, 3); x := Ones(5, 4); y := Ones(2)\n"+
		"f := func() *Tensor { return x @ w }\n"+
		"g := func(a *Tensor) *Tensor { fmt.Println(\"seen\"); y = a; return a.View(-1, 2) }")
	for _, c := range []struct{ src, want string }{
		{"%shapes x @ w with x=[B, K]", `matmul\(x \[B, K\], w \[4, 3\]\) +→ \[B, 3\] float32`},
		{"%shapes x @ w with x=[B, K]", `K = 4 +In\[\d+\]:1 +matmul`},
		{"%shapes f() with x=[B, 4]", `result +\[B, 3\] float32`},
		{"%shapes z.Sum(dim=0) with z=int64[B, T]", `result +\[T\] int64`},
		{"%shapes -caption z.Sum(dim=0) with z=[B, T]", `has the shape \[T\] float32, whatever the sizes`},
		{"%shapes z.Sum(dim=0) with z=[B, T] -caption", `has the shape \[T\] float32, whatever the sizes`},
		{"%shapes h := x * 2; h.T() with x=[B, 4]", `h +mul\(x \[B, 4\], 2\)`},
		{"%shapes Zeros(n, 2*n) with n=N", `result +\[N, 2\*N\] float32`},
		{"%shapes Cat([p, q]) with p=[B, D], q=[C, D]", `result +\[B \+ C, D\] float32`},
		{"%shapes g(x) with x=[B, 4]", `result +\[2\*B, 2\] float32`},
		{"%shapes x.Gt(0).Nonzero() with x=[B, 4]", `the shape of what nonzero gives depends on data`},
		{"%shapes x @ w with x=[B, B]", `B would be both 5 and 4`},
		{"%shapes x @ w with x=[B, K, 3]", `it has 2 dimensions`},
		{"%shapes x @ w with x=[B, 3]", `dimension 1 has size 4, not 3`},
		{"%shapes x @ w with x=[5, 4]", `no size is a letter`},
		{"%shapes x @ w with", `%shapes F\(X, …\) with X=`},
		{"%shapes x @ w with x=[B,,]", `is no size`},
		{"%shapes foo(z) with z=[B]", `undefined: foo`},
		{"%shapes panic(\"no\") with z=[B]", `fails at every size`},
		{"%help shapes", `With letters for sizes`},
	} {
		got := celltest.Cell(s, c.src)
		if !regexp.MustCompile(c.want).MatchString(got) {
			t.Errorf("%s\ngives %s\nwant %q", c.src, got, c.want)
		}
		if strings.Contains(got, "seen") {
			t.Errorf("%s prints what the function prints", c.src)
		}
	}
	got := celltest.Cell(s, "x.Shape(), y.Shape()")
	if !strings.Contains(got, "[5 4]") || !strings.Contains(got, "[2]") {
		t.Errorf("variables are others: %s", got)
	}
	if got := celltest.Cell(s, "z"); !strings.Contains(got, "undefined: z") {
		t.Errorf("z is left: %s", got)
	}
	for src, want := range map[string]string{"%shapes f(x) wi": "with", "%shapes f(x) with x=int3": "int32["} {
		c := s.Complete(src, len(src))
		if len(c.Candidates) != 1 || c.Candidates[0].Text != want {
			t.Errorf("%s is completed by %v, want %s", src, c.Candidates, want)
		}
	}
}
