package plot

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"gotorch/visualize/draw"
)

// SVG is the heatmap as a picture.
func (h *HeatmapView) SVG() string { return h.draw().Alone(h.label()) }

// HTML is the heatmap as a picture with its text beneath.
func (h *HeatmapView) HTML() string { return draw.Pictured(h.draw(), h.label(), h.Text(false)) }

// MIMEBundle is the heatmap in all forms.
func (h *HeatmapView) MIMEBundle() map[string]any { return draw.Bundle(h) }

// String is the heatmap as text.
func (h *HeatmapView) String() string { return h.Text(false) }

func (h *HeatmapView) label() string {
	return draw.Clip(strings.TrimSpace("heatmap "+draw.OneLine(h.Title, 60)), 100) + fmt.Sprintf(", shape %v", h.Shape)
}

// rowsColumns is how many rows and columns the matrix has.
func (h *HeatmapView) rowsColumns() (rows, columns int) {
	if len(h.Shape) == 1 {
		return 1, h.Shape[0]
	}
	return h.Shape[0], h.Shape[1]
}

// draw lays the heatmap out: names at the left and below, the matrix, and the bar of colours at the right.
func (h *HeatmapView) draw() *draw.Canvas {
	c := new(draw.Canvas)
	texts := h.texts()
	cw, ch := 10.0, 10.0
	if h.Annotate {
		widest := 0
		for _, t := range texts {
			widest = max(widest, draw.Width(t))
		}
		for _, n := range h.ColNames {
			widest = max(widest, min(draw.Width(n), 12))
		}
		cw, ch = max(28, float64(widest)*draw.CharWidth+10), 26
	} else {
		side := max(2, min(24, 400/float64(max(h.Rows, h.Columns))))
		cw, ch = side, side
		if h.Rows == 1 {
			ch = 24
		}
	}
	rows, columns := h.rowsColumns()
	rowNames := axisNames(h.RowNames, h.Rows, rows, int(float64(h.Rows)*ch/16))
	colNames := axisNames(h.ColNames, h.Columns, columns, max(1, int(float64(h.Columns)*cw/40)))
	left, top := 8.0, 8.0
	for _, n := range rowNames {
		left = max(left, 16+float64(draw.Width(n))*draw.CharWidth)
	}
	if h.YLabel != "" {
		left += 18
	}
	if h.Title != "" {
		c.Text(8, 20, "start", draw.Clip(draw.OneLine(h.Title, 76), 76), draw.Strong)
		top = 32
	}
	w, hh := cw*float64(h.Columns), ch*float64(h.Rows)
	if len(h.Values) > 400 {
		addImage(c, left, top, w, hh, h.pixels(), "pixelated")
		for r := range h.Rows {
			if mark := h.Places.MarkAll(r); mark != "" && len(h.Shape) == 2 {
				c.Box(left, top+float64(r)*ch, w, ch, `fill-opacity="0"`+mark, "")
			}
		}
	}
	for i, v := range h.Values {
		x, y := left+float64(i%h.Columns)*cw, top+float64(i/h.Columns)*ch
		ink := "currentColor"
		if v != nil {
			col := colourAt(h.Colormap, h.place(*v))
			ink = draw.OnColour(col)
			if len(h.Values) <= 400 {
				fmt.Fprintf(&c.Elements, `<rect x="%s" y="%s" width="%s" height="%s" fill="#%02x%02x%02x"%s/>`, draw.Num(x),
					draw.Num(y), draw.Num(cw), draw.Num(ch), col.R, col.G, col.B, h.mark(i))
			}
		}
		if h.Annotate {
			c.Text(x+cw/2, y+ch/2+4, "middle", texts[i], `style="fill:`+ink+`"`)
		} else if v == nil && len(h.Values) <= 400 {
			c.Path(fmt.Sprintf("M%s %sl%s %s", draw.Num(x), draw.Num(y+ch), draw.Num(cw), draw.Num(-ch)),
				"currentColor", draw.Thin)
		}
	}
	c.Box(left, top, w, hh, `fill="none" stroke="currentColor" stroke-opacity="0.5"`, "")
	for _, i := range h.Marks {
		for _, stroke := range []string{`stroke="#fff" stroke-width="4"`, `stroke="#000" stroke-width="1.5"`} {
			c.Box(left+float64(i%h.Columns)*cw+2, top+float64(i/h.Columns)*ch+2, cw-4, ch-4, `fill="none" `+stroke, "")
		}
	}
	for i, n := range rowNames {
		c.Text(left-6, top+(float64(i)+0.5)*ch+4, "end", n, "")
	}
	below := top + hh
	for i, n := range colNames {
		at, more := left+(float64(i)+0.5)*cw, 16.0
		if h.ColNames != nil && float64(draw.Width(n))*draw.CharWidth > cw-4 && i%2 == 1 {
			more = 32
		}
		if n != "" {
			c.Text(at, top+hh+more, "middle", n, "")
			below = max(below, top+hh+more)
		}
	}
	if h.XLabel != "" {
		below += 18
		c.Text(max(left+w/2, left+float64(draw.Width(h.XLabel))*draw.CharWidth/2), below, "middle", h.XLabel, "")
	}
	if h.YLabel != "" {
		fmt.Fprintf(&c.Elements, `<text x="20" y="%s" text-anchor="middle" transform="rotate(-90 20 %s)">%s</text>`,
			draw.Num(top+hh/2), draw.Num(top+hh/2), draw.Escape(draw.Clip(h.YLabel, max(4, int(hh/draw.CharWidth)))))
	}
	h.drawBar(c, left+w+18, top, max(hh, 80))
	c.Grow(left+w, below+4)
	y := max(below, top+max(hh, 80)) + 6
	for _, n := range h.Notes {
		for _, l := range wrapped(n, max(30, int((left+w)/draw.CharWidth))) {
			y += 16
			c.Text(8, y, "start", l, draw.Faint)
		}
	}
	return c
}

