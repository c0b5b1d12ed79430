package interp

import (
	"context"
	"errors"
	"testing"
	"time"

	_ "gotorch"
)

// TestLongKernelsStop interrupts a product that takes many seconds: the cell ends at once, and so does the kernel
// beneath, or the next cell would find the session busy.
func TestLongKernelsStop(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	eval := func(ctx context.Context, src string) error {
		_, err := s.Eval(ctx, src, Discard)
		return err
	}
	if err := eval(t.Context(), "a := Ones(6000, 6000)"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	var e *Error
	if err := eval(ctx, "b := a @ a @ a @ a"); !errors.As(err, &e) || e.Name != "Interrupted" {
		t.Errorf("%v", err)
	}
	if err := eval(t.Context(), "c := 1"); err != nil {
		t.Errorf("the next cell: %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

// TestPlacesAcrossCalls: what a statement does after a call of a user's function is at its own line.
func TestPlacesAcrossCalls(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cells := []string{
		"func f(x *Tensor) *Tensor {\n\ty := x + 1\n\treturn y\n}\nfunc g(x *Tensor) (*Tensor, error) {\n\tdefer func() {}()\n\treturn f(x), nil\n}\nh := func(x *Tensor) *Tensor { return f(x) }",
		"\n\nf(Ones(3)) @ Ones(4)",
		"\nx, _ := g(Ones(3)); x @ Ones(4)",
		"h(Ones(3)) @ Ones(4)",
	}
	for i, line := range []int{0, 3, 2, 1} {
		_, err := s.Eval(t.Context(), cells[i], Discard)
		if line == 0 {
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Line != line || e.Cell != "In["+string(rune('1'+i))+"]" {
			t.Errorf("cell %d: %+v, want line %d", i+1, e, line)
		}
	}
}
