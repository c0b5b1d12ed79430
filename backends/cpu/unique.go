package cpu

import (
	"cmp"
	"math"
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

// distinct is what unique finds: the position of a representative of each class, the class of each element, the size
// of each class.
type distinct struct {
	first   []int64
	inverse []int64
	counts  []int64
}

// group makes classes of 0, …, n-1 in the order given: neighbours that are the same share one.
func group(order []int, same func(a, b int) bool) distinct {
	u := distinct{inverse: make([]int64, len(order))}
	for i, at := range order {
		if i == 0 || !same(order[i-1], at) {
			u.first, u.counts = append(u.first, int64(at)), append(u.counts, 0)
		}
		u.inverse[at] = int64(len(u.first) - 1)
		u.counts[len(u.counts)-1]++
	}
	return u
}

// unique finds the classes of equal elements, or slices along the dimension in slot dim; consecutive ones only if runs
// is set. NaN equals nothing.
func unique(c *tensor.Call, dim int, runs, all bool) {
	op, x := c.Name(), c.Tensor(0)
	if c.IsNone(dim) {
		u := uniqueElements(op, x, runs, all)
		x = contiguous(op, x, x.Dtype())
		y := c.New([]int{len(u.first)}, x.Dtype())
		offsetsIn(op, flat(x), single, u.first, single).read(y)
		u.rest(c, all, c.Tensor(0).Sizes())
		return
	}
	floating := x.Dtype().IsFloatingPoint()
	d := tensor.WrapDim(op, c.Int(dim), x.Dim())
	n, stride := dimOf(x, d)
	rows := slicesKeys(op, x, d)
	for i, s := range x.Sizes() {
		if i != d && s == 0 && n > 0 {
			panic(tensor.Errorf(op, "there are dimensions of size 0 beside dimension %d, and so no slices to compare: shape %v",
				d, x.Sizes()))
		}
	}
	u := group(orderOf(n, runs, func(a, b int) int { return slices.Compare(rows[a], rows[b]) }),
		func(a, b int) bool {
			return slices.Equal(rows[a], rows[b]) && !(floating && slices.Contains(rows[a], math.MaxUint64))
		})
	shape := slices.Clone(x.Sizes())
	if len(shape) == 0 {
		shape = []int{1}
	}
	shape[d] = len(u.first)
	at := make([]int64, len(u.first))
	for i, f := range u.first {
		at[i] = f * int64(stride)
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

// flat is contiguous memory as a vector.
func flat(x *tensor.Tensor) *tensor.Tensor {
	return window(x, []int{x.Numel()}, []int{1}, x.StorageOffset())
}

// uniqueElements finds the classes of equal elements, sorted, or in the order of runs of equal neighbors. Integers of
// a small range are looked up in a table; others are sorted by their keys.
func uniqueElements(op string, x *tensor.Tensor, runs, all bool) distinct {
	keys := keysOf(op, x)
	if len(keys) == 0 {
		return distinct{first: []int64{}}
	}
	if low, size := keyRange(keys); !runs && !x.Dtype().IsFloatingPoint() && size <= uint64(max(len(keys), 1<<12)) {
		return uniqueByTable(op, keys, low, int(size), all)
	}
	var at []int64 // the elements in order; nil is their own
	if !runs {
		at = largeBuffer[int64](op, len(keys))
		sortKeys(&sorter{op: op}, keys, at)
	}
	var u distinct
	if all {
		u.inverse = largeBuffer[int64](op, len(keys))
	}
	// first has where the classes begin in the order; nothing branches on the elements
	floating, last := x.Dtype().IsFloatingPoint(), ^keys[position(at, 0)]
	for lo := 0; lo < len(keys); lo += blockSize {
		tensor.Interrupted(op)
		hi, n := min(lo+blockSize, len(keys)), len(u.first)
		u.first = slices.Grow(u.first, hi-lo+1)[:n+hi-lo+1]
		for i := lo; i < hi; i++ {
			e := position(at, i)
			k := keys[e]
			u.first[n] = int64(i)
			if k != last {
				n++
			} else if floating && k == math.MaxUint64 { // NaN equals nothing
				n++
			}
			last = k
			if all {
				u.inverse[e] = int64(n - 1)
			}
		}
		u.first = u.first[:n]
	}
	if all {
		for i, begin := range u.first {
			end := int64(len(keys))
			if i+1 < len(u.first) {
				end = u.first[i+1]
			}
			u.counts = append(u.counts, end-begin)
		}
	}
	for i, begin := range u.first {
		u.first[i] = int64(position(at, int(begin)))
	}
	return u
}

// position is element i of an order; nil is the elements' own.
func position(order []int64, i int) int {
	if order == nil {
		return i
	}
	return int(order[i])
}

// keyRange is the least key and how many there are from it to the greatest.
func keyRange(keys []uint64) (low, size uint64) {
	low, high := keys[0], keys[0]
	low2, high2 := low, high // two chains, so that one does not wait for the other
	for ; len(keys) >= 2; keys = keys[2:] {
		a, b := keys[0], keys[1]
		low, high, low2, high2 = min(low, a), max(high, a), min(low2, b), max(high2, b)
	}
	for _, k := range keys {
		low, high = min(low, k), max(high, k)
	}
	low, high = min(low, low2), max(high, high2)
	return low, max(high-low+1, high-low)
}

// uniqueByTable finds the classes of keys from low on in a table.
func uniqueByTable(op string, keys []uint64, low uint64, size int, all bool) distinct {
	var u distinct
	if !all { // where an element of each class is, counted from 1
		at, place := int64(0), largeBuffer[int64](op, size)
		inParts(op, keys, func(part []uint64) {
			for i, k := range part {
				place[k-low] = at + int64(i) + 1
			}
			at += int64(len(part))
		})
		u.first = make([]int64, 0, min(size, len(keys)))
		for _, p := range place {
			if p > 0 {
				u.first = append(u.first, p-1)
			}
		}
		return u
	}
	first, class := largeBuffer[int64](op, size), largeBuffer[int64](op, size)
	inParts(op, keys, func(part []uint64) {
		for _, k := range part {
			class[k-low]++
		}
	})
	for i, k := range keys {
		first[k-low] = int64(i)
	}
	for k, n := range class {
		if n > 0 {
			class[k] = int64(len(u.first))
			u.first, u.counts = append(u.first, first[k]), append(u.counts, n)
		}
	}
	u.inverse = largeBuffer[int64](op, len(keys))
	for i, k := range keys {
		u.inverse[i] = class[k-low]
	}
	return u
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

// slicesKeys returns for each index of d the keys of the slice there.
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
