package learn

import (
	"context"
	"regexp"
)

// replay runs the cells of steps without their output, for a lesson that goes on behind them. Where it needs the
// function of an exercise, it declares that.
func (t *Tutor) replay(ctx context.Context, steps []Step) {
	t.Session.Capture(func() {
		for _, s := range steps {
			switch {
			case ctx.Err() != nil:
				return
			case s.Kind == Code:
				t.Session.Eval(ctx, s.Text)
			case s.Kind == Task && t.lesson.needs(s.Exercise.Name, 0):
				t.declare(ctx, s.Exercise)
			}
		}
	})
}

// needs reports whether a cell or an exercise from step at on uses a name, other than its own exercise.
func (l *Lesson) needs(name string, at int) bool {
	word := regexp.MustCompile(`\b` + name + `\b`)
	for _, s := range l.Steps[at:] {
		if s.Kind == Code && word.MatchString(s.Text) ||
			s.Kind == Task && s.Exercise.Name != name && word.MatchString(s.Exercise.Solution) {
			return true
		}
	}
	return false
}

// declare declares the function of an exercise: the learner's where it has passed the check, otherwise the solution.
func (t *Tutor) declare(ctx context.Context, x *Exercise) {
	t.Session.Capture(func() {
		if t.solved(x) {
			if _, err := t.Session.Eval(ctx, t.lastAttempt(x)); err == nil {
				return
			}
		}
		t.Session.Eval(ctx, x.Solution)
	})
}

// solved reports whether the learner has solved an exercise of the lesson.
func (t *Tutor) solved(x *Exercise) bool {
	tried := t.record().Exercises[x.Name]
	return tried != nil && tried.Solved
}

// record is what the learner has done in the lesson; an empty one where that cannot be read.
func (t *Tutor) record() *Record {
	p, err := t.Store.Load()
	if err != nil {
		return new(Record)
	}
	return p.record(t.lesson.ID)
}
