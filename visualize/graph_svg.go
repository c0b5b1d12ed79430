package visualize

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

// box is a node in the picture.
type box struct {
	x, y, w, h float64
	lines      []string
}

const (
	layerGap = 34.0
	boxGap   = 24.0
)

// SVG draws the graph in layers: the roots at the top, leaves beneath, gradients flowing down along the arrows.
func (g *Graph) SVG() string {
	c := new(canvas)
	if len(g.Nodes) == 0 {
		c.text(6, 16, "start", "no graph: nothing here requires grad", "")
		return c.svg("autograd graph")
	}
	boxes := g.place()
	for _, e := range g.Edges {
		g.drawEdge(c, boxes, e)
	}
	for i := range g.Nodes {
		g.drawNode(c, &g.Nodes[i], boxes[i])
	}
	return c.svg("autograd graph")
}

// place gives every node a box. The nodes of a layer are ordered by the middle of what leads to them, sweeping down and up a few times; ties
// keep the order in which the walk found them, so that equal graphs give equal pictures.
func (g *Graph) place() []box {
	boxes := make([]box, len(g.Nodes))
	var rows [][]int
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for len(rows) <= n.Layer {
			rows = append(rows, nil)
		}
		rows[n.Layer] = append(rows[n.Layer], i)
		lines := []string{n.title(), n.Shape}
		if n.Args != "" {
			lines = append(lines, n.Args)
		}
		if s := n.savedText(); s != "" {
			lines = append(lines, "saves "+clip(s, 44)+" "+bytesText(n.savedBytes()))
		}
		if n.Site != "" {
			lines = append(lines, "@ "+n.Site)
		}
		w := 0
		for _, l := range lines {
			w = max(w, width(l))
		}
		boxes[i] = box{w: float64(w)*charWidth + 16, h: float64(len(lines))*15 + 8, lines: lines}
	}
	g.order(rows)
	y := 8.0
	wide := 0.0
	widths := make([]float64, len(rows))
	for r, row := range rows {
		for _, i := range row {
			widths[r] += boxes[i].w + boxGap
		}
		wide = max(wide, widths[r]-boxGap)
	}
	for r, row := range rows {
		x, h := 8+(wide-widths[r]+boxGap)/2, 0.0
		for _, i := range row {
			boxes[i].x, boxes[i].y = x, y
			x += boxes[i].w + boxGap
			h = max(h, boxes[i].h)
		}
		y += h + layerGap
	}
	return boxes
}

// order sorts each layer by the mean position of its neighbours.
func (g *Graph) order(rows [][]int) {
	pos := make([]float64, len(g.Nodes))
	number := func() {
		for _, row := range rows {
			for k, i := range row {
				pos[i] = (float64(k) + 0.5) / float64(len(row))
			}
		}
	}
	above, below := make([][]int, len(g.Nodes)), make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		above[e.To] = append(above[e.To], e.From)
		below[e.From] = append(below[e.From], e.To)
	}
	mean := func(i int, of []int) float64 {
		if len(of) == 0 {
			return pos[i]
		}
		sum := 0.0
		for _, j := range of {
			sum += pos[j]
		}
		return sum / float64(len(of))
	}
	number()
	for sweep := range 8 {
		neighbours := above
		if sweep%2 == 1 {
			neighbours = below
		}
		for k := range rows {
			row := rows[k]
			if sweep%2 == 1 {
				row = rows[len(rows)-1-k]
			}
			key := map[int]float64{}
			for _, i := range row {
				key[i] = mean(i, neighbours[i])
			}
			sort.SliceStable(row, func(a, b int) bool { return key[row[a]] < key[row[b]] })
			for k, i := range row {
				pos[i] = (float64(k) + 0.5) / float64(len(row))
			}
		}
	}
}

func (g *Graph) drawNode(c *canvas, n *GraphNode, b box) {
	fill, opacity := hue(0), 0.16
	switch n.Kind {
	case "leaf":
		fill, opacity = hue(2), 0.25
	case "write":
		fill, opacity = hue(1), 0.25
	}
	stale := strings.Contains(n.savedText(), "✗")
	if stale {
		fill, opacity = red, 0.3
	}
	c.rect(b.x, b.y, b.w, b.h, fill, opacity, fmt.Sprintf("#%d %s", n.ID, n.Name))
	for k, l := range b.lines {
		extra := `opacity="0.85"`
		if k == 0 {
			extra = `font-weight="bold"`
		}
		c.text(b.x+b.w/2, b.y+16+float64(k)*15, "middle", l, extra)
	}
}

// drawEdge draws an arrow from the bottom of one box to the top of another, bending round what lies between.
func (g *Graph) drawEdge(c *canvas, boxes []box, e GraphEdge) {
	a, b := boxes[e.From], boxes[e.To]
	x1, y1, x2, y2 := a.x+a.w/2, a.y+a.h, b.x+b.w/2, b.y
	if spread := g.outIndex(e); spread != 0 {
		x1 += math.Max(-a.w/2+8, math.Min(a.w/2-8, spread*18))
	}
	mid := math.Max(18, (y2-y1)/2)
	c.path(fmt.Sprintf("M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1, y1+mid, x2, y2-mid, x2, y2-5), "currentColor", `stroke-opacity="0.6"`)
	c.path(fmt.Sprintf("M%.1f %.1f l-4 -7 l8 0 z", x2, y2-1), "none", `style="fill:currentColor;fill-opacity:0.7"`)
	if e.Label != "" {
		c.text(x1+(x2-x1)*0.25+4, y1+(y2-y1)*0.25+8, "start", e.Label, `opacity="0.75" font-size="10"`)
	}
}

// outIndex is the place of an edge among those of its node, counted from the middle.
func (g *Graph) outIndex(e GraphEdge) float64 {
	n, at := 0, 0
	for _, f := range g.Edges {
		if f.From == e.From {
			if f == e {
				at = n
			}
			n++
		}
	}
	return float64(at) - float64(n-1)/2
}

// HTML is the picture, with the tree beneath.
func (g *Graph) HTML() string { return frame(g.SVG() + details("as text", g.Text(false))) }

// MIMEBundle is the graph in all forms.
func (g *Graph) MIMEBundle() map[string]any { return bundle(g) }
