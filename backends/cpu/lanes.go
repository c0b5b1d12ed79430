package cpu

import (
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// lanes are the vectors along one dimension of a contiguous tensor: lane i begins at start(i) and steps by step. A tensor of no dimensions is one
// lane of one element.
type lanes struct {
	count, n, step int
}

func lanesOf(x *tensor.Tensor, d int) lanes {
	if x.Dim() == 0 {
		return lanes{1, 1, 1}
	}
	l := lanes{n: x.Sizes()[d], step: 1, count: 1}
	for i, s := range x.Sizes() {
		if i != d {
			l.count *= s
		}
		if i > d {
			l.step *= s
		}
	}
	return l
}

func (l lanes) start(i int) int { return i/l.step*l.step*l.n + i%l.step }

// each calls f with the start of every lane, several at a time.
func (l lanes) each(op string, f func(start int)) {
	parallel.For(l.count, max(1, grainSize/max(l.n, 1)), func(lo, hi int) {
		tensor.Interrupted(op)
		for i := lo; i < hi; i++ {
			f(l.start(i))
		}
	})
}

// along calls f for stretches of the lane that begins at start, with where each begins and its length, so that a long lane can be interrupted.
func (l lanes) along(op string, start int, f func(at, n int)) {
	for i := 0; i < l.n; i += grainSize {
		if i > 0 {
			tensor.Interrupted(op)
		}
		f(start+i*l.step, min(grainSize, l.n-i))
	}
}
