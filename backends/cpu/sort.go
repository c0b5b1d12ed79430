package cpu

import (
	"runtime"
	"slices"

	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"sort": func(c *tensor.Call) {
			x := c.Tensor(0)
			pick(c, tensor.WrapDim(c.Name(), c.Int(1), x.Dim()), c.Bool(2), func(xs, tmp []keyed) []keyed {
				rank(c.Name(), xs, tmp)
				return xs
			})
		},
		"topk": func(c *tensor.Call) {
			x, k, sorted := c.Tensor(0), c.Int(1), c.Bool(4)
			pick(c, tensor.WrapDim(c.Name(), c.Int(2), x.Dim()), c.Bool(3), func(xs, _ []keyed) []keyed {
				if k*64 <= len(xs) {
					return firsts(xs, k)
				}
				if split(xs, k); sorted {
					slices.SortStableFunc(xs[:max(k-1, 0)], byKey)
				}
				return xs[:k]
			})
		},
		"kthvalue": func(c *tensor.Call) {
			x, k := c.Tensor(0), c.Int(1)
			pick(c, tensor.WrapDim(c.Name(), c.Int(2), x.Dim()), false, func(xs, _ []keyed) []keyed {
				kth(xs, k-1)
				return xs[k-1 : k]
			})
		},
	})
}

// pick orders each lane of self along d by choose, which gives the elements that go into the results, and writes their values and places.
func pick(c *tensor.Call, d int, descending bool, choose func(xs, tmp []keyed) []keyed) {
	op, x := c.Name(), c.Tensor(0)
	values, indices := c.Ret(0), c.Ret(1)
	keys := keysOf(op, x)
	if descending {
		for i := range keys {
			keys[i] = ^keys[i]
		}
	}
	l := lanesOf(x, d)
	out := l // the lanes of the results, one after the other
	if l.n > 0 {
		out.n = values.Numel() / max(l.count, 1)
	}
	at, from := make([]int64, values.Numel()), make([]int, values.Numel())
	if len(at) > 0 {
		l.each(op, func(start int) {
			xs := make([]keyed, l.n)
			var tmp []keyed
			if l.n >= radixFrom {
				tmp = make([]keyed, l.n)
			}
			for i := range xs {
				xs[i] = keyed{keys[start+i*l.step], i}
			}
			p := start/(l.step*l.n)*l.step*out.n + start%l.step
			for _, e := range choose(xs, tmp) {
				at[p], from[p] = int64(e.at), start+e.at*l.step
				p += l.step
			}
		})
	}
	putInts(op, indices, at)
	dense := values
	if !values.Contig() {
		dense = tensor.Alloc(op, values.Sizes(), values.Dtype(), tensor.CPU)
	}
	placesIn(op, contiguous(op, x, x.Dtype()), from).read(dense)
	if dense != values {
		copyTensor(op, values, dense)
	}
}

// putInts writes numbers into dst in row-major order.
func putInts(op string, dst *tensor.Tensor, v []int64) {
	if dst.Dtype() == tensor.Int64 && dst.Contig() {
		copy(tensor.Elems[int64](dst), v)
		runtime.KeepAlive(dst)
		return
	}
	t := tensor.Alloc(op, dst.Sizes(), tensor.Int64, tensor.CPU)
	copy(tensor.Elems[int64](t), v)
	copyTensor(op, dst, t)
}
