package learn

import (
	"context"
	"os"
	"strings"

	"gotorch/interp/result"
)

// Usage is what %learn takes.
const Usage = "[LESSON | COURSE | next | back | restart | map | summary FILE | forget [LESSON] | leave]"

// Command is %learn.
func (t *Tutor) Command(ctx context.Context, arg string) (vals []result.Value, err *result.Error) {
	defer func() {
		if t.notice != "" && err == nil {
			vals = append(vals, aside("Note: "+t.notice+"."))
			t.notice = ""
		}
	}()
	word, rest, _ := strings.Cut(strings.TrimSpace(arg), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "summary", "forget":
	default:
		if rest != "" {
			return nil, usage("%%learn %s", Usage)
		}
	}
	switch word {
	case "":
		return t.goOn(ctx)
	case "next":
		return t.next(ctx)
	case "back":
		return t.back()
	case "restart":
		if l, err := t.current(); err != nil || l == nil {
			return nil, orUsage(err, "no lesson has been begun: %learn begins one")
		} else {
			return t.begin(ctx, l, 0)
		}
	case "map":
		m, err := t.Map()
		if err != nil {
			return nil, usage("%v", err)
		}
		return []result.Value{picture(m)}, nil
	case "summary":
		return t.summary(rest)
	case "forget":
		return t.forget(rest)
	case "leave":
		if !t.Active() {
			return nil, usage("no lesson is being read")
		}
		l := t.lesson
		t.lesson = nil
		return asides("You have left *" + l.Title + "*. `%learn` goes on where you were."), nil
	}
	return t.open(ctx, word)
}

func orUsage(err *result.Error, says string) *result.Error {
	if err != nil {
		return err
	}
	return usage("%s", says)
}

// current is the lesson that is read, or was read last; nil if there was none.
func (t *Tutor) current() (*Lesson, *result.Error) {
	if t.lesson != nil {
		return t.lesson, nil
	}
	p, err := t.Store.Load()
	if err != nil {
		return nil, usage("%v", err)
	}
	return t.Library.byID[p.Current], nil
}

// goOn goes on with the lesson that was read last, or with the first.
func (t *Tutor) goOn(ctx context.Context) ([]result.Value, *result.Error) {
	if t.Active() {
		t.at--
		for t.at >= 0 && !t.lesson.Steps[t.at].waits() {
			t.at--
		}
		return t.advance(""), nil
	}
	l, err := t.current()
	if err != nil {
		return nil, err
	}
	p, _ := t.Store.Load()
	if l == nil {
		l = t.first(p)
	} else if r := p.Lessons[l.ID]; r != nil && r.Done && r.Step == 0 {
		if next := t.Library.After(l); next != nil && (p.Lessons[next.ID] == nil || !p.Lessons[next.ID].Done) {
			l = next // as the end of the lesson said
		} else {
			l = t.first(p)
		}
	}
	if l == nil {
		return asides("All lessons are done. `%learn map` shows them, `%learn` and a name reads one again."), nil
	}
	step := 0
	if r := p.Lessons[l.ID]; r != nil {
		step = r.Step
	}
	return t.begin(ctx, l, step)
}

// first is the first lesson that is not done.
func (t *Tutor) first(p *Progress) *Lesson {
	for l := range t.Library.All() {
		if r := p.Lessons[l.ID]; !l.Planned && (r == nil || !r.Done) {
			return l
		}
	}
	return nil
}

// open begins a lesson or a course by its name.
func (t *Tutor) open(ctx context.Context, name string) ([]result.Value, *result.Error) {
	p, err := t.Store.Load()
	if err != nil {
		return nil, usage("%v", err)
	}
	l := t.Library.Lesson(name)
	if c := t.Library.Course(name); c != nil {
		for _, one := range c.Lessons {
			if r := p.Lessons[one.ID]; !one.Planned && (l == nil || r == nil || !r.Done) {
				if l = one; r == nil || !r.Done {
					break
				}
			}
		}
		if l == nil {
			return nil, usage("the course %s has no lessons yet", name)
		}
	}
	if l == nil {
		return nil, usage("there is no lesson or course %s: %%learn map lists them", name)
	}
	step := 0
	if r := p.Lessons[l.ID]; r != nil {
		step = r.Step
	}
	return t.begin(ctx, l, step)
}

