package grad

import (
	"fmt"
	"sort"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

const (
	boxLine   = 15.0
	portLabel = 6.2 // of a character of an edge's label
)

// looks says how the kinds of nodes are drawn, and what the legend says of them.
var looks = []struct {
	kind, says string
	hue        int
	opacity    float64
	dash       string
}{
	{"operator", "operator", 0, 0.18, ""},
	{"derivative", "′ recorded by a backward pass", 3, 0.25, "6 2"},
	{"view", "view: the same memory", 4, 0.10, "4 3"},
	{"write", "write through a view", 1, 0.28, ""},
	{"leaf", "leaf: gradients are added up here", 2, 0.25, ""},
	{"folded", "steps of a loop, folded", 6, 0.12, "1 3"},
}

// picture draws the graph in layers: the roots at the top, leaves beneath, gradients flowing down along the arrows.
func (g *AutogradGraph) picture() *draw.Canvas {
	if len(g.Steps) > 0 {
		return g.outlinePicture()
	}
	c := new(draw.Canvas)
	if len(g.Nodes) == 0 {
		c.Text(8, 18, "start", noGraph, "")
		return c
	}
	n := len(g.Nodes)
	lines := make([][]string, n)
	w, h := make([]float64, n), make([]float64, n)
	ports := g.ports()
	for i := range g.Nodes {
		lines[i] = g.Nodes[i].lines()
		wide := 0
		for k, l := range lines[i] {
			cols := draw.Width(l)
			if k == 0 {
				cols += 1 + cols/20 // bold
			}
			wide = max(wide, cols)
		}
		w[i] = float64(wide)*draw.CharWidth + 18
		w[i] = max(w[i], float64(len(ports[i]))*g.portWidth(ports[i]))
		h[i] = float64(len(lines[i]))*boxLine + 10
	}
	y := g.legend(c)
	frames := g.frames()
	l := g.newLayout(w, h, y, len(frames) > 0)
	if drawn := g.fitting(l, frames); len(drawn) > 0 {
		for i := range drawn {
			drawn[i].draw(c)
		}
	} else if len(frames) > 0 { // nothing needs the room
		l = g.newLayout(w, h, y, false)
	}
	for from := range g.Nodes {
		g.drawEdges(c, l, from, ports[from])
	}
	for i := range g.Nodes {
		g.Nodes[i].draw(c, &l.places[i], lines[i])
	}
	if g.More > 0 {
		c.Text(8, c.H+20, "start", "… "+draw.Counted(g.More, "more node")+" left out", "")
	}
	return c
}

// SVG draws the graph, complete in itself.
func (g *AutogradGraph) SVG() string { return g.picture().Alone("autograd graph") }

// HTML is the picture, with the tree beneath.
func (g *AutogradGraph) HTML() string {
	if len(g.Steps) > 0 {
		return g.outlinePage()
	}
	return draw.Pictured(g.picture(), "autograd graph", g.Text(false))
}

// MIMEBundle is the graph in all forms.
func (g *AutogradGraph) MIMEBundle() map[string]any { return draw.Bundle(g) }

// legend names the kinds of nodes that the graph has.
func (g *AutogradGraph) legend(c *draw.Canvas) (y float64) {
	x := 8.0
	y = c.Sentence(x, 16, g.summary(), draw.Faint) + 8
	for _, look := range looks {
		has := false
		for i := range g.Nodes {
			has = has || g.Nodes[i].Kind == look.kind
		}
		if !has {
			continue
		}
		if x > 8 && x+17+float64(draw.Width(look.says))*draw.CharWidth > max(c.Wide, draw.ReadWidth) {
			x, y = 8, y+18
		}
		c.Box(x, y+1, 12, 11, draw.Filled(draw.Hue(look.hue), look.opacity)+dashed(look.dash), "")
		c.Text(x+17, y+11, "start", look.says, draw.Faint)
		x += float64(draw.Width(look.says))*draw.CharWidth + 36
	}
	if x > 8 {
		y += 18
	}
	return y + 10
}

// summary is how large the graph is.
func (g *AutogradGraph) summary() string {
	t := draw.Counted(g.Total, "node")
	if g.Held > 0 {
		t += ", " + bytesize.Text(g.Held) + " kept for the backward pass"
		switch {
		case g.Also == g.Held:
			t += " (variables keep them too)"
		case g.Also > 0:
			t += " (" + bytesize.Text(g.Also) + " of them by variables too)"
		}
	}
	return t + ", gradients flow down"
}

func dashed(dash string) string {
	if dash == "" {
		return ""
	}
	return ` stroke-dasharray="` + dash + `"`
}

// lines are what stands in a node's box.
func (n *GraphNode) lines() []string {
	out := []string{n.title()}
	second := n.Shape
	if n.Args != "" {
		second = strings.TrimSpace(second + "  " + n.Args)
	}
	for second != "" && len(out) < 4 {
		line := second
		if n.Kind == "folded" && draw.Width(line) > 48 { // the kinds of nodes, two or three to a line
			if cut := strings.LastIndex(line[:min(len(line), 48)], ", "); cut > 0 {
				line = line[:cut+1]
			}
		}
		out = append(out, draw.Clip(line, 60))
		if second = strings.TrimSpace(strings.TrimPrefix(second, line)); n.Kind != "folded" {
			break
		}
	}
	for _, f := range n.Grads {
		out = append(out, draw.Clip(f, 60))
	}
	if s := n.savedText(); s != "" {
		s = "saves " + draw.Clip(s, 56)
		if b := n.Kept; b > 0 {
			s += "  " + bytesize.Text(b)
		}
		out = append(out, s)
	}
	if n.Site != "" {
		out = append(out, "@ "+draw.Clip(n.Site, 50))
	}
	return out
}

func (n *GraphNode) draw(c *draw.Canvas, p *place, lines []string) {
	look := looks[0]
	for _, l := range looks {
		if l.kind == n.Kind {
			look = l
		}
	}
	attributes := draw.Filled(draw.Hue(look.hue), look.opacity) + dashed(look.dash)
	if n.stale() {
		attributes = draw.Filled(draw.Red, 0.2) + ` stroke-width="2"`
	}
	defer c.Marked(n.Site)()
	c.Box(p.x, p.y, p.w, p.h, attributes, n.tip())
	c.Group(`text-anchor="middle"`)
	for k, l := range lines {
		extra := `opacity="0.8"`
		if k == 0 {
			extra = draw.Strong
		}
		if strings.HasPrefix(l, "saves ") && n.stale() {
			extra = draw.RedText + ` font-weight="bold"`
		}
		c.Text(p.mid(), p.y+17+float64(k)*boxLine, "", l, extra)
	}
	c.End()
}

// tip is what shows on hovering: all that the node keeps.
func (n *GraphNode) tip() string {
	parts := []string{n.Name}
	for i, s := range n.Saved {
		if i == 6 {
			parts = append(parts, "…")
			break
		}
		if s.Dtype != "" && !s.Freed {
			parts = append(parts, fmt.Sprintf("%s %s%v %s", s.Name, s.Dtype, s.Shape, bytesize.Text(s.Bytes)))
		}
	}
	return strings.Join(parts, "\n")
}

// ports returns the edges that leave each node.
func (g *AutogradGraph) ports() [][]int {
	out := make([][]int, len(g.Nodes))
	for k, e := range g.Edges {
		out[e.From] = append(out[e.From], k)
	}
	return out
}

// text is an edge's label.
func (e *GraphEdge) text() string {
	t := draw.Clip(e.Label, 18)
	if e.Count > 1 {
		t = strings.TrimSpace(fmt.Sprintf("%s × %d", t, e.Count))
	}
	return t
}

// maxPorts is how many edges of a node have room for a label.
const maxPorts = 8

// portWidth is how far apart the edges of a node begin.
func (g *AutogradGraph) portWidth(edges []int) float64 {
	if len(edges) > maxPorts {
		return 10
	}
	most := 0
	for _, k := range edges {
		most = max(most, draw.Width(g.Edges[k].text()))
	}
	return float64(most)*portLabel + 14
}

// drawEdges draws the arrows that leave a node, from left to right as their ways begin.
func (g *AutogradGraph) drawEdges(c *draw.Canvas, l *layout, from int, edges []int) {
	sorted := append([]int{}, edges...)
	sort.SliceStable(sorted, func(a, b int) bool {
		return l.places[l.ways[sorted[a]][1]].mid() < l.places[l.ways[sorted[b]][1]].mid()
	})
	a := &l.places[from]
	step := g.portWidth(edges)
	for k, edge := range sorted {
		e := &g.Edges[edge]
		x := a.mid() + (float64(k)-float64(len(sorted)-1)/2)*step
		if g.Nodes[e.To].Layer <= g.Nodes[from].Layer {
			continue // a circle, which a graph of gradients does not have
		}
		way := l.ways[edge]
		row := g.Nodes[from].Layer
		d := fmt.Sprintf("M%s %s", draw.Num(x), draw.Num(a.y+a.h))
		y := l.bottom[row]
		if y > a.y+a.h {
			d += "V" + draw.Num(y)
		}
		if t := e.text(); t != "" && len(edges) <= maxPorts {
			c.Text(x+4, a.y+a.h+11, "start", t, draw.Small)
			y += 8
		}
		for _, p := range way[1:] {
			row++
			x2, y2 := l.places[p].mid(), l.top[row]
			if l.places[p].node >= 0 {
				y2 -= 6
			}
			d += fmt.Sprintf("L%s %sC%s %s %s %s %s %s", draw.Num(x), draw.Num(y), draw.Num(x), draw.Num((y+y2)/2),
				draw.Num(x2), draw.Num((y+y2)/2), draw.Num(x2), draw.Num(y2))
			x, y = x2, l.bottom[row]
			if l.places[p].node < 0 {
				d += "V" + draw.Num(y)
			} else {
				c.Path(d, "currentColor", draw.Thin)
				c.Elements.WriteString(fmt.Sprintf(`<path d="M%s %sl-4 -7h8z" fill-opacity="0.7"/>`, draw.Num(x2), draw.Num(y2+6)))
			}
		}
	}
}
