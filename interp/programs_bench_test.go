package interp

import (
	"context"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
)

// timed is what a person types: declarations once, then a cell that is run again and again. Its sub-benchmarks run it as a cell and,
// beside that, in yaegi as it is, the interpreter that cells stand on.
type timed struct{ declare, run, want string }

var timedPrograms = map[string]timed{
	"Fib": {
		"func fib(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn fib(n-1) + fib(n-2)\n}",
		"fib(25)", "75025",
	},
	"Sieve": {
		`func sieve(n int) int {
	composite := make([]bool, n+1)
	count := 0
	for i := 2; i <= n; i++ {
		if composite[i] {
			continue
		}
		count++
		for j := i * i; j <= n; j += i {
			composite[j] = true
		}
	}
	return count
}`,
		"sieve(300000)", "25997",
	},
	"Nested": {
		"total := 0",
		"total = 0\nfor i := 0; i < 1000; i++ {\n\tfor j := 0; j < 1000; j++ {\n\t\tif (i+j)%3 == 0 {\n\t\t\ttotal += j\n\t\t}\n\t}\n}\ntotal", "166500333",
	},
	"Loop": {
		"s, f := 0, 0.0",
		"s, f = 0, 0.0\nfor i := 0; i < 1000000; i++ {\n\ts += i\n\tf += float64(i) * 0.5\n}\ns", "499999500000",
	},
	"MapLoop": {
		"counts := map[int]int{}",
		"counts = map[int]int{}\nfor i := 0; i < 300000; i++ {\n\tcounts[i%1000]++\n}\nlen(counts)", "1000",
	},
	"Append": {
		"xs, at := []int{}, map[int]int{}",
		"xs, at = nil, map[int]int{}\nfor i := 0; i < 300000; i++ {\n\txs = append(xs, i*i%1009)\n}\nfor i, x := range xs {\n\tat[x] = i\n}\nlen(at)", "505",
	},
	"SortSlice": {
		"import \"sort\"\nys := make([]int, 100000)",
		"for i := range ys {\n\tys[i] = i * 7919 % 100003\n}\nsort.Slice(ys, func(i, j int) bool { return ys[i] < ys[j] })\nys[1]", "1",
	},
	"Across": { // calls from one cell of a function of another
		"func inc(x int) int { return x + 1 }\nvar n int",
		"n = 0\nfor i := 0; i < 100000; i++ {\n\tn = inc(n)\n}\nn", "100000",
	},
}

func benchProgram(b *testing.B, name string) {
	p := timedPrograms[name]
	b.Run("gotorch", func(b *testing.B) {
		s := New(Options{})
		defer s.Close()
		cell(s, p.declare)
		if got := strings.TrimSpace(cell(s, p.run)); got != p.want {
			b.Fatalf("got %q, want %s", got, p.want)
		}
		for b.Loop() {
			s.Eval(context.Background(), p.run, nil)
		}
	})
	b.Run("yaegi", func(b *testing.B) {
		in := interp.New(interp.Options{})
		in.Use(stdlib.Symbols)
		for _, src := range splitImports(p.declare) {
			if _, err := in.Eval(src); err != nil {
				b.Fatal(err)
			}
		}
		for b.Loop() {
			if _, err := in.Eval(p.run); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// splitImports gives yaegi's import lines by themselves.
func splitImports(src string) []string {
	if first, rest, ok := strings.Cut(src, "\n"); ok && strings.HasPrefix(first, "import") {
		return []string{first, rest}
	}
	return []string{src}
}

func BenchmarkFib(b *testing.B)       { benchProgram(b, "Fib") }
func BenchmarkSieve(b *testing.B)     { benchProgram(b, "Sieve") }
func BenchmarkNested(b *testing.B)    { benchProgram(b, "Nested") }
func BenchmarkLoop(b *testing.B)      { benchProgram(b, "Loop") }
func BenchmarkMapLoop(b *testing.B)   { benchProgram(b, "MapLoop") }
func BenchmarkAppend(b *testing.B)    { benchProgram(b, "Append") }
func BenchmarkSortSlice(b *testing.B) { benchProgram(b, "SortSlice") }
func BenchmarkAcross(b *testing.B)    { benchProgram(b, "Across") }

// BenchmarkTrivial are the cells that do next to nothing.
func BenchmarkTrivial(b *testing.B) {
	for _, c := range []struct{ name, src string }{{"sum", "1 + 1"}, {"product", "keep * 2"}, {"tensors", "t + t"}, {"assignment", "z = t + t"}} {
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

// BenchmarkTensorLoop is a loop over small tensors: what calling compiled code costs.
func BenchmarkTensorLoop(b *testing.B) {
	s := New(Options{})
	defer s.Close()
	cell(s, "x, y := Ones(3), Ones(3)\nz := x")
	for b.Loop() {
		s.Eval(context.Background(), "for i := 0; i < 1000; i++ { z = x + y }", nil)
	}
}
