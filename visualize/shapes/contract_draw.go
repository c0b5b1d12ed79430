package shapes

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// word is what a cell says: 3, 1→3, · where the operand has no such dimension, ·→3 where the batch broadcasts it.
func (c *Contraction) word(r *ContractedRow, i int) string {
	l := c.Letters[i]
	switch {
	case r.Absent[i] && l.Role == "batch":
		return fmt.Sprintf("·→%d", l.Size)
	case r.Absent[i]:
		return "·"
	case r.Sizes[i] != l.Size:
		return fmt.Sprintf("%d→%d", r.Sizes[i], l.Size)
	}
	return fmt.Sprint(l.Size)
}

// last is the word of the result.
func (l ContractedLetter) last() string {
	if l.Summed {
		return "Σ"
	}
	return fmt.Sprint(l.Size)
}

// sum says what is added up.
func (c *Contraction) sum() string {
	var over []string
	for _, l := range c.Letters {
		if l.Summed {
			over = append(over, l.Letter)
		}
	}
	if len(over) == 0 {
		return "Nothing is summed: each element of the result is one product."
	}
	if n := elementsText(c.Result); n == "1 element" {
		return fmt.Sprintf("The one element is a sum of %s over %s.", draw.Counted(c.Terms, "product"), draw.And(over, 8))
	}
	return fmt.Sprintf("Each of the %s is a sum of %s over %s.", elementsText(c.Result), draw.Counted(c.Terms, "product"),
		draw.And(over, 8))
}

// head is what stands above a column: the letter, and what a matrix product calls it.
func (c *Contraction) head(l ContractedLetter) string {
	if c.Matrix {
		return l.Letter + " " + l.Role
	}
	return l.Letter
}

// rows are the table of the view; the last row is the result.
func (c *Contraction) rows() (head []string, rows [][]string) {
	head = []string{""}
	last := []string{"result"}
	for _, l := range c.Letters {
		head, last = append(head, c.head(l)), append(last, l.last())
	}
	for k := range c.Operands {
		r := &c.Operands[k]
		row := []string{r.Name}
		for i := range c.Letters {
			row = append(row, c.word(r, i))
		}
		rows = append(rows, append(row, "shape "+fmt.Sprint(r.Shape)))
	}
	return append(head, ""), append(rows, append(last, "shape "+fmt.Sprint(c.Result)))
}

// Text is a table: a row an operand, a column a letter.
func (c *Contraction) Text(color bool) string {
	head, rows := c.rows()
	wide := make([]int, len(head))
	for _, r := range append([][]string{head}, rows...) {
		for i, s := range r {
			wide[i] = max(wide[i], draw.Width(s))
		}
	}
	var b strings.Builder
	b.WriteString(draw.Bold(color, c.Equation))
	for _, r := range append([][]string{head}, rows...) {
		b.WriteString("\n  " + draw.PadRight(r[0], wide[0]))
		for i := 1; i < len(r)-1; i++ {
			cell := draw.PadLeft(r[i], wide[i])
			if r[i] != "·" {
				cell = draw.Paint(color, i-1, cell)
			}
			b.WriteString("  " + cell)
		}
		if s := r[len(r)-1]; s != "" {
			b.WriteString("   " + draw.Dim(color, s))
		}
	}
	return b.String() + "\n  " + c.sum()
}

// String is the text without colour.
func (c *Contraction) String() string { return c.Text(false) }

// SVG is the table with each letter in its colour.
func (c *Contraction) SVG() string { return c.draw().Alone(c.label()) }

// HTML is the picture with the text beneath.
func (c *Contraction) HTML() string { return draw.Pictured(c.draw(), c.label(), c.Text(false)) }

// MIMEBundle is the view in all forms.
func (c *Contraction) MIMEBundle() map[string]any { return draw.Bundle(c) }

func (c *Contraction) label() string { return draw.Clip("the dimensions of "+c.Equation, 200) }

func (c *Contraction) draw() *draw.Canvas {
	const row, box = 40.0, 30.0
	out := new(draw.Canvas)
	head, rows := c.rows()
	left, wide := 0, 6
	for _, r := range append([][]string{head}, rows...) {
		left = max(left, draw.Width(r[0]))
		for _, s := range r[1 : len(r)-1] {
			wide = max(wide, draw.Width(s)+2)
		}
	}
	w := float64(wide) * draw.CharWidth
	x := func(i int) float64 { return float64(left)*draw.CharWidth + 24 + float64(i)*(w+8) }
	out.Text(8, 18, "start", c.Equation, draw.Strong)
	y := 44.0
	for i, l := range c.Letters {
		out.Text(x(i)+w/2, y, "middle", c.head(l), "")
	}
	y += 8
	for k, r := range rows {
		end := k == len(rows)-1
		if end {
			out.Path(fmt.Sprintf("M%s %sH%s", draw.Num(x(0)), draw.Num(y), draw.Num(x(len(c.Letters))-8)), "currentColor",
				draw.Thin)
			y += 8
		}
		out.Text(x(0)-12, y+19, "end", r[0], "")
		for i, l := range c.Letters {
			s := r[i+1]
			if s == "·" {
				out.Text(x(i)+w/2, y+19, "middle", s, draw.Faint)
				continue
			}
			attributes := draw.Filled(draw.Hue(i), 0.25)
			if strings.Contains(s, "→") || end && l.Summed {
				attributes = draw.Filled(draw.Hue(i), 0.06) + ` stroke-dasharray="4 3"`
			}
			out.Box(x(i), y, w, box, attributes, l.Role)
			out.Text(x(i)+w/2, y+19, "middle", s, "")
		}
		out.Text(x(len(c.Letters)), y+19, "start", r[len(r)-1], draw.Small)
		y += row
	}
	out.Text(8, y+14, "start", c.sum(), draw.Small)
	return out
}

// Caption names the inner dimensions, and what broadcasts.
func (c *Contraction) Caption() string {
	var kept, over, repeated []string
	for i, l := range c.Letters {
		if l.Summed {
			over = append(over, fmt.Sprintf("%s of size %d", l.Letter, l.Size))
		} else {
			kept = append(kept, l.Letter)
		}
		for k := range c.Operands {
			if strings.Contains(c.word(&c.Operands[k], i), "→") {
				repeated = append(repeated, fmt.Sprintf("%s along %s", c.Operands[k].Name, l.Letter))
			}
		}
	}
	text := fmt.Sprintf("The result has the shape %v", c.Result)
	if len(kept) > 0 {
		what := ", with the dimension "
		if len(kept) > 1 {
			what = ", with the dimensions "
		}
		text += what + draw.And(kept, 8)
	}
	if len(over) > 0 {
		text += "; summed is over " + draw.And(over, 8)
	}
	if len(repeated) > 0 {
		text += "; broadcast is " + draw.And(repeated, 4)
	}
	return text + "."
}

// Caption says what does not meet.
func (p *Product) Caption() string {
	return fmt.Sprintf("%s @ %s cannot be computed: %s.", p.A.Name, p.B.Name, strings.Join(p.Wrong, "; "))
}
