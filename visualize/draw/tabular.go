package draw

import "strings"

// Tabular is a table of short strings.
type Tabular struct {
	Head []string
	Rows [][]string
	Hues []int // of the rows' first columns; nil for none
}

// widths are the columns that each column takes.
func (t *Tabular) widths() []int {
	w := make([]int, len(t.Head))
	for _, r := range append([][]string{t.Head}, t.Rows...) {
		for i, s := range r {
			w[i] = max(w[i], Width(s))
		}
	}
	return w
}

// Text is the table in lines.
func (t *Tabular) Text(indent string, color bool) []string {
	w := t.widths()
	line := func(r []string, first func(string) string, rest func(string) string) string {
		out := indent
		last := len(r) - 1
		for last > 0 && r[last] == "" {
			last--
		}
		for i, s := range r[:last+1] {
			if i < last {
				s = PadRight(s, w[i])
			}
			if i == 0 {
				out += first(s)
			} else {
				out += "  " + rest(s)
			}
		}
		return out
	}
	faded := func(s string) string { return Dim(color, s) }
	plain := func(s string) string { return s }
	var out []string
	if strings.Join(t.Head, "") != "" {
		out = append(out, line(t.Head, faded, faded))
	}
	for i, r := range t.Rows {
		first := plain
		if t.Hues != nil && t.Hues[i] >= 0 {
			first = func(s string) string { return Paint(color, t.Hues[i], s) }
		}
		out = append(out, line(r, first, plain))
	}
	return out
}

// Fit is the table with its last column cut so that one that begins at x ends within a narrow page.
func (t *Tabular) Fit(x float64) *Tabular {
	rest := int((NarrowWidth - x - 16) / CharWidth)
	last := len(t.Head) - 1
	for _, n := range t.widths()[:last] {
		rest -= n + 2
	}
	fit := *t
	fit.Rows = make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		fit.Rows[i] = append([]string(nil), r...)
		if len(r) > last {
			fit.Rows[i][last] = Clip(r[last], max(rest, 12))
		}
	}
	return &fit
}

// Narrow is the table with the names of its first column cut so that one that begins at x fits a narrow page.
func (t *Tabular) Narrow(x float64) *Tabular {
	room := int((NarrowWidth - x - 16) / CharWidth)
	for _, n := range t.widths()[1:] {
		room -= n + 2
	}
	narrow := *t
	narrow.Rows = make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		narrow.Rows[i] = append([]string(nil), r...)
		if len(r) > 0 && Width(r[0]) > room {
			narrow.Rows[i][0] = Clip(strings.TrimPrefix(r[0], "nn.functional."), max(room, 8))
		}
	}
	return &narrow
}

// Draw draws the table with its first line at y, and returns where the next line may stand.
func (t *Tabular) Draw(c *Canvas, x, y float64) float64 {
	w := t.widths()
	left := make([]float64, len(w))
	at := x
	for i, n := range w {
		left[i] = at
		at += float64(n+2) * CharWidth
	}
	for i, s := range t.Head {
		c.Text(left[i], y, "start", s, Faint)
	}
	for k, r := range t.Rows {
		y += LineHeight - 2
		if t.Hues != nil && t.Hues[k] >= 0 {
			c.Rect(x-14, y-9, 9, 9, Hue(t.Hues[k]), 0.4, "")
		}
		for i, s := range r {
			c.Text(left[i], y, "start", s, "")
		}
	}
	return y + LineHeight
}
