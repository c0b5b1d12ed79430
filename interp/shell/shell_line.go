package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unicode"
)

// shellCommand is the command that runs a line of the shell.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.CommandContext(ctx, "cmd", "/c", line)
	}
	return exec.CommandContext(ctx, "/bin/sh", "-c", line)
}

// line runs !line, where the line may be Go too, !ok; it is, where the check accepts it.
func (s *Shell) line(ctx context.Context, line string) ([]Value, *Error) {
	line = strings.TrimSpace(line)
	if !strings.ContainsAny(line, " |<>&;") || strings.HasPrefix(line, "(") {
		_, err := s.Check("!" + line)
		if err == nil {
			return s.Go(ctx, "!"+line)
		}
		if s.beginsWithName(line) {
			return nil, err
		}
	}
	if rest, lines := strings.CutPrefix(line, "!"); lines { // !!ls gives the lines
		list, err := s.linesOf(ctx, rest)
		if err != nil {
			return nil, err
		}
		return s.Go(ctx, list)
	}
	if err := s.Restricted("!"); err != nil {
		return nil, err
	}
	line, err := s.expand(ctx, line)
	if err != nil {
		return nil, err
	}
	return s.script(ctx, line)
}

// beginsWithName reports whether a line begins with a name that a cell has defined and that is no program: !mask is
// meant as Go.
func (s *Shell) beginsWithName(line string) bool {
	name := strings.TrimLeft(line, "( ")
	other := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if end := strings.IndexFunc(name, other); end >= 0 {
		name = name[:end]
	}
	if name == "" || !s.defines(name) {
		return false
	}
	_, err := exec.LookPath(name)
	return err != nil
}

// script runs lines of the shell. Their output is the cell's; at a terminal they have the terminal. An interruption
// ends them. A status other than 0 is said and is no error, as with IPython.
func (s *Shell) script(ctx context.Context, text string) ([]Value, *Error) {
	if text == "" {
		return nil, usage("!COMMAND")
	}
	if err := s.Restricted("!"); err != nil {
		return nil, err
	}
	c := shellCommand(ctx, text)
	var err error
	if t := s.Terminal(); t != nil {
		err = t.Attach(func(in, out *os.File) error { return attached(ctx, in, out, c.Path, c.Args[1:]...) })
	} else {
		c.Stdout, c.Stderr = s.Stdout(), s.Stderr()
		alone(c)
		c.WaitDelay = time.Second
		err = c.Run()
	}
	return nil, s.shellEnded(ctx, err)
}

// shellEnded is how a line of the shell ended: a status other than 0 is said and is no error.
func (s *Shell) shellEnded(ctx context.Context, err error) *Error {
	var status *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return &Error{Name: "Interrupted", Value: "interrupted"}
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // it left something running that holds its output
		return nil
	case errors.As(err, &status):
		fmt.Fprintln(s.Stderr(), status.String())
		return nil
	}
	return fileError(err)
}

// attached runs a program on a terminal.
func attached(ctx context.Context, in, out *os.File, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Stdin, c.Stdout, c.Stderr = in, out, out
	c.WaitDelay = time.Second
	if err := c.Run(); !errors.Is(err, exec.ErrWaitDelay) {
		return err
	}
	return nil
}
