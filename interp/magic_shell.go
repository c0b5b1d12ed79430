package interp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"

	"gotorch/internal/lazyre"
)

// shellCommand is the command that runs a line of the shell.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.CommandContext(ctx, "cmd", "/c", line)
	}
	return exec.CommandContext(ctx, "/bin/sh", "-c", line)
}

// shell runs !line. Its output is the cell's; at a terminal it has the terminal. An interruption ends it. A status other than 0 is said and is
// no error, as with IPython.
//
// A script, the cell under %%bash, is taken as it is. A line such as !ok may also be Go. It is, where the check accepts it.
func (s *Session) shell(ctx context.Context, n int, line string, script bool) ([]Value, *Error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil, usage("!COMMAND")
	}
	if !strings.ContainsAny(line, " |<>&;") || strings.HasPrefix(line, "(") {
		if _, err := s.checked(s.cellName(n), "!"+line); err == nil {
			return s.evalGo(ctx, s.cellName(n), "!"+line)
		}
	}
	if err := s.restricted("!"); err != nil {
		return nil, err
	}
	if !script {
		var bad *Error
		if line, bad = s.fill(ctx, n, line); bad != nil {
			return nil, bad
		}
	}
	var err error
	if t, ok := front[Terminal](s); ok {
		err = t.Attach(func(in, out *os.File) error {
			c := shellCommand(ctx, line)
			return attached(ctx, in, out, c.Path, c.Args[1:]...)
		})
	} else {
		sink := *s.sink.Load()
		c := shellCommand(ctx, line)
		c.Stdout, c.Stderr = sink.Stdout(), sink.Stderr()
		alone(c)
		c.WaitDelay = time.Second
		if err = c.Run(); errors.Is(err, exec.ErrWaitDelay) { // it left something running that holds its output
			err = nil
		}
	}
	if ctx.Err() != nil {
		return nil, &Error{Name: "Interrupted", Value: "interrupted"}
	}
	var status *exec.ExitError
	if errors.As(err, &status) {
		fmt.Fprintln((*s.sink.Load()).Stderr(), status.String())
		return nil, nil
	}
	if err != nil {
		return nil, fileError(err)
	}
	return nil, nil
}

var captured = lazyre.New(`^([\pL_][\pL\pN_]*)\s*(:?=)\s*!\s*([^=\s].*)$`)

// capture runs files := !ls: the lines that a program prints, as a []string. What the check takes for Go, as done := !ok, is Go; then ok is false.
func (s *Session) capture(ctx context.Context, n int, src string) (vals []Value, err *Error, ok bool) {
	if !strings.Contains(src, "!") { // most cells: the expression is compiled when it is wanted
		return nil, nil, false
	}
	m := captured.FindStringSubmatch(strings.TrimSpace(src))
	if m == nil {
		return nil, nil, false
	}
	if _, err := s.checked(s.cellName(n), src); err == nil {
		return nil, nil, false
	}
	if err := s.restricted("!"); err != nil {
		return nil, err, true
	}
	line, bad := s.fill(ctx, n, m[3])
	if bad != nil {
		return nil, bad, true
	}
	c := shellCommand(ctx, line)
	c.Stderr = (*s.sink.Load()).Stderr()
	alone(c)
	c.WaitDelay = time.Second
	out, failed := c.Output()
	if ctx.Err() != nil {
		return nil, &Error{Name: "Interrupted", Value: "interrupted"}, true
	}
	var status *exec.ExitError
	switch {
	case errors.As(failed, &status):
		fmt.Fprintln((*s.sink.Load()).Stderr(), status.String())
	case failed != nil && !errors.Is(failed, exec.ErrWaitDelay):
		return nil, fileError(failed), true
	}
	var list strings.Builder
	for _, l := range strings.Split(strings.TrimRight(string(out), "\r\n"), "\n") {
		if len(out) > 0 {
			list.WriteString(strconv.Quote(strings.TrimSuffix(l, "\r")) + ", ")
		}
	}
	vals, err = s.evalGo(ctx, s.cellName(n), m[1]+" "+m[2]+" []string{"+strings.TrimSuffix(list.String(), ", ")+"}")
	return vals, err, true
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

func (s *Session) envMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	name, value, set := strings.Cut(strings.TrimSpace(arg), "=")
	name = strings.TrimSpace(name)
	switch {
	case set && name == "":
		return nil, usage("%%env NAME=VALUE")
	case set:
		if err := s.restricted("%env NAME=VALUE"); err != nil {
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
		return textValue(v), nil
	}
	all := os.Environ()
	sort.Strings(all)
	return textValue(strings.Join(all, "\n")), nil
}

func (s *Session) cdMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	if err := s.restricted("%cd"); err != nil {
		return nil, err
	}
	dir := unquoted(arg)
	if dir == "" {
		dir = unquoted("~")
	}
	if err := os.Chdir(dir); err != nil {
		return nil, fileError(err)
	}
	return s.pwdMagic(context.Background(), 0, "")
}

func (s *Session) pwdMagic(context.Context, int, string) ([]Value, *Error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fileError(err)
	}
	return textValue(dir), nil
}
