package visualize

import (
	"fmt"
	"image"
	"image/color"
	"strings"
)

// SVG is the heatmap as a picture.
func (h *HeatmapView) SVG() string { return h.draw().alone(h.label()) }

// HTML is the heatmap as a picture with its text beneath.
func (h *HeatmapView) HTML() string { return pictured(h.draw(), h.label(), h.Text(false)) }

// MIMEBundle is the heatmap in all forms.
func (h *HeatmapView) MIMEBundle() map[string]any { return bundle(h) }

// String is the heatmap as text.
func (h *HeatmapView) String() string { return h.Text(false) }

func (h *HeatmapView) label() string {
	return clip(strings.TrimSpace("heatmap "+oneLine(h.Title, 60)), 100) + fmt.Sprintf(", shape %v", h.Shape)
}

// rowsColumns is how many rows and columns the matrix has.
func (h *HeatmapView) rowsColumns() (rows, columns int) {
	if len(h.Shape) == 1 {
		return 1, h.Shape[0]
	}
	return h.Shape[0], h.Shape[1]
}

// onColour is the colour of text on a colour.
func onColour(c color.NRGBA) string {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 128000 {
		return "#000000"
	}
	return "#ffffff"
}

// draw lays the heatmap out: names at the left and below, the matrix, and the bar of colours at the right.
func (h *HeatmapView) draw() *canvas {
	c := new(canvas)
	texts := h.texts()
	cw, ch := 10.0, 10.0
	if h.Annotate {
		widest := 0
		for _, t := range texts {
			widest = max(widest, width(t))
		}
		for _, n := range h.ColNames {
			widest = max(widest, min(width(n), 12))
		}
		cw, ch = max(28, float64(widest)*charWidth+10), 26
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
		left = max(left, 16+float64(width(n))*charWidth)
	}
	if h.YLabel != "" {
		left += 18
	}
	if h.Title != "" {
		c.text(8, 20, "start", clip(oneLine(h.Title, 76), 76), bar)
		top = 32
	}
	w, hh := cw*float64(h.Columns), ch*float64(h.Rows)
	if len(h.Values) > 400 {
		c.picture(left, top, w, hh, h.pixels(), "pixelated")
	}
	for i, v := range h.Values {
		x, y := left+float64(i%h.Columns)*cw, top+float64(i/h.Columns)*ch
		ink := "currentColor"
		if v != nil {
			col := colourAt(h.Colormap, h.place(*v))
			ink = onColour(col)
			if len(h.Values) <= 400 {
				fmt.Fprintf(&c.b, `<path d="M%s %sh%sv%sh-%sz" fill="#%02x%02x%02x"/>`, num(x), num(y), num(cw), num(ch), num(cw), col.R, col.G, col.B)
			}
		}
		if h.Annotate {
			c.text(x+cw/2, y+ch/2+4, "middle", texts[i], `style="fill:`+ink+`"`)
		} else if v == nil && len(h.Values) <= 400 {
			c.path(fmt.Sprintf("M%s %sl%s %s", num(x), num(y+ch), num(cw), num(-ch)), "currentColor", thin)
		}
	}
	c.box(left, top, w, hh, `fill="none" stroke="currentColor" stroke-opacity="0.5"`, "")
	for i, n := range rowNames {
		c.text(left-6, top+(float64(i)+0.5)*ch+4, "end", n, "")
	}
	below := top + hh
	for i, n := range colNames {
		at, more := left+(float64(i)+0.5)*cw, 16.0
		if h.ColNames != nil && float64(width(n))*charWidth > cw-4 && i%2 == 1 {
			more = 32
		}
		if n != "" {
			c.text(at, top+hh+more, "middle", n, "")
			below = max(below, top+hh+more)
		}
	}
	if h.XLabel != "" {
		below += 18
		c.text(max(left+w/2, left+float64(width(h.XLabel))*charWidth/2), below, "middle", h.XLabel, "")
	}
	if h.YLabel != "" {
		fmt.Fprintf(&c.b, `<text x="20" y="%s" text-anchor="middle" transform="rotate(-90 20 %s)">%s</text>`, num(top+hh/2), num(top+hh/2), esc(clip(h.YLabel, max(4, int(hh/charWidth)))))
	}
	h.drawBar(c, left+w+18, top, max(hh, 80))
	c.grow(left+w, below+4)
	y := max(below, top+max(hh, 80)) + 6
	for _, n := range h.Notes {
		for _, l := range wrapped(n, max(30, int((left+w)/charWidth))) {
			y += 16
			c.text(8, y, "start", l, faint)
		}
	}
	return c
}

