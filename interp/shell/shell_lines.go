package shell

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/syntax"
	"gotorch/interp/values"
)

// Note: what a program prints, in a variable
//
// files := !ls gives the lines that a program prints, as a []string. The line is Go, too: done := !ok. It is a line of
// the shell where what follows the ! is no operand of Go's, and where it is a name that nothing has defined, in the
// session or in the lines above it.

var (
	captured  = lazyre.New(`^\s*([\pL_][\pL\pN_]*)\s*(:?=)\s*!\s*([^=\s].*?)\s*$`)
	firstWord = lazyre.New(`^[\pL_][\pL\pN_]*`)
)

// Captures finds the first line of a text that takes what a program prints, and the text about it; after keeps its
// line numbers.
func (s *Shell) Captures(src string) (before, line, after string, ok bool) {
	if !strings.Contains(src, "!") { // most cells: the expression is compiled when it is wanted
		return "", "", "", false
	}
	at := 0
	var outline *syntax.Outline
	for l := range strings.Lines(src) {
		if m := captured.FindStringSubmatch(strings.TrimRight(l, "\n")); m != nil && !s.isGo(src[:at], m[1], m[3]) {
			if outline == nil {
				outline = syntax.NewOutline(src)
			}
			if v, _ := syntax.Completeness(src[:at]); at == 0 || !outline.Inside(at) && v != syntax.Incomplete {
				end := at + len(l)
				return src[:at], strings.Trim(l, "\r\n"), strings.Repeat("\n", strings.Count(src[:end], "\n")) + src[end:], true
			}
		}
		at += len(l)
	}
	return "", "", "", false
}

// isGo reports whether what follows name := ! is an operand of Go's, below the lines before it.
func (s *Shell) isGo(before, name, operand string) bool {
	if v, _ := syntax.Completeness("_ = !" + operand); v == syntax.Invalid {
		return false
	}
	word := firstWord.FindString(operand)
	next := strings.TrimLeft(operand[len(word):], " \t")
	if word == "" || strings.HasPrefix(next, "(") || slices.Contains(syntax.Defines(before), word) {
		return true
	}
	env, done := s.Env()
	defer done()
	if next != "" && (next[0] == '.' || next[0] == '[') {
		_, known := check.Describe(env, word, len(word))
		return known
	}
	d := env.Lookup(word)
	if d == nil {
		return (word == "true" || word == "false") && mayBeBool(env.Lookup(name))
	}
	return d.Kind == check.Const || mayBeBool(d)
}

// mayBeBool: a name is no variable of another type.
func mayBeBool(d *check.Def) bool {
	if d == nil || d.Kind != check.Var {
		return d == nil
	}
	v := values.Of(d)
	return v.IsValid() && v.Kind() == reflect.Bool
}

// RunCapturing runs such a line.
func (s *Shell) RunCapturing(ctx context.Context, line string) *Error {
	m := captured.FindStringSubmatch(line)
	list, err := s.linesOf(ctx, m[3])
	if err != nil {
		return err
	}
	if m[2] == "=" && !s.defines(m[1]) { // as IPython writes it
		m[2] = ":="
	}
	_, err = s.Go(ctx, m[1]+" "+m[2]+" "+list)
	return err
}

// linesOf runs a line of the shell and gives the lines that it prints, as Go.
func (s *Shell) linesOf(ctx context.Context, line string) (string, *Error) {
	if err := s.Restricted("!"); err != nil {
		return "", err
	}
	line, err := s.fill(ctx, line)
	if err != nil {
		return "", err
	}
	c := shellCommand(ctx, line)
	c.Stderr = s.Stderr()
	alone(c)
	c.WaitDelay = time.Second
	out, failed := c.Output()
	if err := s.shellEnded(ctx, failed); err != nil {
		return "", err
	}
	var list []string
	for _, l := range strings.Split(strings.TrimRight(string(out), "\r\n"), "\n") {
		if len(out) > 0 {
			list = append(list, strconv.Quote(strings.TrimSuffix(l, "\r")))
		}
	}
	return "[]string{" + strings.Join(list, ", ") + "}", nil
}
