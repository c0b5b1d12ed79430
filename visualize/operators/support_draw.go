package operators

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

func shapeText(x *tensor.Tensor) string { return fmt.Sprint(x.Shape()) }
func listText(v any) string             { return fmt.Sprint(v) }

// shortDtype is a dtype in few letters: f32, i64, bf16, bool.
func shortDtype(d string) string {
	for _, p := range [][2]string{{"bfloat", "bf"}, {"float", "f"}, {"uint", "u"}, {"int", "i"}, {"complex", "c"}} {
		if rest, ok := strings.CutPrefix(d, p[0]); ok {
			return p[1] + rest
		}
	}
	return d
}

// grid is the table of marks; a result in another dtype is written behind its mark.
func (g *SupportGrid) grid() *draw.Tabular {
	t := &draw.Tabular{Head: []string{"", "", ""}}
	for _, d := range g.Dtypes {
		t.Head = append(t.Head, shortDtype(d))
	}
	for i := range g.Rows {
		r := &g.Rows[i]
		row := []string{r.Op, r.Device, r.How}
		for _, c := range r.Cells {
			row = append(row, c.text())
		}
		t.Rows, t.Hues = append(t.Rows, row), append(t.Hues, -1)
	}
	return t
}

func (c *SupportCell) text() string {
	if c.Mark == markOther {
		return c.Mark + shortDtype(c.Result)
	}
	return c.Mark
}

// legend tells what the marks mean, of those that are there.
func (g *SupportGrid) legend() string {
	var out []string
	for _, m := range [][2]string{{markWorks, "works"}, {markOther, "works, the result has this dtype"},
		{markFallback, "works by a fallback"}, {markRefused, "refused"}, {markUnknown, "not known"}} {
		if slices.ContainsFunc(g.Rows, func(r SupportRow) bool {
			return slices.ContainsFunc(r.Cells, func(c SupportCell) bool { return c.Mark == m[0] })
		}) {
			out = append(out, m[0]+" "+m[1])
		}
	}
	return strings.Join(out, "   ")
}

// notes are the reasons of what was rejected, those that are alike in one line, and what the operators were tried
// with.
func (g *SupportGrid) notes() []string {
	var reasons []string // "c64 c128: not supported"
	rows := map[string][]*SupportRow{}
	devices := map[string]int{} // by operator
	for i := range g.Rows {
		r := &g.Rows[i]
		devices[r.Op]++
		for _, text := range r.reasons(g.Dtypes) {
			if rows[text] == nil {
				reasons = append(reasons, text)
			}
			rows[text] = append(rows[text], r)
		}
	}
	var out []string
	for _, text := range reasons {
		var where []string
		for _, r := range rows[text] {
			name := r.Op + " on " + r.Device
			if n := 0; devices[r.Op] > 0 {
				for _, other := range rows[text] {
					if other.Op == r.Op {
						n++
					}
				}
				if n == devices[r.Op] {
					name = r.Op
				}
			}
			if !slices.Contains(where, name) {
				where = append(where, name)
			}
		}
		if len(g.Rows) == devices[g.Rows[0].Op] && len(where) == 1 { // one operator
			where[0] = strings.TrimPrefix(strings.TrimPrefix(where[0], g.Rows[0].Op), " ")
		}
		out = append(out, draw.Clip(strings.TrimLeft(strings.Join(where, ", ")+", "+text, ", "), 150))
	}
	if len(out) > 12 {
		out = append(out[:11], fmt.Sprintf("… %d more reasons", len(out)-11))
	}
	var samples []string
	for i := range g.Rows {
		if s := g.Rows[i].Sample; s != "" {
			if line := draw.Clip(g.Rows[i].Op+"("+s+")", 120); !slices.Contains(samples, line) {
				samples = append(samples, line)
			}
		}
	}
	if len(samples) > 4 {
		samples = append(samples[:3], fmt.Sprintf("%d more", len(samples)-3))
	}
	if len(samples) > 0 {
		out = append(out, draw.Clip("tried with "+strings.Join(samples, "; "), 160))
	}
	return out
}

