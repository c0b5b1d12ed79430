package memory

import (
	"encoding/base64"
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
	"gotorch/visualize/plot"
)

// what is the tensor's name, dtype and shape.
func (c *TensorCard) what() string {
	t := fmt.Sprintf("%s%v", c.Dtype, c.Shape)
	if c.Name != "" {
		t = draw.Clip(c.Name, draw.MaxName) + "  " + t
	}
	return t
}

// traits are what else is short to say of it.
func (c *TensorCard) traits() []string {
	if c.Sparse != nil {
		return append(c.Sparse.says(), c.Device, fmt.Sprintf("version %d", c.Version), bytesize.Text(c.Bytes))
	}
	out := []string{fmt.Sprintf("stride %v", c.Stride)}
	if c.Offset != 0 {
		out = append(out, fmt.Sprintf("offset %d", c.Offset))
	}
	return append(out, c.Device, c.Layout, fmt.Sprintf("version %d", c.Version), bytesize.Text(c.Bytes))
}

// details are the lines beneath the text, with the histogram in block characters if spark is set.
func (c *TensorCard) details(spark bool) []string {
	lines := append([]string{c.what() + "  " + strings.Join(c.traits(), "  ")}, c.history()...)
	lines = append(lines, c.measured(spark)...)
	for _, h := range c.Hints {
		lines = append(lines, "! "+h)
	}
	return lines
}

// history tells what it was made of, and what autograd knows of it.
func (c *TensorCard) history() (lines []string) {
	if c.ViewOf != "" {
		line := fmt.Sprintf("view of %s: ", draw.Clip(c.ViewOf, draw.MaxName))
		if own := c.Bytes / max(1, c.ElementSize); own < c.Numel {
			line += fmt.Sprintf("%d indices over %s, %s", c.Numel, draw.Counted(own, "element"), bytesize.Text(c.Bytes))
		} else {
			line += fmt.Sprintf("%d of %s", c.Numel, draw.Counted(c.Held/max(1, c.ElementSize), "element"))
		}
		if c.Origin != "" {
			line += ", by " + c.Origin
		}
		lines = append(lines, line)
	}
	if c.Grad != "" {
		lines = append(lines, c.Grad)
	}
	return lines
}

// measured is the line about the elements.
func (c *TensorCard) measured(spark bool) (lines []string) {
	if s := c.Stats; s != nil {
		line := fmt.Sprintf("min %.4g  mean %.4g  max %.4g  std %.4g", s.Min, s.Mean, s.Max, s.Std)
		if c.Modulus {
			line = "absolute values: " + line
		}
		if s.Finite == 0 {
			line = "no finite elements"
		}
		if s.NaN > 0 {
			line += fmt.Sprintf("  NaN %d", s.NaN)
		}
		if s.Inf > 0 {
			line += fmt.Sprintf("  Inf %d", s.Inf)
		}
		if s.Zeros > 0 {
			line += fmt.Sprintf("  zeros %d", s.Zeros)
		}
		if s.Sampled > 0 {
			line += fmt.Sprintf("  (in %d of %d elements)", s.Sampled, c.Numel)
		}
		if len(c.Histogram) > 0 && spark {
			line += "  " + sparkline(c.Histogram)
		}
		lines = append(lines, line)
		if c.Real != nil && c.Imag != nil && s.Finite > 0 {
			lines = append(lines, fmt.Sprintf("real part %.4g to %.4g, mean %.4g  imaginary part %.4g to %.4g, mean %.4g",
				c.Real.Min, c.Real.Max, c.Real.Mean, c.Imag.Min, c.Imag.Max, c.Imag.Mean))
		}
	}
	if c.Thumb != nil {
		var of []string
		if len(c.Shape) == 4 && c.Shape[0] > plot.ThumbTiles {
			of = append(of, fmt.Sprintf("the first %d of %d images", plot.ThumbTiles, c.Shape[0]))
		}
		if _, says, ok := strings.Cut(c.Thumb.Range, "centered: "); ok {
			of = append(of, says)
		}
		if len(of) > 0 {
			lines = append(lines, "picture: "+strings.Join(of, "; "))
		}
	}
	return lines
}

// scalar reports whether the card is of one element without dimensions: one line says all of it.
func (c *TensorCard) scalar() bool {
	return len(c.Shape) == 0 && len(c.Hints) == 0 && !strings.Contains(c.Body, "\n")
}

