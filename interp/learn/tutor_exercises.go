package learn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gotorch/interp/result"
)

// exercise finds the exercise that a command means: the one named, or that of the present step.
func (t *Tutor) exercise(name string) (*Lesson, *Exercise, *result.Error) {
	if name != "" {
		if l, x := t.Library.Exercise(name); x != nil {
			return l, x, nil
		}
		return nil, nil, usage("no lesson has an exercise %s", name)
	}
	if t.Active() {
		if s := t.lesson.Steps[t.at]; s.Kind == Task {
			return t.lesson, s.Exercise, nil
		}
	}
	return nil, nil, usage("no exercise is open here; %%check, %%hint and %%solution also take the name of one")
}

// question is that of the present step, nil where it asks none.
func (t *Tutor) question() *Question {
	if !t.Active() {
		return nil
	}
	return t.lesson.Steps[t.at].Question
}

// here reports whether an exercise is that of the present step.
func (t *Tutor) here(x *Exercise) bool { return t.Active() && t.lesson.Steps[t.at].Exercise == x }

// Check is %check: it tries the learner's function on all cases.
func (t *Tutor) Check(ctx context.Context, name string) ([]result.Value, *result.Error) {
	l, x, err := t.exercise(name)
	if err != nil {
		return nil, err
	}
	if t.judges == nil {
		t.judges = map[string]*Judge{}
	}
	j := t.judges[x.Name]
	if j == nil {
		j = &Judge{Runner: t.Session, Exercise: x}
		t.judges[x.Name] = j
	}
	v, err := j.Check(ctx, "")
	if err != nil {
		return nil, err
	}
	attempts := 0
	t.save(func(p *Progress) {
		tried := p.record(l.ID).tried(x.Name)
		tried.Attempts++
		tried.Solved = tried.Solved || v.Passed()
		attempts = tried.Attempts
	})
	switch {
	case v.Problem != "":
		return asides(v.Problem), nil
	case v.Passed():
		text := fmt.Sprintf("✓ `%s` is right: all %d cases pass.", x.Name, v.Cases)
		if t.here(x) {
			return t.advance(text + "\n\n"), nil
		}
		return asides(text), nil
	}
	vals := []result.Value{picture(v.First)}
	if t.here(x) {
		t.Session.Offer(t.lastAttempt(x))
	}
	switch {
	case v.Hint != "":
		return append(vals, asides(v.Hint)...), nil
	case attempts > 1:
		return append(vals, asides("`%hint` helps.")...), nil
	}
	return vals, nil
}

// lastAttempt is the function as the learner wrote it last, to be changed.
func (t *Tutor) lastAttempt(x *Exercise) string {
	for _, typed := range slices.Backward(t.record().Typed) {
		if declares(typed.Text, x.Name) {
			return typed.Text
		}
	}
	return x.Starter
}

// Hint is %hint: the next hint of the exercise or question.
func (t *Tutor) Hint(name string) ([]result.Value, *result.Error) {
	if q := t.question(); q != nil && name == "" {
		if q.Hint == "" {
			return asides("There is no hint to this question: an answer that is wrong tells more."), nil
		}
		text := "**Hint.** " + q.Hint
		if t.hinted == q && !t.NoSkip {
			text += " There is no further hint: `%solution` shows the answer."
		}
		t.hinted = q
		return asides(text), nil
	}
	l, x, err := t.exercise(name)
	if err != nil {
		return nil, err
	}
	n := 0
	t.save(func(p *Progress) {
		tried := p.record(l.ID).tried(x.Name)
		tried.Hints = min(tried.Hints+1, len(x.Hints))
		n = tried.Hints
	})
	n = max(n, 1)
	text := fmt.Sprintf("**Hint %d of %d.** %s", n, len(x.Hints), x.Hints[n-1])
	if n == len(x.Hints) && !t.NoSkip {
		text += " `%solution` shows the solution."
	}
	return asides(text), nil
}

// Solution is %solution: the code of an exercise or the answer of a question, on request only.
func (t *Tutor) Solution(name string) ([]result.Value, *result.Error) {
	if t.NoSkip {
		return nil, usage("solutions are not shown in this class")
	}
	if q := t.question(); q != nil && name == "" {
		at, id := t.at, t.lesson.ID
		t.save(func(p *Progress) { p.record(id).answered(at).Solution = true })
		t.Session.Offer("%answer " + q.Answer)
		return asides(strings.TrimSpace("The answer is " + q.shown() + ". " + q.Why)), nil
	}
	l, x, err := t.exercise(name)
	if err != nil {
		return nil, err
	}
	t.save(func(p *Progress) { p.record(l.ID).tried(x.Name).Solution = true })
	return asides("One solution of `" + x.Name + "`; there may be others.\n\n```go\n" + x.Solution + "\n```"), nil
}

