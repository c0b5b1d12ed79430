package interp

import (
	"context"
	"gotorch/interp/lower"
	"strings"
	"testing"
)

// TestCellBesideOneThatHasNotLeft: a cell that could not be run, because the one before is still inside host code,
// defines nothing, and what the one before does when it comes back is not taken for another's.
func TestCellBesideOneThatHasNotLeft(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	inside, comes := make(chan bool), make(chan bool)
	s.eng.Extend("Show", func(v any) { close(inside); <-comes; s.show(v) })
	cell(s, "func g() int { return 1 }\nk := 5")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-inside; cancel() }()
	if _, err := s.Eval(ctx, "z := 3\nz", Discard); err == nil || err.(*Error).Name != "Interrupted" {
		t.Fatal(err)
	}
	for _, src := range []string{"func g() int { return 2 }\nfunc h() int { return 3 }\ntype Thing struct{}\nk := 6",
		"%trace Ones(2)"} {
		if got := cell(s, src); !strings.HasPrefix(got, "Busy: ") {
			t.Fatalf("%s: %s", src, got)
		}
	}
	close(comes)
	s.eng.Extend("Show", s.show)
	for got := "Busy"; strings.HasPrefix(got, "Busy"); {
		got = cell(s, "0")
	}
	for src, wants := range map[string]string{"g()": "1\n", "k": "5\n", "z": "3\n"} {
		if got := cell(s, src); got != wants {
			t.Errorf("%s: %s, want %s", src, got, wants)
		}
	}
	for _, src := range []string{"h()", "Thing{}"} {
		if got := cell(s, src); !strings.Contains(got, "undefined: ") {
			t.Errorf("%s: %s", src, got)
		}
	}
	if got := cell(s, "func g() int { return 4 }\ntype Thing struct{ a int }\ng(), Thing{2}"); got != "4\n{a:2}\n" {
		t.Error(got)
	}
}

// TestGoing: once a cell has ended nothing more is noted of it.
func TestGoing(t *testing.T) {
	var g progress
	sym := &lower.Symbol{ID: 3}
	g.begin(&lower.Program{Slots: []*lower.Symbol{sym}})
	place := new(int)
	g.declare(3, place)
	g.reach(2)
	g.show(Value{Text: "a"})
	if step, shown := g.end(); sym.Slot != place || step != 2 || len(shown) != 1 {
		t.Fatal(sym.Slot, step, shown)
	}
	g.declare(3, new(int))
	g.reach(5)
	g.show(Value{Text: "b"})
	if step, shown := g.end(); sym.Slot != place || step != 0 || len(shown) != 0 {
		t.Fatal(sym.Slot, step, shown)
	}
}
