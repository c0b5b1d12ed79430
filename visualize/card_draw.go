package visualize

import (
	"fmt"
	"strings"
)

// what is the tensor's name, dtype and shape.
func (c *TensorCard) what() string {
	t := fmt.Sprintf("%s%v", c.Dtype, c.Shape)
	if c.Name != "" {
		t = clip(c.Name, maxName) + "  " + t
	}
	return t
}

// traits are what else is short to say of it.
func (c *TensorCard) traits() []string {
	out := []string{fmt.Sprintf("stride %v", c.Stride)}
	if c.Offset != 0 {
		out = append(out, fmt.Sprintf("offset %d", c.Offset))
	}
	return append(out, c.Device, c.Layout, fmt.Sprintf("version %d", c.Version), bytesText(c.Bytes))
}

// facts are the lines beneath the text, with the histogram in block characters if spark is set.
func (c *TensorCard) facts(spark bool) []string {
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
		line := fmt.Sprintf("view of %s: %d of %d elements", clip(c.ViewOf, maxName), c.Numel, c.Held/max(1, c.ElementSize))
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

// measured tells of the elements.
func (c *TensorCard) measured(spark bool) (lines []string) {
	if s := c.Stats; s != nil {
		line := fmt.Sprintf("min %.4g  mean %.4g  max %.4g  std %.4g", s.Min, s.Mean, s.Max, s.Std)
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
	}
	return lines
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

// Text is the tensor's own text with the facts beneath.
func (c *TensorCard) Text(color bool) string {
	out := c.Body
	for _, l := range c.facts(true) {
		out += "\n" + dim(color, l)
	}
	return out
}

// String is the text without colour.
func (c *TensorCard) String() string { return c.Text(false) }

// SVG draws text and facts.
func (c *TensorCard) SVG() string {
	p := new(canvas)
	y := 18.0
	lines := strings.Split(c.Body, "\n")
	for i, l := range lines {
		if i == 60 {
			p.text(8, y, "start", "⋯ "+counted(len(lines)-i, "more line"), faint)
			y += 16
			break
		}
		p.text(8, y, "start", clip(l, 120), "")
		y += 16
	}
	p.path(fmt.Sprintf("M8 %sH%s", num(y-9), num(max(p.w, 240))), "currentColor", thin)
	y += 6
	p.text(8, y, "start", clip(c.what(), 120), bar)
	y += 17
	for _, f := range append([]string{strings.Join(c.traits(), "  ")}, append(c.history(), c.measured(false)...)...) {
		p.text(8, y, "start", clip(f, 120), faint)
		y += 17
	}
	for _, h := range c.Hints {
		p.warn(8, y, clip("! "+h, 120))
		y += 17
	}
	if len(c.Histogram) > 0 {
		c.bars(p, 8, y-8)
	}
	return p.alone("tensor " + clip(c.Name, maxName))
}

// bars draws the histogram, with its ends beneath.
func (c *TensorCard) bars(p *canvas, x, y float64) {
	const w, h = 12.0, 36.0
	top := 1
	for _, n := range c.Histogram {
		top = max(top, n)
	}
	step := c.Stats.Max/float64(len(c.Histogram)) - c.Stats.Min/float64(len(c.Histogram))
	p.group(filled(hue(0), 0.55))
	for i, n := range c.Histogram {
		high := h * float64(n) / float64(top)
		if n > 0 {
			high = max(high, 1.5)
		}
		p.box(x+float64(i)*w, y+h-high, w-1, high, "", fmt.Sprintf("%.4g to %.4g: %d", c.Stats.Min+float64(i)*step, c.Stats.Min+float64(i+1)*step, n))
	}
	p.end()
	end := x + w*float64(len(c.Histogram))
	p.path(fmt.Sprintf("M%s %sH%s", num(x), num(y+h+0.5), num(end)), "currentColor", thin)
	p.text(x, y+h+12, "start", fmt.Sprintf("%.4g", c.Stats.Min), small)
	p.text(end, y+h+12, "end", fmt.Sprintf("%.4g", c.Stats.Max), small)
}

// HTML is the tensor's text with its facts beneath, the histogram as bars.
func (c *TensorCard) HTML() string {
	var b strings.Builder
	body := c.Body
	if len(body) > maxPicture/2 {
		body = strings.ToValidUTF8(body[:maxPicture/2], "") + "⋯"
	}
	b.WriteString(`<pre style="` + plainPre + `;width:0;min-width:100%;white-space:pre;overflow-x:auto">` + esc(body) + `</pre>`)
	b.WriteString(`<div style="border-top:1px solid rgba(128,128,128,0.5);margin-top:6px;padding-top:6px;display:flex;flex-wrap:wrap;gap:4px 24px"><div>`)
	b.WriteString(`<div style="max-width:640px;white-space:pre-wrap"><b>` + esc(c.what()) + `</b>`)
	for _, t := range c.traits() {
		b.WriteString(`  <span style="display:inline-block;border:1px solid rgba(128,128,128,0.5);border-radius:3px;padding:0 5px;margin:1px 0">` + esc(t) + `</span>`)
	}
	b.WriteString(`</div>`)
	for _, l := range append(c.history(), c.measured(false)...) {
		l = strings.ReplaceAll(esc(l), "@ ", "@&#160;")
		for _, name := range []string{"min", "mean", "max", "std", "NaN", "Inf", "zeros"} { // a line is not broken between a name and its number
			l = strings.ReplaceAll(l, name+" ", name+"&#160;")
		}
		b.WriteString(`<div style="white-space:pre-wrap;opacity:0.85">` + l + `</div>`)
	}
	for _, h := range c.Hints {
		b.WriteString(warning("! " + h))
	}
	b.WriteString(`</div>`)
	if len(c.Histogram) > 0 {
		p := new(canvas)
		c.bars(p, 6, 6)
		b.WriteString(`<div>` + p.image("histogram") + `</div>`)
	}
	b.WriteString(`</div>` + details("as text", strings.Join(c.facts(false), "\n")))
	return frame(b.String())
}

// MIMEBundle is the card in all forms. Its plain text is the tensor's own text alone, which is what a terminal shows.
func (c *TensorCard) MIMEBundle() map[string]any {
	return map[string]any{"text/plain": c.Body, "text/html": c.HTML(), "image/svg+xml": c.SVG()}
}
