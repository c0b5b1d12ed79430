package memory

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gotorch/visualize/draw"
)

// details are the lines beneath a walk.
func (w *Walk) details(caches []int) []string {
	if w.Numel == 0 {
		return []string{"no elements: nothing is touched"}
	}
	var hops []string
	for _, h := range w.Hops {
		hops = append(hops, fmt.Sprintf("%+d B × %d", h.Bytes, h.Times))
	}
	if n := w.Kinds - len(w.Hops); n > 0 {
		hops = append(hops, draw.Counted(n, "other kind"))
	}
	if len(hops) == 0 {
		hops = []string{"none"}
	}
	first := "steps   " + strings.Join(hops, ", ") + "   "
	if w.Jumps == 0 {
		first += "never beyond the next line"
	} else {
		first += draw.Counted(w.Jumps, "jump") + " beyond the next line"
	}
	if w.Counted < w.Numel {
		first += fmt.Sprintf("   (of the first %d of %d elements)", w.Counted, w.Numel)
	}
	second := fmt.Sprintf("touched %s, %d of their %d B used (%d %%)", draw.Counted(w.Touched, "line"), w.Used,
		w.Touched*cacheLine, 100*w.Used/(w.Touched*cacheLine))
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
	return draw.Clip(fmt.Sprintf("%s  %s%v stride %v", w.Name, w.Dtype, w.Shape, w.Stride), 100)
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
			n = max(n, draw.Width(c))
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
			times := float64(m.Walks[hi].Fetched[i]) / float64(m.Walks[lo].Fetched[i])
			if times < 1.05 {
				return fmt.Sprintf("with room for %d lines, walk %d fetches as many lines as walk %d, within 5 %%", n, hi+1, lo+1)
			}
			return fmt.Sprintf("with room for %d lines, walk %d fetches %s times as many lines as walk %d", n, hi+1,
				draw.Num(times), lo+1)
		}
	}
	return ""
}

// model says what is counted.
func (m *MemoryOrder) model() string {
	return fmt.Sprintf("model: lines of %d B from the storage's beginning; a full cache gives up the line unused for "+
		"longest", m.Line)
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
		line(draw.Bold(color, fmt.Sprintf("%d  %s", i+1, w.title())))
		line("   " + w.Loop)
		cell, head := w.cellWidth(), 3
		for k := range w.Lines {
			head = max(head, draw.Width(w.Lines[k].address()))
		}
		for k := range w.Lines {
			l := &w.Lines[k]
			if n := w.gap(k); n > 0 {
				line("   " + draw.Dim(color, "⋯ "+draw.Counted(n, "line")))
			}
			name := l.address()
			for lo := 0; lo < len(l.Cells); lo += cellsAcross {
				text := ""
				for _, c := range l.Cells[lo:min(lo+cellsAcross, len(l.Cells))] {
					if c == "" {
						text += draw.Dim(color, draw.PadLeft("·", cell+1))
					} else {
						text += draw.Paint(color, i, draw.PadLeft(c, cell+1))
					}
				}
				line("   " + draw.Dim(color, draw.PadLeft(name, head)) + " │" + text + " │")
				name = ""
			}
		}
		if n := w.below(); n > 0 {
			line("   " + draw.Dim(color, "⋯ "+draw.Counted(n, "line")))
		}
		if w.Left > 0 {
			line(fmt.Sprintf("   %s more, not numbered", draw.Counted(w.Left, "element")))
		}
		for _, f := range w.details(m.Caches) {
			line("   " + f)
		}
		line("")
	}
	if m.More > 0 {
		line("… " + draw.Counted(m.More, "more walk"))
	}
	if s := m.compared(); s != "" {
		line(draw.Bold(color, s))
	}
	line(draw.Dim(color, m.model()))
	return strings.Join(out, "\n")
}

// String is the text without colour.
func (m *MemoryOrder) String() string { return m.Text(false) }

// SVG draws the storages as rows of cache lines, with the path of each walk.
func (m *MemoryOrder) SVG() string { return m.picture().Alone("memory order") }

// HTML is the picture, with its text beneath.
func (m *MemoryOrder) HTML() string { return draw.Pictured(m.picture(), "memory order", m.Text(false)) }

// MIMEBundle is the view in all forms.
func (m *MemoryOrder) MIMEBundle() map[string]any { return draw.Bundle(m) }

const (
	walkHigh = 22.0
	walkPad  = 6.0  // between lines
	walkSide = 14.0 // of a cell, beside its number: room for the path
)

