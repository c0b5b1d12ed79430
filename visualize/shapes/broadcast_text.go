package shapes

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// word is what a cell says: 3, 1→3, ·→3 where the dimension is missing.
func (c BroadcastCell) word(free bool) string {
	switch {
	case c.Missing && c.Clash:
		return "·"
	case c.Clash || free:
		return fmt.Sprint(c.Size)
	case c.Missing && c.To == c.Size:
		return "·"
	case c.Missing:
		return fmt.Sprintf("·→%d", c.To)
	case c.Size == 1 && c.To != 1 && c.To >= 0:
		return fmt.Sprintf("1→%d", c.To)
	}
	return fmt.Sprint(c.Size)
}

// lastName is what stands before the last row.
func (b *Broadcasting) lastName() string {
	if b.Target != "" {
		return b.Last + " " + b.Target
	}
	return b.Last
}

func sizeText(n int) string {
	if n < 0 {
		return "✗"
	}
	return fmt.Sprint(n)
}

// first is the first dimension that is shown.
func (b *Broadcasting) first() int { return max(0, b.Dims-maxColumns) }

// after is what stands behind a row: the shape, and the strides before and after.
func (b *Broadcasting) after(r BroadcastRow) string {
	text := "shape " + fmt.Sprint(r.Shape)
	if r.Stride == nil {
		return text
	}
	text += "  stride " + fmt.Sprint(r.Stride)
	if len(b.Clashes) == 0 && fmt.Sprint(r.Walked) != fmt.Sprint(r.Stride) {
		text += " → " + fmt.Sprint(r.Walked)
	}
	return text
}

// rule is what one should know.
func (b *Broadcasting) rule() string {
	switch {
	case b.Last == "joined" && b.Free < 0:
		return "All shapes must be equal."
	case b.Last == "joined":
		return fmt.Sprintf("All sizes but those of dim %d must be equal.", b.Free)
	case len(b.Clashes) > 0 && b.Last == "into":
		return "Read from the right: a size must be the one wanted, or 1; only leading dimensions may be missing."
	case len(b.Clashes) > 0:
		return "Read from the right: sizes must be equal, or one of them 1; leading dimensions may be missing."
	}
	for _, r := range b.Operands {
		for _, c := range r.Cells {
			if c.Missing || c.Size != c.To {
				return "Nothing is copied: along a broadcast dimension the stride is 0, the same element is read again."
			}
		}
	}
	return ""
}

// verdict says how it ends.
func (b *Broadcasting) verdict() string {
	if len(b.Clashes) == 0 {
		return b.Elements
	}
	return ""
}

// says is one hint: y.Unsqueeze(1) has shape [2 1] and gives [2 3].
func (a BroadcastAdvice) says() string {
	return fmt.Sprintf("%s has shape %v and would give %v", a.Expr, a.Shape, a.Gives)
}

