package visualize

import "strings"

// tabular is a table of short texts.
type tabular struct {
	head []string
	rows [][]string
	hues []int // of the rows' first columns; nil for none
}

// widths are the columns that each column takes.
func (t *tabular) widths() []int {
	w := make([]int, len(t.head))
	for _, r := range append([][]string{t.head}, t.rows...) {
		for i, s := range r {
			w[i] = max(w[i], width(s))
		}
	}
	return w
}

// text is the table in lines.
func (t *tabular) text(indent string, color bool) []string {
	w := t.widths()
	line := func(r []string, first func(string) string, rest func(string) string) string {
		out := indent
		last := len(r) - 1
		for last > 0 && r[last] == "" {
			last--
		}
		for i, s := range r[:last+1] {
			if i < last {
				s = padRight(s, w[i])
			}
			if i == 0 {
				out += first(s)
			} else {
				out += "  " + rest(s)
			}
		}
		return out
	}
	faded := func(s string) string { return dim(color, s) }
	plain := func(s string) string { return s }
	var out []string
	if strings.Join(t.head, "") != "" {
		out = append(out, line(t.head, faded, faded))
	}
	for i, r := range t.rows {
		first := plain
		if t.hues != nil && t.hues[i] >= 0 {
			first = func(s string) string { return paint(color, t.hues[i], s) }
		}
		out = append(out, line(r, first, plain))
	}
	return out
}

// draw draws the table with its first line at y, and gives where the next line may stand.
func (t *tabular) draw(c *canvas, x, y float64) float64 {
	w := t.widths()
	left := make([]float64, len(w))
	at := x
	for i, n := range w {
		left[i] = at
		at += float64(n+2) * charWidth
	}
	for i, s := range t.head {
		c.text(left[i], y, "start", s, faint)
	}
	for k, r := range t.rows {
		y += lineHeight - 2
		if t.hues != nil && t.hues[k] >= 0 {
			c.rect(x-14, y-9, 9, 9, hue(t.hues[k]), 0.4, "")
		}
		for i, s := range r {
			c.text(left[i], y, "start", s, "")
		}
	}
	return y + lineHeight
}
