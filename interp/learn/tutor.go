package learn

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gotorch/interp/result"
)

// Session is what a tutor needs of the session that it teaches in.
type Session interface {
	Runner

	// Eval runs what a cell may hold.
	Eval(ctx context.Context, src string) ([]result.Value, *result.Error)

	// Capture runs f, which shows nothing.
	Capture(f func()) (printed string)

	// Offer puts a text where the next cell is typed; it is false where nobody types.
	Offer(text string) bool

	// Restricted is the error of what the restricted mode refuses.
	Restricted(what string) *result.Error
}

// Note: how a lesson goes on. The tutor shows prose up to the next step at which the learner does something, and
// puts that step's cell where the next cell is typed. When a cell has run, After compares it: the lesson's own,
// perhaps edited, leads on; any other is an experiment, and the lesson stays where it is. Enter on an empty line asks
// to go on.

// Tutor leads a learner through lessons, in one session.
type Tutor struct {
	Session Session
	Library *Library
	Store   *Store
	NoSkip  bool // questions and exercises cannot be skipped, nor solutions shown

	lesson *Lesson // nil while none is read
	at     int     // the step at which the learner is
	ran    bool    // the cell of the step has run
	notice string  // what is to be said once: that progress is not saved
	warned bool    // it has been said
	judges map[string]*Judge
	hinted *Question // whose hint was shown last
}

// Active reports whether a lesson is being read.
func (t *Tutor) Active() bool { return t != nil && t.lesson != nil }

// begin starts a lesson at a step, whose cells before it are run again, without their output.
func (t *Tutor) begin(ctx context.Context, l *Lesson, at int) ([]result.Value, *result.Error) {
	if l.Planned {
		return nil, usage("%s is planned: there is no text yet", l.ID)
	}
	t.lesson, t.at, t.ran = l, -1, false
	if at <= 0 || at >= len(l.Steps) {
		t.save(func(p *Progress) {
			r := p.record(l.ID)
			r.Step, r.Typed = 0, nil
			p.Current = l.ID
		})
		return t.advance(t.opening()), nil
	}
	t.replay(ctx, l.Steps[:at])
	t.save(func(p *Progress) { p.record(l.ID); p.Current = l.ID })
	t.at = at
	for t.at > 0 && !l.Steps[t.at-1].waits() {
		t.at--
	}
	t.at--
	return t.advance("**" + l.Title + "**, where you left it; its cells before this one have run again.\n\n"), nil
}

// howItWorks begins the first lesson that somebody reads.
const howItWorks = "A cell of the lesson stands at the prompt: Enter runs it, as it is or changed. In between " +
	"you may type whatever you like; Enter on an empty line, or `%learn next`, leads back. `%learn leave` ends, and " +
	"`%learn` goes on another time.\n\n"

// opening is what a lesson begins with.
func (t *Tutor) opening() string {
	l := t.lesson
	text := "# " + l.Title + "\n\n"
	if l.Minutes > 0 {
		text += fmt.Sprintf("*%s · %d cells · some %d minutes*\n\n", l.ID, l.Cells(), l.Minutes)
	}
	if p, err := t.Store.Load(); err == nil && len(p.Lessons) <= 1 && l.Cells() > 0 {
		text += howItWorks
	}
	return text
}

// advance shows what follows the present step, up to the next at which the learner does something.
func (t *Tutor) advance(before string) []result.Value {
	var b strings.Builder
	b.WriteString(before)
	for t.at++; t.at < len(t.lesson.Steps); t.at++ {
		s := t.lesson.Steps[t.at]
		if s.waits() {
			break
		}
		b.WriteString(s.Text + "\n\n")
	}
	t.ran = false
	if t.at >= len(t.lesson.Steps) {
		return append(asides(b.String()), t.finish()...)
	}
	at, id := t.at, t.lesson.ID
	t.save(func(p *Progress) { p.record(id).Step = at })
	b.WriteString(t.invite())
	return asides(b.String())
}

func asides(markdown string) []result.Value {
	if strings.TrimSpace(markdown) == "" {
		return nil
	}
	return []result.Value{aside(strings.TrimSpace(markdown))}
}

// invite puts what the learner is to do at the present step where the next cell is typed, or says it.
func (t *Tutor) invite() string {
	s := t.lesson.Steps[t.at]
	switch s.Kind {
	case Code:
		if t.Session.Offer(s.Text) {
			return ""
		}
		return "```go\n" + s.Text + "\n```\n"
	case Ask:
		t.Session.Offer("%answer ")
		return s.Question.Markdown()
	case Task:
		text := exerciseMarkdown(s.Exercise)
		if !t.Session.Offer(s.Exercise.Starter) {
			text += "\n\n```go\n" + s.Exercise.Starter + "\n```\n"
		}
		return text
	}
	return ""
}