// oneLine is the card of a scalar.
func (c *TensorCard) oneLine() string {
	line := fmt.Sprintf("%s  %s", c.Device, bytesize.Text(c.Bytes))
	if c.Version > 0 {
		line += fmt.Sprintf("  version %d", c.Version)
	}
	for _, h := range c.history() {
		line += "  " + h
	}
	return line
}

// foldLines is how many lines of numbers a card shows before they unfold.
const foldLines = 10

// folded are the first lines of a text, and those beyond.
func folded(text string) (first, rest []string) {
	lines := strings.Split(text, "\n")
	if len(lines) <= foldLines+1 {
		return lines, nil
	}
	return lines[:foldLines], lines[foldLines:]
}

// sparkline draws a histogram in block characters.
func sparkline(counts []int) string {
	blocks := []rune(" ▁▂▃▄▅▆▇█")
	top := 1
	for _, n := range counts {
		top = max(top, n)
	}
	out := make([]rune, len(counts))
	for i, n := range counts {
		k := n * 8 / top
		if n > 0 {
			k = max(k, 1)
		}
		out[i] = blocks[k]
	}
	return string(out)
}

// Text is the tensor's own text with the details beneath.
func (c *TensorCard) Text(color bool) string {
	out := c.Body
	for _, l := range c.details(true) {
		out += "\n" + draw.Dim(color, l)
	}
	if c.Sparse != nil && c.Sparse.Spy != nil {
		for _, l := range c.Sparse.Spy.lines() {
			out += "\n" + draw.Dim(color, "|"+l+"|")
		}
	}
	return out
}

// String is the text without colour.
func (c *TensorCard) String() string { return c.Text(false) }

// SVG draws the details, and beneath them the first lines of the text.
func (c *TensorCard) SVG() string {
	p := new(draw.Canvas)
	if c.scalar() {
		p.Wide = draw.NarrowWidth - 16
		y := p.Lines(8, 18, draw.Clip(c.what(), 80)+"  "+draw.Clip(c.Body, 60), draw.Strong)
		p.Lines(8, y, c.oneLine(), draw.Faint)
		return p.Alone("tensor " + draw.Clip(c.Name, draw.MaxName))
	}
	y := 18.0
	p.Wide = draw.NarrowWidth - 16
	y = p.Lines(8, y, c.what(), draw.Strong)
	for _, f := range append([]string{strings.Join(c.traits(), "  ")}, append(c.history(), c.measured(false)...)...) {
		y = p.Lines(8, y, f, draw.Faint)
	}
	for _, h := range c.Hints {
		y = p.Warn(8, y, "! "+draw.Clip(h, 200))
		y += 17
	}
	side := 8.0
	if len(c.Histogram) > 0 {
		c.bars(p, side, y-8)
		side += histogramWide + 24
		y += 52
	}
	if c.Thumb != nil {
		w, h := float64(c.Thumb.Width*c.Thumb.Scale), float64(c.Thumb.Height*c.Thumb.Scale)
		top := y - 60
		if len(c.Histogram) == 0 {
			top = y - 8
		}
		p.Grow(side+w, top+h)
		fmt.Fprintf(&p.Elements, `<image x="%s" y="%s" width="%s" height="%s" href="data:image/png;base64,%s"/>`,
			draw.Num(side), draw.Num(top), draw.Num(w), draw.Num(h), base64.StdEncoding.EncodeToString(c.Thumb.PNG))
		y = max(y, top+h+18)
	}
	if c.Sparse != nil && c.Sparse.Spy != nil {
		_, h := c.Sparse.Spy.draw(p, 8, y-8)
		y += h + 14
	}
	p.Path(fmt.Sprintf("M8 %sH%s", draw.Num(y-9), draw.Num(max(p.W, 240))), "currentColor", draw.Thin)
	y += 8
	lines, rest := folded(c.Body)
	for _, l := range lines {
		p.Text(8, y, "start", draw.Clip(l, p.Columns(8)), "")
		y += 16
	}
	if more := len(rest); more > 0 {
		p.Text(8, y, "start", "⋯ "+draw.Counted(more, "more line"), draw.Faint)
	}
	return p.Alone("tensor " + draw.Clip(c.Name, draw.MaxName))
}

// histogramWide is how wide the histogram is.
const histogramWide = 192.0

