package shapes

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Product shows two factors of a matrix product whose sizes do not meet.
type Product struct {
	A     Factor   `json:"a"`
	B     Factor   `json:"b"`
	Wrong []string `json:"wrong"`
	Hints []string `json:"hints,omitempty"`
}

// Factor is one factor: Inner is the dimension along which the product sums, Bad the dimensions that do not meet the
// other factor's.
type Factor struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
	Inner int    `json:"inner"`
	Bad   []int  `json:"bad"`
}

func init() {
	Explains(func(e *tensor.Error, f tensor.MatmulDetails) draw.View {
		typed := [][]int{f.A, f.B}
		if f.Transposed {
			typed[1] = []int{f.B[1], f.B[0]}
		}
		names := operandNames(e.Op, typed, f.Operands[:], []string{"a", "b"})
		if !f.Transposed {
			return product(names, f.A, f.B)
		}
		weight := names[1]
		p, ok := product([]string{names[0], called(weight) + ".T()"}, f.A, f.B).(*Product)
		if !ok {
			return nil
		}
		p.Hints = []string{fmt.Sprintf(
			"a weight has shape [out in]: %s takes %d features and gives %d, the last size of %s must be %d", weight, f.B[0],
			f.B[1], names[0], f.B[0])}
		return p
	})
}

// product finds what does not meet.
func product(names []string, a, b []int) draw.View {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	p := &Product{A: Factor{Name: draw.Clip(names[0], draw.MaxName), Shape: a, Inner: len(a) - 1},
		B: Factor{Name: draw.Clip(names[1], draw.MaxName), Shape: b, Inner: max(0, len(b)-2)}}
	if x, y := a[p.A.Inner], b[p.B.Inner]; x != y {
		p.A.Bad, p.B.Bad = []int{p.A.Inner}, []int{p.B.Inner}
		p.Wrong = append(p.Wrong, fmt.Sprintf("the inner sizes must be equal: dim %d of %s has %d, dim %d of %s has %d",
			p.A.Inner, p.A.Name, x, p.B.Inner, p.B.Name, y))
	}
	batch := min(len(a), len(b)) - 2
	for i := 1; i <= batch; i++ {
		da, db := len(a)-2-i, len(b)-2-i
		if a[da] != b[db] && a[da] != 1 && b[db] != 1 {
			p.A.Bad, p.B.Bad = append(p.A.Bad, da), append(p.B.Bad, db)
			p.Wrong = append(p.Wrong,
				fmt.Sprintf("the sizes of the batch must be equal, or one of them 1: dim %d of %s has %d, dim %d of %s has %d", da,
					p.A.Name, a[da], db, p.B.Name, b[db]))
		}
	}
	if len(p.Wrong) == 0 {
		return nil
	}
	if len(p.Wrong) == 1 {
		p.advise()
	}
	return p
}

// advise tries the factors transposed, and in the other order.
func (p *Product) advise() {
	type factor struct {
		text  string
		shape []int
	}
	transposed := func(f Factor) factor {
		n := len(f.Shape)
		if n < 2 {
			return factor{}
		}
		shape := slices.Clone(f.Shape)
		shape[n-1], shape[n-2] = shape[n-2], shape[n-1]
		if n == 2 {
			return factor{called(f.Name) + ".T()", shape}
		}
		return factor{called(f.Name) + ".MT()", shape}
	}
	try := func(a, b factor) {
		if gives, ok := multiplied(a.shape, b.shape); ok && len(p.Hints) < 3 {
			p.Hints = append(p.Hints, fmt.Sprintf("would do: %s @ %s   %v @ %v → %v", a.text, b.text, a.shape, b.shape, gives))
		}
	}
	a, b := factor{called(p.A.Name), p.A.Shape}, factor{called(p.B.Name), p.B.Shape}
	try(a, transposed(p.B))
	try(transposed(p.A), b)
	try(b, a)
}

// multiplied is the shape of a @ b.
func multiplied(a, b []int) ([]int, bool) {
	if len(a) == 0 || len(b) == 0 || a[len(a)-1] != b[max(0, len(b)-2)] {
		return nil, false
	}
	out, ok := together(a[:max(0, len(a)-2)], b[:max(0, len(b)-2)])
	if len(a) > 1 {
		out = append(out, a[len(a)-2])
	}
	if len(b) > 1 {
		out = append(out, b[len(b)-1])
	}
	return out, ok
}

