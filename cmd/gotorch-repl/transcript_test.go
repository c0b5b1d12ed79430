package main

import (
	"os"
	"strings"
	"testing"
)

// entry is a cell of a transcript and what it shows.
type entry struct{ code, want string }

// transcript reads ">>> cell", further lines of the cell after "... ", and what it shows beneath, up to an empty line
// before the next.
func transcript(t *testing.T, name string) []entry {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []entry
	for line := range strings.Lines(string(text)) {
		code, isCode := strings.CutPrefix(strings.TrimRight(line, "\n"), ">>> ")
		switch {
		case isCode:
			out = append(out, entry{code: code})
		case len(out) > 0 && out[len(out)-1].want == "" && strings.HasPrefix(line, "... "):
			out[len(out)-1].code += "\n" + strings.TrimRight(line[4:], "\n")
		case len(out) > 0:
			out[len(out)-1].want += line
		}
	}
	for i := range out {
		if out[i].want = strings.TrimRight(out[i].want, "\n"); out[i].want != "" {
			out[i].want += "\n"
		}
	}
	return out
}

// TestTranscript types a recorded session and compares all that it shows. Of an error the recording has facts, between
// ellipses.
func TestTranscript(t *testing.T) {
	entries := transcript(t, "testdata/session.txt")
	if len(entries) < 40 {
		t.Fatalf("%d entries", len(entries))
	}
	s := newSession()
	defer s.Close()
	for _, e := range entries {
		var out strings.Builder
		sink := plain(&out, &out, nil)
		evalPlain(t.Context(), s, e.code, sink)
		got := out.String()
		if !strings.HasPrefix(e.want, "error:") {
			if got != e.want {
				t.Errorf(">>> %s\n%swant\n%s", e.code, got, e.want)
			}
			continue
		}
		if !strings.HasPrefix(got, "error:") {
			t.Errorf(">>> %s\n%swant an error", e.code, got)
		}
		for _, fact := range strings.Split(strings.TrimPrefix(e.want, "error:"), "…") {
			for _, part := range strings.Split(fact, ";") {
				if part = strings.TrimSpace(part); !containsWords(got, part) {
					t.Errorf(">>> %s\n%swants the fact %q", e.code, got, part)
				}
			}
		}
	}
}

// containsWords reports whether text has every number and name of fact; the words between are the program's own.
func containsWords(text, fact string) bool {
	for _, w := range strings.Fields(fact) {
		w = strings.Trim(w, ",.")
		if strings.ContainsAny(w, "0123456789") || strings.ToLower(w) != w || w == "dim" || w == "keepdim" || w == "dtype" {
			if !strings.Contains(text, strings.Trim(w, "[]")) {
				return false
			}
		}
	}
	return true
}
