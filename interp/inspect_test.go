package interp

import (
	"strings"
	"testing"
)

// TestHelpIsUnbroken: a paragraph of a doc comment is one line of help, which the prompt breaks for its own width;
// code keeps its lines.
func TestHelpIsUnbroken(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for src, want := range map[string]string{
		"?strings.Cut": "Cut slices s around the first instance of sep, returning the text before and after sep. The found",
		"?widgets.Interact": "What is given for a parameter says more: a Span is the slider's range, a value is where the " +
			"control begins (an int n has then",
		"?visualize.Live": "\tfor step := range 1000 {\n\t\t…\n\t\tlive.Add(step, loss)\n\t}\n",
	} {
		if got := cell(s, src); !strings.Contains(got, want) {
			t.Errorf("%s lacks %q:\n%s", src, want, got)
		}
	}
}

// TestInspectSource: ?? of an operator's name has its source, by Go's names and PyTorch's; ? has not.
func TestInspectSource(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, name := range []string{"Cumsum", "x.Cumsum", "torch.cumsum"} {
		if name[0] == 'x' {
			if _, err := s.Eval(t.Context(), "x := Ones(2)", Discard); err != nil {
				t.Fatal(err)
			}
		}
		h, ok := s.Inspect(name, len(name), true)
		if text := h.String(); !ok || !strings.Contains(text, "func scanShape(c *Call) {") ||
			!strings.Contains(text, "derivative, autograd/formulas_scans.go:") {
			t.Errorf("%s: %v %s", name, ok, text)
		}
		if h, _ := s.Inspect(name, len(name), false); h.Code != nil {
			t.Errorf("%s without detail has its source", name)
		}
	}
}
