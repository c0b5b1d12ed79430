package shell

import (
	"gotorch/interp/split"
	"gotorch/interp/syntax"
	"strings"
)

// IsComplete says whether src is a whole cell, and for one that is not, how far its next line is indented.
func (s *Shell) IsComplete(src string) (syntax.Verdict, string) {
	src = strings.TrimLeft(split.Unprompted(src), " \t\r\n")
	line, rest, more := strings.Cut(src, "\n")
	switch {
	case strings.HasPrefix(line, "%%"):
		if !more {
			return syntax.Incomplete, ""
		}
		if TakesText(line) {
			return syntax.Complete, ""
		}
		return syntax.Completeness(rest)
	case split.IsCommand(line), strings.HasPrefix(line, "?"), strings.HasSuffix(strings.TrimSpace(line), "?") && !more:
		if strings.TrimSpace(rest) == "" {
			return syntax.Complete, ""
		}
		return s.IsComplete(rest)
	}
	if head, tail := split.AtCommand(src); tail != "" {
		if v, indent := syntax.Completeness(head); v != syntax.Complete {
			return v, indent
		}
		return s.IsComplete(tail)
	}
	if before, _, after, ok := s.Captures(src); ok {
		if v, indent := syntax.Completeness(before); v != syntax.Complete && strings.TrimSpace(before) != "" {
			return v, indent
		}
		if strings.TrimSpace(after) == "" {
			return syntax.Complete, ""
		}
		return s.IsComplete(after)
	}
	return syntax.Completeness(src)
}

// IsWhole says whether lines that were typed one by one, without the end of the last, are a whole cell, and how far
// the next is indented where they are not. Under %%name a cell goes on until an empty line.
func (s *Shell) IsWhole(src string) (bool, string) {
	if strings.TrimSpace(src) == "" {
		return true, ""
	}
	verdict, indent := s.IsComplete(src)
	if strings.HasPrefix(strings.TrimSpace(src), "%%") && verdict != syntax.Incomplete {
		at := strings.LastIndexByte(src, '\n')
		return at >= 0 && strings.TrimSpace(src[at:]) == "", ""
	}
	return verdict != syntax.Incomplete, indent
}
