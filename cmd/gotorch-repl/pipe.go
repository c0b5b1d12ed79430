package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"gotorch/interp"
	"gotorch/interp/syntax"
	"gotorch/visualize/display"
)

// plainSink shows what a cell puts out on the program's own streams.
type plainSink struct {
	out, err io.Writer
	in       io.Reader
	color    bool // of what is displayed
}

func (s plainSink) Stdout() io.Writer { return s.out }
func (s plainSink) Stderr() io.Writer { return s.err }
func (s plainSink) Stdin() io.Reader  { return s.in }
func (s plainSink) Display(_ string, b display.Bundle) {
	fmt.Fprintln(s.out, b.Text(s.color))
}
func (s plainSink) Update(id string, b display.Bundle) { s.Display(id, b) }
func (s plainSink) Clear(bool)                         {}

// cells splits text as the prompt would take it: a line at a time, more lines where one is not yet whole.
// each is given every cell, those of nothing but spaces too, and how many lines it took.
func cells(s *interp.Session, r io.Reader, each func(src string, lines int)) error {
	in := bufio.NewReader(r)
	var pending strings.Builder
	for {
		line, err := in.ReadString('\n')
		pending.WriteString(line)
		src := pending.String()
		whole := strings.TrimSpace(src) == "" || err != nil
		if !whole {
			v, _ := s.IsComplete(src)
			whole = v != syntax.Incomplete
		}
		if whole {
			pending.Reset()
			each(strings.TrimRight(src, "\r\n"), strings.Count(src, "\n"))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// runCells reads cells from r and prints their results plainly; it fails if one of them did.
func runCells(s *interp.Session, r io.Reader, out, errOut io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sink := plainSink{out: out, err: errOut}
	var failed error
	err := cells(s, r, func(src string, _ int) {
		if ctx.Err() != nil || strings.TrimSpace(src) == "" {
			return
		}
		if err := evalPlain(ctx, s, src, sink); err != nil {
			failed = errFailed
		}
	})
	if err != nil {
		return err
	}
	return failed
}

// evalPlain runs one cell; results go to the sink's output, an error to its error stream.
func evalPlain(ctx context.Context, s *interp.Session, src string, sink plainSink) error {
	values, err := s.Eval(ctx, src, sink)
	for _, v := range values {
		fmt.Fprintln(sink.out, plainText(v, false))
	}
	if err != nil {
		fmt.Fprintln(sink.err, errorText(err, false))
	}
	return err
}

// errorText is an error of a cell as a terminal shows it.
func errorText(err error, color bool) string {
	var e *interp.Error
	switch isCell := errors.As(err, &e); {
	case isCell && color:
		return "\x1b[31merror: \x1b[0m" + e.ColorText()
	case isCell:
		return "error: " + e.Text()
	case color:
		return "\x1b[31merror: " + err.Error() + "\x1b[0m"
	}
	return "error: " + err.Error()
}
