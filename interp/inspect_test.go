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
		"?strings.Cut":      "Cut slices s around the first instance of sep, returning the text before and after sep. The found",
		"?widgets.Interact": "What is given for a parameter says more: a Span is the slider's range, a value is where the control begins (an int n has then",
		"?visualize.Live":   "\tfor step := range 1000 {\n\t\t…\n\t\tlive.Add(step, loss)\n\t}\n",
	} {
		if got := cell(s, src); !strings.Contains(got, want) {
			t.Errorf("%s lacks %q:\n%s", src, want, got)
		}
	}
}
