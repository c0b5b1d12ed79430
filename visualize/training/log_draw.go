package training

import (
	"fmt"
	"math"
	"strings"

	"gotorch/visualize/draw"
)

// SVG draws a panel for each parameter.
func (l *ModelLog) SVG() string { return l.draw().Alone(l.title()) }

// HTML is the picture, with the text beneath it.
func (l *ModelLog) HTML() string { return draw.Pictured(l.draw(), l.title(), l.Text(false)) }

// Sizes of the picture.
const (
	columns     = 3
	panelWidth  = 214.0
	panelGap    = 14.0
	panelHeight = 118.0
	scaleWidth  = 34.0 // of the labels beside a panel of norms
	ridges      = 8    // histograms of a panel
)

func (l *ModelLog) draw() *draw.Canvas {
	c := new(draw.Canvas)
	c.Text(8, 18, "start", l.title(), draw.Strong)
	if len(l.Steps) == 0 {
		return c
	}
	shown := l.Layers[:min(len(l.Layers), maxLayers)]
	for i := range shown {
		x, y := 8+float64(i%columns)*(panelWidth+panelGap), 32+float64(i/columns)*(panelHeight+44)
		c.Text(x, y+10, "start", draw.Clip(shown[i].Name, 28), draw.Strong)
		if l.Kind == "gradients" {
			l.drawNorms(c, &shown[i], x, y+16)
		} else {
			l.drawRidges(c, &shown[i], x, y+16)
		}
	}
	y := 32 + float64((len(shown)+columns-1)/columns)*(panelHeight+44)
	if more := len(l.Layers) - len(shown); more > 0 {
		c.Text(8, y+8, "start", fmt.Sprintf("… %s", draw.Counted(more, "more parameter")), draw.Faint)
	}
	return c
}

// drawRidges draws the histograms of some steps one behind the other, the last in front.
func (l *ModelLog) drawRidges(c *draw.Canvas, y *LayerLog, left, top float64) {
	lo, hi := y.reach()
	n := min(len(y.Times), ridges)
	most := 0.0
	lines := make([][]float64, n)
	at := make([]int, n)
	for i := range n {
		if at[i] = len(y.Times) - 1; n > 1 {
			at[i] = i * (len(y.Times) - 1) / (n - 1)
		}
		lines[i] = y.Times[at[i]].spread(lo, hi)
		for _, v := range lines[i] {
			most = max(most, v)
		}
	}
	for i, v := range lines {
		base := top + panelHeight - 22
		if n > 1 {
			base -= float64(n-1-i) * (panelHeight - 70) / float64(n-1)
		}
		var d strings.Builder
		fmt.Fprintf(&d, "M%s %s", draw.Num(left), draw.Num(base))
		for k, share := range v {
			h := 0.0
			if most > 0 {
				h = share / most * 46
			}
			fmt.Fprintf(&d, "L%s %s", draw.Num(left+(float64(k)+0.5)*panelWidth/bins), draw.Num(base-h))
		}
		fmt.Fprintf(&d, "L%s %s", draw.Num(left+panelWidth), draw.Num(base))
		hue := draw.Hue(0)
		if i == n-1 {
			hue = draw.Hue(5)
		}
		m := &y.Times[at[i]]
		fmt.Fprintf(&c.Elements, `<path d="%s" fill="%s" fill-opacity="0.18" stroke="%s" stroke-width="%s"/>`,
			d.String(), hue, hue, draw.Num2(0.4+0.8*float64(i+1)/float64(n)))
		c.Box(left, base-3, panelWidth, 6, `fill="currentColor" fill-opacity="0"`,
			fmt.Sprintf("step %d: mean %.3g, std %.3g, from %.3g to %.3g", l.Steps[at[i]], m.Mean, m.Std, m.Min, m.Max))
	}
	bottom := top + panelHeight - 8
	c.Text(left, bottom, "start", fmt.Sprintf("%.2g", lo), draw.Faint)
	c.Text(left+panelWidth/2, bottom, "middle",
		change(y.Times, func(m *Moments) string { return fmt.Sprintf("± %.2g", m.Std) }), draw.Faint)
	c.Text(left+panelWidth, bottom, "end", fmt.Sprintf("%.2g", hi), draw.Faint)
	c.Grow(left+panelWidth, bottom+6)
}

// drawNorms draws the norm of a gradient over the steps, by its logarithm; all panels have the same scale.
func (l *ModelLog) drawNorms(c *draw.Canvas, y *LayerLog, left, top float64) {
	lo, hi := l.normReach()
	bottom := top + panelHeight - 22
	place := func(norm float64) float64 {
		return bottom - (math.Log10(norm)-lo)/max(hi-lo, 1e-9)*(panelHeight-30)
	}
	for e := math.Ceil(lo); e <= hi; e += max(1, math.Ceil((hi-lo)/4)) {
		at := place(math.Pow(10, e))
		c.Path(fmt.Sprintf("M%s %sh%s", draw.Num(left), draw.Num(at), draw.Num(panelWidth-scaleWidth)), "currentColor",
			`stroke-opacity="0.15"`)
		c.Text(left+panelWidth, at+4, "end", fmt.Sprintf("1e%g", e), draw.Faint)
	}
	first, last := float64(l.Steps[0]), float64(l.Steps[len(l.Steps)-1])
	var d strings.Builder
	pen := "M"
	for i := range y.Times {
		if y.Times[i].Norm <= 0 {
			pen = "M"
			continue
		}
		x := left
		if last > first {
			x += (float64(l.Steps[i]) - first) / (last - first) * (panelWidth - scaleWidth)
		}
		fmt.Fprintf(&d, "%s%s %s", pen, draw.Num(x), draw.Num(place(y.Times[i].Norm)))
		pen = "L"
	}
	if d.Len() > 0 {
		c.Path(d.String(), draw.Hue(0), `stroke-width="1.5"`)
	}
	c.Text(left, bottom+14, "start", change(y.Times, func(m *Moments) string { return figure(m, m.Norm) }), draw.Faint)
	m := &y.Times[len(y.Times)-1]
	c.Text(left, bottom+28, "start", figure(m, m.Ratio)+" of the weights' norm", draw.Faint)
	c.Grow(left+panelWidth, bottom+34)
}

// normReach is the range of the logarithms of all norms.
func (l *ModelLog) normReach() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range l.Layers {
		for k := range l.Layers[i].Times {
			if n := l.Layers[i].Times[k].Norm; n > 0 {
				lo, hi = min(lo, math.Log10(n)), max(hi, math.Log10(n))
			}
		}
	}
	if lo > hi {
		return -1, 1
	}
	return lo - 0.2, hi + 0.2
}
