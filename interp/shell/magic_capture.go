package shell

import (
	"context"
	"io"
	"strconv"
	"strings"

	"gotorch/interp/syntax"
)

// captureMagic runs the cell under it, which prints and shows nothing. The text becomes the value of the
// variable NAME. An error is shown, with what was printed before it.
func (s *Shell) captureMagic(ctx context.Context, arg string) ([]Value, *Error) {
	first, src, _ := strings.Cut(strings.TrimLeft(arg, "\n"), "\n")
	name := strings.TrimSpace(first)
	if strings.TrimSpace(src) == "" || name != "" && firstWord.FindString(name) != name {
		return nil, usage("%%%%capture NAME, and under it the cell")
	}
	if name != "" {
		if v, _ := syntax.Completeness(name + " := 1"); v == syntax.Invalid {
			return nil, usage("%s is no name", name)
		}
	}
	var err *Error
	printed := s.Capture(func() {
		_, err = s.Eval(ctx, strings.Repeat("\n", strings.Count(arg[:len(arg)-len(src)], "\n"))+src)
	})
	if err != nil {
		io.WriteString(s.Stdout(), printed)
		return nil, err
	}
	if name == "" {
		return nil, nil
	}
	_, err = s.Go(ctx, name+" := "+strconv.Quote(printed))
	return nil, err
}
