package visualize

import (
	"fmt"
	"strings"
)

// Text draws the graph as a tree from its roots. A node that several lead to is written once and named by its number afterwards.
func (g *Graph) Text(color bool) string {
	if len(g.Nodes) == 0 {
		return "no graph: nothing here requires grad"
	}
	var b strings.Builder
	next := make([][]GraphEdge, len(g.Nodes))
	uses := make([]int, len(g.Nodes))
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e)
		uses[e.To]++
	}
	seen := make([]bool, len(g.Nodes))
	var write func(id int, first, rest, label string)
	write = func(id int, first, rest, label string) {
		n := &g.Nodes[id]
		if label != "" {
			label = dim(color, label+": ")
		}
		if seen[id] {
			fmt.Fprintf(&b, "%s%s#%d %s above\n", first, label, id, n.title())
			return
		}
		seen[id] = true
		fmt.Fprintf(&b, "%s%s%s\n", first, label, n.line(color, uses[id] > 1))
		for i, e := range next[id] {
			f, r := "├─ ", "│  "
			if i == len(next[id])-1 {
				f, r = "└─ ", "   "
			}
			write(e.To, rest+f, rest+r, e.Label)
		}
	}
	for _, r := range g.Roots {
		write(r, "", "", "")
	}
	if g.More > 0 {
		fmt.Fprintf(&b, "… %d more edges lead to nodes that are left out\n", g.More)
	}
	if total := g.keptBytes(); total > 0 {
		fmt.Fprintf(&b, "%d nodes keep %s for the backward pass\n", len(g.Nodes), bytesText(total))
	}
	return strings.TrimRight(b.String(), "\n")
}

func (g *Graph) keptBytes() (total int) {
	for i := range g.Nodes {
		total += g.Nodes[i].savedBytes()
	}
	return total
}

// String is the text without colour.
func (g *Graph) String() string { return g.Text(false) }

func (n *GraphNode) line(color, shared bool) string {
	t := n.Name
	switch n.Kind {
	case "leaf":
		t = paint(color, 2, "leaf")
	case "write":
		t = paint(color, 1, n.Name)
	default:
		t = paint(color, 0, n.Name)
	}
	if shared {
		t = fmt.Sprintf("#%d ", n.ID) + t
	}
	if n.Label != "" {
		t = bold(color, n.Label) + "  " + t
	}
	t += "  " + n.Shape
	if n.Args != "" {
		t += "  " + dim(color, n.Args)
	}
	if n.Site != "" {
		t += "  @ " + n.Site
	}
	if s := n.savedText(); s != "" {
		stale := strings.Contains(s, "✗")
		if s = "saves " + s; stale {
			s = paint(color, 5, s)
		}
		t += "  " + s
		if b := n.savedBytes(); b > 0 {
			t += "  " + bytesText(b)
		}
	}
	return t
}
