package interp

import (
	"context"
	"fmt"
	"gotorch/interp/internal/celltest"
	"runtime"
	"testing"
)

// BenchmarkCell is a trivial cell through the session.
func BenchmarkCell(b *testing.B) {
	for _, c := range []struct{ name, src string }{
		{"expression", "1 + 2"}, {"assignment", "x := 3"}, {"variable", "keep * 2"}, {"print", `fmt.Sprint("a", keep)`},
		{"function", "func f(n int) int { return n * keep }"}, {"tensor", "t + 1"}, {"product", "t @ t"},
		{"printed tensor", "fmt.Sprint(t)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := New(Options{})
			defer s.Close()
			cell(s, "keep := 2\nt := Ones(3)")
			for b.Loop() {
				if _, err := s.Eval(context.Background(), c.src, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStart is a new session up to its first result.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s := New(Options{})
		if _, err := s.Eval(context.Background(), "x := Arange(6).View(2, 3)\nx + 1", nil); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestMemory: what cells leave behind.
func TestMemory(t *testing.T) {
	celltest.Single(t)
	s := New(Options{Keep: 2})
	defer s.Close()
	eval := func(src string) {
		t.Helper()
		if _, err := s.Eval(context.Background(), src, nil); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
	}
	eval("a := 1\nbuf := []byte{}")
	for i := range 100 {
		eval(fmt.Sprintf("y%d := %d\ny%d * 2", i%50, i, i%50))
	}

	before := heap()
	const n = 3000
	for i := range n {
		switch i % 3 {
		case 0:
			eval(fmt.Sprintf("y%d := %d\ny%d * 2", i%50, i, i%50))
		case 1:
			eval("func f(x int) int { return x + a }\nf(3)")
		case 2:
			eval("for i := range 3 { a += i }\nfmt.Sprint(a)")
		}
	}
	if grew := (heap() - before) / n; grew > 8<<10 {
		t.Errorf("each of %d cells leaves %d bytes", n, grew)
	} else {
		t.Logf("each of %d cells leaves %d bytes", n, grew)
	}

	before = heap()
	for range 10 {
		eval("buf = make([]byte, 10<<20)\nlen(buf)")
		eval("big := make([]byte, 10<<20)\nbig[3] = 1")
		eval("make([]byte, 10<<20)[5]")
		eval("len(append([]byte{}, make([]byte, 10<<20)...))")
	}
	eval("buf = nil\nbig := 3")
	eval("1")
	eval("2")
	if grew := heap() - before; grew > 5<<20 {
		t.Errorf("%d MB are held by values that nothing names", grew>>20)
	}
}

// TestPace: a cell costs the same after thousands of others.
func TestPace(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for i := range 300 {
		cell(s, fmt.Sprintf("name%d := %d", i, i))
	}
	if got := cell(s, "name299 + name0"); got != "299\n" {
		t.Errorf("got %q", got)
	}
	r := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			s.Eval(context.Background(), "name1 + name2", nil)
		}
	})
	t.Logf("with 300 names: %v", r)
}
