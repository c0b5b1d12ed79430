package plot

import (
	"math"
	"sync"
	"sync/atomic"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: ten million numbers. What goes through all of the numbers of a histogram does so in pieces, which the cores
// share. Each piece is counted by itself, and the counts are added up: they are exact, whichever core did what. Large
// tensors are read where they lie, since new memory for a copy costs more than all of the counting.

// piece is how many numbers one core takes at a time.
const piece = 1 << 13

// lendable reports whether the elements of a tensor are read where they lie.
func lendable(x *tensor.Tensor) bool {
	return x.Numel() > piece && x.Dtype() == tensor.Float32 && x.IsPlain() && !x.IsPinned() &&
		x.Device() == tensor.CPU && x.IsContiguous()
}

// lend calls f while the elements of the tensors of list are lent to it.
func lend(list []numbers, f func()) {
	for i := range list {
		n := &list[i]
		if n.lent == nil || n.single != nil {
			continue
		}
		tensor.WithData(n.lent, func(data []float32) {
			n.single = data
			defer func() { n.single = nil }()
			lend(list[i+1:], f)
		})
		return
	}
	f()
}

// copied reads the numbers that were not copied.
func copied(op string, data []argument) {
	for i, a := range data {
		if a.lent != nil {
			data[i].numbers = tensorNumbers(op, a.text, a.lent)
		}
	}
}

// within calls f with the numbers from lo to before hi.
func (n *numbers) within(lo, hi int, f func(v float64)) {
	if n.lent == nil {
		for _, v := range n.values[lo:hi] {
			f(v)
		}
		return
	}
	for _, v := range n.single[lo:hi] {
		f(float64(v))
	}
}

// drawables calls f with copies of those of the numbers from lo to before hi that can be drawn, part by part.
func (n *numbers) drawables(lo, hi int, f func(part []float64)) {
	buf := pieces.Get().(*[piece]float64)
	defer pieces.Put(buf)
	k := 0
	n.within(lo, hi, func(v float64) {
		if !drawable(v) {
			return
		}
		if buf[k] = v; k == piece-1 {
			f(buf[:])
			k = -1
		}
		k++
	})
	f(buf[:k])
}

// count is how many numbers there are.
func (n *numbers) count() int {
	if n.lent != nil {
		return n.lent.Numel()
	}
	return len(n.values)
}

func (n *numbers) at(i int) float64 {
	if n.lent != nil {
		return float64(n.single[i])
	}
	return n.values[i]
}

var pieces = sync.Pool{New: func() any { return new([piece]float64) }}

// each calls f with all numbers, piece by piece, on several threads.
func (n *numbers) each(f func(part []float64)) {
	parallel.For(n.count(), piece, func(lo, hi int) {
		if n.lent == nil {
			f(n.values[lo:hi])
			return
		}
		buf := pieces.Get().(*[piece]float64)
		defer pieces.Put(buf)
		part := buf[:hi-lo]
		for i, v := range n.single[lo:hi] {
			part[i] = float64(v)
		}
		f(part)
	})
}

// extent adds the numbers to a span, and counts those that cannot be drawn.
func (n *numbers) extent(all *span) {
	var lock sync.Mutex
	n.each(func(part []float64) {
		var one span
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range part {
			if !drawable(v) {
				one.take(v)
				continue
			}
			if v < lo {
				lo = v
			}
			if v > hi {
				hi = v
			}
		}
		lock.Lock()
		defer lock.Unlock()
		all.nan, all.inf, all.count = all.nan+one.nan, all.inf+one.inf, all.count+len(part)-one.nan-one.inf
		if lo <= hi {
			all.add(lo)
			all.add(hi)
		}
	})
}

// binned counts the numbers in the bins between edges, and those outside of all.
func (n *numbers) binned(edges []float64) (counts []float64, outside int) {
	counts = make([]float64, len(edges)-1)
	var lock sync.Mutex
	n.each(func(part []float64) {
		in, beyond := make([]int, len(counts)), 0
		first, last := edges[0], edges[len(in)]
		for _, v := range part {
			switch {
			case v >= first && v <= last:
				in[binOf(edges, v)]++
			case drawable(v):
				beyond++
			}
		}
		lock.Lock()
		defer lock.Unlock()
		outside += beyond
		for k := range in {
			counts[k] += float64(in[k])
		}
	})
	return counts, outside
}

// whole reports whether all numbers that can be drawn are whole.
func whole(some []float64) bool {
	for _, v := range some {
		if v != math.Trunc(v) && drawable(v) {
			return false
		}
	}
	return true
}

// wholeAll is whole for lists.
func wholeAll(list []numbers) bool {
	var broken atomic.Bool
	for i := range list {
		list[i].each(func(part []float64) {
			if !broken.Load() && !whole(part) {
				broken.Store(true)
			}
		})
	}
	return !broken.Load()
}
