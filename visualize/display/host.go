package display

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"gotorch/internal/ask"
	"gotorch/internal/valuetext"
)

// Note: the host. What views and displays must know of the session that runs their code, and what they ask of it, is
// one interface. A session attaches itself by [Attach], as a function that finds the host of the running goroutine:
// several sessions in one process run cells at the same time, and each sees its own names, lines and output.

// Host is what a session does for the code that it runs. A host embeds [Program] and overrides what it knows better.
type Host interface {
	// Sink is where things are shown; nil is standard output.
	Sink() Sink

	// Redirect runs f; what it shows goes to the sink, what it prints to out.
	Redirect(to Sink, out io.Writer, f func())

	// Rich returns the bundle of a value that this package does not know, such as a tensor; false for others.
	Rich(v any) (Bundle, bool)

	// Text is the text of a value without a bundle.
	Text(v any) string

	// Sprintln and Sprintf write values as package fmt does. They panic for one that has no text, such as one that
	// holds itself, with a message that begins with what: the function that is to write it.
	Sprintln(what string, vs []any) string
	Sprintf(what, format string, vs []any) string

	// Ask asks the user for a line.
	Ask(prompt string, secret bool) (string, error)

	// AfterFunc calls f after d, as package time does.
	AfterFunc(d time.Duration, f func()) *time.Timer

	// Names calls found for each tensor that variables hold and its name: with its best name, or, with all, once for
	// each name. It returns false where names are not known.
	Names(all bool, found func(tensor any, name string)) bool

	// ArgTexts returns the arguments, as they were typed, of the call of a package's function that is running; nil
	// where that is not known.
	ArgTexts(pkg, callee string) []string

	// OperandTexts returns the operands, as they were typed, of the calls of an operator, named as in PyTorch, in the
	// statement that failed: one list for each call.
	OperandTexts(op string) [][]string

	// SourceLine is the text of a line of a cell, "" where it is not known.
	SourceLine(cell string, line int) string

	// ParamNames returns the names of the parameters of the function that the running call of a function of package
	// widgets was given.
	ParamNames(callee string) []string
}

// Program is the host of a program without a session: it shows texts on standard output and knows no names.
type Program struct{}

func (Program) Sink() Sink                                      { return stdout{} }
func (Program) Redirect(_ Sink, _ io.Writer, f func())          { f() }
func (Program) Rich(any) (Bundle, bool)                         { return Bundle{}, false }
func (Program) Text(v any) string                               { return valuetext.Of(v) }
func (Program) Sprintln(_ string, vs []any) string              { return fmt.Sprintln(vs...) }
func (Program) Sprintf(_, format string, vs []any) string       { return fmt.Sprintf(format, vs...) }
func (Program) Names(bool, func(any, string)) bool              { return false }
func (Program) ArgTexts(pkg, callee string) []string            { return nil }
func (Program) OperandTexts(op string) [][]string               { return nil }
func (Program) SourceLine(cell string, line int) string         { return "" }
func (Program) ParamNames(callee string) []string               { return nil }
func (Program) AfterFunc(d time.Duration, f func()) *time.Timer { return time.AfterFunc(d, f) }

func (Program) Ask(prompt string, secret bool) (string, error) {
	return ask.Line(context.Background(), os.Stdin, os.Stdout, prompt, secret)
}

var attached atomic.Pointer[func() Host]

// Attach sets the function that finds the host of the running goroutine; where it returns nil, and without one, the
// host is a
// [Program]. Package interp attaches its sessions.
func Attach(find func() Host) {
	if find == nil {
		attached.Store(nil)
		return
	}
	attached.Store(&find)
}

// CurrentHost is the host of the running goroutine.
func CurrentHost() Host {
	if find := attached.Load(); find != nil {
		if h := (*find)(); h != nil {
			return h
		}
	}
	return Program{}
}
