package syntax

import (
	"go/token"
	"strings"
	"testing"
	"time"
)

// TestManyMistakes: a cell that is only mistakes, or one line of a hundred thousand characters, is rejected in few
// words and at once.
func TestManyMistakes(t *testing.T) {
	for _, src := range []string{strings.Repeat("\x00", 100_000), strings.Repeat("\ufffd", 100_000),
		strings.Repeat("é", 50_000) + "🎈 \x01 x", strings.Repeat("x := #\n", 20_000)} {
		start := time.Now()
		_, err := Parse(token.NewFileSet(), "a", src)
		if err == nil {
			t.Errorf("%.10q: no error", src)
			continue
		}
		if text := err.Error(); len(text) > 50_000 || !strings.Contains(text, "^") || !strings.HasPrefix(text, "1:") {
			t.Errorf("%.10q: %d bytes: %.200q", src, len(text), text)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%.10q: took %v", src, d)
		}
	}
}
