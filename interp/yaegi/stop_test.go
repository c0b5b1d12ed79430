package yaegi_test

import (
	"context"
	"errors"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"testing"
	"time"
)

// TestEarlyInterrupts: a cell that is interrupted while it begins, before its first frame stands, ends as any other
// does, and what was defined before it lives on.
func TestEarlyInterrupts(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	if _, err := s.Eval(t.Context(), "n := 0\nstep := func() int { n++; return n }", interp.Discard); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*20*time.Microsecond)
		_, err := s.Eval(ctx, "for {\n}", interp.Discard)
		cancel()
		var e *interp.Error
		if !errors.As(err, &e) || e.Name != "Interrupted" {
			t.Fatalf("interrupt %d: %v", i, err)
		}
	}
	values, err := s.Eval(t.Context(), "step()", interp.Discard)
	if err != nil || len(values) != 1 || values[0].V != 1 {
		t.Errorf("the session: %v, %v", values, err)
	}
}

// TestClosuresOutliveAnInterrupt: closures that earlier cells made still work
// after one (yaegi's own way of stopping would leave them dead).
func TestClosuresOutliveAnInterrupt(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "count := func() func() int { n := 0; return func() int { n++; return n } }()\nch := make(chan "+
		"int, 1)\nsend := func(x int) { ch <- x }")
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	s.Eval(ctx, "for {}", nil)
	if got := celltest.Cell(s, "count()\ncount()"); got != "2\n" {
		t.Errorf("a closure made before the interrupt gives %q", got)
	}
	if got := celltest.Cell(s, "send(7)\n<-ch"); got != "7\n" {
		t.Errorf("a closure's channel gives %q", got)
	}
}
