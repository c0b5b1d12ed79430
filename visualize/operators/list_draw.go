package operators

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// grid is the rows of a topic as a table.
func (t *OperatorTopic) grid() *draw.Tabular {
	g := &draw.Tabular{Head: []string{"", "torch.", "class", "derivative", ""}}
	for _, r := range t.Rows {
		g.Rows = append(g.Rows, []string{r.Name, r.Torch, r.Class, r.Derivative, draw.Clip(r.summary(), 96)})
	}
	return g
}

// summary is the first sentence of the documentation without the name that it begins with.
func (r *OperatorRow) summary() string {
	return strings.TrimPrefix(strings.Join(strings.Fields(r.Doc), " "), r.Name+" ")
}

// head says how many operators are listed.
func (l *OperatorList) head() string {
	text := draw.Counted(l.Count(), "operator")
	if l.Filter != "" {
		return text + " for " + l.Filter
	}
	return text + "; %ops TEXT or %ops CLASS shows what they do, ?NAME one of them"
}

// Text writes a table for each topic; without a filter, the names.
func (l *OperatorList) Text(color bool) string {
	out := []string{l.head()}
	for i := range l.Topics {
		t := &l.Topics[i]
		out = append(out, "", draw.Bold(color, fmt.Sprintf("%s, %d", t.Title, len(t.Rows))))
		if l.Filter == "" {
			out = append(out, t.wrapped()...)
			continue
		}
		out = append(out, t.grid().Text("  ", color)...)
	}
	return strings.Join(out, "\n")
}

// wrapped is the names of a topic in lines.
func (t *OperatorTopic) wrapped() (lines []string) {
	width := draw.TextWidth(100)
	line := " "
	for _, r := range t.Rows {
		if draw.Width(line)+1+draw.Width(r.Name) > width && line != " " {
			lines = append(lines, line)
			line = " "
		}
		line += " " + r.Name
	}
	return append(lines, line)
}

// String is the text without colour.
func (l *OperatorList) String() string { return l.Text(false) }

// SVG draws the tables.
func (l *OperatorList) SVG() string {
	c := new(draw.Canvas)
	y := 18.0
	c.Lines(6, y, l.head(), "")
	for i := range l.Topics {
		t := &l.Topics[i]
		y += 28
		c.Text(6, y, "start", fmt.Sprintf("%s, %d", t.Title, len(t.Rows)), draw.Strong)
		if l.Filter != "" {
			y = t.grid().Fit(22).Draw(c, 22, y+18)
			continue
		}
		for _, line := range t.wrapped() {
			y += 17
			y = c.Lines(22, y, strings.TrimSpace(line), "") - 17
		}
	}
	return c.Alone("operators")
}

// HTML is a table, with a line for each topic.
func (l *OperatorList) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<p>%s</p><table style=\"text-align:left\">", draw.Escape(l.head()))
	if l.Filter != "" {
		b.WriteString("<thead><tr><th>Go</th><th>torch.</th><th>class</th><th>derivative</th><th></th></tr></thead>")
	}
	cell := func(s, style string) string { return `<td style="text-align:left` + style + `">` + s + "</td>" }
	for i := range l.Topics {
		t := &l.Topics[i]
		title := fmt.Sprintf("<b>%s</b>, %d", draw.Escape(t.Title), len(t.Rows))
		if l.Filter == "" {
			var names []string
			for _, r := range t.Rows {
				names = append(names, "<code title=\""+draw.Escape(r.summary())+"\">"+r.Name+"</code>")
			}
			b.WriteString("<tr>" + cell(title, ";vertical-align:top;white-space:nowrap") +
				cell(strings.Join(names, " "), "") + "</tr>")
			continue
		}
		b.WriteString(`<tr><td colspan="5" style="text-align:left">` + title + "</td></tr>")
		for _, r := range t.Rows {
			b.WriteString("<tr>" + cell("<code>"+r.Name+"</code>", "") + cell("<code>"+draw.Escape(r.Torch)+"</code>", "") +
				cell(r.Class, "") + cell(r.Derivative, "") + cell(draw.Escape(r.summary()), "") + "</tr>")
		}
	}
	b.WriteString("</table>")
	return draw.WithText(draw.Frame(b.String()), l.Text(false))
}

// MIMEBundle is the view in all forms.
func (l *OperatorList) MIMEBundle() map[string]any { return draw.Bundle(l) }