// mark is the mark of a cell that is an element.
func (h *HeatmapView) mark(i int) string {
	if len(h.Shape) == 1 {
		return h.Places.Mark(i)
	}
	return h.Places.Mark(i/h.Columns, i%h.Columns)
}

// Together draws heatmaps beside each other where they are small, else one below the other.
func Together(hs []*HeatmapView) *draw.Canvas {
	const wide, gap = 400, 24 // a narrow page
	parts, all := make([]*draw.Canvas, len(hs)), 0.0
	for i, h := range hs {
		parts[i] = h.draw()
		all += parts[i].W + gap
	}
	c := new(draw.Canvas)
	x, y := 0.0, 0.0
	for _, p := range parts {
		c.Group(fmt.Sprintf(`transform="translate(%s %s)"`, draw.Num(x), draw.Num(y)))
		c.Elements.WriteString(p.Elements.String())
		c.End()
		c.Grow(x+p.W, y+p.H)
		if all <= wide {
			x += p.W + gap
		} else {
			y += p.H + gap
		}
	}
	return c
}

// drawBar draws the colours with their numbers.
func (h *HeatmapView) drawBar(c *draw.Canvas, x, y, height float64) {
	img := image.NewNRGBA(image.Rect(0, 0, 1, 64))
	for i := range 64 {
		img.SetNRGBA(0, i, colourAt(h.Colormap, 1-float64(i)/63))
	}
	addImage(c, x, y, 14, height, img, "auto")
	c.Box(x, y, 14, height, `fill="none" stroke="currentColor" stroke-opacity="0.5"`, "")
	for _, m := range even(h.Min, h.Max, max(4, int(height/40))) {
		at := y + height*(1-h.place(m.Value))
		c.Path(fmt.Sprintf("M%s %sh4", draw.Num(x+14), draw.Num(at)), "currentColor", "")
		c.Text(x+21, min(at+4, y+height+4), "start", m.Label, "")
	}
}

