package learn_test

import (
	"strings"
	"testing"

	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"gotorch/interp/learn"
)

// skipTo goes through the lesson and skips what is asked, until a cell's output has the text. Everything that the
// lesson's cells use is there.
func (l *learner) skipTo(text string) (out string) {
	l.t.Helper()
	for range 100 {
		switch src := l.f.offered; {
		case src == "":
			l.t.Fatalf("nothing is offered after:\n%s", out)
		case strings.HasPrefix(src, "%answer"), strings.HasPrefix(src, "func "):
			out = l.types("%skip")
		default:
			out = l.types(src)
		}
		if strings.Contains(out, "undefined:") {
			l.t.Fatalf("the lesson does not go on:\n%s", out)
		}
		if strings.Contains(strings.Join(strings.Fields(out), " "), text) {
			return out
		}
	}
	l.t.Fatalf("the lesson does not come to %q", text)
	return ""
}

// TestSkippedExercises: a lesson whose later cells call the function of an exercise goes on when the exercise is
// skipped, and when the session is another.
func TestSkippedExercises(t *testing.T) {
	celltest.Single(t)
	seen := 0
	for lesson := range learn.Builtin().All() {
		name := lesson.Needed()
		if name == "" {
			continue
		}
		seen++
		t.Run(lesson.ID, func(t *testing.T) {
			l := newLearner(t, interp.Options{})
			l.types("%learn " + lesson.ID)
			l.skipTo("a `" + name + "` that is right")
			l = again(t, interp.Options{})
			l.sees("%learn", "where you left it")
			l.skipTo("Done: ")
		})
	}
	if seen == 0 {
		t.Error("no lesson goes on with the function of an exercise")
	}
}

// TestFailingCell: a cell of the lesson that fails because of what the learner did stands at the prompt again, and can
// be skipped.
func TestFailingCell(t *testing.T) {
	celltest.Single(t)
	l := newLearner(t, interp.Options{})
	l.types("%learn storage")
	l.enter()
	l.types(`x := "mine"`)
	l.types("%learn next")
	l.enter("error: ", "`%skip` goes on", "%learn restart")
	l.offers("x.Shape()")
	l.sees("%skip", "An element is picked")
	l.offers("x.At(1, 2)")
}
