package interp

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

// capturing finds the first line of a text that takes what a program prints, and the text about it; after keeps its
// line numbers.
func (s *Session) capturing(src string) (before, line, after string, ok bool) {
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
func (s *Session) isGo(before, name, operand string) bool {
	if v, _ := syntax.Completeness("_ = !" + operand); v == syntax.Invalid {
		return false
	}
	word := firstWord.FindString(operand)
	next := strings.TrimLeft(operand[len(word):], " \t")
	if word == "" || strings.HasPrefix(next, "(") || slices.Contains(Defines(before), word) {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if next != "" && (next[0] == '.' || next[0] == '[') {
		_, known := check.Describe(s.env, word, len(word))
		return known
	}
	d := s.env.Lookup(word)
	if d == nil {
		return (word == "true" || word == "false") && s.mayBeBool(s.env.Lookup(name))
	}
	return d.Kind == check.Const || s.mayBeBool(d)
}

// mayBeBool: a name is no variable of another type. s.mu is held.
func (s *Session) mayBeBool(d *check.Def) bool {
	if d == nil || d.Kind != check.Var {
		return d == nil
	}
	v := s.value(d)
	return v.IsValid() && v.Kind() == reflect.Bool
}

// capture runs such a line.
func (s *Session) capture(ctx context.Context, n int, line string) *Error {
	m := captured.FindStringSubmatch(line)
	list, err := s.linesOf(ctx, n, m[3])
	if err != nil {
		return err
	}
	s.mu.Lock()
	if m[2] == "=" && s.env.Lookup(m[1]) == nil { // as IPython writes it
		m[2] = ":="
	}
	s.mu.Unlock()
	_, err = s.evalGo(ctx, s.cellName(n), m[1]+" "+m[2]+" "+list)
	return err
}

// linesOf runs a line of the shell and gives the lines that it prints, as Go.
func (s *Session) linesOf(ctx context.Context, n int, line string) (string, *Error) {
	if err := s.restricted("!"); err != nil {
		return "", err
	}
	line, err := s.fill(ctx, n, line)
	if err != nil {
		return "", err
	}
	c := shellCommand(ctx, line)
	c.Stderr = (*s.sink.Load()).Stderr()
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
