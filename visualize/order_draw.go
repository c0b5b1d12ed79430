package visualize

import (
	"fmt"
	"strings"
)

// facts are the lines beneath a walk.
func (w *Walk) facts(caches []int) []string {
	if w.Numel == 0 {
		return []string{"no elements: nothing is touched"}
	}
	var hops []string
	for _, h := range w.Hops {
		hops = append(hops, fmt.Sprintf("%+d B × %d", h.Bytes, h.Times))
	}
	if n := w.Kinds - len(w.Hops); n > 0 {
		hops = append(hops, counted(n, "other kind"))
	}
	if len(hops) == 0 {
		hops = []string{"none"}
	}
	first := "steps   " + strings.Join(hops, ", ") + "   "
	if w.Jumps == 0 {
		first += "never beyond the next line"
	} else {
		first += counted(w.Jumps, "jump") + " beyond the next line"
	}
	if w.Counted < w.Numel {
		first += fmt.Sprintf("   (of the first %d of %d elements)", w.Counted, w.Numel)
	}
	second := fmt.Sprintf("touched %s, %d of their %d B used (%d %%)", counted(w.Touched, "line"), w.Used, w.Touched*cacheLine, 100*w.Used/(w.Touched*cacheLine))
	third := "fetched "
	for i, n := range caches {
		third += fmt.Sprintf("%d by a cache of %d lines", w.Fetched[i], n)
		if i < len(caches)-1 {
			third += ", "
		}
	}
	return []string{first, second, third}
}

func (w *Walk) title() string {
	return clip(fmt.Sprintf("%s  %s%v stride %v", w.Name, w.Dtype, w.Shape, w.Stride), 100)
}

// gap is how many lines are left out in front of shown line i.
func (w *Walk) gap(i int) int {
	if i == 0 {
		return w.Lines[0].At
	}
	return w.Lines[i].At - w.Lines[i-1].At - 1
}

// below is how many lines of the storage come after the last that is shown.
func (w *Walk) below() int {
	all := (w.Storage + cacheLine - 1) / cacheLine
	if len(w.Lines) == 0 {
		return all
	}
	return all - w.Lines[len(w.Lines)-1].At - 1
}

// address is the first byte of a line.
func (l *WalkLine) address() string { return fmt.Sprintf("+%d", l.At*cacheLine) }

// cellWidth is how many columns a cell takes, at least three.
func (w *Walk) cellWidth() int {
	n := 3
	for _, l := range w.Lines {
		for _, c := range l.Cells {
			n = max(n, width(c))
		}
	}
	return n
}

// compared says how much more one walk fetches than another, "" where they fetch alike.
func (m *MemoryOrder) compared() string {
	for i, n := range m.Caches {
		lo, hi := 0, 0
		for k := range m.Walks {
			w := &m.Walks[k]
			if w.Counted != m.Walks[0].Counted || w.Counted == 0 {
				return ""
			}
			if w.Fetched[i] < m.Walks[lo].Fetched[i] {
				lo = k
			}
			if w.Fetched[i] > m.Walks[hi].Fetched[i] {
				hi = k
			}
		}
		if len(m.Walks) > 1 && m.Walks[hi].Fetched[i] > m.Walks[lo].Fetched[i] {
			return fmt.Sprintf("with room for %d lines, walk %d fetches %s times as many lines as walk %d", n, hi+1,
				num(float64(m.Walks[hi].Fetched[i])/float64(m.Walks[lo].Fetched[i])), lo+1)
		}
	}
	return ""
}

// model says what is counted.
func (m *MemoryOrder) model() string {
	return fmt.Sprintf("model: lines of %d B from the storage's beginning; a full cache gives up the line unused for longest", m.Line)
}

// Text draws the lines of each walk with the numbers of the steps that touch them.
func (m *MemoryOrder) Text(color bool) string {
	if len(m.Walks) == 0 {
		return "no tensors"
	}
	var out []string
	line := func(s string) { out = append(out, strings.TrimRight(s, " ")) }
	for i := range m.Walks {
		w := &m.Walks[i]
		line(bold(color, fmt.Sprintf("%d  %s", i+1, w.title())))
		line("   " + w.Loop)
		cell, head := w.cellWidth(), 3
		for k := range w.Lines {
			head = max(head, width(w.Lines[k].address()))
		}
		for k := range w.Lines {
			l := &w.Lines[k]
			if n := w.gap(k); n > 0 {
				line("   " + dim(color, "⋯ "+counted(n, "line")))
			}
			name := l.address()
			for lo := 0; lo < len(l.Cells); lo += cellsAcross {
				text := ""
				for _, c := range l.Cells[lo:min(lo+cellsAcross, len(l.Cells))] {
					if c == "" {
						text += dim(color, padLeft("·", cell+1))
					} else {
						text += paint(color, i, padLeft(c, cell+1))
					}
				}
				line("   " + dim(color, padLeft(name, head)) + " │" + text + " │")
				name = ""
			}
		}
		if n := w.below(); n > 0 {
			line("   " + dim(color, "⋯ "+counted(n, "line")))
		}
		if w.Left > 0 {
			line(fmt.Sprintf("   %s more, not numbered", counted(w.Left, "element")))
		}
		for _, f := range w.facts(m.Caches) {
			line("   " + f)
		}
		line("")
	}
	if m.More > 0 {
		line("… " + counted(m.More, "more walk"))
	}
	if s := m.compared(); s != "" {
		line(bold(color, s))
	}
	line(dim(color, m.model()))
	return strings.Join(out, "\n")
}

