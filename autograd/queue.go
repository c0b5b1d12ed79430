package autograd

import "slices"

// The ready nodes are a heap: leaves first, then the node that was made last.

func (e *entry) before(f *entry) bool {
	if (e.n.Leaf() != nil) != (f.n.Leaf() != nil) {
		return e.n.Leaf() != nil
	}
	return e.n.seq > f.n.seq
}

func (k *task) push(e *entry) {
	k.ready = append(k.ready, e)
	h := k.ready
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func (k *task) pop() *entry {
	h := k.ready
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h[last] = nil
	h = h[:last]
	for i := 0; ; {
		next := 2*i + 1
		if next >= last {
			break
		}
		if next+1 < last && h[next+1].before(h[next]) {
			next++
		}
		if !h[next].before(h[i]) {
			break
		}
		h[i], h[next] = h[next], h[i]
		i = next
	}
	k.ready = h
	return top
}

// sortBySeq puts entries into the order in which their nodes were made.
func sortBySeq(list []*entry) {
	slices.SortFunc(list, func(a, b *entry) int {
		switch {
		case a.n.seq < b.n.seq:
			return -1
		case a.n.seq > b.n.seq:
			return 1
		}
		return 0
	})
}
