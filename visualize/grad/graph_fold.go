package grad

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: folding. A loop of a hundred steps records the same operators at the same lines a hundred times. Nodes that
// agree in operator and line (in operator and shape, where no line is known) are one kind. Of each kind that has
// many, the first steps and the last are shown, and those of the middle are put together, whatever is connected. So
// that the result is still a graph without circles, what lies on a way from a folded node to another of its group is
// folded too.

const (
	foldFrom  = 40 // graphs of fewer nodes are shown whole
	foldKind  = 6  // a kind with fewer nodes is shown whole
	keepLate  = 2  // of the latest steps
	keepEarly = 2
)

// partition says which nodes are shown together.
type partition struct {
	of      []int   // of each node that was found, the shown one; -1 if it is left out
	members [][]int // of each shown node, what it stands for, in the order of finding
	left    int
}

func (w *Walk) fold(units []unit) *partition {
	n := len(w.Nodes)
	group := make([]int, n) // the representative of each node's group
	for i := range group {
		group[i] = i
	}
	if n >= foldFrom {
		w.contract(group)
	} else {
		for _, u := range units {
			for _, m := range u.members {
				group[m] = slices.Min(u.members)
			}
		}
	}
	p := &partition{of: make([]int, n)}
	shown := map[int]int{}
	for i := range n {
		id, ok := shown[group[i]]
		if !ok {
			if len(p.members) == maxNodes {
				p.of[i] = -1
				p.left++
				continue
			}
			id = len(p.members)
			shown[group[i]] = id
			p.members = append(p.members, nil)
		}
		p.of[i] = id
		p.members[id] = append(p.members[id], i)
	}
	return p
}

// contract joins the middle steps of loops.
func (w *Walk) contract(group []int) {
	kinds := map[string][]int{}
	for i, n := range w.Nodes {
		if n.Leaf() != nil {
			continue
		}
		k := n.Name()
		if s := n.Site(); !s.IsZero() {
			k += "@" + s.String()
		} else {
			k += fmt.Sprint(n.Results())
		}
		kinds[k] = append(kinds[k], i)
	}
	middle := make([]bool, len(w.Nodes))
	for _, ids := range kinds {
		if len(ids) < foldKind {
			continue
		}
		sort.Slice(ids, func(a, b int) bool { return w.Nodes[ids[a]].Seq() > w.Nodes[ids[b]].Seq() })
		for _, i := range ids[keepLate : len(ids)-keepEarly] {
			middle[i] = true
		}
	}
	for _, r := range w.roots {
		middle[r] = false
	}
	find := func(i int) int {
		for group[i] != i {
			group[i] = group[group[i]]
			i = group[i]
		}
		return i
	}
	union := func(a, b int) {
		if a, b = find(a), find(b); a != b {
			group[max(a, b)] = min(a, b)
		}
	}
	for i, edges := range w.next {
		for _, e := range edges {
			if middle[i] && middle[e.To] {
				union(i, e.To)
			}
		}
	}
	// Nodes in the order of making: an edge leads to what was made before. One sweep each way finds what is above and
	// beneath a group.
	order := make([]int, len(w.Nodes))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return w.Nodes[order[a]].Seq() > w.Nodes[order[b]].Seq() })
	const rounds = 4
	for range rounds {
		sizes := map[int]int{}
		for i := range group {
			sizes[find(i)]++
		}
		var groups []int
		for g, n := range sizes {
			if n > 1 {
				groups = append(groups, g)
			}
		}
		slices.SortFunc(groups, func(a, b int) int { return sizes[b] - sizes[a] })
		changed := false
		for _, g := range groups[:min(len(groups), 8)] {
			changed = w.close(find(g), order, find, union) || changed
		}
		if !changed {
			break
		}
	}
	for i := range group {
		group[i] = find(i)
	}
}

// close takes into group g what lies between its members.
func (w *Walk) close(g int, order []int, find func(int) int, union func(int, int)) (changed bool) {
	above, beneath := make([]bool, len(w.Nodes)), make([]bool, len(w.Nodes))
	for _, i := range order {
		for _, e := range w.next[i] {
			if beneath[i] || find(i) == g {
				beneath[e.To] = true
			}
		}
	}
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		for _, e := range w.next[i] {
			if above[e.To] || find(e.To) == g {
				above[i] = true
			}
		}
	}
	for i := range w.Nodes {
		if above[i] && beneath[i] && find(i) != g {
			union(g, i)
			g = find(g)
			changed = true
		}
	}
	return changed
}

// describeFolded tells what a node stands for: how many of each operator, from where, and what they keep.
func (w *Walk) describeFolded(members []int) GraphNode {
	v := GraphNode{Kind: "folded", Folded: len(members)}
	var names []string
	count := map[string]int{}
	sites := map[string]bool{}
	var where []string
	sum := SavedInfo{Name: "together"}
	seen := map[*tensor.Storage]bool{}
	for _, i := range members {
		n := w.Nodes[i]
		if count[n.Name()]++; count[n.Name()] == 1 {
			names = append(names, n.Name())
		}
		if s := draw.SiteText(n.Site()); s != "" && !sites[s] {
			sites[s] = true
			where = append(where, s)
		}
		for _, s := range saved(n) {
			if !s.Freed && !seen[s.Tensor.Storage()] {
				seen[s.Tensor.Storage()] = true
				sum.Bytes += s.Tensor.Storage().Nbytes()
			}
			if !s.Freed && s.Version != s.Current && !sum.Stale {
				sum = SavedInfo{Name: s.Name, Bytes: sum.Bytes, Version: s.Version, Now: s.Current, Stale: true}
			}
		}
	}
	var parts []string
	for i, n := range names {
		if i == 4 {
			parts = append(parts, fmt.Sprintf("%d other kinds", len(names)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%d × %s", count[n], n))
	}
	v.Name = fmt.Sprintf("%d nodes folded", len(members))
	v.Shape = strings.Join(parts, ", ")
	slices.Sort(where)
	if len(where) > 3 {
		where = append(where[:3:3], fmt.Sprintf("… %d more lines", len(where)-3))
	}
	v.Site = strings.Join(where, ", ")
	if sum.Bytes > 0 || sum.Stale {
		v.Saved, v.Kept = []SavedInfo{sum}, sum.Bytes
	}
	return v
}
