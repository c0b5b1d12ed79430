package interp

import (
	"fmt"
	"gotorch/interp/check"
	"gotorch/interp/internal/celltest"
	"gotorch/interp/split"
	"gotorch/interp/syntax"
	"slices"
	"strings"
	"testing"
)

// TestLongCells: questions about cells of megabytes are answered, from the beginning and from what stands around the
// cursor.
func TestLongCells(t *testing.T) {
	celltest.Single(t)
	s := New(Options{})
	defer s.Close()
	var b strings.Builder
	b.WriteString(
		"import str \"strings\"\ntype Pair struct { First, Second int }\nfunc twice(n int) int { return 2 * n }\n")
	for i := 0; b.Len() < 2<<20; i++ {
		fmt.Fprintf(&b, "v%d := %d + len(\"é\")\nif v%d > 0 {\n\tv%d++\n}\n", i, i, i, i)
	}
	head := b.String()
	tail := "\n" + strings.Repeat("w := 1\n", 100_000)
	for _, c := range []struct{ typed, want string }{
		{"p := Pair{1, 2}\np.Fi", "First"},
		{"near := Ones(2)\nnea", "near"},
		{"near := Ones(2)\nif true {\n\tnear.Su", "Sum"},
		{"str.ToUp", "ToUpper"},
		{"twi", "twice"},
		{"Zero", "Zeros"},
	} {
		src, cursor := head+c.typed+tail, len(head+c.typed)
		k := s.Complete(src, cursor)
		if !slices.ContainsFunc(k.Candidates, func(x check.Candidate) bool { return x.Text == c.want }) || k.End != cursor ||
			!strings.HasPrefix(c.want, src[k.Start:k.End]) {
			t.Errorf("%q gives %d candidates for %q", c.typed, len(k.Candidates), src[k.Start:k.End])
		}
	}
	src := head + "twice(" + tail
	if sig, ok := s.Signature(src, len(head)+6); !ok || sig.Name != "twice" {
		t.Errorf("the signature is %+v", sig)
	}
	if h, ok := s.Inspect(head+"Zeros"+tail, len(head)+3, false); !ok || !strings.Contains(h.Sig, "Zeros") {
		t.Errorf("inspection gives %+v", h)
	}
	if k := s.Complete(head[:200_000]+tail, 130); k.Start > 130 || k.End != 130 {
		t.Errorf("at the beginning: %d to %d", k.Start, k.End)
	}
	line := "x := []int{" + strings.Repeat("1, ", 100_000)
	if k := s.Complete(line+"mat", len(line)+3); k.Start != len(line) || k.End != len(line)+3 {
		t.Errorf("in one line: %d to %d", k.Start, k.End)
	}
}

// TestCommandsInTexts: lines of a text that look like commands split nothing, and many of them do not take the square
// of the time.
func TestCommandsInTexts(t *testing.T) {
	celltest.Single(t)
	s := New(Options{})
	defer s.Close()
	text := "x := `\n" + strings.Repeat("%d of it\n!ls\n", 100_000) + "`\n"
	for _, c := range []struct {
		src  string
		want int
	}{{text, 1}, {text + "%who\n", 2}} {
		n := 0
		for p := range split.Cell(c.src, s.shell.IsGo) {
			if n++; n == 1 && p.End != len(text) {
				t.Errorf("split at %d of %d", p.End, len(text))
			}
		}
		if n != c.want {
			t.Errorf("%d parts, want %d", n, c.want)
		}
	}
	if v, _ := s.IsComplete(text + "f("); v != syntax.Incomplete {
		t.Errorf("the verdict is %s", v)
	}
}