// next goes on from the present step; past an unsolved exercise only %skip does.
func (t *Tutor) next(ctx context.Context) ([]result.Value, *result.Error) {
	if !t.Active() {
		return t.goOn(ctx)
	}
	switch s := t.lesson.Steps[t.at]; s.Kind {
	case Code:
		if t.Session.Offer(s.Text) { // the learner runs it
			return nil, nil
		}
		vals, err := t.Session.Eval(ctx, s.Text)
		if err != nil && !s.Fails {
			return vals, err
		}
		if err != nil {
			vals = append(vals, aside("```text\nerror: "+err.Text()+"\n```"))
		}
		return append(vals, t.advance("")...), nil
	case Ask:
		if !t.settled() {
			return asides("The question is still open: `%answer` and your answer, `%hint`, or `%skip`.\n\n" + t.invite()), nil
		}
	case Task:
		if !t.settled() {
			text := "The exercise is still open: `%check` tries your function, `%hint` helps, `%skip` goes on without it."
			return asides(text + "\n\n" + t.invite()), nil
		}
	}
	return t.advance(""), nil
}

// settled reports whether the question or exercise of the present step is solved, or was skipped.
func (t *Tutor) settled() bool {
	r := t.record()
	var tried *Tried
	if s := t.lesson.Steps[t.at]; s.Kind == Task {
		tried = r.Exercises[s.Exercise.Name]
	} else {
		tried = r.Answers[t.at]
	}
	return tried != nil && (tried.Solved || tried.Skipped)
}

// back goes to the step before, and shows it again.
func (t *Tutor) back() ([]result.Value, *result.Error) {
	if !t.Active() {
		return nil, usage("no lesson is being read: %%learn begins one")
	}
	waiting := func() {
		for t.at--; t.at >= 0 && !t.lesson.Steps[t.at].waits(); t.at-- {
		}
	}
	waiting()
	if t.at < 0 {
		return t.advance("This is the beginning.\n\n"), nil
	}
	waiting()
	return t.advance(""), nil
}

// summary writes what the learner typed in the lesson to a notebook.
func (t *Tutor) summary(file string) ([]result.Value, *result.Error) {
	l, err := t.current()
	if err != nil || l == nil {
		return nil, orUsage(err, "no lesson has been begun: %learn begins one")
	}
	if file == "" {
		return nil, usage("%%learn summary FILE.ipynb writes what you typed in %s to a notebook", l.ID)
	}
	if err := t.Session.Restricted("%learn summary FILE"); err != nil {
		return nil, err
	}
	p, lerr := t.Store.Load()
	if lerr != nil {
		return nil, usage("%v", lerr)
	}
	if werr := os.WriteFile(file, SummaryNotebook(l, p.record(l.ID)), 0o666); werr != nil {
		return nil, usage("%v", werr)
	}
	return asides("What you typed in *" + l.Title + "* is in `" + file + "`."), nil
}

// forget forgets what was done in a lesson, or in all.
func (t *Tutor) forget(name string) ([]result.Value, *result.Error) {
	said := "All progress is forgotten."
	l := t.Library.Lesson(name)
	if name != "" {
		if l == nil {
			return nil, usage("there is no lesson %s: %%learn map lists them", name)
		}
		said = "What you did in *" + l.Title + "* is forgotten."
	}
	err := t.Store.Update(func(p *Progress) {
		if l == nil {
			*p = Progress{Version: 1, Lessons: map[string]*Record{}}
			return
		}
		delete(p.Lessons, l.ID)
		if p.Current == l.ID {
			p.Current = ""
		}
	})
	if err != nil {
		return nil, usage("%v", err)
	}
	if l == nil || l == t.lesson {
		t.lesson = nil
	}
	return asides(said), nil
}
