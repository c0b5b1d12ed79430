package main

import (
	"strings"

	"github.com/rivo/uniseg"
)

// wrap breaks lines of prose that are wider than a terminal between words. A broken line goes on as far in as it began.
func wrap(text string, width int) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		line = strings.ReplaceAll(line, "\t", "    ")
		body := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(body)]
		if uniseg.StringWidth(line) <= width || len(indent) > width/2 {
			b.WriteString(line)
			continue
		}
		at := 0
		for j, word := range strings.Split(body, " ") {
			w := uniseg.StringWidth(word)
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
