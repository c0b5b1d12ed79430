package interp

import (
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/syntax"
)

// Note: cells as they are typed and pasted. Before a cell is Go it may have the prompts of a session in front of its
// lines, and lines that are commands.

// firstPrompt and morePrompt are what stands before the first and the further lines of a cell that is copied out of a
// session: ours, IPython's, Python's.
var (
	firstPrompt = lazyre.New(`^\s*(?:>>> ?|In ?\[\d+\]: ?)`)
	morePrompt  = lazyre.New(`^\s*\.\.\.:? ?`)
)

// unprompted takes the prompts away from what was copied out of a session, and with them the lines that are output. A
// text that does not begin with a prompt stays as it is.
func unprompted(src string) string {
	if !firstPrompt.MatchString(strings.TrimLeft(src, "\n\r")) {
		return src
	}
	var out []string
	inCell := false
	for _, l := range strings.Split(src, "\n") {
		switch {
		case firstPrompt.MatchString(l):
			out = append(out, l[len(firstPrompt.FindString(l)):])
			inCell = true
		case inCell && morePrompt.MatchString(l):
			out = append(out, l[len(morePrompt.FindString(l)):])
		default:
			inCell = false
		}
	}
	return strings.Join(out, "\n")
}

// pasted splits a text at its prompts: each was a cell by itself. Empty lines before a cell keep its line numbers.
func pasted(src string) (cells []string) {
	all := unprompted(src)
	if all == src {
		return []string{src}
	}
	begins := map[int]bool{} // lines of all
	n := 0
	inCell := false
	for _, l := range strings.Split(src, "\n") {
		switch {
		case firstPrompt.MatchString(l):
			begins[n], inCell = true, true
			n++
		case inCell && morePrompt.MatchString(l):
			n++
		default:
			inCell = false
		}
	}
	var cell []string
	first := 0
	flush := func() {
		if text := strings.Join(cell, "\n"); strings.TrimSpace(text) != "" {
			cells = append(cells, strings.Repeat("\n", first)+text)
		}
		cell = nil
	}
	for i, l := range strings.Split(all, "\n") {
		if text := strings.Join(cell, "\n"); begins[i] && (isCommand(text) || whole(text)) {
			flush()
			first = i
		}
		cell = append(cell, l)
	}
	flush()
	return cells
}

// whole reports whether a text of Go goes on nowhere.
func whole(src string) bool {
	v, _ := syntax.Completeness(src)
	return v != syntax.Incomplete
}

// isCommand reports whether a line is a magic, a line of the shell or a question.
func isCommand(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) < 2 {
		return false
	}
	c := line[1]
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	switch line[0] {
	case '%':
		return letter || c == '%'
	case '!':
		return c != '='
	case '?':
		return letter || c == '?' || c == '%' || c == '*'
	}
	return false
}

// splitAtCommand splits a text of Go before the first line that is a command and stands between statements, not inside
// of one.
func splitAtCommand(src string) (head, tail string) {
	at := 0
	var outline *syntax.Outline
	for line := range strings.Lines(src) {
		if at > 0 && isCommand(line) {
			if outline == nil {
				outline = syntax.NewOutline(src)
			}
			if outline.Inside(at) {
				at += len(line)
				continue
			}
			if v, _ := syntax.Completeness(src[:at]); v != syntax.Incomplete {
				return src[:at], strings.Repeat("\n", strings.Count(src[:at], "\n")) + src[at:]
			}
		}
		at += len(line)
	}
	return src, ""
}

// IsComplete says whether src is a whole cell, and for one that is not, how far its next line is indented.
func (s *Session) IsComplete(src string) (syntax.Verdict, string) {
	src = strings.TrimLeft(unprompted(src), " \t\r\n")
	line, rest, more := strings.Cut(src, "\n")
	switch {
	case strings.HasPrefix(line, "%%"):
		if !more {
			return syntax.Incomplete, ""
		}
		if takesText(line) {
			return syntax.Complete, ""
		}
		return syntax.Completeness(rest)
	case isCommand(line), strings.HasPrefix(line, "?"), strings.HasSuffix(strings.TrimSpace(line), "?") && !more:
		if strings.TrimSpace(rest) == "" {
			return syntax.Complete, ""
		}
		return s.IsComplete(rest)
	}
	if head, tail := splitAtCommand(src); tail != "" {
		if v, indent := syntax.Completeness(head); v != syntax.Complete {
			return v, indent
		}
		return s.IsComplete(tail)
	}
	if before, _, after, ok := s.capturing(src); ok {
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
func (s *Session) IsWhole(src string) (bool, string) {
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