// bars draws the histogram, with its ends beneath.
func (c *TensorCard) bars(p *draw.Canvas, x, y float64) {
	const w, h = histogramWide / 16, 36.0
	top := 1
	for _, n := range c.Histogram {
		top = max(top, n)
	}
	step := c.Stats.Max/float64(len(c.Histogram)) - c.Stats.Min/float64(len(c.Histogram))
	p.Group(draw.Filled(draw.Hue(0), 0.55))
	for i, n := range c.Histogram {
		high := h * float64(n) / float64(top)
		if n > 0 {
			high = max(high, 1.5)
		}
		p.Box(x+float64(i)*w, y+h-high, w-1, high, "",
			fmt.Sprintf("%.4g to %.4g: %d", c.Stats.Min+float64(i)*step, c.Stats.Min+float64(i+1)*step, n))
	}
	p.End()
	end := x + w*float64(len(c.Histogram))
	p.Path(fmt.Sprintf("M%s %sH%s", draw.Num(x), draw.Num(y+h+0.5), draw.Num(end)), "currentColor", draw.Thin)
	p.Text(x, y+h+12, "start", fmt.Sprintf("%.4g", c.Stats.Min), draw.Small)
	p.Text(end, y+h+12, "end", fmt.Sprintf("%.4g", c.Stats.Max), draw.Small)
}

// HTML has the details, the histogram as bars and the picture of an image above the tensor's text, of which lines
// beyond the first ten unfold.
func (c *TensorCard) HTML() string {
	var b strings.Builder
	title := `<b` + c.Places.MarkAll() + `>` + draw.Escape(c.what()) + `</b>`
	if c.scalar() {
		b.WriteString(`<div style="white-space:pre-wrap">` + title + `  ` + draw.Escape(c.Body) +
			`  <span style="opacity:0.75">` + draw.Escape(c.oneLine()) + `</span></div>`)
		return draw.Frame(b.String())
	}
	b.WriteString(`<div style="display:flex;flex-wrap:wrap;gap:4px 24px"><div>`)
	b.WriteString(`<div style="max-width:640px;white-space:pre-wrap">` + title)
	for _, t := range c.traits() {
		b.WriteString(`  <span style="display:inline-block;border:1px solid rgba(128,128,128,0.5);border-radius:3px;` +
			`padding:0 5px;margin:1px 0">` + draw.Escape(t) + `</span>`)
	}
	b.WriteString(`</div>`)
	for _, l := range append(c.history(), c.measured(false)...) {
		l = draw.KeepUnits(draw.KeepNames(draw.Escape(l), "@", "min", "mean", "max", "std", "NaN", "Inf", "zeros"))
		b.WriteString(`<div style="white-space:pre-wrap;opacity:0.85">` + l + `</div>`)
	}
	for _, h := range c.Hints {
		b.WriteString(draw.Warning("! " + h))
	}
	b.WriteString(`</div>`)
	if len(c.Histogram) > 0 {
		p := new(draw.Canvas)
		c.bars(p, 6, 6)
		b.WriteString(`<div>` + p.Image("histogram") + `</div>`)
	}
	if c.Sparse != nil && c.Sparse.Spy != nil {
		p := new(draw.Canvas)
		c.Sparse.Spy.draw(p, 6, 6)
		b.WriteString(`<div>` + p.Image("where the values are") + `</div>`)
	}
	if t := c.Thumb; t != nil {
		fmt.Fprintf(&b,
			`<div><img alt="picture" width="%d" height="%d" style="max-width:100%%" src="data:image/png;base64,%s"/></div>`,
			t.Width*t.Scale, t.Height*t.Scale, base64.StdEncoding.EncodeToString(t.PNG))
	}
	b.WriteString(`</div>`)
	b.WriteString(c.numbers())
	b.WriteString(draw.Details("as text", strings.Join(c.details(false), "\n")))
	return draw.Frame(b.String())
}

// numbers is the tensor's text in a page.
func (c *TensorCard) numbers() string {
	pre := func(text string) string {
		if most := draw.MaxPicture / 2; len(text) > most {
			text = strings.ToValidUTF8(text[:most], "")
			if i := strings.LastIndexByte(text, '&'); i > most-10 { // of an escape
				text = text[:i]
			}
			text += "⋯"
		}
		space := "pre"
		if len(c.Shape) < 2 || c.Sparse != nil || !strings.Contains(c.Body, "\n") { // lists: broken they can still be read
			space = "pre-wrap"
		}
		return `<pre style="` + draw.PlainPre + `;width:0;min-width:100%;white-space:` + space + `;overflow-x:auto">` +
			text + `</pre>`
	}
	out := `<div style="border-top:1px solid rgba(128,128,128,0.5);margin-top:6px;padding-top:6px">`
	lines, rest := folded(c.Places.Text(c.Body))
	out += pre(strings.Join(lines, "\n"))
	if more := len(rest); more > 0 {
		out += `<details><summary style="cursor:pointer;display:list-item">` + draw.Counted(more, "more line") +
			`</summary>` + pre(strings.Join(rest, "\n")) + `</details>`
	}
	return out + `</div>`
}

