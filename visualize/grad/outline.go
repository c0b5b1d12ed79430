package grad

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
)

// Note: models. A graph of a hundred nodes drawn node by node is a tangle. It is written as an outline instead, in the
// order of the calls. Calls that repeat with the same operators, shapes and lines are written once, with their number;
// calls of a module of package nn stand under its name (outline_modules.go); where no variable holds one, calls in one
// function of a cell stand under its name. A part that is equal to one further up says so.

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
	Bytes   int         `json:"bytes,omitempty"` // that all of them keep
	Stale   bool        `json:"stale,omitempty"`
	Same    bool        `json:"same,omitempty"`   // the same calls stand under this title further up
	Closed  bool        `json:"closed,omitempty"` // a module of one operator, with the views around it
	Steps   []GraphStep `json:"steps,omitempty"`
}

// outliner writes the outline.
type outliner struct {
	w      *Walk
	names  map[int]string
	units  []unit // in the order of the calls
	kind   []string
	fn     []string
	owner  [][]string  // the module of each unit, nil where none is known
	number map[int]int // of the unit's last node
	seen   map[string]bool
	work   int
}

// Limits of the search for repeats.
const (
	maxPeriod = 1024
	maxWork   = 40_000_000
)

// outline is the whole graph as an outline.
func (w *Walk) outline(units []unit, names map[int]string) []GraphStep {
	o := &outliner{w: w, names: names, units: slices.Clone(units), number: map[int]int{}, seen: map[string]bool{}}
	sort.SliceStable(o.units, func(a,
		b int) bool {
		return w.Nodes[o.units[a].last].Seq() < w.Nodes[o.units[b].last].Seq()
	})
	at, _ := display.CurrentHost().(interface {
		FuncAt(cell string, line int) string
	})
	for _, u := range o.units {
		n := w.Nodes[u.last]
		site := n.Site()
		o.kind = append(o.kind, fmt.Sprint(w.Nodes[u.node].Name(), n.Results(), site.Cell, site.Line))
		fn := ""
		if at != nil {
			fn = draw.Tidy(at.FuncAt(site.Cell, site.Line))
		}
		if fn != "" {
			fn = "func " + fn
		} else if !site.IsZero() {
			fn = draw.SiteText(site)
		}
		o.fn = append(o.fn, fn)
	}
	if o.owner = o.owners(); o.owner != nil {
		return o.foldParts(o.modules(0, len(o.units), 0))
	}
	return o.fold(0, len(o.units))
}

// fold writes the units from lo to hi: a stretch that repeats once, and what is before and after it.
func (o *outliner) fold(lo, hi int) (out []GraphStep) {
	for lo < hi {
		start, period, times := o.repeat(lo, hi)
		if times == 0 {
			return append(out, o.group(lo, hi)...)
		}
		if start > lo {
			out = append(out, o.fold(lo, start)...)
		}
		inner := o.fold(start, start+period)
		s := o.sum(start, start+period*times, o.title(start, start+period))
		s.Times, s.Calls, s.Steps = times, period, inner
		if len(inner) == 1 && inner[0].Times == 0 && len(inner[0].Steps) > 0 {
			s.Title, s.Steps = inner[0].Title, inner[0].Steps
		}
		out = append(out, s)
		lo = start + period*times
	}
	return out
}

// repeat finds the stretch whose repetition is longest. Its last time ends where the repetition does: the first time
// through a loop often lacks a call, that of an input without a gradient.
func (o *outliner) repeat(lo, hi int) (start, period, times int) {
	saved := 1
	for p := 1; p <= min((hi-lo)/2, maxPeriod) && o.work < maxWork; p++ {
		o.work += hi - lo
		equal := 0
		for i := lo; i+p <= hi; i++ {
			if i+p < hi && o.kind[i] == o.kind[i+p] {
				equal++
				continue
			}
			if k := equal / p; k*p > saved && (k > 1 || p > 2) {
				start, period, times, saved = i+p-(k+1)*p, p, k+1, k*p
			}
			equal = 0
		}
	}
	return start, period, times
}

// title names a stretch by the functions in it.
func (o *outliner) title(lo, hi int) string {
	var names []string
	for _, f := range o.fn[lo:hi] {
		if f != "" && !slices.Contains(names, f) {
			names = append(names, f)
		}
	}
	if len(names) > 4 {
		names = append(names[:3:3], fmt.Sprintf("%d more", len(names)-3))
	}
	return strings.Join(names, ", ")
}

// group writes units that do not repeat, those in a row of one function under its name.
func (o *outliner) group(lo, hi int) (out []GraphStep) {
	one := !slices.ContainsFunc(o.fn[lo:hi], func(f string) bool { return f != o.fn[lo] })
	for lo < hi {
		to := lo + 1
		for to < hi && o.fn[to] == o.fn[lo] {
			to++
		}
		if one || to-lo < 3 || o.fn[lo] == "" {
			for i := lo; i < to; i++ {
				out = append(out, o.call(i))
			}
			lo = to
			continue
		}
		s := o.sum(lo, to, o.fn[lo])
		key := strings.Join(o.kind[lo:to], "\n")
		if s.Same = o.seen[key]; !s.Same {
			o.seen[key] = true
			for i := lo; i < to; i++ {
				s.Steps = append(s.Steps, o.call(i))
			}
		} else {
			for i := lo; i < to; i++ {
				o.call(i)
			}
		}
		out = append(out, s)
		lo = to
	}
	return out
}

// sum is the line above units: how many calls, and what they keep.
func (o *outliner) sum(lo, hi int, title string) GraphStep {
	s := GraphStep{Title: title, Calls: hi - lo}
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