// drawBar draws the colours with their numbers.
func (h *HeatmapView) drawBar(c *canvas, x, y, height float64) {
	img := image.NewNRGBA(image.Rect(0, 0, 1, 64))
	for i := range 64 {
		img.SetNRGBA(0, i, colourAt(h.Colormap, 1-float64(i)/63))
	}
	c.picture(x, y, 14, height, img, "auto")
	c.box(x, y, 14, height, `fill="none" stroke="currentColor" stroke-opacity="0.5"`, "")
	for _, m := range even(h.Min, h.Max, max(4, int(height/40))) {
		at := y + height*(1-h.place(m.Value))
		c.path(fmt.Sprintf("M%s %sh4", num(x+14), num(at)), "currentColor", "")
		c.text(x+21, min(at+4, y+height+4), "start", m.Label, "")
	}
}

// Text is the heatmap as a table of numbers, coloured where there are colours, or, of a large matrix, as shades.
func (h *HeatmapView) Text(color bool) string {
	var b strings.Builder
	if h.Title != "" {
		b.WriteString(bold(color, clip(oneLine(h.Title, 76), 76)) + "\n")
	}
	if h.Annotate && h.textWidth() <= textWidth(78) {
		h.textNumbers(&b, color)
	} else {
		h.textShades(&b, color)
	}
	lo, hi := shortValue(h.Min), shortValue(h.Max)
	b.WriteString(lo + " ")
	for i := range 20 {
		f := float64(i) / 19
		b.WriteString(onBack(color, colourAt(h.Colormap, f), shadeOf(f), true))
	}
	b.WriteString(" " + hi + "\n")
	for _, n := range h.Notes {
		for _, l := range wrapped(n, textWidth(78)) {
			b.WriteString(dim(color, l) + "\n")
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
	texts, colNames, rowNames = h.texts(), axisNames(h.ColNames, h.Columns, columns, 1000), axisNames(h.RowNames, h.Rows, rows, 1000)
	for _, t := range texts {
		w = max(w, width(t))
	}
	for _, t := range colNames {
		w = max(w, width(t))
	}
	for _, t := range rowNames {
		left = max(left, width(t))
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
		head += padLeft(n, w+1) + " "
	}
	if h.YLabel != "" {
		b.WriteString(h.YLabel + " ↓\n")
	}
	b.WriteString(strings.TrimRight(head, " ") + "\n")
	for r, n := range rowNames {
		b.WriteString(padLeft(n, left) + " ")
		for c := range h.Columns {
			i := r*h.Columns + c
			t := padLeft(texts[i], w+1) + " "
			if h.Values[i] != nil {
				t = onBack(color, colourAt(h.Colormap, h.place(*h.Values[i])), t, false)
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
	most := textWidth(78) - 6
	step := (h.Columns*wide + most - 1) / most
	down := step * 2 / wide
	down = max(1, down)
	left := width(fmt.Sprint(rows))
	for r := 0; r < h.Rows; r += down {
		name := ""
		if r/down%4 == 0 {
			name = fmt.Sprint(r * ((rows + h.Rows - 1) / h.Rows))
		}
		b.WriteString(padLeft(name, left) + " ")
		for c := 0; c < h.Columns; c += step {
			v := h.Values[min(r+down/2, h.Rows-1)*h.Columns+min(c+step/2, h.Columns-1)]
			if v == nil {
				b.WriteString(strings.Repeat("?", wide))
				continue
			}
			b.WriteString(onBack(color, colourAt(h.Colormap, h.place(*v)), strings.Repeat(shadeOf(h.place(*v)), wide), true))
		}
		b.WriteString("\n")
	}
	b.WriteString(fmt.Sprintf("%s 0 … %d\n", strings.Repeat(" ", left), columns-1))
}
