package learn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/internal/ipynb"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"gotorch/interp/learn"
)

// front is a learner's prompt: what is offered stands there.
type front struct {
	celltest.Recorder
	offered string
}

func (f *front) SetNextInput(text string) { f.offered = text }
func (f *front) Offer(text string)        { f.offered = text }

// learner runs cells, and returns what is shown.
type learner struct {
	t *testing.T
	s *interp.Session
	f *front
}

func newLearner(t *testing.T, o interp.Options) *learner {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "AppData", "HOME"} {
		t.Setenv(name, dir)
	}
	return again(t, o)
}

// again is a session that begins later.
func again(t *testing.T, o interp.Options) *learner {
	s := interp.New(o)
	t.Cleanup(s.Close)
	return &learner{t, s, &front{}}
}

func (l *learner) types(src string) string {
	l.t.Helper()
	l.f.offered = ""
	vals, err := l.s.Eval(context.Background(), src, l.f)
	var b strings.Builder
	for _, v := range vals {
		b.WriteString(v.Text + "\n")
	}
	if err != nil {
		b.WriteString("error: " + err.Error())
	}
	return b.String()
}

// sees types a cell and looks for texts in what is shown.
func (l *learner) sees(src string, wants ...string) {
	l.t.Helper()
	out := l.types(src)
	for _, w := range wants {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), w) {
			l.t.Errorf("%s\nshows no %q:\n%s", src, w, out)
		}
	}
}

// offers looks at what stands at the prompt.
func (l *learner) offers(want string) {
	l.t.Helper()
	if !strings.HasPrefix(l.f.offered, want) {
		l.t.Errorf("the prompt has %q, not %q", l.f.offered, want)
	}
}

// enter runs what is offered.
func (l *learner) enter(wants ...string) {
	l.t.Helper()
	l.sees(l.f.offered, wants...)
}