// Text is a table: a row an operand, a column a dimension.
func (b *Broadcasting) Text(color bool) string {
	first := b.first()
	wide := draw.Width(b.lastName())
	for _, r := range b.Operands {
		wide = max(wide, draw.Width(r.Name))
	}
	clash := map[int]bool{}
	for _, c := range b.Clashes {
		clash[c.Dim] = true
	}
	cols := make([]int, b.Dims)
	for d := first; d < b.Dims; d++ {
		cols[d] = draw.Width(fmt.Sprintf("dim %d", d))
		cols[d] = max(cols[d], draw.Width(sizeText(b.Result[d])))
		for _, r := range b.Operands {
			cols[d] = max(cols[d], draw.Width(r.Cells[d].word(d == b.Free)))
		}
	}
	var out strings.Builder
	row := func(name string, cell func(d int) string, after string) {
		line := "  " + draw.PadRight(name, wide)
		for d := first; d < b.Dims; d++ {
			line += "  " + cell(d)
		}
		if after != "" {
			line += "   " + draw.Dim(color, after)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	mark := func(d int, s string) string {
		s = draw.PadLeft(s, cols[d])
		if clash[d] {
			return draw.Bold(color, draw.Paint(color, 5, s))
		}
		return s
	}
	if b.Dims == 0 {
		out.WriteString("  no dimensions: numbers\n")
	} else {
		if first > 0 {
			out.WriteString(draw.Dim(color, fmt.Sprintf("  dims 0 to %d are left out\n", first-1)))
		}
		row("", func(d int) string { return draw.Dim(color, draw.PadLeft(fmt.Sprintf("dim %d", d), cols[d])) }, "")
	}
	for i, r := range b.Operands {
		row(draw.Paint(color, i, draw.PadRight(r.Name, wide)), func(d int) string {
			c := r.Cells[d]
			s := c.word(d == b.Free)
			if !clash[d] && (c.Missing || c.Size != c.To) {
				return draw.Dim(color, draw.PadLeft(s, cols[d]))
			}
			return mark(d, s)
		}, b.after(r))
	}
	if b.More > 0 {
		fmt.Fprintf(&out, "  … %d more\n", b.More)
	}
	row(draw.PadRight(b.lastName(), wide), func(d int) string { return mark(d, sizeText(b.Result[d])) }, b.verdict())
	if len(clash) > 0 {
		row("", func(d int) string {
			if clash[d] {
				return mark(d, "^")
			}
			return strings.Repeat(" ", cols[d])
		}, "")
	}
	for _, c := range b.Clashes {
		out.WriteString("  " + draw.Paint(color, 5, "✗ "+c.Text) + "\n")
	}
	if rule := b.rule(); rule != "" {
		out.WriteString("  " + draw.Dim(color, rule) + "\n")
	}
	for _, h := range b.Hints {
		out.WriteString("  would do: " + h.says() + "\n")
	}
	return strings.TrimRight(out.String(), "\n")
}

// String is the text without colour.
func (b *Broadcasting) String() string { return b.Text(false) }

// SVG is the table as boxes.
func (b *Broadcasting) SVG() string { return b.draw().Alone(b.label()) }

// HTML is the picture with the text beneath.
func (b *Broadcasting) HTML() string { return draw.Pictured(b.draw(), b.label(), b.Text(false)) }

// MIMEBundle is the view in all forms.
func (b *Broadcasting) MIMEBundle() map[string]any { return draw.Bundle(b) }

func (b *Broadcasting) label() string {
	var names []string
	for _, r := range b.Operands {
		names = append(names, r.Name+fmt.Sprint(r.Shape))
	}
	what := "broadcasting of "
	if b.Last == "joined" {
		what = "joining of "
	}
	text := what + strings.Join(names, ", ")
	if len(b.Clashes) > 0 {
		text += ": " + b.Clashes[0].Text
	}
	return draw.Clip(text, 200)
}

// draw draws a box for each dimension of each operand; broadcast ones are dashed, columns that clash are framed in
// red.
func (b *Broadcasting) draw() *draw.Canvas {
	c := new(draw.Canvas)
	first := b.first()
	left := float64(draw.Width(b.lastName()))
	wide := 8
	for _, r := range b.Operands {
		left = max(left, float64(draw.Width(r.Name)))
		for d := first; d < b.Dims; d++ {
			wide = max(wide, draw.Width(r.Cells[d].word(d == b.Free))+2)
		}
	}
	for d := first; d < b.Dims; d++ {
		wide = max(wide, draw.Width(sizeText(b.Result[d]))+2)
	}
	const row, box = 40.0, 30.0
	left = left*draw.CharWidth + 24
	step := float64(wide)*draw.CharWidth + 8
	w := step - 8
	x := func(d int) float64 { return left + float64(d-first)*step }
	y := 12.0
	if first > 0 {
		c.Text(8, y, "start", fmt.Sprintf("dims 0 to %d are left out", first-1), draw.Faint)
		y += draw.LineHeight
	}
	y += 6
	for d := first; d < b.Dims; d++ {
		c.Text(x(d)+w/2, y, "middle", fmt.Sprintf("dim %d", d), draw.Small)
	}
	top := y + 6
	y += 12
	end := x(max(b.Dims, first)) + 4
	for i, r := range b.Operands {
		c.Text(left-12, y+19, "end", r.Name, "")
		for d := first; d < b.Dims; d++ {
			cell := r.Cells[d]
			broadcast := !cell.Clash && d != b.Free && (cell.Missing || cell.Size != cell.To)
			attributes := draw.Filled(draw.Hue(i), 0.25)
			if broadcast {
				attributes = draw.Filled(draw.Hue(i), 0.06) + ` stroke-dasharray="4 3"`
			}
			c.Box(x(d), y, w, box, attributes, "")
			s := cell.word(d == b.Free)
			if cell.Clash {
				c.Text(x(d)+w/2, y+19, "middle", s, `font-weight="bold" `+draw.RedText)
				continue
			}
			if broadcast && r.Walked != nil && len(b.Clashes) == 0 {
				c.Text(x(d)+w/2, y+14, "middle", s, "")
				c.Text(x(d)+w/2, y+26, "middle", "stride 0", `opacity="0.75" font-size="9"`)
				continue
			}
			c.Text(x(d)+w/2, y+19, "middle", s, "")
		}
		c.Text(end, y+19, "start", b.after(r), draw.Small)
		y += row
	}
	if b.More > 0 {
		c.Text(left-12, y+10, "end", fmt.Sprintf("… %d more", b.More), draw.Faint)
		y += draw.LineHeight
	}
	y += 6
	c.Path(fmt.Sprintf("M%s %sH%s", draw.Num(left), draw.Num(y-6), draw.Num(end-4)), "currentColor", draw.Thin)
	c.Text(left-12, y+19, "end", b.lastName(), draw.Strong)
	for d := first; d < b.Dims; d++ {
		if b.Result[d] >= 0 {
			c.Box(x(d), y, w, box, draw.Filled("none", 0), "")
			c.Text(x(d)+w/2, y+19, "middle", fmt.Sprint(b.Result[d]), draw.Strong)
		}
	}
	c.Text(end, y+19, "start", b.verdict(), draw.Small)
	for _, clash := range b.Clashes {
		if clash.Dim >= first {
			c.Path(fmt.Sprintf("M%s %sh%sV%sh%sZ", draw.Num(x(clash.Dim)-3), draw.Num(top-1), draw.Num(w+6), draw.Num(y+box+3),
				draw.Num(-w-6)), draw.Red, `stroke-width="2"`)
			if b.Result[clash.Dim] < 0 {
				c.Text(x(clash.Dim)+w/2, y+19, "middle", "✗", `font-weight="bold" `+draw.RedText)
			}
		}
	}
	y += box + 6
	for _, clash := range b.Clashes {
		y += draw.LineHeight
		y = c.Warn(8, y, "✗ "+clash.Text)
	}
	if rule := b.rule(); rule != "" {
		y += draw.LineHeight
		y = c.Sentence(8, y, rule, draw.Small)
	}
	for _, h := range b.Hints {
		y += draw.LineHeight
		y = c.Sentence(8, y, "would do: "+h.says(), "")
	}
	return c
}
