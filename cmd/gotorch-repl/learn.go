package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gotorch/interp"
	"gotorch/interp/learn"
)

type learnCommand struct {
	Lesson string `arg:"" optional:"" help:"A lesson or a course; without one, the lesson that was read last."`

	NoSkip    bool     `help:"For classes: no exercise is skipped, no solution shown." env:"GOTORCH_NO_SKIP"`
	Check     []string `help:"Run all of a lesson, and say what is wrong with it." placeholder:"FILE" sep:"none"`
	Notebooks string   `help:"Write the lessons as notebooks." placeholder:"DIR"`
	Pages     string   `help:"Write the lessons as Markdown pages with their outputs." placeholder:"DIR"`
}

// noSkip is what a teacher has decided.
func noSkip() bool { return cli.Learn.NoSkip || os.Getenv("GOTORCH_NO_SKIP") == "1" }

// Run starts the prompt with a lesson, or writes or verifies lessons.
func (c learnCommand) Run() error {
	switch {
	case len(c.Check) > 0:
		return c.check()
	case c.Notebooks != "":
		return c.notebooks()
	case c.Pages != "":
		return learn.Builtin().WritePages(context.Background(), c.Pages, newBench)
	}
	return replCommand{first: strings.TrimSpace("%learn " + c.Lesson)}.Run()
}

func (c learnCommand) check() error {
	bad := false
	for _, name := range c.Check {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		full, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		l, err := learn.Parse(full, string(text))
		if err != nil {
			return err
		}
		l.File = name
		b, done := newBench()
		problems, _ := learn.Builtin().Verify(context.Background(), l, b)
		done()
		for _, p := range problems {
			fmt.Println(p)
		}
		bad = bad || len(problems) > 0
		if len(problems) == 0 {
			fmt.Printf("%s: %d cells, %d exercises: all is well\n", name, l.Cells(), len(l.Exercises()))
		}
	}
	if bad {
		return errors.New("a lesson does not do what it says")
	}
	return nil
}

func (c learnCommand) notebooks() error {
	lib := learn.Builtin()
	for l := range lib.All() {
		if l.Planned {
			continue
		}
		name := filepath.Join(c.Notebooks, filepath.FromSlash(l.NotebookFile()))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := writeWhole(name, lib.Notebook(l)); err != nil {
			return err
		}
	}
	return nil
}

// newBench is a session in which a lesson is verified.
func newBench() (b learn.Bench, done func()) {
	s := newSession()
	return interp.LessonBench(s), s.Close
}