func (m *MemoryOrder) picture() *draw.Canvas {
	c := new(draw.Canvas)
	y := 18.0
	if len(m.Walks) == 0 {
		c.Text(6, y, "start", "no tensors", "")
		return c
	}
	for i := range m.Walks {
		y = m.Walks[i].draw(c, y, i, m.Caches) + 20
	}
	m.bars(c, &y)
	if m.More > 0 {
		c.Text(6, y, "start", "… "+draw.Counted(m.More, "more walk"), "")
		y += draw.LineHeight
	}
	c.Lines(6, y, m.model(), draw.Faint)
	return c
}

// draw draws one walk; the number of each step stands in the cell that it first touches.
func (w *Walk) draw(c *draw.Canvas, y float64, tint int, caches []int) float64 {
	c.Rect(6, y-10, 10, 10, draw.Hue(tint), 0.4, "")
	c.Text(22, y, "start", draw.Clip(fmt.Sprintf("%d  %s", tint+1, w.title()), 112), draw.Strong)
	y += 18
	c.Text(22, y, "start", draw.Clip(w.Loop, 110), "")
	y += 10
	head := 3
	left := func(n int) string { return "⋯ " + draw.Counted(n, "line") }
	for k := range w.Lines {
		head = max(head, len(w.Lines[k].address()))
		if n := w.gap(k); n > 0 {
			head = max(head, utf8.RuneCountInString(left(n)))
		}
	}
	x0 := 26 + float64(head)*draw.CharWidth
	cw := float64(w.cellWidth())*draw.CharWidth + walkSide
	top := make([]float64, len(w.Lines))
	gap := func(n int, x float64, anchor string) {
		if n > 0 {
			y += 10
			c.Text(x, y, anchor, left(n), draw.Faint)
			y += 6
		}
	}
	for k := range w.Lines {
		l := &w.Lines[k]
		gap(w.gap(k), x0-8, "end") // beside the path, which goes through the cells
		top[k] = y
		rows := (len(l.Cells) + cellsAcross - 1) / cellsAcross
		c.Text(x0-8, y+15, "end", l.address(), draw.Faint)
		c.Group(draw.Filled("none", 0))
		c.Box(x0-2, y-2, cw*float64(min(cellsAcross, cacheLine/w.Size))+4, walkHigh*float64(max(1, rows))+4, "", "")
		c.End()
		for j, s := range l.Cells {
			x, yy := x0+cw*float64(j%cellsAcross), y+walkHigh*float64(j/cellsAcross)
			if s == "" {
				c.Text(x+cw/2, yy+14, "middle", "·", draw.Faint)
			} else {
				c.Box(x, yy, cw, walkHigh, draw.Filled(draw.Hue(tint), 0.2)+" "+
					draw.MarkBytes(w.ID, l.At*cacheLine+j*w.Size, w.Size), "")
			}
		}
		y += walkHigh*float64(max(1, rows)) + walkPad
	}
	gap(w.below(), x0, "start")
	w.drawPath(c, x0, cw, top, tint)
	c.Group(`text-anchor="middle"`)
	for k := range w.Lines {
		for j, s := range w.Lines[k].Cells {
			c.Text(x0+cw*(float64(j%cellsAcross)+0.5), top[k]+walkHigh*float64(j/cellsAcross)+13, "", s, "")
		}
	}
	c.End()
	if w.Left > 0 {
		y += 12
		c.Text(x0, y, "start", draw.Counted(w.Left, "element")+" more, not numbered", draw.Faint)
	}
	for _, f := range w.details(caches) {
		y = c.Lines(22, y+17, f, "") - 17
	}
	return y + 8
}

// drawPath draws the first steps as a line at the cells' lower left, clear of the numbers, with an arrow at its end.
// What goes to another line and another column at once is dashed, and has a track of its own beneath and beside the
// numbers.
func (w *Walk) drawPath(c *draw.Canvas, x0, cw float64, top []float64, tint int) {
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
			across.WriteString("M" + draw.Num(x+2.5) + " " + draw.Num(y) + "V" + draw.Num(ny+3) + "H" + draw.Num(nx) +
				"V" + draw.Num(ny))
		default:
			if pen != [2]float64{x, y} || straight.Len() == 0 {
				straight.WriteString("M" + draw.Num(x) + " " + draw.Num(y))
			}
			straight.WriteString("L" + draw.Num(nx) + " " + draw.Num(ny))
			pen = [2]float64{nx, ny}
		}
		x, y, dx, dy = nx, ny, nx-x, ny-y
	}
	c.Path(across.String(), draw.Hue(tint), `stroke-dasharray="3 3"`)
	c.Path(straight.String(), draw.Hue(tint), `stroke-width="1.5"`)
	c.Path(arrowHead(x, y, dx, dy), draw.Hue(tint), `stroke-width="2"`)
}
