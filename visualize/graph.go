package visualize

import (
	"fmt"
	"sort"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
)

// Graph is the autograd graph behind tensors: what made them, what each node keeps for the backward pass, and the leaves.
type Graph struct {
	Nodes []GraphNode `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
	Roots []int       `json:"roots"`
	More  int         `json:"more,omitempty"` // nodes that are left out
}

// GraphNode is an operator's node, a leaf, or a write through a view.
type GraphNode struct {
	ID    int         `json:"id"`
	Name  string      `json:"name"` // MulBackward0
	Kind  string      `json:"kind"` // operator, leaf, write
	Label string      `json:"label,omitempty"`
	Site  string      `json:"site,omitempty"`
	Shape string      `json:"shape"`
	Args  string      `json:"args,omitempty"`
	Saved []SavedInfo `json:"saved,omitempty"`
	Layer int         `json:"layer"`
}

// SavedInfo is one tensor that a node keeps.
type SavedInfo struct {
	Name    string `json:"name"`
	Shape   []int  `json:"shape"`
	Dtype   string `json:"dtype"`
	Bytes   int    `json:"bytes"`
	Version uint32 `json:"version"`
	Now     uint32 `json:"now"`
	Stale   bool   `json:"stale,omitempty"`
	Freed   bool   `json:"freed,omitempty"`
}

// GraphEdge leads from a node to where one of its gradients goes.
type GraphEdge struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Label  string `json:"label,omitempty"` // the argument
	Output int    `json:"output,omitempty"`
}

// maxNodes is how many nodes a graph shows.
const maxNodes = 400

// nodeOf is the node that made x, nil for a leaf or where the history is not available.
func nodeOf(x *tensor.Tensor) (n *autograd.Node) {
	tensor.Try(func() { n = autograd.GradFn(x) })
	return n
}

// GraphOf shows what a backward pass from tensors will walk.
func GraphOf(xs ...*tensor.Tensor) *Graph {
	g := new(Graph)
	names := namesOf("GraphOf", xs)
	ids := map[*autograd.Node]int{}
	var queue []*autograd.Node
	visit := func(n *autograd.Node) (int, bool) {
		if id, ok := ids[n]; ok {
			return id, true
		}
		if len(g.Nodes) == maxNodes {
			g.More++
			return 0, false
		}
		id := len(g.Nodes)
		ids[n] = id
		g.Nodes = append(g.Nodes, describeNode(id, n))
		queue = append(queue, n)
		return id, true
	}
	for i, x := range xs {
		if x == nil {
			tensor.Errorf("graph", "tensor %d is nil", i)
		}
		n := nodeOf(x)
		if n == nil {
			if !x.RequiresGrad() {
				continue
			}
			id := len(g.Nodes)
			g.Nodes = append(g.Nodes, GraphNode{ID: id, Name: "leaf", Kind: "leaf", Label: names[i], Shape: tensorShape(x)})
			g.Roots = append(g.Roots, id)
			continue
		}
		if id, ok := visit(n); ok {
			if g.Nodes[id].Label == "" {
				g.Nodes[id].Label = names[i]
			}
			g.Roots = append(g.Roots, id)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		args := argNames(n)
		for i, e := range n.Next() {
			if e.Node == nil {
				continue
			}
			if id, ok := visit(e.Node); ok {
				label := ""
				if i < len(args) {
					label = args[i]
				}
				g.Edges = append(g.Edges, GraphEdge{From: ids[n], To: id, Label: label, Output: e.Output})
			}
		}
	}
	g.layers()
	return g
}

func tensorShape(x *tensor.Tensor) string { return fmt.Sprintf("%s%v", x.Dtype(), x.Shape()) }

func describeNode(id int, n *autograd.Node) GraphNode {
	v := GraphNode{ID: id, Name: n.Name(), Kind: "operator", Label: n.Site().Name, Site: n.Site().String()}
	if leaf := n.Leaf(); leaf != nil {
		v.Kind, v.Label, v.Shape = "leaf", nameOf(leaf), tensorShape(leaf)
		return v
	}
	if n.Inner() != nil || n.Name() == "CopySlices" {
		v.Kind = "write"
	}
	var shapes []string
	for _, o := range n.Results() {
		shapes = append(shapes, fmt.Sprintf("%s%v", o.Dtype, o.Shape))
	}
	v.Shape = strings.Join(shapes, ", ")
	args := n.Args()
	var texts []string
	for k, a := range args {
		if _, isTensor := a.(*tensor.Tensor); !isTensor && a != nil {
			texts = append(texts, fmt.Sprintf("%s=%v", k, a))
		}
	}
	sort.Strings(texts)
	v.Args = clip(strings.Join(texts, " "), 40)
	for _, s := range n.Saved() {
		v.Saved = append(v.Saved, SavedInfo{Name: s.Name, Shape: s.Shape, Dtype: s.Dtype.String(), Bytes: s.Bytes, Version: s.Version, Now: s.Current,
			Stale: !s.Freed && s.Version != s.Current, Freed: s.Freed})
	}
	return v
}

// argNames names the tensor arguments of a node, in the order of its edges.
func argNames(n *autograd.Node) []string {
	op := n.Op()
	if op == nil {
		return nil
	}
	var out []string
	for i := range op.Params {
		p := &op.Params[i]
		switch {
		case p.Is("Tensor"):
			out = append(out, p.Name)
		case p.IsList("Tensor"):
			return out // one edge for each element: not named
		}
	}
	return out
}

// layers puts every node beneath all that lead to it, and orders the nodes of a layer by where they come from.
func (g *Graph) layers() {
	next := make([][]int, len(g.Nodes))
	indegree := make([]int, len(g.Nodes))
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
		indegree[e.To]++
	}
	var ready []int
	for i, d := range indegree {
		if d == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		i := ready[0]
		ready = ready[1:]
		for _, j := range next[i] {
			g.Nodes[j].Layer = max(g.Nodes[j].Layer, g.Nodes[i].Layer+1)
			if indegree[j]--; indegree[j] == 0 {
				ready = append(ready, j)
			}
		}
	}
}

// savedText tells what a node keeps: self v0, other v1 ✗ now v3.
func (n *GraphNode) savedText() string {
	var parts []string
	for _, s := range n.Saved {
		t := s.Name
		switch {
		case s.Freed:
			t += " (freed)"
		case s.Stale:
			t += fmt.Sprintf(" v%d ✗ now v%d", s.Version, s.Now)
		default:
			t += fmt.Sprintf(" v%d", s.Version)
		}
		parts = append(parts, t)
	}
	return strings.Join(parts, ", ")
}

// savedBytes is the memory that a node keeps.
func (n *GraphNode) savedBytes() (b int) {
	for _, s := range n.Saved {
		if !s.Freed {
			b += s.Bytes
		}
	}
	return b
}

func (n *GraphNode) title() string {
	t := n.Name
	if n.Kind == "leaf" {
		t = "leaf"
	}
	if n.Label != "" {
		t = n.Label + "  " + t
	}
	return t
}
