package grad

import (
	"fmt"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// Caption says from where to where gradients flow, and what is kept for it.
func (g *AutogradGraph) Caption() string {
	var leaves, roots []string
	for _, n := range g.Nodes {
		if n.Kind == "leaf" {
			label := n.Label
			if label == "" {
				label = "a leaf " + n.Shape
			}
			leaves = append(leaves, label)
		}
	}
	for _, r := range g.Roots {
		if r < len(g.Nodes) && g.Nodes[r].Label != "" {
			roots = append(roots, g.Nodes[r].Label)
		}
	}
	if len(g.Nodes) == 0 {
		return "There is no graph: nothing here requires a gradient."
	}
	from := "the result"
	if len(roots) > 0 {
		from = draw.And(roots, 3)
	}
	to := "its leaves"
	if g.More == 0 && len(leaves) > 0 {
		to = draw.And(leaves, 5)
	}
	text := fmt.Sprintf("A backward pass goes from %s through %s to %s", from, draw.InWords(g.Total, "node"), to)
	if g.Held > 0 {
		return fmt.Sprintf("%s, and %s are kept for it.", text, bytesize.Text(g.Held))
	}
	return text + ", and nothing is kept for it."
}

// Caption says in how many steps the gradients of the leaves are complete.
func (r *BackwardRun) Caption() string {
	var leaves []string
	for _, l := range r.Lines {
		if l.Leaf {
			leaves = append(leaves, l.Name)
		}
	}
	if r.Total == 0 {
		return "There is no step to take: nothing here requires a gradient."
	}
	text := fmt.Sprintf("After %s the pass has reached ", draw.InWords(r.Total, "step"))
	if r.All > len(r.Lines) || len(leaves) == 0 {
		text += "the leaves"
	} else {
		text += draw.And(leaves, 5)
	}
	if r.Held > 0 {
		text += fmt.Sprintf("; the graph keeps %s before the first", bytesize.Text(r.Held))
	}
	return text + "."
}
