package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/shell"
	"gotorch/tensor"
	"testing"
)

// TestExamples: every example that help shows is a cell that runs.
func TestExamples(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	shown := 0
	for _, o := range tensor.Ops() {
		if o.IsPrivate() {
			continue
		}
		for _, method := range []bool{false, true} {
			text := shell.Example(o, method)
			if text == "" || method && !o.HasMethod() {
				continue
			}
			if !method {
				shown++
			}
			if _, err := s.Eval(t.Context(), text, nil); err != nil {
				t.Errorf("%s: %s: %v", o.Full, text, err)
			}
		}
	}
	if shown < 440 {
		t.Errorf("only %d operators have an example", shown)
	}
}
