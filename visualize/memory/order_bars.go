package memory

import (
	"fmt"
	"math"

	"gotorch/visualize/draw"
)

// arrowHead is the path of an arrow's head at x, y that points along dx, dy.
func arrowHead(x, y, dx, dy float64) string {
	n := math.Hypot(dx, dy)
	if n == 0 {
		return fmt.Sprintf("M%s %sh1", draw.Num(x), draw.Num(y))
	}
	dx, dy = dx/n*6, dy/n*6
	return fmt.Sprintf("M%s %sL%s %sL%s %s", draw.Num(x-dx-dy/2), draw.Num(y-dy+dx/2), draw.Num(x), draw.Num(y), draw.Num(x-dx+dy/2), draw.Num(y-dy-dx/2))
}

// bars compares the walks by the lines that they fetch.
func (m *MemoryOrder) bars(c *draw.Canvas, y *float64) {
	if len(m.Walks) < 2 {
		return
	}
	const long = 360.0
	for i, n := range m.Caches {
		most := 1
		for k := range m.Walks {
			most = max(most, m.Walks[k].Fetched[i])
		}
		c.Text(6, *y, "start", fmt.Sprintf("lines fetched with room for %d", n), draw.Strong)
		*y += 8
		for k := range m.Walks {
			w := &m.Walks[k]
			c.Text(30, *y+12, "end", fmt.Sprint(k+1), "")
			l := max(1, long*float64(w.Fetched[i])/float64(most))
			c.Rect(38, *y+2, l, 12, draw.Hue(k), 0.4, "")
			c.Text(46+l, *y+12, "start", fmt.Sprint(w.Fetched[i]), "")
			*y += 18
		}
		*y += 16
	}
	if s := m.compared(); s != "" {
		c.Text(6, *y, "start", s, draw.Strong)
		*y += draw.LineHeight
	}
}
