package grad

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/display"
)

// Note: modules in a graph. A call belongs to the module whose parameter it takes; one that takes none to what the
// calls before and after it have in common: the sum between two layers is the block's. A view of a parameter, and
// the views around a product, belong to the product. Modules have the names of the state dict, layers.0.self_attn,
// and stand in each other as they do there. Modules in a row that make the same calls are written once, × 12; views
// do not count: the first layer has fewer, for its input has no gradient.

// variables is a host that knows what variables hold.
type variables interface {
	Variables(found func(name string, v any))
}

// paramPlace is where a parameter stands: its module as a path, the variable, layers.0, self_attn; and its name there.
type paramPlace struct {
	module []string
	name   string
}

// places finds the parameters in the graph. Of several variables that hold one, that which holds the most is taken.
func (w *Walk) places() map[*tensor.Tensor]paramPlace {
	host, ok := display.CurrentHost().(variables)
	if !ok {
		return nil
	}
	leaves := map[*tensor.Tensor]bool{}
	for _, n := range w.Nodes {
		if leaf := n.Leaf(); leaf != nil {
			leaves[leaf] = true
		}
	}
	type model struct {
		name   string
		params nn.ParamList
	}
	var models []model
	host.Variables(func(name string, v any) {
		m := model{name: name}
		tensor.Try(func() {
			for _, p := range nn.State(v) {
				if leaves[p.Tensor] && p.Name != "" {
					m.params = append(m.params, p)
				}
			}
		})
		if len(m.params) > 0 {
			models = append(models, m)
		}
	})
	slices.SortFunc(models, func(a, b model) int {
		if d := len(b.params) - len(a.params); d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	out := map[*tensor.Tensor]paramPlace{}
	for _, m := range models {
		for _, p := range m.params {
			if _, known := out[p.Tensor]; !known {
				out[p.Tensor] = placeOf(m.name, p.Name)
			}
		}
	}
	return out
}

// placeOf takes a name of the state dict apart: the number of a layer belongs to the list that it is in.
func placeOf(variable, param string) paramPlace {
	parts := strings.Split(param, ".")
	path := []string{variable}
	for _, p := range parts[:len(parts)-1] {
		if p != "" && strings.Trim(p, "0123456789") == "" && len(path) > 1 {
			path[len(path)-1] += "." + p
		} else {
			path = append(path, p)
		}
	}
	return paramPlace{path, parts[len(parts)-1]}
}

// owners finds the module of each unit; it is nil where no module is known.
func (o *outliner) owners() [][]string {
	places := o.w.places()
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
						o.names[e.To] = p.name
						if owner[i] == nil {
							owner[i], ofParam[i] = p.module, o.view(i)
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
	return between(owner)
}

// between gives calls without a module what the modules before and after them have in common.
func between(owner [][]string) [][]string {
	next := make([][]string, len(owner))
	var after []string
	for i := len(owner) - 1; i >= 0; i-- {
		if owner[i] != nil {
			after = owner[i]
		}
		next[i] = after
	}
	var before []string
	for i, p := range owner {
		if p != nil {
			before = p
			continue
		}
		if before != nil && next[i] != nil {
			n := 0
			for n < min(len(before), len(next[i])) && before[n] == next[i][n] {
				n++
			}
			owner[i] = before[:n:n]
		}
	}
	return owner
}

// view reports whether a unit moves no number.
func (o *outliner) view(i int) bool {
	n := o.w.Nodes[o.units[i].node]
	op := n.Op()
	return op != nil && (op.Tags.Class() == opdef.View || dressing[n.OpName()])
}

func (o *outliner) product(i int) bool { return products[o.w.Nodes[o.units[i].node].OpName()] }

// part is a step with the units that it stands for.
type part struct {
	lo, hi int
	key    string // what it computes, without views and numbers of layers
	step   GraphStep
	plain  bool // it is one call
}

// modules writes the units from lo to hi, whose modules agree in depth names, by module.
func (o *outliner) modules(lo, hi, depth int) (parts []part) {
	for lo < hi {
		to := lo + 1
		if len(o.owner[lo]) <= depth {
			p := part{lo: lo, hi: to, step: o.call(lo), plain: true}
			if !o.view(lo) {
				n := o.w.Nodes[o.units[lo].node]
				p.key = fmt.Sprint(n.Name(), n.Results())
			}
			parts = append(parts, p)
			lo = to
			continue
		}
		name := o.owner[lo][depth]
		for to < hi && len(o.owner[to]) > depth && o.owner[to][depth] == name {
			to++
		}
		inner := o.modules(lo, to, depth+1)
		kind := strings.Trim(name, "0123456789")
		if kind == "" && depth > 0 { // layers[3]
			name = o.owner[lo][depth-1] + "." + name
		}
		p := part{lo: lo, hi: to, step: o.sum(lo, to, name)}
		one, calls := 0, 0
		var keys []string
		for i, q := range inner {
			if q.key != "" {
				keys, calls, one = append(keys, q.key), calls+1, i
			}
		}
		p.key = kind + "(" + strings.Join(keys, " ") + ")"
		p.step.Steps = o.foldParts(inner)
		if calls == 1 && inner[one].plain { // a layer of one operator is a line
			s := inner[one].step
			shape, _, _ := strings.Cut(s.Shape, ", ")
			p.step.Title = name + "  " + operator(s.Title) + "  " + shape
			p.step.Closed, p.step.Details = true, s.Details
		}
		parts = append(parts, p)
		lo = to
	}
	return parts
}

// foldParts writes parts that repeat once.
func (o *outliner) foldParts(parts []part) (out []GraphStep) {
	if !slices.ContainsFunc(parts, func(p part) bool { return !p.plain }) && len(parts) > 0 {
		return o.fold(parts[0].lo, parts[len(parts)-1].hi)
	}
	keys := &outliner{}
	for _, p := range parts {
		keys.kind = append(keys.kind, p.key)
	}
	for at := 0; at < len(parts); {
		start, period, times := keys.repeat(at, len(parts))
		for i := at; i < len(parts) && (times == 0 || i < start); i++ {
			out = append(out, parts[i].step)
		}
		if times == 0 {
			return out
		}
		at = start + period*times
		first, last := parts[start], parts[at-1]
		s := o.sum(first.lo, last.hi, ends(parts[start:at]))
		s.Times, s.Calls = times, parts[start+period].lo-first.lo
		for _, p := range parts[start+period : start+2*period] { // the first time may lack views
			s.Steps = append(s.Steps, p.step)
		}
		if period == 1 {
			s.Steps = s.Steps[0].Steps
		}
		out = append(out, s)
	}
	return out
}

// ends names parts by the first and the last module of them.
func ends(parts []part) string {
	one := func(p part) bool { return !p.plain }
	if i := slices.IndexFunc(parts, one); i >= 0 {
		last := len(parts) - 1
		for parts[last].plain {
			last--
		}
		return parts[i].title() + " … " + parts[last].title()
	}
	return parts[0].title() + " … " + parts[len(parts)-1].title()
}

func (p *part) title() string {
	if p.plain {
		return operator(p.step.Title)
	}
	name, _, _ := strings.Cut(p.step.Title, "  ")
	return name
}

// operator is the name of an operator by that of its node.
func operator(node string) string {
	name, _, _ := strings.Cut(node, "Backward")
	return name
}
