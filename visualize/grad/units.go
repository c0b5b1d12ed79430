package grad

import (
	"gotorch/autograd"
	"gotorch/tensor/opdef"
)

// Note: a product is one node. Matmul of more than two dimensions is recorded as views, a product of matrices, and a
// view of its result. Nobody wrote those views: they are shown as part of the product.

// products are the operators that a matmul ends in, and dressing the views around them that are no views by schema.
var (
	products = map[string]bool{"mm": true, "bmm": true, "addmm": true, "baddbmm": true, "mv": true}
	dressing = map[string]bool{"_unsafe_view": true, "_reshape_alias": true, "expand": true}
)

// unit is one call as the user knows it: a node, with the views around it that belong to the same call.
type unit struct {
	node    int   // the one that computes
	last    int   // the one whose result others read
	members []int // all of them
}

// through gives the views that belong to a product the names of what they look at.
func (w *Walk) through(units []unit, names map[int]string) {
	for _, u := range units {
		for k := len(u.members) - 1; k > 0; k-- {
			if m := u.members[k]; names[m] == "" && m != u.last && len(w.next[m]) > 0 {
				names[m] = names[w.next[m][0].To]
			}
		}
		if len(u.members) > 1 && names[u.node] == "" {
			names[u.node] = names[u.last]
		}
	}
}

// units joins nodes that are one call. of tells the unit of each node, -1 for leaves.
func (w *Walk) units() (units []unit, of []int) {
	of = make([]int, len(w.Nodes))
	uses := make([]int, len(w.Nodes))
	reader := make([]int, len(w.Nodes))
	for i, edges := range w.next {
		of[i] = -1
		for _, e := range edges {
			uses[e.To]++
			reader[e.To] = i
		}
	}
	for _, r := range w.roots {
		uses[r]++
	}
	view := func(n *autograd.Node) bool {
		op := n.Op()
		return op != nil && (op.Tags.Class() == opdef.View || dressing[n.OpName()])
	}
	near := func(a, b *autograd.Node) bool {
		return a.Site() == b.Site() && max(a.Seq(), b.Seq())-min(a.Seq(), b.Seq()) <= 8
	}
	for i, n := range w.Nodes {
		if n.Leaf() != nil || of[i] >= 0 || !products[n.OpName()] {
			continue
		}
		u := unit{node: i, last: i, members: []int{i}}
		if r := reader[i]; uses[i] == 1 && r != i && dressing[w.Nodes[r].OpName()] && near(w.Nodes[r], n) && of[r] < 0 &&
			w.Nodes[r].Seq() > n.Seq() {
			u.last = r
			u.members = append(u.members, r)
		}
		if u.last == i { // two matrices: what views there are, the user wrote
			continue
		}
		for k := 0; k < len(u.members); k++ {
			for _, e := range w.next[u.members[k]] {
				p := w.Nodes[e.To]
				if p.Leaf() == nil && uses[e.To] == 1 && of[e.To] < 0 && e.To != i && dressing[p.OpName()] && view(p) && near(p,
					n) {
					u.members = append(u.members, e.To)
				}
			}
		}
		for _, m := range u.members {
			of[m] = len(units)
		}
		units = append(units, u)
	}
	for i, n := range w.Nodes {
		if n.Leaf() == nil && of[i] < 0 {
			of[i] = len(units)
			units = append(units, unit{node: i, last: i, members: []int{i}})
		}
	}
	return units, of
}
