package memory

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
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
	out := []string{fmt.Sprintf("stride %v", c.Stride)}
	if c.Offset != 0 {
		out = append(out, fmt.Sprintf("offset %d", c.Offset))
	}
	return append(out, c.Device, c.Layout, fmt.Sprintf("version %d", c.Version), bytesize.Text(c.Bytes))
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
		switch {
		case s.Partial:
			line += fmt.Sprintf("  (in %d of %d elements)", s.Sampled, c.Numel)
		case s.Sampled > 0:
			line += fmt.Sprintf("  (mean and std of %d elements)", s.Sampled)
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
		out += "\n" + draw.Dim(color, l)
	}
	return out
}

// String is the text without colour.
func (c *TensorCard) String() string { return c.Text(false) }

// SVG draws text and facts.
func (c *TensorCard) SVG() string {
	p := new(draw.Canvas)
	y := 18.0
	lines := strings.Split(c.Body, "\n")
	for i, l := range lines {
		if i == 60 {
			p.Text(8, y, "start", "⋯ "+draw.Counted(len(lines)-i, "more line"), draw.Faint)
			y += 16
			break
		}
		p.Text(8, y, "start", draw.Clip(l, 120), "")
		y += 16
	}
	p.Path(fmt.Sprintf("M8 %sH%s", draw.Num(y-9), draw.Num(max(p.W, 240))), "currentColor", draw.Thin)
	y += 6
	p.Text(8, y, "start", draw.Clip(c.what(), 120), draw.Strong)
	y += 17
	for _, f := range append([]string{strings.Join(c.traits(), "  ")}, append(c.history(), c.measured(false)...)...) {
		p.Text(8, y, "start", draw.Clip(f, 120), draw.Faint)
		y += 17
	}
	for _, h := range c.Hints {
		p.Warn(8, y, draw.Clip("! "+h, 120))
		y += 17
	}
	if len(c.Histogram) > 0 {
		c.bars(p, 8, y-8)
	}
	return p.Alone("tensor " + draw.Clip(c.Name, draw.MaxName))
}

// bars draws the histogram, with its ends beneath.
func (c *TensorCard) bars(p *draw.Canvas, x, y float64) {
	const w, h = 12.0, 36.0
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
		p.Box(x+float64(i)*w, y+h-high, w-1, high, "", fmt.Sprintf("%.4g to %.4g: %d", c.Stats.Min+float64(i)*step, c.Stats.Min+float64(i+1)*step, n))
	}
	p.End()
	end := x + w*float64(len(c.Histogram))
	p.Path(fmt.Sprintf("M%s %sH%s", draw.Num(x), draw.Num(y+h+0.5), draw.Num(end)), "currentColor", draw.Thin)
	p.Text(x, y+h+12, "start", fmt.Sprintf("%.4g", c.Stats.Min), draw.Small)
	p.Text(end, y+h+12, "end", fmt.Sprintf("%.4g", c.Stats.Max), draw.Small)
}

// HTML is the tensor's text with its facts beneath, the histogram as bars.
func (c *TensorCard) HTML() string {
	var b strings.Builder
	body := c.Body
	if len(body) > draw.MaxPicture/2 {
		body = strings.ToValidUTF8(body[:draw.MaxPicture/2], "") + "⋯"
	}
	b.WriteString(`<pre style="` + draw.PlainPre + `;width:0;min-width:100%;white-space:pre;overflow-x:auto">` + draw.Escape(body) + `</pre>`)
	b.WriteString(`<div style="border-top:1px solid rgba(128,128,128,0.5);margin-top:6px;padding-top:6px;display:flex;flex-wrap:wrap;gap:4px 24px"><div>`)
	b.WriteString(`<div style="max-width:640px;white-space:pre-wrap"><b>` + draw.Escape(c.what()) + `</b>`)
	for _, t := range c.traits() {
		b.WriteString(`  <span style="display:inline-block;border:1px solid rgba(128,128,128,0.5);border-radius:3px;padding:0 5px;margin:1px 0">` + draw.Escape(t) + `</span>`)
	}
	b.WriteString(`</div>`)
	for _, l := range append(c.history(), c.measured(false)...) {
		l = strings.ReplaceAll(draw.Escape(l), "@ ", "@&#160;")
		for _, name := range []string{"min", "mean", "max", "std", "NaN", "Inf", "zeros"} { // a line is not broken between a name and its number
			l = strings.ReplaceAll(l, name+" ", name+"&#160;")
		}
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
	b.WriteString(`</div>` + draw.Details("as text", strings.Join(c.facts(false), "\n")))
	return draw.Frame(b.String())
}

// MIMEBundle is the card in all forms. Its plain text is the tensor's own text alone, which is what a terminal shows.
func (c *TensorCard) MIMEBundle() map[string]any {
	return map[string]any{"text/plain": c.Body, "text/html": c.HTML(), "image/svg+xml": c.SVG()}
}
