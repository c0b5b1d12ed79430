package shell

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/rt"
)

// Note: values in lines of the shell
//
// {x} in a line of the shell, or in the arguments of a magic about files, is the
// value of x, as with IPython. Braces stay as they are typed where what they hold
// is no expression that a cell could end with: awk's {print $1}, {a,b}, {1..9}.
// They stay too after a $, in pairs ({{.Names}}), and around a plain number or
// text: a{3} is a pattern. A []string becomes its elements with spaces between.
//
// $x is the value of a variable x, too, but between single quotes and where the
// line itself sets x: for x in a b; do echo $x; done.

// expanding are the magics whose line is expanded; others take Go.
var expanding = map[string]bool{"run": true, "load": true, "save": true, "writefile": true, "edit": true,
	"env": true, "cd": true}

// expand puts values into a line. Lines below the first are a text of their own.
func (s *Shell) expand(ctx context.Context, text string) (string, *Error) {
	start := len(text) - len(strings.TrimLeft(text, "\n"))
	line, below, more := strings.Cut(text[start:], "\n")
	if !strings.ContainsAny(line, "{$") {
		return text, nil
	}
	var b strings.Builder
	b.WriteString(text[:start])
	quote := byte(0)
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
		if name := dollarName.FindString(line[i:]); name != "" && quote != '\'' &&
			(i == 0 || line[i-1] != '\\' && line[i-1] != '$') && s.dollar(line, name[1:]) {
			vals, err := s.Go(ctx, name[1:])
			if err != nil {
				return "", err
			}
			for _, v := range vals {
				b.WriteString(lineText(v))
			}
			i += len(name)
			continue
		}
		end := closing(line, i)
		if end < 0 {
			b.WriteByte(line[i])
			i++
			continue
		}
		inner := line[i+1 : end]
		switch {
		case i > 0 && line[i-1] == '$', strings.HasPrefix(inner, "{"):
			b.WriteString(line[i : end+1])
			i = end + 1
			continue
		case !s.isValue(inner):
			b.WriteByte('{')
			i++
			continue
		}
		vals, err := s.Go(ctx, inner)
		if err != nil {
			return "", err
		}
		for _, v := range vals {
			b.WriteString(lineText(v))
		}
		i = end + 1
	}
	if more {
		b.WriteString("\n" + below)
	}
	return b.String(), nil
}

var dollarName = lazyre.New(`^\$[\pL_][\pL\pN_]*`)

// dollar reports whether $name in a line is a variable of the session, not the shell's.
func (s *Shell) dollar(line, name string) bool {
	env, done := s.Env()
	d := env.Lookup(name)
	done()
	if d == nil || d.Kind != check.Var && d.Kind != check.Const || !s.isValue(name) {
		return false
	}
	for _, set := range []string{name + "=", "for " + name + " ", "read " + name} {
		if at := strings.Index(line, set); at == 0 || at > 0 && strings.IndexByte(" \t;&|(", line[at-1]) >= 0 {
			return false
		}
	}
	return true
}

// closing is where the brace ends that begins at i, -1 where none begins or none ends.
func closing(line string, i int) int {
	if line[i] != '{' {
		return -1
	}
	deep, quote := 0, byte(0)
	for ; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case c == '{':
			deep++
		case c == '}':
			if deep--; deep == 0 {
				return i
			}
		}
	}
	return -1
}

// isValue reports whether a text is an expression whose value goes into a line.
func (s *Shell) isValue(text string) bool {
	if strings.TrimSpace(text) != text || text == "" {
		return false
	}
	c, err := s.Check(text)
	if err != nil || len(c.Decls) > 0 || len(c.Stmts) > 0 || len(c.Show) != 1 {
		return false
	}
	if _, plain := ast.Unparen(c.Show[0]).(*ast.BasicLit); plain || check.Prints(c.Info, c.Show[0]) {
		return false
	}
	switch t := c.Info.TypeOf(c.Show[0]).(type) {
	case nil, *types.Tuple, *types.Signature:
		return false
	case *types.Basic:
		return t.Kind() != types.UntypedNil && t.Kind() != types.Invalid
	}
	return true
}

// lineText is a value in a line of the shell.
func lineText(v Value) string {
	if list, ok := v.V.([]string); ok {
		return strings.Join(list, " ")
	}
	defer rt.Printing("the value in braces", []any{v.V})()
	return fmt.Sprint(rt.Args([]any{v.V})...)
}
