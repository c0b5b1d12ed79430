package shell

import (
	"strings"

	"gotorch/interp/split"
	"gotorch/interp/syntax"
)

// IsComplete reports whether src is a whole cell, and for one that is not, how far its next line is indented.
func (s *Shell) IsComplete(src string) (syntax.Verdict, string) {
	src = split.Unprompted(src)
	for p := range split.Cell(src, s.IsGo) {
		text := p.Text
		switch p.Kind {
		case split.CellMagic:
			if _, below, more := strings.Cut(src[p.Body:], "\n"); !more {
				return syntax.Incomplete, ""
			} else if text = below; takesText(p.Name) {
				return syntax.Complete, ""
			}
		case split.Go:
		default:
			continue
		}
		if v, indent := syntax.Completeness(text); v != syntax.Complete {
			return v, indent
		}
	}
	return syntax.Complete, ""
}

// IsWhole reports whether lines that were typed one by one, without the end of the last, are a whole cell, and how far
// the next is indented where they are not. Under %%name a cell goes on until an empty line.
func (s *Shell) IsWhole(src string) (bool, string) {
	verdict, indent := s.IsComplete(src)
	if strings.HasPrefix(strings.TrimSpace(src), "%%") && verdict != syntax.Incomplete {
		at := strings.LastIndexByte(src, '\n')
		return at >= 0 && strings.TrimSpace(src[at:]) == "", ""
	}
	return verdict != syntax.Incomplete, indent
}
