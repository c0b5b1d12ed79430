// Package fold groups calls under the modules and functions that made them, and writes once what repeats. The graph
// of a model, its backward pass, traces and flames are folded by it.
package fold

import (
	"fmt"
	"slices"
	"strings"
)

// Note: models. A hundred calls in a row say nothing. They are written as an outline instead, in the order of the
// calls. Calls that repeat with the same operators, shapes and lines are written once, with their number; calls of a
// module of package nn stand under its name; where no variable holds one, calls in one function of a cell stand under
// its name. A part that is equal to one further up says so.

// Call is one call of those that are folded.
type Call struct {
	Op    string   // the operator's name
	Exact string   // equal for calls of the same operator, shapes and line
	Like  string   // equal for calls that compute the same, wherever they stand; "" for a view, which does not count
	Func  string   // the function or the line that it stands in
	Path  []string // the modules that it stands in, from the outside; nil where none is known
}

// Group is a call, or several under one title.
type Group struct {
	Title  string // "" for a single call
	Lo, Hi int    // the calls that it stands for
	Times  int    // how often its calls repeat; 0 if they do not
	Period int    // the calls of one time
	Same   bool   // the same calls stand under this title further up
	Closed bool   // a module of one operator, with the views around it
	Only   int    // that operator
	Inner  []Group
}

// One reports whether the group is a single call.
func (g *Group) One() bool { return g.Title == "" && g.Times == 0 && g.Hi-g.Lo == 1 }

// folder folds a list of calls.
type folder struct {
	calls []Call
	exact []int
	seen  map[string]bool
	search
}

// Tree is the outline of calls: by module where the module of any is known, else by function.
func Tree(calls []Call) []Group {
	f := &folder{calls: slices.Clone(calls), seen: map[string]bool{}}
	var exact []string
	for _, c := range calls {
		exact = append(exact, c.Exact)
	}
	f.exact = numbered(exact)
	if slices.ContainsFunc(calls, func(c Call) bool { return len(c.Path) > 0 }) {
		for i := range f.calls { // a module is a title already
			if c := &f.calls[i]; len(c.Path) > 0 {
				c.Func = ""
			}
		}
		return f.foldParts(f.modules(0, len(calls), 0))
	}
	return f.fold(0, len(calls))
}

// fold writes the calls from lo to hi: a stretch that repeats once, and what is before and after it.
func (f *folder) fold(lo, hi int) (out []Group) {
	for lo < hi {
		start, period, times := f.repeat(f.exact, lo, hi)
		if times == 0 {
			return append(out, f.group(lo, hi)...)
		}
		if start > lo {
			out = append(out, f.fold(lo, start)...)
		}
		g := Group{Title: f.title(start, start+period), Lo: start, Hi: start + period*times, Times: times, Period: period,
			Inner: f.fold(start, start+period)}
		if in := g.Inner; len(in) == 1 && in[0].Times == 0 && len(in[0].Inner) > 0 {
			g.Title, g.Inner = in[0].Title, in[0].Inner
		}
		out = append(out, g)
		lo = g.Hi
	}
	return out
}

// title names a stretch by the functions in it; where none is known, a few calls by their operators.
func (f *folder) title(lo, hi int) string {
	var names, ops []string
	for _, c := range f.calls[lo:hi] {
		ops = append(ops, c.Op)
		if c.Func != "" && !slices.Contains(names, c.Func) {
			names = append(names, c.Func)
		}
	}
	switch {
	case len(names) == 0 && len(ops) > 3:
		return "calls"
	case len(names) == 0:
		names = ops
	case len(names) > 4:
		names = append(names[:3:3], fmt.Sprintf("%d more", len(names)-3))
	}
	return strings.Join(names, ", ")
}

// group writes calls that do not repeat, those in a row of one function under its name.
func (f *folder) group(lo, hi int) (out []Group) {
	same := func(c Call) bool { return c.Func == f.calls[lo].Func }
	one := !slices.ContainsFunc(f.calls[lo:hi], func(c Call) bool { return !same(c) })
	for lo < hi {
		to := lo + 1
		for to < hi && same(f.calls[to]) {
			to++
		}
		if one || to-lo < 3 || f.calls[lo].Func == "" {
			out = append(out, singles(lo, to)...)
			lo = to
			continue
		}
		g := Group{Title: f.calls[lo].Func, Lo: lo, Hi: to}
		key := fmt.Sprint(f.exact[lo:to])
		if g.Same = f.seen[key]; !g.Same {
			f.seen[key] = true
			g.Inner = singles(lo, to)
		}
		out = append(out, g)
		lo = to
	}
	return out
}

