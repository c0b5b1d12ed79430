package grad

import (
	"fmt"
	"sort"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

// AutogradGraph is the graph behind tensors: what made them, what each node keeps for the backward pass, and the
// leaves.
type AutogradGraph struct {
	Nodes []GraphNode `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
	Roots []int       `json:"roots"`
	Total int         `json:"total"`           // nodes, those that are folded or left out included
	Held  int         `json:"held,omitempty"`  // bytes of memory that all nodes keep, each piece of memory counted once
	Also  int         `json:"also,omitempty"`  // how many of them leaves and variables keep as well
	More  int         `json:"more,omitempty"`  // nodes that are left out
	Steps []GraphStep `json:"steps,omitempty"` // a graph of 40 nodes or more, as an outline
}

// GraphNode is an operator's node, one that a backward pass recorded (derivative), a leaf, or a write through a view.
type GraphNode struct {
	ID     int         `json:"id"`
	Name   string      `json:"name"` // MulBackward0
	Kind   string      `json:"kind"` // operator, derivative, view, leaf, write, folded
	Label  string      `json:"label,omitempty"`
	Site   string      `json:"site,omitempty"`
	Shape  string      `json:"shape"`
	Args   string      `json:"args,omitempty"`
	Grads  []string    `json:"grads,omitempty"` // the formula: ∂x = g · y, g being the gradient of the result
	Order  int         `json:"order,omitempty"` // 1 and up for nodes that a backward pass recorded
	Saved  []SavedInfo `json:"saved,omitempty"`
	Kept   int         `json:"kept,omitempty"` // bytes of the memory in which these lie, each piece counted once
	Layer  int         `json:"layer"`
	Folded int         `json:"folded,omitempty"` // the nodes that this one stands for
	In     []string    `json:"in,omitempty"`     // the modules, or the function, that it was called in; outermost first
}

// SavedInfo is one tensor that a node keeps.
type SavedInfo struct {
	Name    string `json:"name"`         // self, other, result
	As      string `json:"as,omitempty"` // what the user calls it
	Shape   []int  `json:"shape"`
	Dtype   string `json:"dtype"`
	Bytes   int    `json:"bytes"` // of its elements
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
	Count  int    `json:"count,omitempty"` // of the edges that this one stands for, where they are many
}

// Limits of what is shown.
const (
	maxWalk  = 20000 // nodes that are looked at
	maxNodes = 110   // nodes that are shown
)

// Graph shows what a backward pass from tensors will walk: every operator that was recorded, under the name that its
// result was given, with the tensors that it keeps, and the formula by which it makes gradients of its arguments from
// g, that of its result. A tensor that was written to since it was saved is shown in red, saved v1 / now v3: the
// backward pass will reject it. The steps of a long loop are folded into one node, with their number. In the picture
// there are frames around the nodes of a module, or of a function of a cell, where nothing else stands between them.
//
//	loss := w.Mul(x).Sub(y).Square().Mean()
//	visualize.Graph(loss)
func Graph(xs ...*tensor.Tensor) *AutogradGraph {
	live := draw.LiveNames()
	w := &Walk{IDs: map[*autograd.Node]int{}, Labels: map[int]string{}, live: live}
	for i, name := range draw.Labels("Graph", live, xs) {
		if xs[i] == nil {
			panic(tensor.Errorf("graph", "tensor %d is nil", i))
		}
		w.root(xs[i], name)
	}
	w.walk()
	g := &AutogradGraph{Total: len(w.Nodes), More: w.cut}
	g.Held, g.Also = w.held()
	units, _ := w.units()
	part := w.fold(units)
	g.describe(w, part, units)
	g.layers()
	if g.Total < foldFrom {
		g.within(w, part, units)
	} else {
		names := w.assigned()
		w.through(units, names)
		g.Steps = w.outline(units, names)
	}
	return g
}

// Walk is the graph as it is found. It is dropped when the view is made.
type Walk struct {
	Nodes  []*autograd.Node // nil for a leaf that was asked for itself
	next   [][]GraphEdge
	IDs    map[*autograd.Node]int
	roots  []int
	Labels map[int]string
	live   map[*tensor.Tensor]string
	cut    int
}

// NodeOf is the node that made x, or that accumulates its gradient; nil where there is none or the history is not
// available.
func NodeOf(x *tensor.Tensor) (n *autograd.Node) {
	tensor.Try(func() {
		if n = autograd.GradFn(x); n == nil {
			if a := x.AutogradMeta(); a != nil && a.Requires {
				n, _ = a.Leaf.(*autograd.Node)
			}
		}
	})
	return n
}

func (w *Walk) root(x *tensor.Tensor, name string) {
	n := NodeOf(x)
	if n == nil {
		return
	}
	id, ok := w.Visit(n)
	if !ok {
		return
	}
	if w.Labels[id] == "" {
		w.Labels[id] = name
		w.roots = append(w.roots, id)
	}
}

func (w *Walk) Visit(n *autograd.Node) (id int, ok bool) {
	if id, ok := w.IDs[n]; ok {
		return id, true
	}
	if len(w.Nodes) == maxWalk {
		w.cut++
		return 0, false
	}
	id = len(w.Nodes)
	w.IDs[n] = id
	w.Nodes = append(w.Nodes, n)
	w.next = append(w.next, nil)
	return id, true
}

// walk finds all nodes, breadth first.
func (w *Walk) walk() {
	for i := 0; i < len(w.Nodes); i++ {
		n := w.Nodes[i]
		args := argNames(n)
		for k, e := range n.Next() {
			if e.Node == nil {
				continue
			}
			if id, ok := w.Visit(e.Node); ok {
				edge := GraphEdge{From: i, To: id, Output: e.Output}
				if k < len(args) {
					edge.Label = args[k]
				}
				w.next[i] = append(w.next[i], edge)
			}
		}
	}
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
	if n.WritesView() && len(out) > 0 {
		out[0] = "base, as it was"
	}
	return out
}

// describe puts what fold left into words: part gives the shown node of each that was found, -1 where it is left out.
func (g *AutogradGraph) describe(w *Walk, part *partition, units []unit) {
	names := w.assigned()
	w.through(units, names)
	product := map[int]*unit{} // of the members of a call that is one node
	for i := range units {
		for _, m := range units[i].members {
			product[m] = &units[i]
		}
	}
	for id, members := range part.members {
		var v GraphNode
		if len(members) == 1 {
			v = describeNode(w.Nodes[members[0]], names[members[0]], w.live)
			m := w.calls(members[0], names)
			v.Grads = w.formulas(members[0], &m)
			for i := range v.Saved {
				v.Saved[i].As = m.as(v.Saved[i].Name)
			}
		} else if u := product[members[0]]; u != nil && len(u.members) == len(members) {
			v = describeNode(w.Nodes[u.node], names[u.last], w.live)
			v.Name, v.Shape = "MatmulBackward0", describeNode(w.Nodes[u.last], "", w.live).Shape
			m := w.calls(u.node, names)
			v.Grads = w.formulas(u.node, &m)
			for i := range v.Saved {
				v.Saved[i].As = m.as(v.Saved[i].Name)
			}
		} else {
			v = w.describeFolded(members)
		}
		v.ID = id
		if l := w.Labels[members[0]]; l != "" && len(members) == 1 {
			v.Label = l
		}
		g.Nodes = append(g.Nodes, v)
	}
	g.More += part.left
	at := map[[2]int]int{}
	for i, edges := range w.next {
		for _, e := range edges {
			from, to := part.of[i], part.of[e.To]
			if from < 0 || to < 0 || from == to {
				continue
			}
			many := len(part.members[from]) > 1 || len(part.members[to]) > 1
			if k, ok := at[[2]int{from, to}]; ok && many {
				g.Edges[k].Count = max(g.Edges[k].Count, 1) + 1
				continue
			}
			at[[2]int{from, to}] = len(g.Edges)
			e.From, e.To = from, to
			if many {
				e.Output = 0
			}
			g.Edges = append(g.Edges, e)
		}
	}
	for _, r := range w.roots {
		if id := part.of[r]; id >= 0 {
			g.Roots = append(g.Roots, id)
		}
	}
}

// assigned finds the nodes whose result was given a name: those of live variables; and elsewhere, of the calls in one
// statement y := a.Mul(b).Sum() the last, the one that no other call of the same statement reads.
func (w *Walk) assigned() map[int]string {
	out := map[int]string{}
	taken := map[tensor.Site]bool{} // the call that made the live variable is known, so the others are not it
	for x, name := range w.live {
		if a := x.AutogradMeta(); a != nil && a.Fn != nil {
			if n, ok := a.Fn.(*autograd.Node); ok {
				if name == draw.Tidy(n.Site().Name) {
					taken[draw.TidySite(n.Site())] = true
				}
				if id, ok := w.IDs[n]; ok && (out[id] == "" || name < out[id]) {
					out[id] = name
				}
			}
		}
	}
	for i, n := range w.Nodes { // a, b := … is one place with one name
		if leaf := n.Leaf(); leaf != nil && w.live[leaf] != "" {
			out[i] = w.live[leaf]
		}
	}
	inner := map[int]bool{}
	for i, edges := range w.next {
		for _, e := range edges {
			if w.Nodes[i].Site() == w.Nodes[e.To].Site() {
				inner[e.To] = true
			}
		}
	}
	for i, n := range w.Nodes {
		if s := draw.TidySite(n.Site()); s.Name != "" && out[i] == "" && (!inner[i] && !taken[s] || n.Leaf() != nil) {
			out[i] = s.Name
		}
	}
	return out
}

func describeNode(n *autograd.Node, name string, live map[*tensor.Tensor]string) GraphNode {
	v := GraphNode{Name: n.Name(), Kind: "operator", Label: name, Site: draw.SiteText(n.Site())}
	if leaf := n.Leaf(); leaf != nil {
		v.Kind, v.Shape = "leaf", draw.DtypeShape(leaf)
		if l := live[leaf]; l != "" {
			v.Label = l
		}
		return v
	}
	switch op := n.Op(); {
	case n.WritesView():
		v.Kind = "write"
		v.Args = n.OpName() + " into a view"
	case op != nil && op.Tags.Class() == opdef.View:
		v.Kind = "view"
	case n.Order() > 0:
		v.Kind = "derivative"
	}
	v.Order = n.Order()
	var shapes []string
	for i, o := range n.Results() {
		if i == 4 {
			shapes = append(shapes, fmt.Sprintf("… %d more", len(n.Results())-i))
			break
		}
		shapes = append(shapes, fmt.Sprintf("%s%v", o.Dtype, o.Shape))
	}
	v.Shape = strings.Join(shapes, ", ")
	var texts []string
	for k, a := range n.Args() {
		if _, isTensor := a.(*tensor.Tensor); !isTensor && a != nil {
			texts = append(texts, k+"="+argText(a))
		}
	}
	if len(texts) > 0 {
		sort.Strings(texts)
		v.Args = draw.Clip(strings.Join(texts, " "), 40)
	}
	kept := map[*tensor.Storage]bool{}
	for _, s := range saved(n) {
		if !s.Freed && s.Tensor != nil && !kept[s.Tensor.Storage()] {
			kept[s.Tensor.Storage()] = true
			v.Kept += s.Tensor.Storage().Nbytes()
		}
		v.Saved = append(v.Saved, SavedInfo{Name: s.Name, Shape: s.Shape, Dtype: s.Dtype.String(), Bytes: s.Bytes,
			Version: s.Version, Now: s.Current,
			Stale: !s.Freed && s.Version != s.Current, Freed: s.Freed})
	}
	return v
}

// argText writes an argument of a recorded call.
func argText(a any) string {
	switch a := a.(type) {
	case []any:
		return draw.IndexText(a)
	case []*tensor.Tensor:
		return draw.Counted(len(a), "tensor")
	}
	return draw.OneLine(fmt.Sprint(a), 30)
}

// layers puts every node beneath all that lead to it.
func (g *AutogradGraph) layers() {
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

// savedText tells what a node keeps: self v0, other saved v1 / now v3.
func (n *GraphNode) savedText() string {
	var parts []string
	for i, s := range n.Saved {
		if i == 4 && len(n.Saved) > 5 && !n.stale() {
			parts = append(parts, fmt.Sprintf("… %d more", len(n.Saved)-i))
			break
		}
		t := s.Name
		if s.As != "" {
			t = s.As
		}
		switch {
		case n.Kind == "folded" && !s.Stale:
			t = "tensors"
		case s.Freed:
			t += " (freed)"
		case s.Stale:
			t = fmt.Sprintf("✗ %s saved v%d / now v%d", t, s.Version, s.Now)
		default:
			t += fmt.Sprintf(" v%d", s.Version)
		}
		parts = append(parts, t)
	}
	return strings.Join(parts, ", ")
}

// stale reports whether something that the node keeps was written to.
func (n *GraphNode) stale() bool {
	for _, s := range n.Saved {
		if s.Stale {
			return true
		}
	}
	return false
}

// title is the node's name under that of its result.
func (n *GraphNode) title() string {
	t := n.Name
	switch n.Kind {
	case "leaf":
		t = "leaf"
	case "folded":
		return "⋯ " + t
	}
	if n.Label != "" {
		t = draw.Clip(n.Label, draw.MaxName) + "  " + t
	}
	return t + n.order()
}

// order marks what a backward pass recorded: a stroke for each derivative.
func (n *GraphNode) order() string { return strings.Repeat("′", min(n.Order, 4)) }
