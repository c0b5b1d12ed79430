package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/term"

	"gotorch/internal/ask"
	"gotorch/interp"
	"gotorch/interp/result"
	"gotorch/visualize/display"
)

// plainSink shows what a cell prints on the program's own streams.
type plainSink struct {
	*display.Screen
	err io.Writer
	in  io.Reader
}

// plain is a sink without a screen.
func plain(out, err io.Writer, in io.Reader) plainSink {
	return plainSink{display.NewScreen(out, nil, false), err, in}
}

func (s plainSink) Stdout() io.Writer { return s.Screen }
func (s plainSink) Stderr() io.Writer { return s.err }
func (s plainSink) Stdin() io.Reader  { return s.in }

// Ask asks at the terminal. Where only the output goes elsewhere, the question does not.
func (s plainSink) Ask(ctx context.Context, prompt string, secret bool) (string, error) {
	if s.in == nil {
		return "", ask.ErrNobody
	}
	var to io.Writer = s.Screen
	if s.in == io.Reader(os.Stdin) && term.IsTerminal(int(os.Stdin.Fd())) && !term.IsTerminal(int(os.Stdout.Fd())) {
		to = s.err
	}
	return ask.Line(ctx, s.in, to, prompt, secret)
}

// runCells reads cells from r and prints their results plainly; it fails if one of them did.
func runCells(s *interp.Session, r io.Reader, out, errOut io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sink := plain(out, errOut, nil)
	var failed error
	err := s.ReadCells(r, func(src string, _ int) {
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
	values, beneath := result.Beneath(values, err != nil)
	for _, v := range values {
		fmt.Fprintln(sink.Screen, plainText(v, false))
	}
	if err != nil {
		fmt.Fprintln(sink.err, errorText(err, false))
	}
	for _, v := range beneath {
		fmt.Fprintln(sink.Screen, plainText(v, false))
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