// Text is the heatmap as a table of numbers, coloured where there are colours, or, of a large matrix, as shades.
func (h *HeatmapView) Text(color bool) string {
	var b strings.Builder
	if h.Title != "" {
		b.WriteString(draw.Bold(color, draw.Clip(draw.OneLine(h.Title, 76), 76)) + "\n")
	}
	if h.Annotate && h.textWidth() <= draw.TextWidth(78) {
		h.textNumbers(&b, color)
	} else {
		h.textShades(&b, color)
	}
	lo, hi := draw.ShortValue(h.Min), draw.ShortValue(h.Max)
	b.WriteString(lo + " ")
	for i := range 20 {
		f := float64(i) / 19
		b.WriteString(draw.OnBack(color, colourAt(h.Colormap, f), shadeOf(f), true))
	}
	b.WriteString(" " + hi + "\n")
	for _, n := range h.Notes {
		for _, l := range wrapped(n, draw.TextWidth(78)) {
			b.WriteString(draw.Dim(color, l) + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// shadeOf is a character that is the darker the more.
func shadeOf(f float64) string {
	return []string{" ", "░", "▒", "▓", "█"}[max(0, min(int(f*5), 4))]
}

// textCells are the texts of the cells, and their width.
func (h *HeatmapView) textCells() (texts, colNames, rowNames []string, w, left int) {
	rows, columns := h.rowsColumns()
	texts, colNames, rowNames = h.texts(), axisNames(h.ColNames, h.Columns, columns, 1000),
		axisNames(h.RowNames, h.Rows, rows, 1000)
	for _, t := range texts {
		w = max(w, draw.Width(t))
	}
	for _, t := range colNames {
		w = max(w, draw.Width(t))
	}
	for _, t := range rowNames {
		left = max(left, draw.Width(t))
	}
	return texts, colNames, rowNames, w, left
}

func (h *HeatmapView) textWidth() int {
	_, _, _, w, left := h.textCells()
	return left + 1 + (w+2)*h.Columns
}

func (h *HeatmapView) textNumbers(b *strings.Builder, color bool) {
	texts, colNames, rowNames, w, left := h.textCells()
	head := strings.Repeat(" ", left+1)
	for _, n := range colNames {
		head += draw.PadLeft(n, w+1) + " "
	}
	if h.YLabel != "" {
		b.WriteString(h.YLabel + " ↓\n")
	}
	b.WriteString(strings.TrimRight(head, " ") + "\n")
	for r, n := range rowNames {
		b.WriteString(draw.PadLeft(n, left) + " ")
		for c := range h.Columns {
			i := r*h.Columns + c
			after := " "
			if slices.Contains(h.Marks, i) {
				after = "✗"
			}
			t := draw.PadLeft(texts[i], w+1) + after
			if h.Values[i] != nil {
				t = draw.OnBack(color, colourAt(h.Colormap, h.place(*h.Values[i])), t, false)
			}
			b.WriteString(t)
		}
		b.WriteString("\n")
	}
	if h.XLabel != "" {
		b.WriteString(strings.Repeat(" ", left+1) + h.XLabel + " →\n")
	}
}

// textShades writes a character, or two, for each cell, or for the middle of a block of cells.
func (h *HeatmapView) textShades(b *strings.Builder, color bool) {
	rows, columns := h.rowsColumns()
	wide := 1
	if h.Columns <= 36 {
		wide = 2
	}
	most := draw.TextWidth(78) - 6
	step := (h.Columns*wide + most - 1) / most
	down := step * 2 / wide
	down = max(1, down)
	left := draw.Width(fmt.Sprint(rows))
	for r := 0; r < h.Rows; r += down {
		name := ""
		if r/down%4 == 0 {
			name = fmt.Sprint(r * ((rows + h.Rows - 1) / h.Rows))
		}
		b.WriteString(draw.PadLeft(name, left) + " ")
		for c := 0; c < h.Columns; c += step {
			v := h.Values[min(r+down/2, h.Rows-1)*h.Columns+min(c+step/2, h.Columns-1)]
			if v == nil {
				b.WriteString(strings.Repeat("?", wide))
				continue
			}
			b.WriteString(draw.OnBack(color, colourAt(h.Colormap, h.place(*v)),
				strings.Repeat(shadeOf(h.place(*v)), wide), true))
		}
		b.WriteString("\n")
	}
	b.WriteString(fmt.Sprintf("%s 0 … %d\n", strings.Repeat(" ", left), columns-1))
}
