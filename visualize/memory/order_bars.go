package memory

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gotorch/visualize/draw"
)

// arrowHead is the path of an arrow's head at x, y that points along dx, dy.
func arrowHead(x, y, dx, dy float64) string {
	n := math.Hypot(dx, dy)
	if n == 0 {
		return fmt.Sprintf("M%s %sh1", draw.Num(x), draw.Num(y))
	}
	dx, dy = dx/n*6, dy/n*6
	return fmt.Sprintf("M%s %sL%s %sL%s %s", draw.Num(x-dx-dy/2), draw.Num(y-dy+dx/2), draw.Num(x), draw.Num(y),
		draw.Num(x-dx+dy/2), draw.Num(y-dy-dx/2))
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

// Caption compares the walks, or counts what one of them fetches.
func (m *MemoryOrder) Caption() string {
	if len(m.Walks) == 0 || len(m.Caches) == 0 {
		return ""
	}
	w := &m.Walks[0]
	if len(m.Walks) == 1 || len(w.Fetched) == 0 {
		return w.sentence()
	}
	walks := slices.DeleteFunc(slices.Clone(m.Walks), func(w Walk) bool { return w.Numel == 0 || len(w.Fetched) == 0 })
	if len(walks) < 2 {
		return w.sentence()
	}
	least := slices.MinFunc(walks, func(a, b Walk) int { return a.Fetched[0] - b.Fetched[0] })
	most := slices.MaxFunc(walks, func(a, b Walk) int { return a.Fetched[0] - b.Fetched[0] })
	if least.Fetched[0] == most.Fetched[0] {
		all := "All " + draw.InWords(len(walks), "walk")
		if len(walks) == 2 {
			all = "Both walks"
		}
		return fmt.Sprintf("%s fetch %s with a cache of %d.", all, draw.Counted(most.Fetched[0], "line"), m.Caches[0])
	}
	why := "."
	if least.Name == most.Name {
		why = ": the order alone decides."
	}
	return fmt.Sprintf("With a cache of %s, %s %s fetches %s, and %s %s fetches %d"+why,
		draw.Counted(m.Caches[0], "line"), least.Name, least.way(), draw.Counted(least.Fetched[0], "line"), most.Name,
		most.way(), most.Fetched[0])
}

// way is the order of a walk: row by row.
func (w *Walk) way() string {
	text, _, _ := strings.Cut(w.Loop, ":")
	text, _, _ = strings.Cut(text, " (")
	return text
}

func (w *Walk) sentence() string {
	if len(w.Hops) == 0 {
		return fmt.Sprintf("%s has %s: there is no step.", w.Name, draw.InWords(w.Numel, "element"))
	}
	h := w.Hops[0]
	return fmt.Sprintf("%s is walked by steps of %s, %s, and touches %s.", w.Name, draw.Counted(h.Bytes, "byte"),
		draw.Counted(h.Times, "time"), draw.Counted(w.Touched, "cache line"))
}
