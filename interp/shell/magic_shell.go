package shell

import (
	"context"
	"errors"
	"fmt"
	"gotorch/interp/result"
	"gotorch/interp/split"
	"os"
	"os/exec"
	"runtime"
	"sort"
	"strings"
	"time"
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
		if _, err := s.Check("!" + line); err == nil {
			return s.Go(ctx, "!"+line)
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
	line, err := s.fill(ctx, line)
	if err != nil {
		return nil, err
	}
	return s.script(ctx, line)
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

func (s *Shell) envMagic(_ context.Context, arg string) ([]Value, *Error) {
	arg = strings.TrimSpace(arg)
	name, value, set := strings.Cut(arg, "=")
	if first, rest := split.CutWord(arg); !strings.Contains(first, "=") && rest != "" && !strings.HasPrefix(strings.TrimSpace(rest), "=") { // %env NAME VALUE
		name, value, set = first, strings.TrimSpace(rest), true
	}
	name = strings.TrimSpace(name)
	switch {
	case set && name == "":
		return nil, usage("%%env NAME=VALUE")
	case set:
		if err := s.Restricted("%env NAME=VALUE"); err != nil {
			return nil, err
		}
		if err := os.Setenv(name, unquoted(value)); err != nil {
			return nil, usage("%s: %v", name, err)
		}
		return nil, nil
	case name != "":
		v, ok := os.LookupEnv(name)
		if !ok {
			return nil, usage("there is no environment variable %s", name)
		}
		return result.Text(v), nil
	}
	all := os.Environ()
	sort.Strings(all)
	return result.Text(strings.Join(all, "\n")), nil
}

func (s *Shell) cdMagic(_ context.Context, arg string) ([]Value, *Error) {
	if err := s.Restricted("%cd"); err != nil {
		return nil, err
	}
	dir := unquoted(arg)
	switch {
	case dir == "":
		dir = unquoted("~")
	case dir == "-" && s.before == "":
		return nil, usage("%%cd - goes back, and there was no other directory before")
	case dir == "-":
		dir = s.before
	}
	from, _ := os.Getwd()
	if err := os.Chdir(dir); err != nil {
		return nil, fileError(err)
	}
	s.before = from
	return s.pwdMagic(context.Background(), "")
}

func (s *Shell) pwdMagic(context.Context, string) ([]Value, *Error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fileError(err)
	}
	return result.Text(dir), nil
}
