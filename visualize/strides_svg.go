package visualize

import (
	"fmt"
	"strings"
)

// columns is how many cells of a storage stand side by side in a picture.
const columns = 24

// SVG draws every storage as a band of cells, wrapped, with a lane beneath for each view.
func (m *StrideMap) SVG() string {
	c := new(canvas)
	y := 16.0
	for i := range m.Storages {
		y = m.Storages[i].draw(c, y) + 14
	}
	return c.svg("stride map")
}

// HTML is the picture, with the address arithmetic beneath.
func (m *StrideMap) HTML() string {
	return frame(m.SVG() + details("as text", m.Text(false)))
}

// MIMEBundle is the map in all forms.
func (m *StrideMap) MIMEBundle() map[string]any { return bundle(m) }

func (s *StorageMap) draw(c *canvas, y float64) float64 {
	c.text(4, y, "start", s.title(), `font-weight="bold"`)
	y += 10
	chars, head := 3, len("value")
	for k, i := range s.Cells {
		chars = max(chars, len(fmt.Sprintf("+%d", i*s.Size)))
		if s.Values != nil {
			chars = max(chars, width(s.Values[k]))
		}
		for _, l := range s.Lanes {
			for _, r := range l.Rows {
				chars = max(chars, width(r[k]))
			}
		}
	}
	for _, l := range s.Lanes {
		head = max(head, width(clip(l.Name, 24)))
	}
	w := float64(chars)*charWidth + 8
	x0 := 12 + float64(head)*charWidth
	per := max(4, min(columns, int(900/w)))
	for lo := 0; lo < len(s.Cells); lo += per {
		y = s.drawBlock(c, x0, y, w, lo, min(lo+per, len(s.Cells)))
	}
	if n := s.Count - len(s.Cells); n > 0 {
		y += lineHeight
		c.text(4, y, "start", fmt.Sprintf("… %d cells are left out", n), `opacity="0.75"`)
	}
	y += 6
	for i := range s.Lanes {
		l := &s.Lanes[i]
		y += lineHeight
		c.rect(4, y-10, 10, 10, hue(i), 0.35, "")
		c.text(20, y, "start", padRight(clip(l.Name, 24), head)+"  "+l.facts(), "")
		y += lineHeight - 3
		c.text(20+float64(head+2)*charWidth, y, "start", l.Example, `opacity="0.75"`)
	}
	return y + 6
}

// drawBlock draws the cells lo to hi with the lanes beneath them.
func (s *StorageMap) drawBlock(c *canvas, x0, y, w float64, lo, hi int) float64 {
	x := func(k int) float64 { return x0 + float64(k-lo)*w }
	y += lineHeight
	c.text(x0-8, y, "end", "addr", `opacity="0.75"`)
	for k := lo; k < hi; k++ {
		label := fmt.Sprintf("+%d", s.Cells[k]*s.Size)
		if k > 0 && s.Cells[k] != s.Cells[k-1]+1 {
			label = "…" + label
		}
		c.text(x(k)+w/2, y, "middle", label, `opacity="0.75" font-size="10"`)
	}
	if s.Values != nil {
		y += 6
		c.text(x0-8, y+14, "end", "value", `opacity="0.75"`)
		for k := lo; k < hi; k++ {
			c.rect(x(k), y, w, lineHeight, "none", 0, "")
			c.text(x(k)+w/2, y+14, "middle", s.Values[k], "")
		}
		y += lineHeight
	}
	for i := range s.Lanes {
		l := &s.Lanes[i]
		for r, row := range l.Rows {
			y += 4
			if r == 0 {
				c.text(x0-8, y+14, "end", clip(l.Name, 24), "")
			}
			for k := lo; k < hi; k++ {
				if row[k] == "" {
					c.text(x(k)+w/2, y+14, "middle", "·", `opacity="0.5"`)
					continue
				}
				c.rect(x(k), y, w, lineHeight, hue(i), 0.25, l.tip(row[k], s.Cells[k], s.Size))
				c.text(x(k)+w/2, y+14, "middle", row[k], "")
			}
			y += lineHeight
		}
	}
	return y + 4
}

// tip is the sum for one cell, shown on hovering.
func (l *Lane) tip(index string, cell, size int) string {
	var terms []string
	for d, i := range strings.Split(index, ",") {
		if d < len(l.Stride) {
			terms = append(terms, fmt.Sprintf("%s·%d", i, l.Stride[d]))
		}
	}
	return fmt.Sprintf("%s[%s] → %s = %d → +%d B", l.Name, index, strings.Join(append([]string{fmt.Sprint(l.Offset)}, terms...), " + "), cell, cell*size)
}
