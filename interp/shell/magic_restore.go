package shell

import (
	"context"
	"fmt"
	"strings"

	"gotorch/interp/result"
)

// restoreMagic runs the cells of a session whose process was ended, up to the one that ended it. What they end with is
// not shown; an error is, and the next cell runs.
func (s *Shell) restoreMagic(ctx context.Context, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) != "" {
		return nil, usage("%%restore")
	}
	lost := s.Lost()
	if lost == nil {
		return nil, usage("%%restore: the session before this one ended in order, or has been restored")
	}
	failed := 0
	for _, c := range lost.Cells {
		var err *Error
		done := s.Note(c.N, c.Src)
		s.File(fmt.Sprintf("In[%d] of before", c.N), func() { _, err = s.Eval(ctx, c.Src) })
		done()
		if err != nil {
			if failed++; ctx.Err() != nil {
				return nil, err
			}
			fmt.Fprintln(s.Stderr(), err.Text())
		}
	}
	s.Found()
	text := fmt.Sprintf("ran %s again", cellCount(len(lost.Cells)))
	if failed > 0 {
		text += fmt.Sprintf(", %d of them with an error", failed)
	}
	if f := lost.Fatal; f != nil {
		text += fmt.Sprintf("; not In[%d], which ran when the process ended (%s):\n%s", f.N, lost.Cause, f.Src)
	}
	return result.Text(text), nil
}

func cellCount(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", n)
}
