package split

import (
	"strings"

	"gotorch/internal/lazyre"
)

// Note: cells as they are typed and pasted. Before a cell is Go it may have the prompts of a session in front of its
// lines, and lines that are commands.

// FirstPrompt and MorePrompt are what stands before the first and the further lines of a cell that is copied out of a
// session: ours, IPython's, Python's.
var (
	FirstPrompt = lazyre.New(`^\s*(?:>>> ?|In ?\[\d+\]: ?)`)
	MorePrompt  = lazyre.New(`^\s*\.\.\.:? ?`)
)

// Unprompted takes the prompts away from what was copied out of a session, and with them the lines that are output. A
// text that does not begin with a prompt stays as it is.
func Unprompted(src string) string {
	if !FirstPrompt.MatchString(strings.TrimLeft(src, "\n\r")) {
		return src
	}
	var out []string
	inCell := false
	for _, l := range strings.Split(src, "\n") {
		switch {
		case FirstPrompt.MatchString(l):
			out = append(out, l[len(FirstPrompt.FindString(l)):])
			inCell = true
		case inCell && MorePrompt.MatchString(l):
			out = append(out, l[len(MorePrompt.FindString(l)):])
		default:
			inCell = false
		}
	}
	return strings.Join(out, "\n")
}

// Pasted splits a text at its prompts: each was a cell by itself. Empty lines before a cell keep its line numbers.
func Pasted(src string) (cells []string) {
	all := Unprompted(src)
	if all == src {
		return []string{src}
	}
	begins := map[int]bool{} // lines of all
	n := 0
	inCell := false
	for _, l := range strings.Split(src, "\n") {
		switch {
		case FirstPrompt.MatchString(l):
			begins[n], inCell = true, true
			n++
		case inCell && MorePrompt.MatchString(l):
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
		if text := strings.Join(cell, "\n"); begins[i] && (IsCommand(text) || whole(text)) {
			flush()
			first = i
		}
		cell = append(cell, l)
	}
	flush()
	return cells
}
