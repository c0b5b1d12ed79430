package tensor

import (
	"slices"
)

// An IndexPlan says how index tensors address a tensor x. The result of reading has the sizes of the dimensions Pre of
// x, then Shape, then the sizes of the dimensions Post.
//
//gotorch:internal
type IndexPlan struct {
	Index []*Tensor // the index tensors
	Dims  []int     // the dimension of x that each of them indexes
	Shape []int     // their common shape
	Pre   []int     // dimensions of x in front of them in the result
	Post  []int     // dimensions of x behind them
	Out   []int     // the shape of the result
}

// PlanIndex reads the index tensors of _index and _index_put_impl_. Where the dimensions that are indexed do not stand
// together, theirs come first in the result. It panics with an *Error where the indices do not fit x or each other.
//
//gotorch:internal
func PlanIndex(op string, x *Tensor, ix []any) IndexPlan {
	var p IndexPlan
	n := len(x.shape)
	if len(ix) > n {
		panic(Errorf(op, "too many indices for a tensor of %s: %d indices", plural(n, "dimension"), len(ix)).
			OnArg("indices"))
	}
	for d, e := range ix {
		t, ok := e.(*Tensor)
		if e == nil || t == nil && ok {
			continue
		}
		if !ok || t.dtype != Int64 {
			panic(Errorf(op, "index %d must be an int64 tensor, not %s", d, describe(e)).OnArg("indices"))
		}
		p.Index, p.Dims = append(p.Index, t), append(p.Dims, d)
	}
	shapes := make([][]int, len(p.Index))
	for i, t := range p.Index {
		shapes[i] = t.shape
	}
	if e := Try(func() { p.Shape = broadcastAll(op, shapes) }); e != nil {
		panic(Errorf(op, "shape mismatch: index tensors of shapes %v do not broadcast together", shapes).OnArg("indices").
			WithDetails(broadcastDetails(p.Index...)))
	}
	together := len(p.Dims) > 0 && p.Dims[len(p.Dims)-1]-p.Dims[0] == len(p.Dims)-1
	for d := range n {
		switch {
		case slices.Contains(p.Dims, d):
		case together && d < p.Dims[0]:
			p.Pre = append(p.Pre, d)
		default:
			p.Post = append(p.Post, d)
		}
	}
	p.Out = make([]int, 0, n)
	for _, d := range p.Pre {
		p.Out = append(p.Out, x.shape[d])
	}
	p.Out = append(p.Out, p.Shape...)
	for _, d := range p.Post {
		p.Out = append(p.Out, x.shape[d])
	}
	return p
}