func singles(lo, hi int) (out []Group) {
	for i := lo; i < hi; i++ {
		out = append(out, Group{Lo: i, Hi: i + 1})
	}
	return out
}

// part is a group with what it computes.
type part struct {
	Group
	key string // without views and numbers of layers
}

// modules writes the calls from lo to hi, whose modules agree in depth names, by module. Modules in a row that make
// the same calls are written once; views do not count: the first layer has fewer, for its input has no gradient.
func (f *folder) modules(lo, hi, depth int) (parts []part) {
	for lo < hi {
		to := lo + 1
		if path := f.calls[lo].Path; len(path) <= depth {
			parts = append(parts, part{Group{Lo: lo, Hi: to}, f.calls[lo].Like})
			lo = to
			continue
		}
		name := f.calls[lo].Path[depth]
		for to < hi && len(f.calls[to].Path) > depth && f.calls[to].Path[depth] == name {
			to++
		}
		inner := f.modules(lo, to, depth+1)
		kind := Stem(name)
		p := part{Group: Group{Title: Name(f.calls[lo].Path, depth), Lo: lo, Hi: to, Inner: f.foldParts(inner)}}
		one, calls := 0, 0
		var keys []string
		for i, q := range inner {
			if q.key != "" {
				keys, calls, one = append(keys, q.key), calls+1, i
			}
		}
		p.key = kind + "(" + strings.Join(keys, " ") + ")"
		if calls == 1 && inner[one].One() { // a layer of one operator is a line
			p.Closed, p.Only = true, inner[one].Lo
		}
		parts = append(parts, p)
		lo = to
	}
	return parts
}

// Name is the name of a module of a path: a number has the list before it, layers.3.
func Name(path []string, depth int) string {
	if name := path[depth]; Stem(name) != "" || depth == 0 {
		return name
	}
	return path[depth-1] + "." + path[depth]
}

// foldParts writes parts that repeat once.
func (f *folder) foldParts(parts []part) (out []Group) {
	if !slices.ContainsFunc(parts, func(p part) bool { return !p.One() }) && len(parts) > 0 {
		return f.fold(parts[0].Lo, parts[len(parts)-1].Hi)
	}
	var keys []string
	for _, p := range parts {
		if p.key == "" {
			p.key = f.calls[p.Lo].Op
		}
		keys = append(keys, p.key)
	}
	numbers := numbered(keys)
	var s search
	for at := 0; at < len(parts); {
		start, period, times := s.repeat(numbers, at, len(parts))
		for i := at; i < len(parts) && (times == 0 || i < start); i++ {
			out = append(out, parts[i].Group)
		}
		if times == 0 {
			return out
		}
		at = start + period*times
		first, last := parts[start], parts[at-1]
		g := Group{Title: f.ends(parts[start:at], period), Lo: first.Lo, Hi: last.Hi, Times: times,
			Period: parts[start+period].Lo - first.Lo}
		for _, p := range parts[start+period : start+2*period] { // the first time may lack views
			g.Inner = append(g.Inner, p.Group)
		}
		if period == 1 {
			g.Inner = g.Inner[0].Inner
		}
		out = append(out, g)
	}
	return out
}

// ends names parts by the first and the last module of them; a few calls in a row by their names.
func (f *folder) ends(parts []part, period int) string {
	first := slices.IndexFunc(parts, func(p part) bool { return !p.One() })
	if first < 0 {
		var names []string
		for _, p := range parts[:min(period, 3)] {
			names = append(names, f.name(p))
		}
		if period > 3 {
			names = append(names, "…")
		}
		return strings.Join(names, ", ")
	}
	last := len(parts) - 1
	for parts[last].One() {
		last--
	}
	return f.name(parts[first]) + " … " + f.name(parts[last])
}

func (f *folder) name(p part) string {
	if p.One() {
		return f.calls[p.Lo].Op
	}
	return p.Title
}
