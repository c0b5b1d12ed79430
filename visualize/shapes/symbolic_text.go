package shapes

import (
	"strings"

	"gotorch/visualize/draw"
)

// symbolicWidth is how many columns the text has.
const symbolicWidth = 80

// String is the text without colour.
func (v *SymbolicView) String() string { return v.Text(false) }

// MIMEBundle is the view in all forms.
func (v *SymbolicView) MIMEBundle() map[string]any { return draw.Bundle(v) }

// Text is the inputs, the calls, the guards and the result.
func (v *SymbolicView) Text(color bool) string {
	var b strings.Builder
	for _, t := range v.Inputs {
		b.WriteString("  " + draw.Paint(color, 0, t.Name) + "  " + shownTensors([]SymbolicTensor{t}) + "\n")
	}
	b.WriteString("\n")
	if len(v.Lines) == 0 && v.Error == "" && len(v.Notes) == 0 {
		b.WriteString("  " + nothingCalled + "\n")
	}
	v.writeCalls(&b, color)
	if v.Error != "" {
		at := ""
		if v.At != "" {
			at = v.At + ": "
		}
		writeWrapped(&b, "  ", "✗ "+at+v.Error, func(s string) string { return draw.Paint(color, 5, s) })
	} else if len(v.Result) > 0 {
		b.WriteString("\n")
		writeWrapped(&b, "  ", "result  "+shownTensors(v.Result), func(s string) string { return draw.Bold(color, s) })
	}
	v.writeGuards(&b, color)
	for _, n := range v.Notes {
		writeWrapped(&b, "  ", n, func(s string) string { return s })
	}
	b.WriteString("\n")
	writeWrapped(&b, "  ", v.tried(), func(s string) string { return draw.Dim(color, s) })
	return strings.TrimRight(b.String(), "\n")
}

// writeWrapped writes a text in lines of 80 columns; those after the first are indented.
func writeWrapped(b *strings.Builder, indent, text string, style func(string) string) {
	for i, line := range draw.Wrap(text, symbolicWidth-len(indent)-2) {
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(indent + style(line) + "\n")
	}
}

// writeCalls writes the table: the result of a call stands beside it, or beneath it where there is no room.
func (v *SymbolicView) writeCalls(b *strings.Builder, color bool) {
	rows := v.rows()
	var w [3]int // place, name, call
	for _, r := range rows {
		w[0], w[1] = max(w[0], draw.Width(r.place)), max(w[1], draw.Width(r.name))
	}
	w[1] = min(w[1], 16)
	left := 2 + w[0] + 2 + w[1] + 2
	if w[0] == 0 {
		left -= 2
	}
	room := max(24, symbolicWidth-left)
	beside := func(r symbolicRow) bool {
		return r.line != nil && draw.Width(r.line.Call)+4+draw.Width(r.line.shown()) <= room
	}
	for _, r := range rows {
		if beside(r) {
			w[2] = max(w[2], draw.Width(r.line.Call))
		}
	}
	for _, r := range rows { // calls beside their results are aligned where all still fit then
		if beside(r) && w[2]+4+draw.Width(r.line.shown()) > room {
			w[2] = 0
			break
		}
	}
	for _, r := range rows {
		lead := "  "
		if w[0] > 0 {
			lead += draw.Dim(color, r.place) + draw.PadRight("", w[0]-draw.Width(r.place)) + "  "
		}
		if r.remark != "" {
			b.WriteString(lead + draw.Dim(color, r.remark) + "\n")
			continue
		}
		name := draw.Clip(r.name, w[1])
		if strings.HasPrefix(name, "#") {
			lead += draw.Dim(color, name)
		} else {
			lead += draw.Paint(color, 0, name)
		}
		lead += draw.PadRight("", w[1]-draw.Width(name)) + "  "
		arrow := "→ " + r.line.shown()
		if r.line.Failed {
			arrow = draw.Bold(color, draw.Paint(color, 5, "✗"))
		}
		if beside(r) {
			b.WriteString(lead + draw.PadRight(r.line.Call, w[2]) + "  " + arrow + "\n")
			continue
		}
		indent := draw.PadRight("", left)
		for i, line := range draw.Wrap(r.line.Call, room-2) {
			if i == 0 {
				b.WriteString(lead + line + "\n")
			} else {
				b.WriteString(indent + "  " + line + "\n")
			}
		}
		if r.line.Failed {
			b.WriteString(indent + "  " + arrow + "\n")
			continue
		}
		for i, line := range draw.Wrap(arrow, room-4) {
			if i > 0 {
				line = "  " + line
			}
			b.WriteString(indent + "  " + line + "\n")
		}
	}
}

// shown is the result with its note.
func (l *SymbolicLine) shown() string {
	text := l.result()
	switch {
	case l.Note == "" || l.Failed:
		return text
	case text == "":
		return l.Note
	}
	return text + ", " + l.Note
}

// writeGuards writes what has to hold.
func (v *SymbolicView) writeGuards(b *strings.Builder, color bool) {
	if len(v.Guards) == 0 {
		if v.Error == "" && len(v.Lines) > 0 {
			b.WriteString("\n  no guards: nothing is asked of the sizes\n")
		}
		return
	}
	b.WriteString("\n  " + draw.Bold(color, "guards") + "\n")
	w := [2]int{}
	for _, g := range v.Guards {
		w[0], w[1] = max(w[0], min(24, draw.Width(g.conds()))), max(w[1], draw.Width(g.Place))
	}
	for _, g := range v.Guards {
		line := "  " + draw.Paint(color, 2, g.conds()) + draw.PadRight("", w[0]-draw.Width(g.conds())) + "  "
		if w[1] > 0 {
			line += draw.Dim(color, draw.PadRight(g.Place, w[1])) + "  "
		}
		b.WriteString(strings.TrimRight(line+g.Op, " ") + "\n")
		writeWrapped(b, "      ", g.Else, func(s string) string { return draw.Dim(color, s) })
		if len(g.Left) > 0 {
			left := "no rule found for " + strings.Join(g.Left, "; ")
			writeWrapped(b, "      ", left, func(s string) string { return s })
		}
	}
}

// conds are the conditions of a guard: K = 4 and H ≥ 3.
func (g *SymbolicGuard) conds() string {
	if len(g.Conds) == 0 {
		return "?"
	}
	return strings.Join(g.Conds, " and ")
}
