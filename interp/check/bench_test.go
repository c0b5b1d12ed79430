package check

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkCheck(b *testing.B) {
	s := askSession(b)
	for i := range 100 {
		s.run(fmt.Sprintf("v%d := %d", i, i))
	}
	for _, bc := range []struct{ name, src string }{
		{"go", "n := len(xs)\nfor i := range n {\n\txs[i] = i\n}\nfmt.Sprint(xs)"},
		{"tensor", "y := (x @ x.T())[0, ::2].Sum(dim=0)\nz := 2 - y/4.5\nz + x.Sum()"},
		{"function", "func loss(w *Tensor, k float64) *Tensor {\n\td := w @ w - k\n\treturn (d * d).Mean(dim=0)\n}\n" +
			"loss(x, 3)"},
		{"type", "pt.X + pt.Norm()"},
	} {
		b.Run(bc.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.check(bc.src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a session has defined does not slow its cells down.
func BenchmarkManyNames(b *testing.B) {
	s := askSession(b)
	for i := range 2000 {
		if got := s.run(fmt.Sprintf("type T%d struct{ a int }\nw%d := T%d{}", i, i, i)); strings.HasPrefix(got, "error") {
			b.Fatal(got)
		}
	}
	for b.Loop() {
		if _, err := s.check("w7, x.Shape()"); err != nil {
			b.Fatal(err)
		}
	}
}
