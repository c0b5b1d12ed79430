package memory

import (
	"fmt"
	"strconv"
	"strings"

	"gotorch/visualize/draw"
)

const (
	gapWidth = 22.0 // where cells are left out
	cellHigh = 20.0
	headName = 24
	maxTips  = 400 // cells; maps of more have no tips
	maxSum   = 400 // letters of the sum that finds an element
)

// picture draws every storage as a band of cells, wrapped, with a lane beneath for each view.
func (m *StrideMap) picture() *draw.Canvas {
	c := new(draw.Canvas)
	y, cells := 16.0, 0
	for i := range m.Storages {
		cells += m.Storages[i].rows() * len(m.Storages[i].Cells)
	}
	for i := range m.Storages {
		y = m.Storages[i].draw(c, y, cells <= maxTips) + 36
	}
	if m.More > 0 {
		c.Text(6, y, "start", "… "+draw.Counted(m.More, "more tensor"), "")
	}
	if len(m.Storages) == 0 {
		c.Text(6, y, "start", "no tensors", "")
	}
	return c
}

// SVG draws the map, complete in itself.
func (m *StrideMap) SVG() string { return m.picture().Alone("stride map") }

// HTML is the picture, with its text beneath.
func (m *StrideMap) HTML() string { return draw.Pictured(m.picture(), "stride map", m.Text(false)) }

// MIMEBundle is the map in all forms.
func (m *StrideMap) MIMEBundle() map[string]any { return draw.Bundle(m) }

// draw draws one storage; with tips, the sum for each cell shows on hovering.
func (s *StorageMap) draw(c *draw.Canvas, y float64, tips bool) float64 {
	c.Text(6, y, "start", s.title(), draw.Strong)
	if s.Nested {
		return s.drawNested(c, y)
	}
	chars, head := s.widths(headName)
	w := float64(chars)*draw.CharWidth + 8
	x0 := 38 + float64(head)*draw.CharWidth
	room := draw.NarrowWidth - 24 - x0
	if s.Count > len(s.Cells) {
		room -= gapWidth
	}
	per := evenly(len(s.Cells), max(4, int(room/w)))
	y += 6
	for lo := 0; lo < len(s.Cells); lo += per {
		y = s.drawBlock(c, x0, y, w, lo, min(lo+per, len(s.Cells)), tips)
	}
	if n := s.Count - len(s.Cells); n > 0 {
		y += 14
		c.Text(6, y, "start", "⋯ "+draw.Counted(n, "cell")+" of the middle left out", draw.Faint)
		y += 4
	}
	y += 4
	for i := range s.Lanes {
		l := &s.Lanes[i]
		y += draw.LineHeight
		c.Rect(6, y-10, 10, 10, draw.Hue(i), 0.4, "")
		c.Text(x0-8, y, "end", draw.Clip(l.Name, headName), draw.Strong)
		y = c.Lines(x0, y, l.details(), "")
		y = c.Sentence(x0, y, draw.Clip(l.Example, maxSum), draw.Faint)
	}
	return y
}

// drawBlock draws the cells lo to hi with the lanes beneath them.
func (s *StorageMap) drawBlock(c *draw.Canvas, x0, y, w float64, lo, hi int, tips bool) float64 {
	left := make([]float64, hi-lo)
	at := x0
	for k := lo; k < hi; k++ {
		if s.elided(k) > 0 && k > 0 {
			at += gapWidth
		}
		left[k-lo] = at
		at += w
	}
	mid := func(k int) float64 { return left[k-lo] + w/2 }
	y += 16
	c.Text(x0-8, y, "end", "addr", draw.Faint)
	c.Group(`text-anchor="middle" ` + draw.Small)
	for k := lo; k < hi; k++ {
		c.Text(mid(k), y, "", fmt.Sprintf("+%d", s.Cells[k]*s.Size), "")
	}
	c.End()
	y += 5
	if s.Values != nil {
		c.Text(x0-8, y+14, "end", "value", draw.Faint)
		c.Group(draw.Filled("none", 0))
		for k := lo; k < hi; k++ {
			c.Box(left[k-lo], y, w, cellHigh, s.mark(k, 1), "")
		}
		c.End()
		c.Group(`text-anchor="middle"`)
		for k := lo; k < hi; k++ {
			c.Text(mid(k), y+14, "", s.Values[k], "")
			if s.elided(k) > 0 && k > 0 {
				c.Text(left[k-lo]-gapWidth/2, y+14, "", "⋯", "")
			}
		}
		c.End()
		y += cellHigh
	}
	for i := range s.Lanes {
		l := &s.Lanes[i]
		for r, row := range l.Rows {
			y += 4
			if r == 0 {
				c.Text(x0-8, y+14, "end", draw.Clip(l.Name, headName), "")
				c.Rect(6, y+5, 10, 10, draw.Hue(i), 0.4, "")
			}
			l.drawRow(c, row[lo:hi], left, y, w, i, s, lo, tips)
			y += cellHigh
		}
	}
	return y + 6
}

// mark tells which bytes the box of n cells shows, from the shown cell k on.
func (s *StorageMap) mark(k, n int) string { return draw.MarkBytes(s.ID, s.Cells[k]*s.Size, n*s.Size) }

// drawRow draws one row of a lane from cell lo on; an element of several cells is one box.
func (l *Lane) drawRow(c *draw.Canvas, row Row, left []float64, y, w float64, tint int, s *StorageMap, lo int,
	tips bool) {
	c.Group(draw.Filled(draw.Hue(tint), 0.25))
	for k, label := range row {
		switch label {
		case "":
		case sameElement:
			if k > 0 && row[k-1] != "" && left[k]-left[k-1] == w {
				continue
			}
			fallthrough
		default:
			n := 1
			for k+n < len(row) && row[k+n] == sameElement && left[k+n]-left[k+n-1] == w {
				n++
			}
			tip := ""
			if tips && label != sameElement {
				tip = l.tip(label, s.Cells[lo+k], s.Size)
			}
			attributes := s.mark(lo+k, n)
			if l.Chosen && label == draw.Join(l.Index, ",") {
				attributes += ` fill-opacity="0.6" stroke-width="2"`
			}
			c.Box(left[k], y, w*float64(n), cellHigh, attributes, tip)
		}
	}
	c.End()
	c.Group(`text-anchor="middle"`)
	for k, label := range row {
		if label == "" {
			c.Text(left[k]+w/2, y+14, "", "·", "")
		} else if label != sameElement {
			c.Text(left[k]+w/2, y+14, "", label, "")
		}
	}
	c.End()
}

// tip is the sum for one cell, shown on hovering.
func (l *Lane) tip(label string, cell, size int) string {
	if len(l.Shape) == 0 {
		return fmt.Sprintf("%s → %d → +%d B", draw.Clip(l.Name, draw.MaxName), l.Offset, cell*size)
	}
	var index []int
	for _, t := range strings.Split(label, ",") {
		i, err := strconv.Atoi(t)
		if err != nil {
			return ""
		}
		index = append(index, i)
	}
	if len(index) != len(l.Stride) {
		return ""
	}
	return address(draw.Clip(l.Name, draw.MaxName), index, l.Stride, l.Offset, size*l.Scale)
}