// TestWalk goes through the first lesson as a learner does: with experiments, wrong answers, hints, a wrong function,
// a break and a step back.
func TestWalk(t *testing.T) {
	celltest.Single(t)
	l := newLearner(t, interp.Options{})
	l.sees("%learn", "A table that is not there", "Here is one of six numbers.")
	l.offers("x := Arange(6)")
	l.enter("[3, 4, 5]", "Each number is an element")
	l.sees("10 + 4", "14")
	l.offers("") // an experiment leads nowhere
	l.sees("%learn next")
	l.offers("x.Shape()")
	l.sees("x.Shape(), x.Dim()", "[2 3]", "An element is picked") // an edited cell leads on
	l.enter("5", "What is `x.At(0, 1)`?")
	l.offers("%answer")
	l.sees("%learn next", "still open")
	l.sees("%answer 3", "Not so", "the first index is the row")
	l.sees("%answer nonsense", "undefined: nonsense")
	l.sees("%hint", "Row 0 is the upper one")
	l.sees("%hint", "Row 0 is the upper one", "no further hint")
	l.sees("%answer", "%answer 3")
	l.sees("%solution", "The answer is `1`. Row 0, column 1.")
	l.offers("%answer 1")
	l.sees("%answer 2 - 1", "Right", "they lie")
	l.sees("%learn back", "What is `x.At(0, 1)`?")
	l.sees("%answer 1", "Right")
	l.sees("%learn leave", "You have left")
	l.sees("%answer 1", "no question is open")

	l = again(t, interp.Options{})
	l.sees("%learn", "where you left it", "they lie")
	l.enter("storage #")
	l.enter("48")
	l.enter("View")
	l.enter("40", "How many storages")
	l.sees("%answer", "%answer a")
	l.sees("%answer c", "Not so", "would not have appeared")
	l.sees("%solution", "The answer is b) one.")
	l.sees("%answer b", "Right")
	l.enter("true", "bytesOf")
	l.offers("func bytesOf(")
	l.enter()
	l.offers("%check")
	l.enter("case 1 fails", "expected", "48", "0≠")
	l.offers("func bytesOf(")
	l.types("func bytesOf(x *Tensor) int { return x.Storage().Nbytes() }")
	l.enter("case 3 fails", "whole storage")
	l.sees("%hint", "Hint 1 of 3")
	l.sees("%hint", "Hint 2 of 3")
	l.sees("%hint", "Hint 3 of 3", "%solution")
	l.sees("%solution", "func bytesOf(x *Tensor) int {")
	l.sees("%learn map", "▶ storage", "0 of", "○ slices")
	l.types("func bytesOf(x *Tensor) int { return x.Numel() * x.ElementSize() }")
	l.enter("is right: all 10 cases pass", "Done: A table that is not there", "%learn next")
	l.sees("%learn map", "✓ storage")

	store := learn.UserStore()
	p, err := store.Load()
	if err != nil {
		t.Fatal(err)
	}
	r := p.Lessons["strides/storage"]
	if r == nil || !r.Done {
		t.Fatalf("the record is %+v", r)
	}
	if x := r.Exercises["bytesOf"]; !x.Solved || x.Hints != 3 || !x.Solution {
		t.Errorf("the record is %+v", r)
	}
	text, err := os.ReadFile(filepath.Join(store.Dir, "progress-strides-storage.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	_, cells, err := ipynb.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, c := range cells {
		all += ipynb.Source(c) + "\n"
	}
	wants := []string{"10 + 4", "Your answer: `3` (not so)", "Your answer: `2 - 1` (right)", "x.Storage().Nbytes()"}
	for _, want := range wants {
		if !strings.Contains(all, want) {
			t.Errorf("the summary has no %s:\n%s", want, all)
		}
	}
	l.sees("%learn next", "The way to an element")
	l.sees("%learn leave")
	err = store.Update(func(p *learn.Progress) { // a lesson of another course was done last
		p.Current, p.Lessons["autograd/slope"] = "autograd/slope", &learn.Record{Done: true}
	})
	if err != nil {
		t.Fatal(err)
	}
	l.sees("%learn next", "What the way back knows")
	l.sees("%learn leave")
	l.sees("%learn forget strides/storage", "is forgotten")
	l.sees("%learn map", "○ storage")
	l.sees("%learn forget", "All progress is forgotten")
}

// TestNoSkip: a teacher can have exercises done.
func TestNoSkip(t *testing.T) {
	celltest.Single(t)
	l := newLearner(t, interp.Options{NoSkip: true})
	l.types("%learn storage")
	for range 3 {
		l.enter()
	}
	l.offers("%answer")
	l.sees("%skip", "cannot be skipped")
	l.sees("%solution", "not shown in this class")
	l.sees("%solution bytesOf", "not shown in this class")
	l = again(t, interp.Options{})
	l.types("%learn storage")
	l.sees("%skip", "they lie")
}

// TestHostileAnswers: a check ends whatever the learner's function does, and the session goes on.
func TestHostileAnswers(t *testing.T) {
	celltest.Single(t)
	l := newLearner(t, interp.Options{})
	for _, c := range [][2]string{
		{"return bytesOf(x)", "case 1 fails"},
		{"panic(x)", "case 1 fails"},
		{"os.Exit(3); return 0", "case 1 fails"},
		{"return Zeros(1<<20, 1<<10).Numel()", "case 1 fails"},
		{"var all [][]byte; for { all = append(all, make([]byte, 1<<24)) }", "case 1 fails"},
	} {
		l.types("func bytesOf(x *Tensor) int { " + c[0] + " }")
		l.sees("%check bytesOf", c[1])
	}
	l.types("func bytesOf(x *Tensor) string { return `` }")
	l.sees("%check bytesOf", "it is a string, not a int")
	l.types("func bytesOf(n int) int { return n }")
	l.sees("%check bytesOf", "There is no func bytesOf(x *Tensor) int")
	l.sees("1 + 1", "2")
}

// TestNoEnd: a function that does not end is stopped after the seconds that its exercise allows.
func TestNoEnd(t *testing.T) {
	celltest.Single(t)
	x := &learn.Exercise{Name: "f", Seconds: 1, Solution: "func f(n int) int {\n\treturn n\n}",
		Cases: []learn.Case{{Args: "1", Name: "one"}, {Args: "2", Name: "two"}}}
	j := &learn.Judge{Runner: bench(t), Exercise: x}
	v, err := j.Check(context.Background(), "func f(n int) int {\n\tfor {\n\t}\n}")
	if err != nil {
		t.Fatal(err)
	}
	if v.Cases != 1 || v.First == nil || !strings.Contains(v.First.Text(false), "longer than 1s") {
		t.Errorf("%+v", v)
	}
}

// TestGiven: a case that failed shows its arguments as they were before the call, where the function changes them.
func TestGiven(t *testing.T) {
	celltest.Single(t)
	x := &learn.Exercise{Name: "f", Seconds: 5, Solution: "func f(x *Tensor) {\n\tx.Fill_(9)\n}",
		Cases: []learn.Case{{Args: "Arange(4) + 1", Name: "four"}}}
	j := &learn.Judge{Runner: bench(t), Exercise: x}
	v, err := j.Check(context.Background(), "func f(x *Tensor) {\n\tx.Fill_(7)\n}")
	if err != nil {
		t.Fatal(err)
	}
	if text := v.First.Text(false); !strings.Contains(text, ": 1 2 3 4") || !strings.Contains(text, "7≠") {
		t.Errorf("the case shows\n%s", text)
	}
}

// TestProgressFile: a file that holds something else is not written over, and is spoken of.
func TestProgressFile(t *testing.T) {
	s := &learn.Store{Dir: t.TempDir(), Name: "ada"}
	if err := os.WriteFile(s.File(), []byte("{not JSON"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := s.Update(func(p *learn.Progress) { p.Current = "x" })
	if err == nil || !strings.Contains(err.Error(), "holds no progress") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(s.File()); string(text) != "{not JSON" {
		t.Errorf("the file is now %s", text)
	}
	os.Remove(s.File())
	for i := range 3 {
		if err := s.Update(func(p *learn.Progress) { p.Current += fmt.Sprint(i) }); err != nil {
			t.Fatal(err)
		}
	}
	var p learn.Progress
	text, _ := os.ReadFile(s.File())
	if err := json.Unmarshal(text, &p); err != nil || p.Current != "012" {
		t.Errorf("%v %s", err, text)
	}
	if names, _ := filepath.Glob(filepath.Join(s.Dir, ".*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// TestQuestionAboutWord: ?word is the glossary's, but for a name that a cell has defined.
func TestQuestionAboutWord(t *testing.T) {
	celltest.Single(t)
	l := newLearner(t, interp.Options{})
	l.sees("?stride", "how many places", "%learn strides/address is about it")
	l.sees("?redispatch", "excluded")
	l.sees("?fallthrough", "next key")
	l.sees("%help strides", "Its words", "storage")
	l.types("stride := 3")
	l.sees("?stride", "value: 3")
}
