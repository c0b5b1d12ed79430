package interp

import (
	"context"
	"errors"
	"testing"
)

// TestPanicsOfEarlierCells: what an earlier cell left behind, closures of loops, displays that are drawn later, values
// that hold themselves, is an error where it fails, and the session lives on.
func TestPanicsOfEarlierCells(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	const setUp = `ring := map[string]any{}
ring["itself"] = ring
var loop []func()
for i := range 3 {
	loop = append(loop, func() { panic(i) })
}
var inner []func()
for range 2 {
	for i := range 3 {
		inner = append(inner, func() { func() { loop[i]() }() })
	}
}
handle := display.Show(display.Text("first"))
often := func(make func() any) {
	for range 3 {
		handle.UpdateSoon(make)
	}
}
calls := 0`
	if _, err := s.Eval(t.Context(), setUp, Discard); err != nil {
		t.Fatal(err)
	}
	const itself = "the value holds itself and cannot be written as text"
	for _, c := range []struct{ src, want string }{
		{"loop[1]()", "panic: 1"},
		{"inner[5]()", "panic: 2"},
		{"display.JSON(ring)", itself},
		{"display.Display(ring)", itself},
		{"handle.Update(ring)", itself},
		{"widgets.Output().Print(ring)", itself},
		{"log.Println(ring)", itself},
		{"log.New(os.Stderr, \"\", 0).Panicf(\"%v\", ring)", itself},
		{"template.Must(template.New(\"\").Parse(\"{{.}}\")).Execute(os.Stdout, ring)", itself},
		{"panic(ring)", "panic: map[string]interface {} (its text cannot be had: " + itself + ")"},
		{"often(func() any { calls++; if calls > 1 { panic(\"drawn\") }; return 1 })", "panic: drawn"},
		{"often(func() any { handle.UpdateSoon(func() any { return 2 }); return 1 })", ""},
		{"calls", ""},
	} {
		_, err := s.Eval(t.Context(), c.src, Discard)
		var e *Error
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.src, err)
		case c.want != "" && (!errors.As(err, &e) || e.Value != c.want):
			t.Errorf("%s: %v, want %s", c.src, err, c.want)
		}
	}
}

// TestLateDrawingIsInterrupted: what a display keeps for the end of a cell is code of the cell, and can be stopped as
// such.
func TestLateDrawingIsInterrupted(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := s.Eval(ctx, `n := 0
handle := display.Show(display.Text("first"))
for range 3 {
	handle.UpdateSoon(func() any {
		if n++; n > 1 {
			fmt.Println()
			for {
			}
		}
		return n
	})
}`, atWork(cancel))
	var e *Error
	if !errors.As(err, &e) || e.Name != "Interrupted" {
		t.Errorf("%v", err)
	}
	if _, err := s.Eval(t.Context(), "n", Discard); err != nil {
		t.Errorf("the next cell: %v", err)
	}
}
