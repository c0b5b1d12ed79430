package main

import (
	"strings"

	"github.com/rivo/uniseg"

	"gotorch/internal/lazyre"
)

var colour = lazyre.New("\x1b\\[[0-9;]*m")

// wrapMessage breaks the lines of an error that say what is wrong, which begin at the margin, or two columns in, in a
// picture, and are no row of a table; quoted source, carets and pictures stay.
func wrapMessage(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		bare := colour.ReplaceAllString(l, "")
		prose := strings.TrimPrefix(bare, "  ")
		if prose != "" && prose[0] != ' ' && prose[0] != '\t' &&
			(prose == bare || !strings.Contains(prose, "  ") && !strings.HasPrefix(prose, "at ")) {
			lines[i] = wrap(l, width)
		}
	}
	return strings.Join(lines, "\n")
}

// columns is how many a text takes, colours aside.
func columns(text string) int { return uniseg.StringWidth(colour.ReplaceAllString(text, "")) }

// wrap breaks lines of prose that are wider than a terminal between words. A broken line goes on as far in as it
// began, or less far where it began beyond the middle.
func wrap(text string, width int) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		line = strings.ReplaceAll(line, "\t", "    ")
		body := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(body)]
		if columns(line) > width && len(indent) > width/2 { // it stands far to the right: as far as there is room for it
			indent = strings.Repeat(" ", max(width-columns(body), width/4))
			line = indent + body
		}
		if columns(line) <= width {
			b.WriteString(line)
			continue
		}
		at := 0
		for j, word := range strings.Split(body, " ") {
			w := columns(word)
			switch {
			case j == 0:
				b.WriteString(indent)
				at = len(indent)
			case at+1+w > width:
				b.WriteString("\n" + indent)
				at = len(indent)
			default:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += w
		}
	}
	return b.String()
}