// MIMEBundle is the card in all forms. Its plain text is the tensor's own text alone, which is what a terminal shows.
func (c *TensorCard) MIMEBundle() map[string]any {
	return map[string]any{"text/plain": c.Body, "text/html": c.HTML(), "image/svg+xml": c.SVG()}
}

// Caption says how the elements lie, and what they keep alive.
func (c *TensorCard) Caption() string {
	name := c.Name
	if name == "" {
		name = "The tensor"
	}
	text := fmt.Sprintf("%s has %s of %s", name, draw.InWords(c.Numel, "element"), c.Dtype)
	switch {
	case c.Held > c.Bytes:
		text += fmt.Sprintf(" in %s of a storage of %s, all of which it keeps alive", bytesize.Text(c.Bytes),
			bytesize.Text(c.Held))
	default:
		text += fmt.Sprintf(" in %s, all of its storage", bytesize.Text(c.Bytes))
	}
	if c.ViewOf != "" {
		text += "; it is a view of " + c.ViewOf
	}
	return text + "."
}

// lines draws the grid in braille, two by four cells a character.
func (s *Spy) lines() []string {
	var out []string
	for top := 0; top < len(s.Count); top += 4 {
		var b strings.Builder
		for left := 0; left < len(s.Count[0]); left += 2 {
			r := rune(0x2800)
			for i := range 4 {
				for j := range 2 {
					if top+i < len(s.Count) && left+j < len(s.Count[0]) && s.Count[top+i][left+j] > 0 {
						r |= brailleDots[i][j]
					}
				}
			}
			b.WriteRune(r)
		}
		out = append(out, b.String())
	}
	return out
}

// brailleDots are the bits of the dots of a braille character, by row and column.
var brailleDots = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// says is what the traits of a sparse tensor's card are.
func (p *SparsePart) says() []string {
	out := []string{p.Layout, fmt.Sprintf("nnz %d of %d", p.Nnz, p.Places), fmt.Sprintf("density %.3g %%", 100*p.Density)}
	if p.DenseDim > 0 {
		out = append(out, draw.Counted(p.DenseDim, "dense dimension"))
	}
	if !p.Coalesced {
		out = append(out, "not coalesced")
	}
	return out
}

// spyCell is how large a cell of the picture is, spyShades how many there are.
const (
	spyCell   = 5.0
	spyShades = 4
)

// draw draws the grid with its corner at x, y, and returns its size. Cells are darker the more values they have.
func (s *Spy) draw(p *draw.Canvas, x, y float64) (w, h float64) {
	w, h = spyCell*float64(len(s.Count[0])), spyCell*float64(len(s.Count))
	most := 1
	for _, row := range s.Count {
		for _, n := range row {
			most = max(most, n)
		}
	}
	p.Path(fmt.Sprintf("M%s %sh%sv%sh-%sz", draw.Num(x), draw.Num(y), draw.Num(w), draw.Num(h), draw.Num(w)),
		"currentColor",
		draw.Thin)
	var paths [spyShades]strings.Builder // of runs of cells that are equally dark
	shade := func(n int) int { return (n*spyShades - 1) / most }
	for i, row := range s.Count {
		for j := 0; j < len(row); {
			k := j + 1
			for k < len(row) && row[j] > 0 && row[k] > 0 && shade(row[k]) == shade(row[j]) {
				k++
			}
			if row[j] > 0 {
				fmt.Fprintf(&paths[shade(row[j])], "M%s %sh%sv%sh-%sz", draw.Num(x+spyCell*float64(j)),
					draw.Num(y+spyCell*float64(i)), draw.Num(spyCell*float64(k-j)), draw.Num(spyCell),
					draw.Num(spyCell*float64(k-j)))
			}
			j = k
		}
	}
	for i := range paths {
		if paths[i].Len() > 0 {
			p.Group(draw.Filled(draw.Hue(0), 0.4+0.6*float64(i+1)/spyShades))
			p.Elements.WriteString(`<path d="` + paths[i].String() + `"/>`)
			p.End()
		}
	}
	p.Grow(x+w, y+h)
	return w, h
}