// String is the text without colour.
func (m *MemoryOrder) String() string { return m.Text(false) }

// SVG draws the storages as rows of cache lines, with the path of each walk.
func (m *MemoryOrder) SVG() string { return m.picture().alone("memory order") }

// HTML is the picture, with its text beneath.
func (m *MemoryOrder) HTML() string { return pictured(m.picture(), "memory order", m.Text(false)) }

// MIMEBundle is the view in all forms.
func (m *MemoryOrder) MIMEBundle() map[string]any { return bundle(m) }

const (
	walkHigh = 22.0
	walkPad  = 6.0  // between lines
	walkSide = 14.0 // of a cell, beside its number: room for the path
)

func (m *MemoryOrder) picture() *canvas {
	c := new(canvas)
	y := 18.0
	if len(m.Walks) == 0 {
		c.text(6, y, "start", "no tensors", "")
		return c
	}
	for i := range m.Walks {
		y = m.Walks[i].draw(c, y, i, m.Caches) + 20
	}
	m.bars(c, &y)
	if m.More > 0 {
		c.text(6, y, "start", "… "+counted(m.More, "more walk"), "")
		y += lineHeight
	}
	c.text(6, y, "start", m.model(), faint)
	return c
}

// draw draws one walk; the number of each step stands in the cell that it first touches.
func (w *Walk) draw(c *canvas, y float64, tint int, caches []int) float64 {
	c.rect(6, y-10, 10, 10, hue(tint), 0.4, "")
	c.text(22, y, "start", fmt.Sprintf("%d  %s", tint+1, w.title()), bar)
	y += 18
	c.text(22, y, "start", clip(w.Loop, 110), "")
	y += 10
	head := 3
	for k := range w.Lines {
		head = max(head, len(w.Lines[k].address()))
	}
	x0 := 30 + float64(head)*charWidth
	cw := float64(w.cellWidth())*charWidth + walkSide
	top := make([]float64, len(w.Lines))
	gap := func(n int) {
		if n > 0 {
			y += 10
			c.text(x0, y, "start", "⋯ "+counted(n, "line"), faint)
			y += 6
		}
	}
	for k := range w.Lines {
		l := &w.Lines[k]
		gap(w.gap(k))
		top[k] = y
		rows := (len(l.Cells) + cellsAcross - 1) / cellsAcross
		c.text(x0-8, y+15, "end", l.address(), faint)
		c.group(filled("none", 0))
		c.box(x0-2, y-2, cw*float64(min(cellsAcross, cacheLine/w.Size))+4, walkHigh*float64(max(1, rows))+4, "", "")
		c.end()
		for j, s := range l.Cells {
			x, yy := x0+cw*float64(j%cellsAcross), y+walkHigh*float64(j/cellsAcross)
			if s == "" {
				c.text(x+cw/2, yy+14, "middle", "·", faint)
			} else {
				c.rect(x, yy, cw, walkHigh, hue(tint), 0.2, "")
			}
		}
		y += walkHigh*float64(max(1, rows)) + walkPad
	}
	gap(w.below())
	w.drawPath(c, x0, cw, top, tint)
	c.group(`text-anchor="middle"`)
	for k := range w.Lines {
		for j, s := range w.Lines[k].Cells {
			c.text(x0+cw*(float64(j%cellsAcross)+0.5), top[k]+walkHigh*float64(j/cellsAcross)+13, "", s, "")
		}
	}
	c.end()
	if w.Left > 0 {
		y += 12
		c.text(x0, y, "start", counted(w.Left, "element")+" more, not numbered", faint)
	}
	for _, f := range w.facts(caches) {
		y += 17
		c.text(22, y, "start", f, "")
	}
	return y + 8
}

// drawPath draws the first steps as a line at the cells' lower left, clear of the numbers, with an arrow at its end. What goes to another line
// and another column at once is dashed, and has a track of its own beneath and beside the numbers.
func (w *Walk) drawPath(c *canvas, x0, cw float64, top []float64, tint int) {
	if len(w.Path) < 2 {
		return
	}
	var straight, across strings.Builder
	var x, y, dx, dy float64
	pen := [2]float64{} // where straight ends
	for i, p := range w.Path {
		nx, ny := x0+cw*float64(p[1]%cellsAcross)+3, top[p[0]]+walkHigh*float64(p[1]/cellsAcross)+walkHigh-5
		switch {
		case i == 0:
		case nx == x && ny == y: // the same cell again
			continue
		case nx != x && ny != y:
			across.WriteString("M" + num(x+2.5) + " " + num(y) + "V" + num(ny+3) + "H" + num(nx) + "V" + num(ny))
		default:
			if pen != [2]float64{x, y} || straight.Len() == 0 {
				straight.WriteString("M" + num(x) + " " + num(y))
			}
			straight.WriteString("L" + num(nx) + " " + num(ny))
			pen = [2]float64{nx, ny}
		}
		x, y, dx, dy = nx, ny, nx-x, ny-y
	}
	c.path(across.String(), hue(tint), `stroke-opacity="0.7" stroke-dasharray="3 3"`)
	c.path(straight.String(), hue(tint), `stroke-width="1.5" stroke-opacity="0.8"`)
	c.path(arrowHead(x, y, dx, dy), hue(tint), `stroke-width="2"`)
}
