// Package shell evaluates what in a cell is no Go.
//
//	shell.go           what it needs of a session
//	magic.go           the table of magics, and how one is called
//	magic_*.go         the magics, by what they are about
//	magic_names.go     names of IPython's that lead to ours, or to advice
//	shell_line.go      !line; process_group_*.go: how it is ended
//	shell_capture.go   files := !ls
//	expand.go          {x} and $x in such lines
//	is_complete.go     whether what was typed is a whole cell
//	help.go            ?name: the tour, operators
//	help_examples.go   a call of every operator
//	help_patterns.go   ?*pattern*
//	magic_learn.go     the lessons, which package learn has
//	complete.go        completion of commands, files and \alpha (letters.go)
//	plain.go           a cell with its commands as Go, for exported programs
//
// It knows no engine and no session but through [Session].
package shell

import (
	"context"
	"io"
	"os"
	"time"

	"gotorch/internal/journal"
	"gotorch/interp/check"
	"gotorch/interp/learn"
	"gotorch/interp/result"
	"gotorch/tensor"
	"gotorch/visualize"
)

// Value and Error are what a command ends with, as cells do.
type (
	Value = result.Value
	Error = result.Error
)

// Session is what commands need of the session that runs them.
type Session interface {
	Evaluator
	History
	Names
	Output
	Settings
}

// Evaluator runs text as a part of the running cell.
type Evaluator interface {
	// Eval runs what a cell may hold, Go what is Go.
	Eval(ctx context.Context, src string) ([]Value, *Error)
	Go(ctx context.Context, src string) ([]Value, *Error)

	// Check checks Go that is not run.
	Check(src string) (*check.Checked, *Error)

	// Record runs Go inside of record, on the cell's goroutine, and shows the view; dry, it leaves nothing behind: what
	// it defines is forgotten, variables have the tensors that they had.
	Record(ctx context.Context, src string, record Recorder, dry bool) ([]Value, *Error)

	// Sample runs f and looks at the statement that runs, so often: how often it was found on each line, and how often it
	// looked.
	Sample(every time.Duration, f func()) (found map[Place]int, looks int)

	// File runs f, under the name of a file in messages. Aside runs f, without changing LastGo.
	File(name string, f func())
	Aside(f func())

	// Goroutines are those that cells started and that run still. StopGoroutines ends them, but for those inside host
	// code.
	Goroutines() []Goroutine
	StopGoroutines() (ended, left int, err *Error)
}

// Recorder runs a cell, and returns the view of what happened and the panic that ended it.
type Recorder = func(run func()) (view visualize.View, panicked any)

// Place is a line of a cell.
type Place struct {
	Cell   string
	Line   int
	Source string
}

// Goroutine is one that a cell started.
type Goroutine struct {
	ID    int
	Began time.Time
	Place
}

// History is what was typed and shown.
type History interface {
	Count() int                                       // the number of the running cell
	Cells() map[int]string                            // texts, by number
	Lost() *journal.Lost                              // a session whose process was ended, or nil
	Found()                                           // it has been restored
	Note(n int, src string) (done func())             // a cell of it runs again
	Failed(n int) bool                                // cell n ended with an error
	Shown(n int) (v Value, ok bool)                   // what cell n showed
	LastGo() (text string, ok bool)                   // the plain Go of the last cell
	Edited(src string)                                // src takes the place of the running cell's text
	Keep() (limit, has int)                           // how many values Out keeps
	SetKeep(n int)                                    // changes it
	SourceOf(name string) (src string)                // the text of the cell that defines a name, or ""
	Split(name string, text []byte) ([]string, error) // the cells of a file
}

// Names are the definitions of cells.
type Names interface {
	// Env is held still until done is called.
	Env() (env *check.Env, done func())

	// Describe is what help shows of a name.
	Describe(name string, detail bool) (Help, bool)

	// Tensors are those that variables hold, and those that only Out holds, each with a name.
	Tensors() (named, kept map[*tensor.Tensor]string)

	// Forget forgets names; without any, all of them, In and Out.
	Forget(names ...string)
}

// Output is where the running cell's output goes.
type Output interface {
	Stdout() io.Writer
	Stderr() io.Writer

	// Capture runs f, which prints into a text and shows nothing.
	Capture(f func()) (printed string)

	// Front and Terminal are nil where nobody types.
	Front() Front
	Terminal() Terminal
}

// Settings are those of the session.
type Settings interface {
	// Restricted is the error of a command that the restricted mode rejects, nil in other modes.
	Restricted(what string) *Error

	// NoSkip reports whether a teacher wants exercises done: none is skipped, no solution is shown.
	NoSkip() bool

	// Reload reads the packages from disk again whose files have changed; SetAutoreload has that happen before each
	// cell.
	Reload(ctx context.Context) (paths []string, err *Error)
	SetAutoreload(on bool)

	// Stack is how many bytes of stack a cell may use.
	Stack() int
	SetStack(n int)
}

// Front is what the sink of a session may be besides: a place where the user types the next cell.
type Front interface {
	// SetNextInput puts a text in the place of the running cell's, to be changed.
	SetNextInput(text string)

	// Offer puts a text where the cell after this one is typed.
	Offer(text string)
}

// Terminal is what the sink of a session may be besides: a terminal that other programs may use.
type Terminal interface {
	// Attach calls run with the terminal, for programs that read from it and draw on it.
	Attach(run func(in, out *os.File) error) error
}

// Shell evaluates the commands of a session's cells, one at a time.
type Shell struct {
	Session

	running []string // the files that %run runs, outermost first
	before  string   // the directory before the last %cd

	tutor *learn.Tutor // nil until a lesson is wanted
}

// New is the shell of a session.
func New(s Session) *Shell { return &Shell{Session: s} }

// defines reports whether a cell has defined a name.
func (s *Shell) defines(name string) bool {
	env, done := s.Env()
	defer done()
	return env.Lookup(name) != nil
}
