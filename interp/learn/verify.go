package learn

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"gotorch/interp/result"
)

// Bench is a session in which a lesson is verified: it runs cells and gathers all that they show.
type Bench interface {
	Runner
	Cell(ctx context.Context, src string) (Output, *result.Error)
}

// Output is what a cell showed: its text, and the pictures of views, as SVG.
type Output struct {
	Text     string
	Pictures []string
}

// Verify runs a lesson: its cells, its questions and its exercises. It returns what is wrong, in lines; the outputs
// are those of its cells, by step.
func (lib *Library) Verify(ctx context.Context, l *Lesson, b Bench) (problems []string, outputs map[int]Output) {
	problems, outputs = lib.VerifyCells(ctx, l, b)
	return append(problems, lib.UnexplainedWords(l)...), outputs
}

// VerifyCells is Verify without a look at the words.
func (lib *Library) VerifyCells(ctx context.Context, l *Lesson, b Bench) (problems []string, outputs map[int]Output) {
	outputs = map[int]Output{}
	storages := numbering{}
	wrong := func(line int, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("%s:%d: %s", l.File, line, fmt.Sprintf(format, args...)))
	}
	for i, s := range l.Steps {
		switch s.Kind {
		case Code:
			out, err := b.Cell(ctx, s.Text)
			if err != nil && s.Fails { // what the prose explains
				out.Text = strings.TrimPrefix(out.Text+"\n"+err.Text(), "\n")
			}
			out.Text = storages.renumber(out.Text)
			for i, svg := range out.Pictures {
				out.Pictures[i] = storages.renumber(svg)
			}
			outputs[i] = out
			switch {
			case err != nil && !s.Fails:
				wrong(s.Line, "the cell failed: %s", err.Text())
			case err == nil && s.Fails:
				wrong(s.Line, "the cell was to fail, and did not")
			}
			for _, want := range s.Shows {
				if !strings.Contains(out.Text, want) {
					wrong(s.Line, "the output has no %q, which the prose refers to:\n%s", want, out.Text)
				}
			}
		case Ask:
			verifyQuestion(ctx, s, b, wrong)
		case Task:
			verifyExercise(ctx, s.Exercise, s.Line, b, wrong)
			if _, err := b.Cell(ctx, s.Exercise.Starter); err != nil {
				wrong(s.Line, "the starter is no cell that runs: %s", err.Text())
			}
			if _, err := b.Cell(ctx, s.Exercise.Solution); err != nil { // what follows may use it
				wrong(s.Line, "the solution is no cell that runs: %s", err.Text())
			}
		}
	}
	return problems, outputs
}

// numbering numbers storages in the order in which a lesson shows them: a process numbers all that it makes.
type numbering map[string]string

var storageNumber = regexp.MustCompile(`storage #\d+`)

func (n numbering) renumber(text string) string {
	return storageNumber.ReplaceAllStringFunc(text, func(s string) string {
		if n[s] == "" {
			n[s] = fmt.Sprintf("storage #%d", len(n)+1)
		}
		return n[s]
	})
}

func verifyQuestion(ctx context.Context, s Step, b Bench, wrong func(int, string, ...any)) {
	q := s.Question
	if len(q.Choices) > 0 {
		return
	}
	t := Tutor{Session: valuesOnly{b}}
	want, err := t.value(ctx, q.Answer)
	if err != nil {
		wrong(s.Line, "the answer %s: %s", q.Answer, err.Text())
		return
	}
	for _, m := range q.Wrong {
		got, err := t.value(ctx, m.Code)
		switch {
		case err != nil:
			wrong(m.Line, "the wrong answer %s: %s", m.Code, err.Text())
		case differences(got, want) == nil:
			wrong(m.Line, "the wrong answer %s is right", m.Code)
		}
	}
}

func verifyExercise(ctx context.Context, x *Exercise, line int, b Bench, wrong func(int, string, ...any)) {
	j := &Judge{Runner: b, Exercise: x}
	v, err := j.Check(ctx, x.Solution)
	switch {
	case err != nil:
		wrong(line, "the exercise %s: %s", x.Name, err.Text())
		return
	case v.Problem != "":
		wrong(line, "the solution of %s: %s", x.Name, v.Problem)
		return
	case !v.Passed():
		wrong(line, "the solution of %s does not pass:\n%s", x.Name, v.First.Text(false))
	}
	for i, o := range j.want {
		if o.err != nil && o.err.Name != "TensorError" && o.err.Name != "Panic" {
			wrong(line, "case %d of %s, %s: the solution ends with an error: %s", i+1, x.Name, x.Cases[i].Args, o.err.Text())
		}
	}
	if len(x.Wrong) < 3 {
		wrong(line, "%s has %d typical wrong answers, of three at least", x.Name, len(x.Wrong))
	}
	for n, m := range x.Wrong {
		v, err := j.Check(ctx, m.Code)
		switch {
		case err != nil:
			wrong(m.Line, "a wrong answer of %s: %s", x.Name, err.Text())
		case v.Problem != "":
			wrong(m.Line, "a wrong answer of %s does not declare it, or is no Go", x.Name)
		case v.Passed():
			wrong(m.Line, "a wrong answer of %s passes all cases: a case is missing", x.Name)
		case v.Mistake != n:
			wrong(m.Line, "this wrong answer of %s is taken for number %d: a case must tell them apart", x.Name, v.Mistake+1)
		}
	}
}

// valuesOnly is a bench as a tutor sees it: it evaluates, and shows nothing.
type valuesOnly struct{ Bench }

func (v valuesOnly) Eval(ctx context.Context, src string) ([]result.Value, *result.Error) {
	return v.Go(ctx, src)
}
func (valuesOnly) Capture(f func()) string         { f(); return "" }
func (valuesOnly) Offer(string) bool               { return false }
func (valuesOnly) Restricted(string) *result.Error { return nil }
