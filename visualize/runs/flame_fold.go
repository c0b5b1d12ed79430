package runs

import (
	"fmt"
	"hash/maphash"

	"gotorch/visualize/internal/fold"
)

// Note: bars above operators. A call stands beneath the module that it belongs to, and that beneath the one around
// it; a call that belongs to none beneath its function and line. What a backward pass computes stands where the call
// of the forward pass does whose derivative it is part of. Layers that compute the same are one bar, with their
// number.

// stage is a node above operators.
type stage struct{ kind, name string }

// stages are the nodes above a call, from the top.
func (c *TracedCall) stages() (out []stage) {
	for i := range c.Modules {
		out = append(out, stage{"module", fold.Name(c.Modules, i)})
	}
	line := c.Site()
	if c.Of != "" {
		line = c.Of
	}
	if len(out) == 0 {
		if c.Func != "" {
			out = append(out, stage{"function", c.Func})
		}
		if line != "" {
			out = append(out, stage{"line", line})
		}
	}
	if c.backward() && (len(c.Modules) > 0 || c.Of != "") {
		out = append(out, stage{"backward", backwardTitle})
	}
	return out
}

var flameSeed = maphash.MakeSeed()

// lines makes the nodes of modules, functions and lines; where no place is known operators stand at the top.
func (b *timing) lines() {
	var last []stage
	for _, c := range b.trace.Calls {
		at, path := &b.Root, c.stages()
		same := true
		if c.backward() {
			b.Backward += c.Nanos
		} else if n := len(last); n > 0 && last[n-1].kind == "backward" {
			last = nil // the next round of a loop
		}
		for i, s := range path {
			same = same && i < len(last) && last[i] == s
			n := merge(at, s.kind, s.name, c.Nanos, same || s.kind == "function" || c.backward() && s.kind != "backward")
			if !c.backward() && s.kind == "module" {
				n.add(c, path[i+1:])
			}
			at = &n.Inner
		}
		last = path
		b.call(at, c, 0)
	}
	foldFlame(&b.Root)
}

// add adds a call of the forward pass to what a module computes: where it stands within it, and its results.
func (n *FlameNode) add(c *TracedCall, below []stage) {
	var h maphash.Hash
	h.SetSeed(flameSeed)
	fmt.Fprint(&h, n.sum, " ")
	for _, s := range below {
		fmt.Fprint(&h, fold.Stem(s.name), " ")
	}
	fmt.Fprint(&h, c.Op, c.Outputs)
	n.sum = h.Sum64()
}

// foldFlame joins modules beside each other that compute the same.
func foldFlame(list *[]*FlameNode) {
	var modules, rest []*FlameNode
	var keys []string
	for _, n := range *list {
		if n.Kind != "module" {
			rest = append(rest, n)
			continue
		}
		modules = append(modules, n)
		key := fold.Stem(n.Name) + fmt.Sprint(n.sum)
		if n.sum == 0 { // nothing of its forward pass was seen
			key = n.Name
		}
		keys = append(keys, key)
	}
	if len(modules) == 0 {
		return
	}
	var out []*FlameNode
	fold.Runs(keys, func(lo, hi int) {
		n := modules[lo]
		for _, m := range modules[lo+1 : hi] {
			n.join(m)
		}
		if hi-lo > 1 {
			n.Name += " … " + modules[hi-1].Name
		}
		foldFlame(&n.Inner)
		out = append(out, n)
	})
	*list = append(out, rest...)
}

// join adds what another node has.
func (n *FlameNode) join(m *FlameNode) {
	n.Times += m.Times
	n.Nanos += m.Nanos
next:
	for _, in := range m.Inner {
		for _, have := range n.Inner {
			if have.Kind == in.Kind && have.Name == in.Name {
				have.join(in)
				continue next
			}
		}
		n.Inner = append(n.Inner, in)
	}
}
