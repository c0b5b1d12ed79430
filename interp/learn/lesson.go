package learn

import "strings"

// Lesson is one lesson.
type Lesson struct {
	ID     string // "strides/storage": the course, and the file's name without its number
	Course string
	File   string // in lessons, or where it was read

	Title   string
	Needs   []string // IDs of lessons
	Terms   []string // words of the glossary that it explains
	Ideas   []string // what it is about, as docs/learn/README.md lists it
	Plain   []string // words of the glossary that it uses in their everyday sense
	Minutes int
	Next    string // ID of what to read next; usually the next of the course
	Planned bool   // it is to be written: the map has it, and nothing else

	Steps []Step
}

// Kind says what a step is.
type Kind uint8

const (
	Prose Kind = iota
	Code       // a cell to run
	Ask        // a question
	Task       // an exercise
)

// Step is a part of a lesson.
type Step struct {
	Kind Kind
	Line int    // in the file
	Text string // Prose: Markdown. Code: the cell

	Shows []string // Code: what its output must have, because the prose speaks of it
	Fails bool     // Code: it ends with an error, which the prose explains

	Varies bool // Code: its output is another each time, or on each machine

	Question *Question
	Exercise *Exercise
}

// Question is one that the learner answers by a value.
type Question struct {
	Text    string
	Answer  string   // an expression, or the letter of a choice
	Choices []Choice // none where any expression may be the answer
	Hint    string
	Why     string    // what is said after the right answer
	Wrong   []Mistake // Code is an expression
}

// Choice is an answer to choose.
type Choice struct {
	Text, Why string
	Right     bool
}

// Exercise is a function that the learner writes.
type Exercise struct {
	Name    string // of the function; no other exercise has it
	Judge   []string
	Seconds int // for one case

	Starter  string // a cell that declares the function
	Solution string
	Hints    []string
	Cases    []Case
	Wrong    []Mistake
}

// Case is what the function is called with.
type Case struct {
	Args string // Go, as between the parentheses of a call
	Name string // what it is, in words
	Seed int
}

// Mistake is a typical wrong answer and its hint.
type Mistake struct {
	Code, Hint string
	Line       int
}

// Judges reports whether an exercise compares something besides values, shapes and dtypes.
func (e *Exercise) Judges(what string) bool {
	for _, j := range e.Judge {
		if j == what {
			return true
		}
	}
	return false
}

// Exercises are those of a lesson.
func (l *Lesson) Exercises() (all []*Exercise) {
	for _, s := range l.Steps {
		if s.Kind == Task {
			all = append(all, s.Exercise)
		}
	}
	return all
}

// Cells counts the cells that a learner runs.
func (l *Lesson) Cells() (n int) {
	for _, s := range l.Steps {
		if s.Kind == Code {
			n++
		}
	}
	return n
}

// waits reports whether the learner does something at a step.
func (s Step) waits() bool { return s.Kind != Prose }

// Words is the prose of a lesson, without code.
func (l *Lesson) Words() string {
	var b strings.Builder
	for _, s := range l.Steps {
		switch s.Kind {
		case Prose:
			b.WriteString(s.Text + "\n\n")
		case Ask:
			b.WriteString(s.Question.Text + "\n")
			for _, c := range s.Question.Choices {
				b.WriteString(c.Text + " " + c.Why + "\n")
			}
			b.WriteString(s.Question.Hint + "\n" + s.Question.Why + "\n\n")
		}
	}
	return b.String()
}
