package main

import (
	"bytes"
	"strings"
	"testing"

	"gotorch/interp/learn"
)

// TestLessonAfterFailure: where a cell of a lesson is meant to fail, the text that speaks of the error comes after it.
func TestLessonAfterFailure(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	l := learn.Builtin().Lesson("add/broadcast")
	s := newSession()
	defer s.Close()
	var out bytes.Buffer
	typed := func(src string) string {
		out.Reset()
		evalPlain(t.Context(), s, src, plain(&out, &out, nil))
		return out.String()
	}
	typed("%learn add/broadcast")
	for i, step := range l.Steps {
		switch {
		case step.Kind == learn.Prose:
			continue
		case step.Kind != learn.Code:
			typed("%skip")
			continue
		}
		got := typed(step.Text)
		if !step.Fails {
			continue
		}
		next := strings.Fields(l.Steps[i+1].Text)[:3]
		failure, prose := strings.Index(got, "error: "), strings.Index(got, strings.Join(next, " "))
		if l.Steps[i+1].Kind != learn.Prose || failure < 0 || prose < failure {
			t.Errorf("the error is at %d, what speaks of it, %q, at %d:\n%s", failure, next, prose, got)
		}
		return
	}
	t.Error("the lesson has no cell that fails and is followed by text")
}