// Text has the shapes side by side, with marks under the sizes that do not meet.
func (p *Product) Text(color bool) string {
	gap := "  @  "
	var top, sizes, marks strings.Builder
	for i, f := range []Factor{p.A, p.B} {
		words := []string{"["}
		under := []string{" "}
		for d, n := range f.Shape {
			word := fmt.Sprint(n)
			bad := slices.Contains(f.Bad, d)
			mark := draw.PadLeft("", draw.Width(word))
			if bad {
				mark = draw.PadLeft("^", draw.Width(word))
			}
			if d > 0 {
				words, under = append(words, "  "), append(under, "  ")
			}
			if bad {
				word, mark = draw.Bold(color, draw.Paint(color, 5, word)), draw.Bold(color, draw.Paint(color, 5, mark))
			}
			words, under = append(words, word), append(under, mark)
		}
		shape := strings.Join(append(words, "]"), "")
		w := draw.Width(f.Name)
		plain := 2
		for d, n := range f.Shape {
			plain += draw.Width(fmt.Sprint(n))
			if d > 0 {
				plain += 2
			}
		}
		w = max(w, plain)
		pad := strings.Repeat(" ", w-plain)
		top.WriteString(draw.Paint(color, i, f.Name))
		sizes.WriteString(shape)
		marks.WriteString(strings.Join(under, ""))
		if i == 0 {
			top.WriteString(strings.Repeat(" ", w-draw.Width(f.Name)) + gap)
			sizes.WriteString(pad + strings.Repeat(" ", len(gap)))
			marks.WriteString(pad + strings.Repeat(" ", len(gap)+1))
		}
	}
	lines := []string{strings.TrimRight(top.String(), " "), strings.TrimRight(sizes.String(), " "),
		strings.TrimRight(marks.String(), " ")}
	for _, w := range p.Wrong {
		lines = append(lines, draw.Paint(color, 5, "✗ "+w))
	}
	lines = append(lines, p.Hints...)
	return "  " + strings.Join(lines, "\n  ")
}

// String is the text without colour.
func (p *Product) String() string { return p.Text(false) }

// SVG is the factors as matrices.
func (p *Product) SVG() string { return p.draw().Alone(p.label()) }

// HTML is the picture with the text beneath.
func (p *Product) HTML() string { return draw.Pictured(p.draw(), p.label(), p.Text(false)) }

// MIMEBundle is the view in all forms.
func (p *Product) MIMEBundle() map[string]any { return draw.Bundle(p) }

func (p *Product) label() string {
	return draw.Clip(fmt.Sprintf("%s%v @ %s%v: %s", p.A.Name, p.A.Shape, p.B.Name, p.B.Shape, p.Wrong[0]), 300)
}

// draw draws each factor as the matrix that it is, sides as long as sizes, the inner sides thick.
func (p *Product) draw() *draw.Canvas {
	c := new(draw.Canvas)
	const most, least = 110.0, 18.0
	longest := 1
	for _, f := range []Factor{p.A, p.B} {
		for _, n := range f.Shape[max(0, len(f.Shape)-2):] {
			longest = max(longest, n)
		}
	}
	side := func(n int) float64 {
		return max(least, most*float64(n)/float64(longest))
	}
	x, y := 24.0, 58.0
	top := y
	low := y
	for i, f := range []Factor{p.A, p.B} {
		n := len(f.Shape)
		rows, cols := 1, f.Shape[n-1]
		rd, cd := n-2, n-1
		if n > 1 {
			rows = f.Shape[n-2]
		} else if i == 1 { // a vector behind is a column
			rows, cols, rd, cd = cols, 1, 0, -1
		}
		w, h := side(cols), side(rows)
		name := f.Name + " " + fmt.Sprint(f.Shape)
		x += 34 // for the number of rows
		c.Text(x, top-36, "start", name, "")
		c.Rect(x, y, w, h, draw.Hue(i), 0.25, "")
		mark := func(d int, tx, ty float64, anchor, path string, n int) {
			if d < 0 {
				return
			}
			extra := draw.Faint
			if slices.Contains(f.Bad, d) {
				extra = `font-weight="bold" ` + draw.RedText
				c.Path(path, draw.Red, `stroke-width="3"`)
			}
			c.Text(tx, ty, anchor, fmt.Sprint(n), extra)
		}
		mark(cd, x+w/2, y-8, "middle", fmt.Sprintf("M%s %sh%s", draw.Num(x), draw.Num(y-2), draw.Num(w)), cols)
		mark(rd, x-6, y+h/2+4, "end", fmt.Sprintf("M%s %sv%s", draw.Num(x-2), draw.Num(y), draw.Num(h)), rows)
		low = max(low, y+h)
		x += max(w, float64(draw.Width(name))*draw.CharWidth) + 16
		if i == 0 {
			c.Text(x, top+16, "middle", "@", draw.Strong)
		}
	}
	y = low + 8
	for _, w := range p.Wrong {
		y += draw.LineHeight
		y = c.Warn(8, y, "✗ "+w)
	}
	for _, h := range p.Hints {
		y += draw.LineHeight
		y = c.Sentence(8, y, h, "")
	}
	return c
}
