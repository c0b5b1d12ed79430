package operators

import (
	"go/scanner"
	"go/token"
	"strings"

	"gotorch/visualize/draw"
)

// Text writes the places, or each part's code beneath its place.
func (v *OperatorSource) Text(color bool) string {
	var out []string
	for i := range v.Ops {
		s := &v.Ops[i]
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, draw.Bold(color, s.Name))
		if !v.Full {
			out = append(out, s.grid().Text("  ", color)...)
			continue
		}
		s.each(func(title, text string, depth int) {
			out = append(out, "", draw.Paint(color, 0, title))
			for _, l := range strings.Split(text, "\n") {
				out = append(out, strings.TrimRight("    "+highlighted(color, l), " "))
			}
		})
		if len(s.Tests) > 0 {
			out = append(out, "", draw.Paint(color, 0, "tests"))
		}
		for _, t := range s.Tests {
			out = append(out, "    "+t.At+"  "+t.Part)
		}
	}
	if v.More > 0 {
		out = append(out, "… "+draw.Counted(v.More, "more operator"))
	}
	if len(out) == 0 {
		return "no operators"
	}
	return strings.Join(out, "\n")
}

// each calls f with the title and the code of each part, and of what it uses.
func (s *OpSource) each(f func(title, text string, depth int)) {
	for _, p := range s.Parts {
		title := p.Part
		if p.At != "" {
			title += ", " + p.At
		}
		if p.Text == "" {
			p.Text = "(where it was typed)"
		}
		f(title, p.Text, 0)
		for _, u := range p.Uses {
			title := u.Part + ", " + u.At
			if u.Part == "" {
				title = "what it names"
			}
			f(title, u.Text, 1)
		}
	}
}

// String is the text without colour.
func (v *OperatorSource) String() string { return v.Text(false) }

// SVG draws the places.
func (v *OperatorSource) SVG() string {
	c := new(draw.Canvas)
	y := 18.0
	if len(v.Ops) == 0 {
		c.Text(6, y, "start", "no operators", "")
	}
	for i := range v.Ops {
		c.Text(6, y, "start", v.Ops[i].Name, draw.Strong)
		y = v.Ops[i].grid().Fit(22).Draw(c, 22, y+2) + 24
	}
	if v.More > 0 {
		c.Text(6, y, "start", "… "+draw.Counted(v.More, "more operator"), "")
	}
	return c.Alone("where operators stand in the source")
}

// HTML is a table of places, or code that folds.
func (v *OperatorSource) HTML() string {
	var b strings.Builder
	for i := range v.Ops {
		s := &v.Ops[i]
		b.WriteString("<div><b>" + draw.Escape(s.Name) + "</b>")
		if v.Full {
			s.each(func(title, text string, depth int) {
				if b.Len()+3*len(text) > draw.MaxHTML {
					text = "… too long for a page: %where says where it is"
				}
				b.WriteString(folding(title, text, depth))
			})
		} else {
			b.WriteString(s.table())
		}
		b.WriteString("</div>")
	}
	if v.More > 0 {
		b.WriteString("<p>… " + draw.Counted(v.More, "more operator") + "</p>")
	}
	if v.Full {
		return draw.Frame(b.String())
	}
	return draw.WithText(b.String(), v.Text(false))
}

// table is the places as a table of HTML.
func (s *OpSource) table() string {
	cell := func(text string) string {
		return `<td style="text-align:left;white-space:nowrap">` + draw.Escape(text) + "</td>"
	}
	var b strings.Builder
	b.WriteString(`<table style="text-align:left">`)
	for _, r := range s.grid().Rows {
		b.WriteString("<tr>" + cell(r[0]) + `<td style="text-align:left"><code>` + draw.Escape(r[1]) + "</code></td>" +
			cell(r[2]) + "</tr>")
	}
	return b.String() + "</table>"
}

// folding is code that folds; what a part uses is indented, and folded at first.
func folding(title, text string, depth int) string {
	open, margin := ` open="open"`, ""
	if depth > 0 {
		open, margin = "", ` style="margin-left:2em"`
	}
	var b strings.Builder
	b.WriteString("<details" + open + margin + `><summary style="cursor:pointer;display:list-item">` +
		draw.Escape(title) + `</summary><pre style="` + draw.PlainPre + `;white-space:pre;overflow-x:auto">`)
	tokens(text, func(part string, hue int) {
		if hue < 0 {
			b.WriteString(draw.Escape(part))
			return
		}
		b.WriteString(draw.Inked(hue, part))
	})
	return b.String() + "</pre></details>"
}

// highlighted is a line of Go in a terminal's colours.
func highlighted(color bool, line string) string {
	if !color {
		return line
	}
	var b strings.Builder
	tokens(line, func(part string, hue int) {
		if hue < 0 {
			b.WriteString(part)
			return
		}
		b.WriteString(draw.Paint(true, hue, part))
	})
	return b.String()
}

// tokens cuts Go's text at its tokens, and says in which hue each is written: -1 is the ordinary ink.
func tokens(text string, f func(part string, hue int)) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	at := 0
	for {
		pos, tok, lit := s.Scan()
		hue := -1
		switch {
		case tok == token.EOF:
			if at < len(text) {
				f(text[at:], -1)
			}
			return
		case tok.IsKeyword():
			hue = 0
		case tok == token.STRING || tok == token.CHAR:
			hue = 2
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			hue = 1
		case tok == token.COMMENT:
			hue = 6
		default:
			continue
		}
		from := file.Offset(pos)
		to := min(from+len(lit), len(text))
		if from < at {
			continue
		}
		if from > at {
			f(text[at:from], -1)
		}
		f(text[from:to], hue)
		at = to
	}
}

// MIMEBundle is the view in all forms.
func (v *OperatorSource) MIMEBundle() map[string]any { return draw.Bundle(v) }