// Markdown is a question as the learner reads it.
func (q *Question) Markdown() string {
	var b strings.Builder
	b.WriteString("**Question.** " + q.Text + "\n\n")
	for i, c := range q.Choices {
		b.WriteString("- " + letter(i) + ") " + c.Text + "\n")
	}
	if len(q.Choices) > 0 {
		b.WriteString("\nType `%answer` and a letter.")
	} else {
		b.WriteString("Type `%answer` and a value; any expression will do.")
	}
	return b.String()
}

func exerciseMarkdown(x *Exercise) string {
	return fmt.Sprintf("**Exercise.** Write `%s`; `%%check` tries it on %d cases, `%%hint` helps.", x.Name, len(x.Cases))
}

// After is called when a cell has run, and says how the lesson goes on.
func (t *Tutor) After(src string, failed bool) []result.Value {
	if !t.Active() || isCommand(src) {
		return nil
	}
	id, typed := t.lesson.ID, Typed{Step: t.at, Text: src, Failed: failed}
	t.save(func(p *Progress) { p.record(id).typed(typed) })
	switch s := t.lesson.Steps[t.at]; {
	case s.Kind == Code && resembles(src, s.Text):
		if failed != s.Fails { // it is tried again
			t.Session.Offer(s.Text)
			if !failed {
				return nil
			}
			return asides("The lesson's cell stands at the prompt again. `%skip` goes on without it, " +
				"`%learn restart` begins the lesson anew.")
		}
		return t.advance("")
	case s.Kind == Task && !failed && declares(src, s.Exercise.Name):
		t.Session.Offer("%check")
	}
	return nil
}

// isCommand reports whether a cell is one of the tutor's own commands.
func isCommand(src string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(src), " ")
	switch name {
	case "%learn", "%check", "%hint", "%solution", "%skip", "%answer":
		return true
	}
	return false
}

func declares(src, name string) bool {
	return regexp.MustCompile(`(?m)^func ` + name + `\(`).MatchString(src)
}

var wordOrSign = regexp.MustCompile(`[\pL_][\pL\pN_]*|[\pN.]+|[^\s]`)

// resembles reports whether a cell is one of the lesson, perhaps edited: most of its words and signs are the same.
func resembles(src, own string) bool {
	a, b := wordOrSign.FindAllString(src, -1), wordOrSign.FindAllString(own, -1)
	count := map[string]int{}
	for _, w := range a {
		count[w]++
	}
	same := 0
	for _, w := range b {
		if count[w] > 0 {
			count[w]--
			same++
		}
	}
	return len(b) > 0 && float64(2*same) >= 0.7*float64(len(a)+len(b))
}

// finish ends the lesson: it is done, its summary is written.
func (t *Tutor) finish() []result.Value {
	l := t.lesson
	var r Record
	t.save(func(p *Progress) {
		rec := p.record(l.ID)
		rec.Done, rec.Step, rec.Finished = true, 0, time.Now().UTC().Truncate(time.Second)
		r = *rec
	})
	t.lesson = nil
	text := "**Done: " + l.Title + "**"
	if !strings.HasSuffix(l.Title, "?") {
		text = "**Done: " + l.Title + ".**"
	}
	if file := t.summaryFile(l); file != "" {
		if err := writeFile(file, SummaryNotebook(l, &r)); err == nil {
			text += " What you typed is in a notebook, `" + file + "`."
		}
	}
	if next := t.Library.After(l); next != nil {
		text += " `%learn next` begins *" + next.Title + "* (" + next.ID + ")."
	} else {
		text += " This was the last lesson; `%learn map` shows them all."
	}
	return asides(text)
}

// summaryFile is where the summary of a lesson is written, "" where there is no place.
func (t *Tutor) summaryFile(l *Lesson) string {
	if t.Store.Dir == "" {
		return ""
	}
	return filepath.Join(t.Store.Dir, t.Store.Name+"-"+strings.ReplaceAll(l.ID, "/", "-")+".ipynb")
}

// save changes the progress. That it cannot be saved is said once.
func (t *Tutor) save(change func(*Progress)) {
	if err := t.Store.Update(change); err != nil && !t.warned {
		t.warned = true
		t.notice = err.Error()
	}
}

func usage(format string, args ...any) *result.Error {
	return &result.Error{Name: "UsageError", Value: fmt.Sprintf(format, args...)}
}
