package interp

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestEarlyInterrupts: a cell that is interrupted while it begins, before its first frame stands, ends as any other
// does, and what was defined before it lives on.
func TestEarlyInterrupts(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	if _, err := s.Eval(t.Context(), "n := 0\nstep := func() int { n++; return n }", Discard); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*20*time.Microsecond)
		_, err := s.Eval(ctx, "for {\n}", Discard)
		cancel()
		var e *Error
		if !errors.As(err, &e) || e.Name != "Interrupted" {
			t.Fatalf("interrupt %d: %v", i, err)
		}
	}
	values, err := s.Eval(t.Context(), "step()", Discard)
	if err != nil || len(values) != 1 || values[0].V != 1 {
		t.Errorf("the session: %v, %v", values, err)
	}
}
