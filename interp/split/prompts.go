package split

import (
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/syntax"
)

// firstPrompt and morePrompt match the prompts of the first and of the further lines of a cell that was copied from a
// session: ours, IPython's, Python's.
var (
	firstPrompt = lazyre.New(`^\s*(?:>>> ?|In ?\[\d+\]: ?)`)
	morePrompt  = lazyre.New(`^\s*\.\.\.:? ?`)
)

// typed is a line behind a prompt.
type typed struct {
	text  string
	first bool // of a cell
}

// prompted finds the lines that were typed in what was copied out of a session; the others are output. A text that
// does not begin with a prompt is none.
func prompted(src string) (lines []typed, ok bool) {
	if !firstPrompt.MatchString(strings.TrimLeft(src, "\n\r")) {
		return nil, false
	}
	inCell := false
	for l := range strings.SplitSeq(src, "\n") {
		prompt := firstPrompt.FindString(l)
		first := prompt != ""
		if inCell = first || inCell && morePrompt.MatchString(l); !inCell {
			continue
		}
		if !first {
			prompt = morePrompt.FindString(l)
		}
		lines = append(lines, typed{l[len(prompt):], first})
	}
	return lines, true
}

// Unprompted takes the prompts away from what was copied out of a session, and with them the lines that are output. A
// text that does not begin with a prompt stays as it is.
func Unprompted(src string) string {
	lines, ok := prompted(src)
	if !ok {
		return src
	}
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.text
	}
	return strings.Join(texts, "\n")
}

// Pasted splits a text at its prompts: each was a cell by itself. Empty lines before a cell keep its line numbers.
func Pasted(src string) (cells []string) {
	lines, ok := prompted(src)
	if !ok {
		return []string{src}
	}
	cell, begin := "", 0
	flush := func() {
		if strings.TrimSpace(cell) != "" {
			cells = append(cells, strings.Repeat("\n", begin)+strings.TrimSuffix(cell, "\n"))
		}
	}
	for i, l := range lines {
		if l.first && (isCommand(cell) || whole(cell)) {
			flush()
			cell, begin = "", i
		}
		cell += l.text + "\n"
	}
	flush()
	return cells
}

// whole reports whether a text of Go goes on nowhere.
func whole(src string) bool {
	v, _ := syntax.Completeness(src)
	return v != syntax.Incomplete
}

// BlankPrompts puts spaces in place of prompts, so that offsets stay.
func BlankPrompts(src string) string {
	pasted := firstPrompt.MatchString(src)
	var b strings.Builder
	for line := range strings.Lines(src) {
		n := len(firstPrompt.FindString(line))
		if n == 0 && pasted {
			n = len(morePrompt.FindString(line))
		}
		b.WriteString(strings.Repeat(" ", n) + line[n:])
	}
	return b.String()
}
