package learn

import (
	"strings"

	"gotorch/visualize/draw"
)

// mark stands behind an element that differs.
const mark = "≠"

// Text is the case for a terminal: the two values side by side, or one beneath the other where they are wide.
func (d *Difference) Text(color bool) string {
	var b strings.Builder
	b.WriteString(draw.Bold(color, d.verdict()) + "\n")
	for _, a := range d.Args {
		b.WriteString("  " + draw.Clip(a, draw.TextWidth(78)-2) + "\n")
	}
	b.WriteString("  the " + d.What + ": " + d.Says + "\n\n")
	want, got := d.Want.text(color), d.Got.text(color)
	wide := 0
	for _, l := range want {
		wide = max(wide, l.width)
	}
	whole := 0
	for _, l := range got {
		whole = max(whole, l.width)
	}
	if 2+wide+4+whole > draw.TextWidth(78) {
		for _, l := range append(append(want, gridLine{}), got...) {
			b.WriteString(strings.TrimRight("  "+l.text, " ") + "\n")
		}
		return strings.TrimRight(b.String(), "\n")
	}
	for i := range max(len(want), len(got)) {
		var l, r gridLine
		if i < len(want) {
			l = want[i]
		}
		if i < len(got) {
			r = got[i]
		}
		b.WriteString(strings.TrimRight("  "+l.text+strings.Repeat(" ", wide-l.width+4)+r.text, " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// gridLine is a line of text and how many columns it takes, colours aside.
type gridLine struct {
	text  string
	width int
}

func (g *Grid) text(color bool) []gridLine {
	lines := []gridLine{{g.Title, draw.Width(g.Title)}}
	var widths []int
	for i, row := range g.Cells {
		for k, c := range row {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			if g.Marked[i][k] {
				c += mark
			}
			widths[k] = max(widths[k], draw.Width(c))
		}
	}
	for i, row := range g.Cells {
		l := gridLine{}
		for k, c := range row {
			if g.Marked[i][k] {
				c += mark
			}
			pad := draw.PadLeft(c, widths[k])
			if len(row) == 1 && len(widths) == 1 {
				pad = c
			}
			if l.width > 0 {
				l.text, l.width = l.text+"  ", l.width+2
			}
			l.width += draw.Width(pad)
			if g.Marked[i][k] {
				pad = draw.Paint(color, 5, pad)
			}
			l.text += pad
		}
		lines = append(lines, l)
	}
	if g.More != "" {
		lines = append(lines, gridLine{g.More, draw.Width(g.More)})
	}
	return lines
}
