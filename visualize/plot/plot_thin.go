package plot

import (
	"fmt"
	"math"
	"slices"

	"gotorch/visualize/draw"
)

// Limits of what a plot holds and draws.
const (
	maxPoints = 6000 // of the lines of a plot
	maxDots   = 3000 // of the points of a plot, before they are counted cell by cell

	cloudColumns = 180
	cloudRows    = 110
)

// thinLines picks points of lines that have too many, and says so: once, where that is the same for all.
func (c *Chart) thinLines() {
	var all []thinned
	for i := range c.Series {
		s := &c.Series[i]
		if t := c.thinLine(s, maxPoints/len(c.Series)); t.how != "" {
			all = append(all, t)
		}
	}
	alike := len(all) > 1 && len(all) == len(c.Series)
	for _, t := range all {
		alike = alike && t.series.Count == all[0].series.Count && t.how == all[0].how
	}
	if !alike {
		for _, t := range all {
			c.note(t.series, fmt.Sprintf("%s points, %s drawn: %s", grouping(t.series.Count), grouping(t.drawn), t.how))
		}
		return
	}
	few, many := all[0].drawn, all[0].drawn
	for _, t := range all {
		few, many = min(few, t.drawn), max(many, t.drawn)
	}
	drawn := grouping(many)
	if few < many {
		drawn = grouping(few) + " to " + drawn
	}
	c.Notes = append(c.Notes, fmt.Sprintf("each series has %s points, %s drawn: %s", grouping(all[0].series.Count), drawn,
		all[0].how))
}

// thinned is what was picked of a line: how many points, and how; "" where all are drawn.
type thinned struct {
	series *Series
	drawn  int
	how    string
}

// thinLine picks at most about most points of a line. Where x never falls it keeps of every column the first, least,
// greatest and last, so that no peak is lost; of other curves it leaves out what lies in the same place as the point
// before, in places as small as will do.
func (c *Chart) thinLine(s *Series, most int) thinned {
	n := len(s.X)
	if n <= most {
		return thinned{series: s}
	}
	keep := make([]bool, n)
	begins := make([]bool, n+1)
	for _, b := range s.Breaks {
		begins[b] = true
	}
	how := ""
	if slices.IsSorted(s.X) {
		columns := max(1, most/4)
		column := func(i int) int { return int(math.Floor(max(-1, min(c.X.place(s.X[i]), 2)) * float64(columns))) }
		for from := 0; from < n; {
			to, lo, hi := from+1, from, from
			for ; to < n && column(to) == column(from); to++ {
				if s.Y[to] < s.Y[lo] {
					lo = to
				}
				if s.Y[to] > s.Y[hi] {
					hi = to
				}
			}
			keep[from], keep[lo], keep[hi], keep[to-1] = true, true, true, true
			from = to
		}
		how = fmt.Sprintf("of each of %d columns the first, least, greatest and last", columns)
	} else {
		for cells := 4096; ; cells /= 2 {
			clear(keep)
			count, x, y := 0, math.MinInt, math.MinInt
			for i := range n {
				cx, cy := int(max(-1, min(c.X.place(s.X[i]), 2))*float64(cells)),
					int(max(-1, min(c.Y.place(s.Y[i]), 2))*float64(cells))
				if cx != x || cy != y || i == n-1 {
					keep[i] = true
					count++
				}
				x, y = cx, cy
			}
			if count <= most || cells <= 16 {
				break
			}
		}
		how = "points that lie where the one before lies are left out"
	}
	var xs, ys []float64
	var breaks []int
	begun := false
	for i := range n {
		begun = begun || begins[i]
		if !keep[i] {
			continue
		}
		if begun && len(xs) > 0 {
			breaks = append(breaks, len(xs))
		}
		begun = false
		xs, ys = append(xs, s.X[i]), append(ys, s.Y[i])
	}
	if len(xs) > 2*most { // a curve that fills the plane
		xs, ys, breaks = xs[:2*most], ys[:2*most], nil
		how += ", and the end"
	}
	s.X, s.Y, s.Breaks = xs, ys, breaks
	return thinned{s, len(xs), how}
}

// cloud counts the points of s cell by cell if there are more than most.
func (c *Chart) cloud(s *Series, most int) {
	s.Breaks = nil
	if len(s.X) <= most {
		return
	}
	g := &Cloud{Columns: cloudColumns, Rows: cloudRows, Counts: make([]int, cloudColumns*cloudRows)}
	for i, x := range s.X {
		fx, fy := c.X.place(x)*cloudColumns, c.Y.place(s.Y[i])*cloudRows
		if fx >= 0 && fx <= cloudColumns && fy >= 0 && fy <= cloudRows {
			g.Counts[min(int(fy), cloudRows-1)*cloudColumns+min(int(fx), cloudColumns-1)]++
		}
	}
	c.note(s, fmt.Sprintf("%s points, counted in %d × %d cells, at most %s in one", grouping(s.Count), g.Columns, g.Rows,
		grouping(slices.Max(g.Counts))))
	s.X, s.Y, s.Cloud = nil, nil, g
}

// note adds a note about a series.
func (c *Chart) note(s *Series, text string) {
	if len(c.Series) > 1 {
		text = draw.Clip(s.Name, draw.MaxName) + ": " + text
	}
	c.Notes = append(c.Notes, text)
}

// grouping writes a count with commas between thousands.
func grouping(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouping(n/1000), n%1000)
}
