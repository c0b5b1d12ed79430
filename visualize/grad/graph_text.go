package grad

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

const noGraph = "no graph: nothing here requires grad"

// maxIndent is how deep the tree is indented before it goes on at the left.
const maxIndent = 20

// Text draws the graph as a tree from its roots. A node that several lead to is written once and named by its number
// afterwards; what lies very deep goes on at the left.
func (g *AutogradGraph) Text(color bool) string {
	if len(g.Nodes) == 0 {
		return noGraph
	}
	if len(g.Steps) > 0 {
		return g.outlineLines(color)
	}
	w := graphText{g: g, color: color, next: make([][]GraphEdge, len(g.Nodes)), uses: make([]int, len(g.Nodes)),
		seen: make([]bool, len(g.Nodes)), later: make([]bool, len(g.Nodes))}
	for _, e := range g.Edges {
		w.next[e.From] = append(w.next[e.From], e)
		w.uses[e.To]++
	}
	queue := g.Roots
	for len(queue) > 0 {
		for _, r := range queue {
			if !w.seen[r] {
				w.write(r, "", "", "", 0)
			}
		}
		queue, w.rest = w.rest, nil
	}
	w.b.WriteString(draw.Dim(color, g.summary()))
	if g.More > 0 {
		w.b.WriteString("\n… " + draw.Counted(g.More, "more node") + " left out")
	}
	return w.b.String()
}

type graphText struct {
	b     strings.Builder
	g     *AutogradGraph
	color bool
	next  [][]GraphEdge
	uses  []int
	seen  []bool
	later []bool // is written further down, by its number
	rest  []int
}

// write writes a node and what it leads to: first before its own line, rest before those beneath.
func (w *graphText) write(id int, first, rest, label string, depth int) {
	n := &w.g.Nodes[id]
	if label != "" {
		label = draw.Dim(w.color, label+": ")
	}
	switch {
	case w.seen[id]:
		fmt.Fprintf(&w.b, "%s%s↑ #%d %s\n", first, label, id, n.title())
		return
	case depth == maxIndent || depth > 0 && w.later[id]:
		fmt.Fprintf(&w.b, "%s%s↓ #%d %s\n", first, label, id, n.title())
		if !w.later[id] {
			w.later[id] = true
			w.rest = append(w.rest, id)
		}
		return
	}
	w.seen[id] = true
	fmt.Fprintf(&w.b, "%s%s%s\n", first, label, n.line(w.color, w.uses[id] > 1 || w.later[id]))
	for _, f := range n.Grads {
		bar := "   "
		if len(w.next[id]) > 0 {
			bar = "│  "
		}
		fmt.Fprintf(&w.b, "%s%s   %s\n", rest, bar, draw.Dim(w.color, f))
	}
	for i, e := range w.next[id] {
		f, r := "├─ ", "│  "
		if i == len(w.next[id])-1 {
			f, r = "└─ ", "   "
		}
		label := e.Label
		if e.Count > 1 {
			label = strings.TrimSpace(fmt.Sprintf("%s × %d", label, e.Count))
		}
		w.write(e.To, rest+f, rest+r, label, depth+1)
	}
}

// String is the text without colour.
func (g *AutogradGraph) String() string { return g.Text(false) }

// line is all of a node in one line.
func (n *GraphNode) line(color, numbered bool) string {
	t := n.Name
	for _, look := range looks {
		if look.kind == n.Kind {
			if n.Kind == "leaf" {
				t = "leaf"
			}
			t = draw.Paint(color, look.hue, t)
		}
	}
	if n.Kind == "folded" {
		t = "⋯ " + t
	}
	t += n.order()
	if numbered {
		t = fmt.Sprintf("#%d ", n.ID) + t
	}
	if n.Label != "" {
		t = draw.Bold(color, draw.Clip(n.Label, draw.MaxName)) + "  " + t
	}
	if n.Shape != "" {
		t += "  " + n.Shape
	}
	if n.Args != "" {
		t += "  " + draw.Dim(color, n.Args)
	}
	if n.Site != "" {
		t += "  @ " + n.Site
	}
	if s := n.savedText(); s != "" {
		if s = "saves " + s; n.stale() {
			s = draw.Paint(color, 5, s)
		}
		t += "  " + s
		if b := n.Kept; b > 0 {
			t += "  " + bytesize.Text(b)
		}
	}
	return t
}
