package check_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestEndlessInstances: generic declarations that need ever larger types are rejected as go/types does, also in a cell
// that shows something or has a variable that it does not use, of which go/types would only complain otherwise.
func TestEndlessInstances(t *testing.T) {
	for _, c := range []struct{ before, src, wants string }{
		{"", "type List[T any] struct { next *List[*List[T]]; val T }", "T instantiated as *List[T]"},
		{"", "type List[T any] struct { next *List[*List[T]]; val T }\nl := &List[int]{nil, 3}\nl.val",
			"T instantiated as *List[T]"},
		{"", "func f[T any](n int, x T) { if n > 0 { f(n-1, &x) } }\nx := 1\nf(x, 1)\nx", "T instantiated as *T"},
		{"", "func f[T any](n int, x T) { g(n, []T{x}) }\nfunc g[T any](n int, x T) { if n > 0 { f(n-1, x) } }\n1",
			"T instantiated as []T"},
		{"type Tree[T any] struct { val T }",
			"func (l *Tree[T]) M(n int) int { x := Tree[*T]{&l.val}; return 1 + x.M(n-1) }\n1", "T instantiated as *T"},
	} {
		s := interp.New(interp.Options{})
		defer s.Close()
		if c.before != "" {
			celltest.Cell(s, c.before)
		}
		if got := celltest.Cell(s, c.src); !strings.HasPrefix(got, "TypeError: ") ||
			!strings.Contains(got, "ever larger types: ") || !strings.Contains(got, c.wants) {
			t.Errorf("%s\n%s", c.src, got)
		}
		src := "type List[T any] struct { next *List[T]; val T }\nl := &List[int]{nil, 3}\nl.val"
		if got := celltest.Cell(s, src); got != "3\n" {
			t.Errorf("afterwards: %s", got)
		}
	}
}
