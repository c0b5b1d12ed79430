package cpu

import (
	"cmp"
	"slices"

	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"unique":                 func(c *tensor.Call) { unique(c, 2, false, false) },
		"unique.all":             func(c *tensor.Call) { unique(c, 2, false, true) },
		"unique_consecutive":     func(c *tensor.Call) { unique(c, 1, true, false) },
		"unique_consecutive.all": func(c *tensor.Call) { unique(c, 1, true, true) },
	})
}

// distinct is what unique finds: the place of a representative of each class, the class of each element, the size of each class.
type distinct struct {
	first   []int
	inverse []int64
	counts  []int64
}

// group makes classes of 0, …, n-1 in the order given: neighbours that are the same share one.
func group(order []int, same func(a, b int) bool) distinct {
	u := distinct{inverse: make([]int64, len(order))}
	for i, at := range order {
		if i == 0 || !same(order[i-1], at) {
			u.first, u.counts = append(u.first, at), append(u.counts, 0)
		}
		u.inverse[at] = int64(len(u.first) - 1)
		u.counts[len(u.counts)-1]++
	}
	return u
}

// unique finds the classes of equal elements, or slices along the dimension in slot dim; consecutive ones only if runs is set. NaN equals nothing.
func unique(c *tensor.Call, dim int, runs, all bool) {
	op, x := c.Name(), c.Tensor(0)
	nan := nanKey(x.Dtype())
	if c.IsNone(dim) {
		keys := keysOf(op, x)
		u := group(orderByKey(op, keys, runs),
			func(a, b int) bool { return keys[a] == keys[b] && keys[a] != nan })
		placesIn(op, contiguous(op, x, x.Dtype()), u.first).read(c.New([]int{len(u.first)}, x.Dtype()))
		u.rest(c, all, x.Sizes())
		return
	}
	d := tensor.WrapDim(op, c.Int(dim), x.Dim())
	n, stride := dimOf(x, d)
	rows := slicesKeys(op, x, d)
	for i, s := range x.Sizes() {
		if i != d && s == 0 && n > 0 {
			tensor.Errorf(op, "there are dimensions of size 0 beside dimension %d, and so no slices to compare: shape %v", d, x.Sizes())
		}
	}
	u := group(orderOf(n, runs, func(a, b int) int { return slices.Compare(rows[a], rows[b]) }),
		func(a, b int) bool { return slices.Equal(rows[a], rows[b]) && !slices.Contains(rows[a], nan) })
	shape := slices.Clone(x.Sizes())
	if len(shape) == 0 {
		shape = []int{1}
	}
	shape[d] = len(u.first)
	at := make([]int64, len(u.first))
	for i, f := range u.first {
		at[i] = int64(f * stride)
	}
	pre, post := aroundDim(x, d)
	offsetsIn(op, x, pre, at, post).read(c.New(shape, x.Dtype()))
	u.rest(c, all, []int{n})
}

// rest makes the results beside the elements themselves.
func (u *distinct) rest(c *tensor.Call, all bool, shape []int) {
	if all {
		putInts(c.Name(), c.New(shape, tensor.Int64), u.inverse)
		putInts(c.Name(), c.New([]int{len(u.counts)}, tensor.Int64), u.counts)
	}
}

// orderByKey lists the places of keys, sorted by them unless runs is set.
func orderByKey(op string, keys []uint64, runs bool) []int {
	order := make([]int, len(keys))
	if runs {
		for i := range order {
			order[i] = i
		}
		return order
	}
	at := make([]int64, len(keys))
	sortKeys(&sorter{op: op}, keys, at)
	for i, a := range at {
		order[i] = int(a)
	}
	return order
}

// orderOf lists 0, …, n-1, sorted unless runs is set.
func orderOf(n int, runs bool, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if !runs {
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(compare(a, b), a-b) })
	}
	return order
}

// slicesKeys gives for each index of d the keys of the slice there.
func slicesKeys(op string, x *tensor.Tensor, d int) [][]uint64 {
	l, keys := lanesOf(x, d), keysOf(op, x)
	out := make([][]uint64, l.n)
	for i := range out {
		out[i] = make([]uint64, l.count)
		for j := range out[i] {
			out[i][j] = keys[l.start(j)+i*l.step]
		}
	}
	return out
}
