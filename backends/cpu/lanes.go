package cpu

import (
	"gotorch/tensor"
)

// lanes are the vectors along one dimension of a contiguous tensor: lane i begins at start(i) and steps by step. A
// tensor of no dimensions is one lane of one element.
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