// Text writes the grid, and beneath it why what is empty is empty.
func (g *SupportGrid) Text(color bool) string {
	if len(g.Rows) == 0 {
		return "no operators"
	}
	out := g.grid().Text("", color)
	if g.More > 0 {
		out = append(out, "… "+draw.Counted(g.More, "more row"))
	}
	out = append(out, draw.Dim(color, g.legend()))
	for _, n := range g.notes() {
		out = append(out, draw.Dim(color, "  "+n))
	}
	return strings.Join(out, "\n")
}

// String is the text without colour.
func (g *SupportGrid) String() string { return g.Text(false) }

// SVG draws the grid.
func (g *SupportGrid) SVG() string { return g.picture().Alone("support grid") }

// HTML is the picture, with its text beneath.
func (g *SupportGrid) HTML() string { return draw.Pictured(g.picture(), "support grid", g.Text(false)) }

// MIMEBundle is the view in all forms.
func (g *SupportGrid) MIMEBundle() map[string]any { return draw.Bundle(g) }

func (g *SupportGrid) picture() *draw.Canvas {
	const widest, cellSide = 54.0, 22.0
	c := new(draw.Canvas)
	if len(g.Rows) == 0 {
		c.Text(6, 18, "start", "no operators", "")
		return c
	}
	op, device := 0, 0
	for i := range g.Rows {
		op, device = max(op, draw.Width(g.Rows[i].Op)), max(device, draw.Width(g.Rows[i].Device)+2+draw.Width(g.Rows[i].How))
	}
	x1 := 6 + float64(op+2)*draw.CharWidth
	x0 := x1 + float64(device+2)*draw.CharWidth
	cellWide := max(36, min(widest, (draw.NarrowWidth-16-x0)/float64(max(1, len(g.Dtypes)))))
	y := 18.0
	for k, d := range g.Dtypes {
		c.Text(x0+cellWide*float64(k)+cellWide/2, y, "middle", shortDtype(d), draw.Faint)
	}
	y += 8
	for i := range g.Rows {
		r := &g.Rows[i]
		c.Text(6, y+15, "start", r.Op, draw.Strong)
		c.Text(x1, y+15, "start", r.Device+"  "+r.How, "")
		for k, cell := range r.Cells {
			x := x0 + cellWide*float64(k) + 2
			tip := strings.ReplaceAll(cell.Why, "…", g.Dtypes[k])
			switch cell.Mark {
			case markWorks:
				c.Rect(x, y, cellWide-4, cellSide, draw.Hue(2), 0.45, tip)
			case markOther, markFallback:
				c.Rect(x, y, cellWide-4, cellSide, draw.Hue(1), 0.25, tip)
			default:
				c.Box(x, y, cellWide-4, cellSide,
					`fill="none" stroke="currentColor" stroke-opacity="0.4" stroke-dasharray="2 3"`, tip)
			}
			c.Text(x+cellWide/2-2, y+15, "middle", cell.text(), "")
		}
		y += cellSide + 4
	}
	y += 16
	if g.More > 0 {
		c.Text(6, y, "start", "… "+draw.Counted(g.More, "more row"), "")
		y += 17
	}
	y = c.Lines(6, y, g.legend(), "")
	for _, n := range g.notes() {
		y = c.Lines(6, y, n, draw.Faint)
	}
	return c
}

// reasons are the errors of a row, each with its dtypes.
func (r *SupportRow) reasons(names []string) []string {
	var order []string
	dtypes := map[string][]string{}
	for k, c := range r.Cells {
		if c.Mark == markRefused || c.Mark == markUnknown {
			if dtypes[c.Why] == nil {
				order = append(order, c.Why)
			}
			dtypes[c.Why] = append(dtypes[c.Why], shortDtype(names[k]))
		}
	}
	for i, why := range order {
		where := strings.Join(dtypes[why], " ")
		if len(dtypes[why]) == len(names) {
			where = "all"
		}
		order[i] = where + ": " + why
	}
	return order
}
