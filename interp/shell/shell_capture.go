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
	"gotorch/interp/split"
	"gotorch/interp/syntax"
	"gotorch/interp/values"
)

// Note: what a program prints, in a variable
//
// files := !ls assigns the lines that a program prints, as a []string. The line is Go, too: done := !ok. It is a
// line of the shell where what follows the ! is no operand of Go's, and where it is a name that nothing has defined,
// in the session or in the lines above it.

var firstWord = lazyre.New(`^[\pL_][\pL\pN_]*`)

// IsGo reports whether what follows name := ! is an operand of Go's, below the lines before it.
func (s *Shell) IsGo(before, name, operand string) bool {
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

// capture runs such a line.
func (s *Shell) capture(ctx context.Context, p split.Part) ([]Value, *Error) {
	list, err := s.linesOf(ctx, p.Text)
	if err != nil {
		return nil, err
	}
	name, sign, _ := strings.Cut(p.Name, " ")
	if !s.defines(name) { // = too, as IPython writes it
		sign = ":="
	}
	_, err = s.Go(ctx, name+" "+sign+" "+list)
	return nil, err
}

// linesOf runs a line of the shell and returns the lines that it prints, as Go.
func (s *Shell) linesOf(ctx context.Context, line string) (string, *Error) {
	if err := s.Restricted("!"); err != nil {
		return "", err
	}
	line, err := s.expand(ctx, line)
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
