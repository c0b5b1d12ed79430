package lower_test

import (
	"errors"
	"gotorch/interp"
	"testing"

	_ "gotorch"
)

// TestPlacesAcrossCalls: what a statement does after a call of a user's function is at its own line.
func TestPlacesAcrossCalls(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	cells := []string{
		"func f(x *Tensor) *Tensor {\n\ty := x + 1\n\treturn y\n}\nfunc g(x *Tensor) (*Tensor, error) {\n\tdefer func() " +
			"{}()\n\treturn f(x), nil\n}\nh := func(x *Tensor) *Tensor { return f(x) }",
		"\n\nf(Ones(3)) @ Ones(4)",
		"\nx, _ := g(Ones(3)); x @ Ones(4)",
		"h(Ones(3)) @ Ones(4)",
	}
	for i, line := range []int{0, 3, 2, 1} {
		_, err := s.Eval(t.Context(), cells[i], interp.Discard)
		if line == 0 {
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		var e *interp.Error
		if !errors.As(err, &e) || e.Line != line || e.Cell != "In["+string(rune('1'+i))+"]" {
			t.Errorf("cell %d: %+v, want line %d", i+1, e, line)
		}
	}
}
