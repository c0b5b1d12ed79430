package tensor

import (
	"slices"
)

// BroadcastShapes is the shape to which all of shapes broadcast. Shapes are aligned at the right; sizes must agree or
// be 1. It panics with an *Error that names the dimension.
func BroadcastShapes(shapes ...[]int) []int { return broadcastAll("broadcast_shapes", shapes) }

func broadcastAll(op string, shapes [][]int) []int {
	var out []int
	defer addDetails(func() any {
		f := BroadcastDetails{}
		for _, s := range shapes {
			f.Shapes = append(f.Shapes, slices.Clone(s))
		}
		return f
	})
	for _, s := range shapes {
		out = broadcastTwo(op, out, s)
	}
	if out == nil {
		out = []int{}
	}
	return out
}

// BroadcastTwo is [BroadcastShapes] of two arguments of the call, which is what an error names.
func (c *Call) BroadcastTwo(a, b *Tensor) []int {
	return broadcastAll(c.Name(), [][]int{a.shape, b.shape})
}

// broadcastTwo broadcasts a and b; it may give a or b itself.
func broadcastTwo(op string, a, b []int) []int {
	if slices.Equal(a, b) {
		return a
	}
	first, second := a, b
	if len(a) < len(b) {
		a, b = b, a
	}
	out := make([]int, len(a))
	copy(out, a)
	shift := len(a) - len(b)
	for i, s := range b {
		switch t := out[shift+i]; {
		case s == t:
		case t == 1:
			out[shift+i] = s
		case s != 1:
			panic(Errorf(op, "the size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension %d: "+
				"shapes %v and %v do not broadcast", t, s, shift+i, a, b).
				WithDetails(BroadcastDetails{Shapes: [][]int{slices.Clone(first), slices.Clone(second)}}))
		}
	}
	return out
}

// BroadcastStrides returns the strides with which a tensor of shape and stride walks over to: 0 where it is broadcast.
// It reports whether the shape broadcasts that far.
//
//gotorch:internal
func BroadcastStrides(shape, stride, to []int) ([]int, bool) {
	shift := len(to) - len(shape)
	if shift < 0 {
		return nil, false
	}
	out := make([]int, len(to))
	for i, s := range shape {
		switch {
		case s == to[shift+i]:
			out[shift+i] = stride[i]
		case s != 1:
			return nil, false
		}
	}
	return out, true
}
