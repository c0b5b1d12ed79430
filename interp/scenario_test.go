package interp

import (
	"gotorch/interp/internal/celltest"
	"os"
	"strings"
	"testing"
)

// TestScenarios runs the sessions of sessions.txt, one after the other: what a user would expect of each cell. A
// line of four dashes ends a cell, one of four equal signs a session.
func TestScenarios(t *testing.T) {
	text, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, scenario := range strings.Split(strings.TrimSpace(string(text)), "\n====\n") {
		s := New(Options{})
		for _, c := range strings.Split(scenario, "\n----\n") {
			transcript(&b, c, cell(s, c))
		}
		s.Close()
		b.WriteString("====\n")
	}
	golden(t, "sessions.want", pointers.ReplaceAllString(b.String(), "0x…"))
}

// TestSugar is one session of tensor syntax inside of all kinds of Go, and of its messages.
func TestSugar(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	var b strings.Builder
	for _, c := range celltest.Blocks(t, "testdata/sugar.txt") {
		transcript(&b, c, cell(s, c))
	}
	golden(t, "sugar.want", b.String())
}
