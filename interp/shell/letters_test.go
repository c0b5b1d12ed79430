package shell_test

import (
	"fmt"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"testing"
)

// TestLetters: \\alpha completes to its letter, outside of quotes.
func TestLetters(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, c := range []struct {
		src  string
		want string
	}{
		{`\alpha`, "0 α"},
		{`x := \Omeg`, "5 Ω"},
		{`\eta`, "0 η"},
		{`\th`, "0 θ"},
		{`y := "\al`, ""},
		{`\zzz`, ""},
		{`\p`, "0 φ π ψ"},
	} {
		got := ""
		if f := s.Complete(c.src, len(c.src)); len(f.Candidates) > 0 && f.Candidates[0].Type == "letter" {
			got = fmt.Sprint(f.Start)
			for _, k := range f.Candidates {
				got += " " + k.Text
			}
		}
		if got != c.want {
			t.Errorf("%s gives %q, want %q", c.src, got, c.want)
		}
	}
	if got := celltest.Cell(s, "α := 2\nα + 1"); got != "3\n" {
		t.Error(got)
	}
}
