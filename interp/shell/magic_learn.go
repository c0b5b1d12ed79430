package shell

import (
	"context"
	"strings"

	"gotorch/interp/learn"
	"gotorch/interp/result"
)

// learnMagics are the commands of lessons.
var learnMagics = []magic{
	{"learn", "[LESSON | map | next …]", "lessons that run here: begins one, or goes on with it: " + learn.Usage,
		(*Shell).learnMagic},
	{"check", "[EXERCISE]", "tries your function on hidden cases, and shows the first that fails", (*Shell).checkMagic},
	{"hint", "[EXERCISE]", "the next hint, each more concrete than the one before", (*Shell).hintMagic},
	{"answer", "VALUE", "answers the question of a lesson", (*Shell).answerMagic},
	{"solution", "[EXERCISE]", "the solution of an exercise, or the answer", (*Shell).solutionMagic},
	{"skip", "", "goes on without an exercise or a question", (*Shell).skipMagic},
}

// teacher is the tutor of this session.
func (s *Shell) teacher() *learn.Tutor {
	if s.tutor == nil {
		s.tutor = &learn.Tutor{Session: pupil{s}, Library: learn.Builtin(), Store: learn.UserStore(), NoSkip: s.NoSkip()}
	}
	return s.tutor
}

// pupil is a session as the tutor sees it.
type pupil struct{ *Shell }

// Go runs Go that is not the learner's: %go shows what they typed.
func (p pupil) Go(ctx context.Context, src string) (vals []Value, err *Error) {
	p.Aside(func() { vals, err = p.Session.Go(ctx, src) })
	return vals, err
}

// Offer puts a text where the next cell is typed; it is false where nobody types.
func (p pupil) Offer(text string) bool {
	f := p.Front()
	if f == nil {
		return false
	}
	f.Offer(text)
	return true
}

// Learned tells the tutor that a cell has run, and returns what a lesson says to it.
func (s *Shell) Learned(src string, failed bool) []result.Value { return s.tutor.After(src, failed) }

// InLesson reports whether a lesson is being read.
func (s *Shell) InLesson() bool { return s.tutor.Active() }

func (s *Shell) learnMagic(ctx context.Context, arg string) ([]Value, *Error) {
	return s.teacher().Command(ctx, arg)
}

func (s *Shell) checkMagic(ctx context.Context, arg string) ([]Value, *Error) {
	return s.teacher().Check(ctx, strings.TrimSpace(arg))
}

func (s *Shell) hintMagic(_ context.Context, arg string) ([]Value, *Error) {
	return s.teacher().Hint(strings.TrimSpace(arg))
}

func (s *Shell) answerMagic(ctx context.Context, arg string) ([]Value, *Error) {
	return s.teacher().Answer(ctx, strings.TrimSpace(arg))
}

func (s *Shell) solutionMagic(_ context.Context, arg string) ([]Value, *Error) {
	return s.teacher().Solution(strings.TrimSpace(arg))
}

func (s *Shell) skipMagic(ctx context.Context, _ string) ([]Value, *Error) {
	return s.teacher().Skip(ctx)
}
