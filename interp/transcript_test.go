package interp

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTranscript types in testdata/tensors.txt, a session with PyTorch's
// answers, and compares. Of an error only the words between … count.
func TestTranscript(t *testing.T) {
	b, err := os.ReadFile("testdata/tensors.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{})
	defer s.Close()
	steps := strings.Split(string(b), "\n>>> ")[1:]
	for _, step := range steps {
		src, want, _ := strings.Cut(step, "\n")
		want = strings.TrimSpace(want)
		got := strings.TrimSpace(cell(s, src))
		if words, ok := strings.CutPrefix(want, "error:"); ok {
			for _, w := range strings.Split(words, "…") {
				if w = strings.TrimSpace(w); w == "" {
					continue
				}
				if !facts(got, w) {
					t.Errorf("%s\nthe error lacks %q:\n%s", src, w, got)
				}
			}
			continue
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", src, got, want)
		}
	}
}

var word = regexp.MustCompile(`[A-Za-z0-9_]+`)

// facts reports whether text has all names and numbers of what was asked for.
func facts(text, want string) bool {
	have := map[string]bool{}
	for _, w := range word.FindAllString(text, -1) {
		have[strings.ToLower(w)] = true
	}
	for _, w := range word.FindAllString(want, -1) {
		if !have[strings.ToLower(w)] {
			return false
		}
	}
	return true
}
