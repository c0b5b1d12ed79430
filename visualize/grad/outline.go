package grad

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/fold"
)

// GraphStep is a line of the outline: a call, or several calls under one title.
type GraphStep struct {
	Number  int         `json:"number,omitempty"` // of a call
	Title   string      `json:"title"`
	Label   string      `json:"label,omitempty"`
	Shape   string      `json:"shape,omitempty"`
	Inputs  string      `json:"inputs,omitempty"`
	Site    string      `json:"site,omitempty"`
	Details string      `json:"details,omitempty"`
	Times   int         `json:"times,omitempty"` // how often the steps repeat, where they do
	Calls   int         `json:"calls"`           // of one time
	All     int         `json:"all"`             // of all times; the first may have fewer
	Bytes   int         `json:"bytes,omitempty"` // that all of them keep
	Nanos   int64       `json:"ns,omitempty"`    // that all of them took, of a backward pass
	Stale   bool        `json:"stale,omitempty"`
	Same    bool        `json:"same,omitempty"`   // the same calls stand under this title further up
	Closed  bool        `json:"closed,omitempty"` // a module of one operator, with the views around it
	Steps   []GraphStep `json:"steps,omitempty"`
}

// outliner writes the outline.
type outliner struct {
	w      *Walk
	names  map[int]string
	units  []unit      // in the order of the calls
	owner  [][]string  // the module of each unit, nil where none is known
	number map[int]int // of the unit's last node
}

// outline is the whole graph as an outline.
func (w *Walk) outline(units []unit, names map[int]string) []GraphStep {
	o := w.outliner(units, names)
	groups := fold.Tree(o.calls())
	if o.owner != nil {
		for i := range o.units { // all have numbers, those of layers that are not shown too
			o.call(i)
		}
	}
	return o.steps(groups)
}

// outliner knows the units in the order of the calls, and their modules.
func (w *Walk) outliner(units []unit, names map[int]string) *outliner {
	o := &outliner{w: w, names: names, units: slices.Clone(units), number: map[int]int{}}
	sort.SliceStable(o.units, func(a, b int) bool {
		return w.Nodes[o.units[a].last].Seq() < w.Nodes[o.units[b].last].Seq()
	})
	o.owner = o.owners()
	return o
}

// calls are the units as they are folded.
func (o *outliner) calls() []fold.Call {
	out := make([]fold.Call, len(o.units))
	for i, u := range o.units {
		out[i] = o.w.foldable(u.node, u.last, o.view(i))
		if o.owner != nil {
			out[i].Path = o.owner[i]
		}
	}
	return out
}

// foldable is a node as it is folded; last is the one whose result others read.
func (w *Walk) foldable(node, last int, view bool) fold.Call {
	n, site := w.Nodes[node], w.Nodes[last].Site()
	c := fold.Call{Op: operator(n.Name()), Func: draw.Tidy(fold.FuncAt(site.Cell, site.Line)),
		Exact: fmt.Sprint(n.Name(), w.Nodes[last].Results(), site.Cell, site.Line)}
	if c.Func == "" && !site.IsZero() {
		c.Func = draw.SiteText(site)
	}
	if !view {
		c.Like = fmt.Sprint(n.Name(), n.Results())
	}
	return c
}

// steps are groups of units in words.
func (o *outliner) steps(groups []fold.Group) (out []GraphStep) {
	for i := range groups {
		g := &groups[i]
		if g.One() {
			out = append(out, o.call(g.Lo))
			continue
		}
		s := o.sum(g.Lo, g.Hi, g.Title)
		if s.Times, s.Same, s.Closed = g.Times, g.Same, g.Closed; g.Times > 0 {
			s.Calls = g.Period
		}
		if g.Same {
			for k := g.Lo; k < g.Hi; k++ {
				o.call(k)
			}
		}
		s.Steps = o.steps(g.Inner)
		if g.Closed {
			one := o.call(g.Only)
			shape, _, _ := strings.Cut(one.Shape, ", ")
			s.Title += "  " + operator(one.Title) + "  " + shape
			s.Details = one.Details
		}
		out = append(out, s)
	}
	return out
}

// sum is the line above units: how many calls, and what they keep.
func (o *outliner) sum(lo, hi int, title string) GraphStep {
	s := GraphStep{Title: title, Calls: hi - lo, All: hi - lo}
	if title == "" {
		s.Title = "calls"
	}
	seen := map[*tensor.Storage]bool{}
	for _, u := range o.units[lo:hi] {
		for _, m := range u.members {
			for _, k := range saved(o.w.Nodes[m]) {
				if st := k.Tensor; !k.Freed && st != nil && !seen[st.Storage()] {
					seen[st.Storage()] = true
					s.Bytes += st.Storage().Nbytes()
				}
				s.Stale = s.Stale || !k.Freed && k.Version != k.Current
			}
		}
	}
	return s
}

// call is the line of a unit.
func (o *outliner) call(i int) GraphStep {
	u := o.units[i]
	n, last := o.w.Nodes[u.node], o.w.Nodes[u.last]
	v := describeNode(n, o.names[u.last], o.w.live)
	m := o.w.calls(u.node, o.names)
	s := o.sum(i, i+1, v.Name)
	if len(u.members) > 1 {
		s.Title = "MatmulBackward"
		v.Shape = describeNode(last, "", o.w.live).Shape
	}
	o.number[u.last] = i + 1
	s.Number, s.Label, s.Shape, s.Site = i+1, v.Label, v.Shape, draw.SiteText(last.Site())
	var inputs []string
	for k, e := range n.Next() {
		name := ""
		if e.Node != nil {
			to := o.w.IDs[e.Node]
			for slices.Contains(u.members, to) && len(o.w.next[to]) > 0 && to != u.node {
				to = o.w.next[to][0].To
			}
			if name = o.names[to]; name == "" && o.number[to] > 0 {
				name = fmt.Sprintf("#%d", o.number[to])
			}
		} else if k < len(m.args) {
			name = m.args[k]
		}
		if name != "" {
			inputs = append(inputs, draw.Clip(name, draw.MaxName))
		}
	}
	if len(inputs) > 4 {
		inputs = append(inputs[:3:3], fmt.Sprintf("… %d more", len(inputs)-3))
	}
	s.Inputs = strings.Join(inputs, ", ")
	details := append([]string{v.Name + "  " + v.Args}, o.w.formulas(u.node, &m)...)
	for j := range v.Saved {
		v.Saved[j].As = m.as(v.Saved[j].Name)
	}
	if t := v.savedText(); t != "" {
		details = append(details, "saves "+t)
	}
	s.Details = strings.Join(details, "\n")
	return s
}
