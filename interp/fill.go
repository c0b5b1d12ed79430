package interp

import (
	"context"
	"go/ast"
	"go/types"
	"strings"

	"gotorch/interp/check"
)

// Note: values in lines of the shell
//
// {x} in a line of the shell, or in what a command about files is told, is the
// value of x, as with IPython. Braces stay as they are typed where what they hold
// is no expression that a cell could end with: awk's {print $1}, {a,b}, {1..9}.
// They stay too after a $, in pairs ({{.Names}}), and around a plain number or
// text: a{3} is a pattern. A list of texts gives them with spaces between.

// filling are the commands whose line is filled; others take Go.
var filling = map[string]bool{"run": true, "load": true, "save": true, "writefile": true, "edit": true, "env": true, "cd": true}

// fill puts values into a line. Lines below the first are a text of their own.
func (s *Session) fill(ctx context.Context, n int, text string) (string, *Error) {
	start := len(text) - len(strings.TrimLeft(text, "\n"))
	line, below, more := strings.Cut(text[start:], "\n")
	if !strings.Contains(line, "{") {
		return text, nil
	}
	var b strings.Builder
	b.WriteString(text[:start])
	for i := 0; i < len(line); {
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
		case !s.fills(n, inner):
			b.WriteByte('{')
			i++
			continue
		}
		vals, err := s.evalGo(ctx, s.cellName(n), inner)
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

// fills reports whether a text is an expression whose value goes into a line.
func (s *Session) fills(n int, text string) bool {
	if strings.TrimSpace(text) != text || text == "" {
		return false
	}
	c, err := s.checked(s.cellName(n), text)
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
	return v.Text
}
