package grad

import (
	"maps"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/fold"
)

// Note: frames. A small graph has a frame around the nodes of each module, its parameters with them, or where no
// variable holds one around those of each function of a cell. A frame says that what stands in it belongs together and
// nothing else does: one in which another node would stand, or that would cross another frame, is left out.

const (
	maxFrameDepth = 2    // frames that stand in each other
	frameHead     = 18.0 // room above the nodes of a frame, for its title
	frameStep     = 12.0 // more, for each frame within it
	frameSide     = 7.0
	frameFoot     = 16.0 // clear of the labels of edges
	framedGap     = 26.0 // what layers are further apart where there are frames
	frameLook     = `fill="currentColor" fill-opacity="0.04" stroke="currentColor" stroke-opacity="0.35"`
)

// within notes the functions or modules in which the nodes of a small graph were called, outermost first.
func (g *AutogradGraph) within(w *Walk, part *partition, units []unit) {
	o := w.outliner(units, maps.Clone(w.Labels))
	at := map[int]int{}
	for i, u := range o.units {
		for _, m := range u.members {
			at[m] = i
		}
	}
	leaves := map[*tensor.Tensor]bool{}
	for _, n := range w.Nodes {
		if leaf := n.Leaf(); leaf != nil {
			leaves[leaf] = true
		}
	}
	places := fold.Places(func(x *tensor.Tensor) bool { return leaves[x] })
	for id := range g.Nodes {
		first := part.members[id][0]
		n, node := w.Nodes[first], &g.Nodes[id]
		unit, isUnit := at[first]
		var path []string
		switch {
		case n.Leaf() != nil:
			path = places[n.Leaf()].Module
		case isUnit && o.owner != nil:
			path = o.owner[unit]
		case o.owner == nil && !n.Site().IsZero():
			if f := fold.FuncAt(n.Site().Cell, n.Site().Line); f != "" {
				node.In = []string{f}
			}
		}
		for k := range path {
			node.In = append(node.In, draw.Tidy(fold.Name(path, k)))
		}
		if len(node.In) > maxFrameDepth { // the innermost ones
			node.In = node.In[len(node.In)-maxFrameDepth:]
		}
	}
}

// frame is a box around nodes.
type frame struct {
	title      string
	depth      int // of the frames that it stands in
	nodes      map[int]bool
	x, y, w, h float64
}

// frames finds the frames of a graph, the outermost first. What is called twice has a frame for each of its parts that
// hang together.
func (g *AutogradGraph) frames() (out []frame) {
	for depth := range maxFrameDepth {
		part := make([]int, len(g.Nodes)) // the least node of the part that each is in
		key := make([]string, len(g.Nodes))
		for id := range g.Nodes {
			if part[id] = id; len(g.Nodes[id].In) > depth {
				key[id] = strings.Join(g.Nodes[id].In[:depth+1], "\x00")
			}
		}
		for changed := true; changed; {
			changed = false
			for _, e := range g.Edges {
				if a, b := part[e.From], part[e.To]; key[e.From] != "" && key[e.From] == key[e.To] && a != b {
					part[e.From], part[e.To], changed = min(a, b), min(a, b), true
				}
			}
		}
		at := map[int]int{}
		for id := range g.Nodes {
			if key[id] == "" {
				continue
			}
			k, known := at[part[id]]
			if !known {
				k = len(out)
				at[part[id]] = k
				out = append(out, frame{title: g.Nodes[id].In[depth], depth: depth, nodes: map[int]bool{}})
			}
			out[k].nodes[id] = true
		}
	}
	return slices.DeleteFunc(out, func(f frame) bool { return len(f.nodes) < 2 })
}

// fitting are the frames that hold what they say and nothing else, in their places.
func (g *AutogradGraph) fitting(l *layout, frames []frame) (drawn []frame) {
	for _, f := range frames {
		inner := 0.0 // frames that stand in it
		for _, other := range frames {
			if other.depth > f.depth && f.holds(other) {
				inner = 1
			}
		}
		f.around(l, inner)
		apart := !slices.ContainsFunc(drawn, func(other frame) bool {
			return f.touches(other.x, other.y, other.w, other.h) && !other.holds(f)
		})
		for id := range g.Nodes {
			p := &l.places[id]
			apart = apart && (f.nodes[id] || !f.touches(p.x, p.y, p.w, p.h))
		}
		if f.x < 1 || !apart {
			continue
		}
		drawn = append(drawn, f)
	}
	return drawn
}

func (f *frame) draw(c *draw.Canvas) {
	c.Box(f.x, f.y, f.w, f.h, frameLook, f.title)
	c.Text(f.x+5, f.y+11, "start", draw.Clip(f.title, max(3, int((f.w-8)/portLabel))), draw.Small)
}

// around puts the frame around its nodes.
func (f *frame) around(l *layout, inner float64) {
	first := true
	var x2, y2 float64
	for id := range f.nodes {
		p := &l.places[id]
		if first {
			f.x, f.y, x2, y2, first = p.x, p.y, p.x+p.w, p.y+p.h, false
			continue
		}
		f.x, f.y, x2, y2 = min(f.x, p.x), min(f.y, p.y), max(x2, p.x+p.w), max(y2, p.y+p.h)
	}
	side, foot := frameSide+inner*4, frameFoot+inner*5
	f.x -= side
	f.y -= frameHead + inner*frameStep
	f.w, f.h = x2+side-f.x, y2+foot-f.y
}

// holds reports whether all nodes of another frame are nodes of this one.
func (f *frame) holds(other frame) bool {
	for id := range other.nodes {
		if !f.nodes[id] {
			return false
		}
	}
	return true
}

// touches reports whether the frame has points in common with a box.
func (f *frame) touches(x, y, w, h float64) bool {
	return f.x < x+w && x < f.x+f.w && f.y < y+h && y < f.y+f.h
}
