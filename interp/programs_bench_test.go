package interp

import (
	"context"
	"gotorch/internal/programs"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
)

// BenchmarkPrograms runs each program as a cell and, beside that, in yaegi as it is, the interpreter that cells stand
// on.
func BenchmarkPrograms(b *testing.B) {
	for _, p := range programs.All {
		b.Run(p.Name, func(b *testing.B) { benchProgram(b, p) })
	}
}

func benchProgram(b *testing.B, p programs.Program) {
	b.Run("gotorch", func(b *testing.B) {
		s := New(Options{})
		defer s.Close()
		cell(s, p.Declare)
		if got := strings.TrimSpace(cell(s, p.Run)); got != p.Want {
			b.Fatalf("got %q, want %s", got, p.Want)
		}
		for b.Loop() {
			s.Eval(context.Background(), p.Run, nil)
		}
	})
	b.Run("yaegi", func(b *testing.B) {
		in := interp.New(interp.Options{})
		in.Use(stdlib.Symbols)
		for _, src := range splitImports(p.Declare) {
			if _, err := in.Eval(src); err != nil {
				b.Fatal(err)
			}
		}
		for b.Loop() {
			if _, err := in.Eval(p.Run); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// splitImports returns yaegi's import lines by themselves.
func splitImports(src string) []string {
	if first, rest, ok := strings.Cut(src, "\n"); ok && strings.HasPrefix(first, "import") {
		return []string{first, rest}
	}
	return []string{src}
}

// BenchmarkTrivial are the cells that do next to nothing.
func BenchmarkTrivial(b *testing.B) {
	for _, c := range []struct{ name, src string }{{"sum", "1 + 1"}, {"product", "keep * 2"}, {"tensors", "t + t"},
		{"assignment", "z = t + t"}} {
		b.Run(c.name, func(b *testing.B) {
			s := New(Options{})
			defer s.Close()
			cell(s, "keep := 2\nt := Ones(3)\nz := t")
			for b.Loop() {
				if _, err := s.Eval(context.Background(), c.src, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTensorLoop is a loop over small tensors: what calling host code costs.
func BenchmarkTensorLoop(b *testing.B) {
	s := New(Options{})
	defer s.Close()
	cell(s, "x, y := Ones(3), Ones(3)\nz := x")
	for b.Loop() {
		s.Eval(context.Background(), "for i := 0; i < 1000; i++ { z = x + y }", nil)
	}
}
