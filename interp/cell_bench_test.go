package interp

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"gotorch/tensor"

	yaegi "github.com/traefik/yaegi/interp"
)

// BenchmarkLateCell is a trivial cell after 3,000 others, with 300 live names. Its median is to be below 0.3 ms.
func BenchmarkLateCell(b *testing.B) {
	s := New(Options{})
	defer s.Close()
	for i := range 3000 {
		cell(s, fmt.Sprintf("name%d := %d", i%300, i))
	}
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		if _, err := s.Eval(context.Background(), "name1 + name2", nil); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs(median)")
}

const fib = "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }"

// BenchmarkFib24 is interpreted recursion in a cell and in raw yaegi: the first is to stay within three times the
// second.
func BenchmarkFib24(b *testing.B) {
	b.Run("cell", func(b *testing.B) {
		s := New(Options{})
		defer s.Close()
		cell(s, fib)
		for b.Loop() {
			if got := cell(s, "fib(24)"); got != "46368\n" {
				b.Fatal(got)
			}
		}
	})
	b.Run("yaegi", func(b *testing.B) {
		in := yaegi.New(yaegi.Options{})
		if _, err := in.Eval(fib); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if v, err := in.Eval("fib(24)"); err != nil || v.Int() != 46368 {
				b.Fatal(v, err)
			}
		}
	})
}

// BenchmarkMethod is a call of a tensor's method in a loop of a cell, and the same compiled: the first is to take less
// than 1 µs more.
func BenchmarkMethod(b *testing.B) {
	const n = 1000
	for _, m := range []struct {
		name, src string
		compiled  func(x *tensor.Tensor)
	}{
		{"Dim", "x.Dim()", func(x *tensor.Tensor) { x.Dim() }},
		{"Size", "x.Size(1)", func(x *tensor.Tensor) { x.Size(1) }},
		{"Add", "x + 1", func(x *tensor.Tensor) { x.Add(1) }},
		{"Index", "x[1]", func(x *tensor.Tensor) { x.Index(1) }},
	} {
		b.Run(m.name+"/cell", func(b *testing.B) {
			s := New(Options{})
			defer s.Close()
			cell(s, "x := Ones(2, 3)")
			src := fmt.Sprintf("for i := 0; i < %d; i++ { _ = %s }", n, m.src)
			for b.Loop() {
				if _, err := s.Eval(context.Background(), src, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/call")
		})
		b.Run(m.name+"/compiled", func(b *testing.B) {
			x := tensor.Ones(2, 3)
			for b.Loop() {
				for range n {
					m.compiled(x)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/call")
		})
	}
}
