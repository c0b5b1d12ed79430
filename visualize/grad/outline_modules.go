package grad

import (
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/internal/fold"
)

// owners finds the module of each unit; it is nil where no module is known.
func (o *outliner) owners() [][]string {
	leaves := map[*tensor.Tensor]bool{}
	for _, n := range o.w.Nodes {
		if leaf := n.Leaf(); leaf != nil {
			leaves[leaf] = true
		}
	}
	places := fold.Places(func(x *tensor.Tensor) bool { return leaves[x] })
	if len(places) == 0 {
		return nil
	}
	at := map[int]int{} // the unit of a node
	for i, u := range o.units {
		for _, m := range u.members {
			at[m] = i
		}
	}
	owner := make([][]string, len(o.units))
	readers := make([][]int, len(o.units))
	ofParam := make([]bool, len(o.units)) // it is a view of a parameter
	for i, u := range o.units {
		for _, m := range u.members {
			for _, e := range o.w.next[m] {
				n := o.w.Nodes[e.To]
				from, isUnit := at[e.To]
				switch {
				case n.Leaf() != nil:
					if p, ok := places[n.Leaf()]; ok {
						o.names[e.To] = p.Name
						if owner[i] == nil {
							owner[i], ofParam[i] = p.Module, o.view(i)
						}
					}
				case isUnit && from != i:
					readers[from] = append(readers[from], i)
					if owner[i] == nil && (ofParam[from] || o.view(i) && o.product(from)) {
						owner[i] = owner[from]
					}
				}
			}
		}
	}
	for i := len(o.units) - 1; i >= 0; i-- {
		if owner[i] == nil && o.view(i) && len(readers[i]) == 1 {
			owner[i] = owner[readers[i][0]]
		}
	}
	return fold.Between(owner)
}

// view reports whether a unit moves no number.
func (o *outliner) view(i int) bool {
	n := o.w.Nodes[o.units[i].node]
	op := n.Op()
	return op != nil && (op.Tags.Class() == opdef.View || dressing[n.OpName()])
}

func (o *outliner) product(i int) bool { return products[o.w.Nodes[o.units[i].node].OpName()] }

// operator is the name of an operator by that of its node.
func operator(node string) string {
	name, _, _ := strings.Cut(node, "Backward")
	return name
}
