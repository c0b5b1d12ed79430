package nn

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// String is a table.
func (s *ModelSummary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s   input %v → output %v\n", s.Name, s.Input, s.Output)
	table := [][]string{{"", "", "result", "params", "FLOPs"}}
	for i := range s.Rows {
		table = append(table, s.Rows[i].cells())
	}
	var widths [5]int
	bar := 80 // columns are left of
	for k := range widths {
		for _, row := range table {
			widths[k] = max(widths[k], utf8.RuneCountInString(row[k]))
		}
		bar -= 2 + widths[k]
	}
	for i, row := range table {
		if i > 0 {
			row = append(row, s.share(&s.Rows[i-1], min(max(bar-2, 4), 16)))
		}
		var line strings.Builder
		for k, t := range row {
			if k < len(widths) {
				fill := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(t))
				if k == 3 || k == 4 {
					t, fill = fill+t, ""
				}
				t += fill
			}
			line.WriteString("  " + t)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	b.WriteString(s.foot())
	return b.String()
}

// cells are the columns of a row.
func (r *SummaryRow) cells() []string {
	_, name := cutLast(r.Name)
	kind, params := r.Kind, ""
	switch {
	case r.Kind == "" && !r.Group:
		name, kind = listed(r.Ops), ""
	case r.Again:
		params = "again"
	case r.Params > 0:
		if params = grouped(r.Params); r.Frozen == r.Params {
			params += " frozen"
		}
	}
	if r.Group && kind == "" {
		kind = "…"
	}
	return []string{strings.Repeat("  ", max(r.Depth-1, 0)) + name, kind, fmt.Sprint(r.Output), params, counted(r.Flops)}
}

// listed is a list of operators, of many the first three.
func listed(ops []string) string {
	if len(ops) > 3 {
		return strings.Join(ops[:3], ", ") + ", …"
	}
	return strings.Join(ops, ", ")
}

// share is a bar of the row's part of all operations; that of all is so many columns wide.
func (s *ModelSummary) share(r *SummaryRow, columns int) string {
	if r.Group || s.Flops == 0 {
		return ""
	}
	return strings.Repeat("█", int(r.Flops/s.Flops*float64(columns)+0.5))
}

// foot is what the whole model has.
func (s *ModelSummary) foot() string {
	var b strings.Builder
	if s.More > 0 {
		fmt.Fprintf(&b, "  … %d more rows\n", s.More)
	}
	for _, p := range s.Unused {
		fmt.Fprintf(&b, "%s %v is not used by the forward pass\n", p.Name, p.Shape)
	}
	trained := "all trained"
	if s.Trained < s.Params {
		trained = grouped(s.Trained) + " trained"
	}
	fmt.Fprintf(&b, "%s parameters, %s; %s in memory; %sFLOP for a forward pass", grouped(s.Params), trained,
		bytesOf(s.Bytes), counted(s.Flops))
	return b.String()
}

// grouped writes 1234567 as 1,234,567.
func grouped(n int) string {
	t := fmt.Sprint(n)
	for i := len(t) - 3; i > 0; i -= 3 {
		t = t[:i] + "," + t[i:]
	}
	return t
}

// counted is a large number in short: 1.2 M.
func counted(n float64) string {
	switch {
	case n == 0:
		return ""
	case n < 1e3:
		return fmt.Sprintf("%.0f ", n)
	case n < 1e6:
		return fmt.Sprintf("%.3g k", n/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.3g M", n/1e6)
	case n < 1e12:
		return fmt.Sprintf("%.3g G", n/1e9)
	}
	return fmt.Sprintf("%.3g T", n/1e12)
}

func bytesOf(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// MIMEBundle is the table as text and as a page.
func (s *ModelSummary) MIMEBundle() map[string]any {
	return map[string]any{"text/plain": s.String(), "text/html": s.HTML()}
}

// HTML is the table. Beneath the numbers of a module are bars for its part of all parameters and operations. On a
// narrow page the cells break between words.
func (s *ModelSummary) HTML() string {
	var b strings.Builder
	const head, left = `<th style="padding:2px 4px">`, `<td style="text-align:left;padding:2px 4px;overflow-wrap:anywhere">`
	b.WriteString(`<div style="font:12px monospace"><b>` + html.EscapeString(s.Name) + `</b> ` +
		html.EscapeString(fmt.Sprintf("input %v → output %v", s.Input, s.Output)) +
		`<table style="font:12px monospace"><tr>` + head + `</th>` + head + `</th><th style="text-align:left;` +
		`padding:2px 4px">result</th>` + head + `params</th>` + head + `FLOPs</th></tr>`)
	for i := range s.Rows {
		r := &s.Rows[i]
		cell := r.cells()
		name := html.EscapeString(strings.TrimLeft(cell[0], " "))
		if r.Group {
			name = "<b>" + name + "</b>"
		}
		fmt.Fprintf(&b, `<tr title="%s"><td style="text-align:left;padding:2px 4px 2px %dem;overflow-wrap:anywhere">%s</td>`,
			html.EscapeString(strings.TrimSpace(r.Name+" "+strings.Join(r.Ops, ", "))), max(r.Depth-1, 0)*2, name)
		b.WriteString(left + html.EscapeString(cell[1]) + "</td>" + left + cell[2] + "</td>")
		b.WriteString(r.number(cell[3], float64(r.Params), float64(s.Params), "#c38700"))
		b.WriteString(r.number(cell[4], r.Flops, s.Flops, "#0072b2") + "</tr>")
	}
	b.WriteString(`</table>` + strings.ReplaceAll(html.EscapeString(s.foot()), "\n", "<br>") + `</div>`)
	return b.String()
}

// number is a cell of the page: a number, and beneath it a bar for a row's part of a whole.
func (r *SummaryRow) number(text string, part, whole float64, hue string) string {
	width := 0.0
	if whole > 0 && !r.Group {
		width = part / whole * 100
	}
	return fmt.Sprintf(`<td style="text-align:right;padding:2px 4px">%s<div style="height:3px;min-width:3em">`+
		`<div style="height:3px;width:%.0f%%;background:%s"></div></div></td>`, text, width, hue)
}