// Skip is %skip: the lesson goes on without the present step.
func (t *Tutor) Skip(ctx context.Context) ([]result.Value, *result.Error) {
	if !t.Active() {
		return nil, usage("no lesson is being read")
	}
	s := t.lesson.Steps[t.at]
	switch {
	case s.Kind == Code: // it runs all the same, since later cells may need it
		t.replay(ctx, t.lesson.Steps[t.at:t.at+1])
		return t.advance(""), nil
	case s.Kind != Ask && s.Kind != Task:
		return t.next(ctx)
	case t.NoSkip:
		return nil, usage("questions and exercises cannot be skipped in this class")
	}
	at, id := t.at, t.lesson.ID
	t.save(func(p *Progress) {
		if s.Kind == Task {
			p.record(id).tried(s.Exercise.Name).Skipped = true
		} else {
			p.record(id).answered(at).Skipped = true
		}
	})
	if s.Kind == Task && !t.solved(s.Exercise) && t.lesson.needs(s.Exercise.Name, at+1) {
		t.declare(ctx, s.Exercise)
		return t.advance("The lesson goes on with a `" + s.Exercise.Name + "` that is right.\n\n"), nil
	}
	return t.advance(""), nil
}

// Answer is %answer: it compares values, never texts.
func (t *Tutor) Answer(ctx context.Context, text string) ([]result.Value, *result.Error) {
	q := t.question()
	if q == nil {
		return nil, usage("no question is open")
	}
	if text == "" {
		t.Session.Offer("%answer ")
		example := "3"
		if len(q.Choices) > 0 {
			example = "a"
		}
		return asides("Behind `%answer` stands what you think: `%answer " + example +
			"`. `%hint` helps, `%skip` goes on."), nil
	}
	right, says, err := t.judgeAnswer(ctx, q, text)
	if err != nil {
		t.Session.Offer("%answer ")
		return nil, err
	}
	at, id := t.at, t.lesson.ID
	t.save(func(p *Progress) {
		tried := p.record(id).answered(at)
		tried.Attempts++
		tried.Solved = tried.Solved || right
		p.record(id).typed(Typed{Step: at, Text: "%answer " + text, Failed: !right})
	})
	if right {
		return t.advance(strings.TrimSpace("✓ Right. "+says+" "+q.Why) + "\n\n"), nil
	}
	t.Session.Offer("%answer ")
	return asides(strings.TrimSpace("✗ Not so. " + says)), nil
}

// shown is the right answer as a learner reads it.
func (q *Question) shown() string {
	for i, c := range q.Choices {
		if c.Right {
			return letter(i) + ") " + strings.TrimSuffix(c.Text, ".")
		}
	}
	return "`" + q.Answer + "`"
}

// judgeAnswer compares an answer with the one that is right.
func (t *Tutor) judgeAnswer(ctx context.Context, q *Question, text string) (ok bool, says string, err *result.Error) {
	if len(q.Choices) > 0 {
		chosen := strings.ToLower(strings.Trim(text, " )(.\"'"))
		for i, c := range q.Choices {
			if chosen == letter(i) {
				return c.Right, c.Why, nil
			}
		}
		return false, "", usage("%%answer and a letter from a to %s", letter(len(q.Choices)-1))
	}
	got, err := t.value(ctx, text)
	if err != nil && strings.HasPrefix(text, "[") && !strings.Contains(text, ",") { // as shapes are printed
		got, err = t.value(ctx, strings.Join(strings.Fields(text), ", "))
	}
	if err != nil {
		return false, "", err
	}
	want, err := t.value(ctx, q.Answer)
	if err != nil {
		return false, "", err
	}
	if differences(got, want) == nil {
		return true, "", nil
	}
	for _, m := range q.Wrong {
		if typical, err := t.value(ctx, m.Code); err == nil && differences(got, typical) == nil {
			return false, m.Hint, nil
		}
	}
	return false, "`%hint` helps.", nil
}

// value is that of an expression.
func (t *Tutor) value(ctx context.Context, text string) (any, *result.Error) {
	vals, err := t.Session.Go(ctx, text)
	if err != nil {
		return nil, err
	}
	if len(vals) != 1 {
		return nil, usage("an answer is one value")
	}
	return vals[0].V, nil
}
