package interp

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gotorch/interp/learn"
	"gotorch/visualize/display"
)

// LessonBench is a session in which lessons are verified.
func LessonBench(s *Session) learn.Bench { return bench{s} }

type bench struct{ s *Session }

// Go runs Go as a silent cell.
func (b bench) Go(ctx context.Context, src string) ([]Value, *Error) {
	vals, err := b.s.EvalCell(ctx, Cell{Src: src, Silent: true}, Discard)
	return vals, cellError(err)
}

// Cell runs a cell; output is all that it shows, as text.
func (b bench) Cell(ctx context.Context, src string) (output string, err *Error) {
	var out benchSink
	vals, failed := b.s.EvalCell(ctx, Cell{Src: src}, &out)
	for _, v := range vals {
		text := v.Text
		if t := v.Bundle.Text(false); t != "" {
			text = t
		}
		out.WriteString(text + "\n")
	}
	return strings.TrimRight(out.String(), "\n"), cellError(failed)
}

func cellError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{Name: "Error", Value: err.Error()}
}

// benchSink gathers output as text.
type benchSink struct{ strings.Builder }

func (b *benchSink) Display(_ string, d display.Bundle) { fmt.Fprintln(b, d.Text(false)) }
func (b *benchSink) Update(string, display.Bundle)      {}
func (b *benchSink) Clear(bool)                         {}
func (b *benchSink) Stdout() io.Writer                  { return b }
func (b *benchSink) Stderr() io.Writer                  { return b }
func (b *benchSink) Stdin() io.Reader                   { return nil }
