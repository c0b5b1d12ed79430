package memory

import (
	"slices"

	"gotorch/visualize/draw"
)

// Note: from a cell to its indices. A view may have 2^40 elements while 96 cells are shown, so the elements are not
// walked: for each cell the equation offset + Σ index·stride = cell is solved, dimension by dimension from the
// largest stride down. What the dimensions that follow can still add or take away bounds the index, so that a view
// without overlaps is solved in a step or two a dimension.

// probe finds the indices of a view that lie in a cell.
type probe struct {
	shape, stride []int
	offset        int
	order         []int // dimensions, the largest stride first
	lo, hi        []int // what the dimensions from order[i] on can add
	empty         bool
	steps         int
}

func newProbe(shape, stride []int, offset int) *probe {
	p := &probe{shape: shape, stride: stride, offset: offset, order: byStride(shape, stride),
		empty: slices.Contains(shape, 0)}
	if p.empty {
		return p
	}
	n := len(shape)
	p.lo, p.hi = make([]int, n+1), make([]int, n+1)
	for i := n - 1; i >= 0; i-- {
		d := p.order[i]
		reach := (shape[d] - 1) * stride[d]
		p.lo[i], p.hi[i] = p.lo[i+1]+min(0, reach), p.hi[i+1]+max(0, reach)
	}
	return p
}

// byStride orders dimensions by the size of their strides, the largest first.
func byStride(shape, stride []int) []int {
	order := make([]int, len(shape))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return draw.Abs(stride[b]) - draw.Abs(stride[a]) })
	return order
}

// at returns the indices whose element is number cell of the storage, at most maxFound of them; more reports whether
// there are others.
func (p *probe) at(cell int) (found [][]int, more bool) {
	if p.empty {
		return nil, false
	}
	p.steps = 0
	index := make([]int, len(p.shape))
	var solve func(i, rest int) bool
	solve = func(i, rest int) bool {
		if p.steps++; p.steps > maxSearches {
			more = true
			return false
		}
		if i == len(p.order) {
			if rest != 0 {
				return true
			}
			if len(found) == maxFound {
				more = true
				return false
			}
			found = append(found, slices.Clone(index))
			return true
		}
		d := p.order[i]
		first, last := 0, p.shape[d]-1
		if s := p.stride[d]; s != 0 {
			// rest - index·s must lie between lo and hi of what follows
			a, b := rest-p.hi[i+1], rest-p.lo[i+1]
			if s < 0 {
				a, b, s = -b, -a, -s
			}
			first, last = max(first, ceilDiv(a, s)), min(last, floorDiv(b, s))
		}
		for k := first; k <= last; k++ {
			index[d] = k
			if !solve(i+1, rest-k*p.stride[d]) {
				return false
			}
		}
		return true
	}
	solve(0, cell-p.offset)
	return found, more
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }
