package cpu

import (
	"math"
	"runtime"
	"slices"
	"sort"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"searchsorted": searchSorted,
		"bincount":     bincount,
		"histc":        histc,
	})
}

// searchSorted finds by halving where each value would have to stand. Keys order the elements; NaN comes last.
func searchSorted(c *tensor.Call) {
	op, seq, values, sorter := c.Name(), c.Tensor(0), c.Tensor(1), c.Tensor(5)
	right := c.Bool(3) || c.Str(4) == "right"
	if s, ok := c.Scalar(1); ok { // a number and the boundaries meet in the dtype that both fit
		dt := tensor.ResultType(seq, s)
		seq = contiguous(op, seq, dt)
		values = tensor.Alloc(op, nil, dt, tensor.CPU)
		fillTensor(op, values, s)
	}
	bounds, keys := keysOf(op, seq), keysOf(op, values)
	n := seq.Sizes()[seq.Dim()-1]
	var order []int64
	if sorter != nil {
		order = contig[int64](op, sorter)
		for _, i := range order {
			if i < 0 || int(i) >= n {
				tensor.Errorf(op, "the sorter has the index %d, which is out of range for boundaries of size %d", i, n)
			}
		}
	}
	row := len(keys) // values that share a row of boundaries
	if seq.Dim() > 1 {
		row = values.Sizes()[values.Dim()-1]
	}
	out := make([]int64, len(keys))
	parallel.For(len(keys), grainSize/16, func(lo, hi int) {
		tensor.Interrupted(op)
		for i := lo; i < hi; i++ {
			k, first := keys[i], 0
			if seq.Dim() > 1 {
				first = i / row * n
			}
			if order == nil {
				out[i] = int64(searchKeys(bounds[first:first+n], k, right))
				continue
			}
			out[i] = int64(sort.Search(n, func(j int) bool {
				b := bounds[first+int(order[first+j])]
				return b > k || !right && b == k
			}))
		}
	})
	putInts(op, c.Ret(0), out)
}

// searchKeys is how many of sorted keys are less than k, or with right not greater. The loop has no branch but its end.
func searchKeys(sorted []uint64, k uint64, right bool) int {
	if right {
		if k == math.MaxUint64 {
			return len(sorted)
		}
		k++
	}
	at := 0
	for n := len(sorted); n > 0; {
		half := (n + 1) / 2
		next := at + half
		if sorted[next-1] < k {
			at = next
		}
		n -= half
	}
	return at
}

// bincount counts numbers, or adds their weights.
func bincount(c *tensor.Call) {
	op, x, weights, least := c.Name(), c.Tensor(0), c.Tensor(1), c.Int(2)
	if least < 0 {
		panic(&tensor.Error{Op: op, Arg: "minlength", Msg: "minlength must not be negative, got " + itoa(least)})
	}
	if x.Dim() != 1 || !x.Dtype().IsIntegral() {
		tensor.Errorf(op, "only vectors of non-negative integers are counted, not %s of shape %v", x.Dtype(), x.Sizes())
	}
	if weights != nil && !slices.Equal(weights.Sizes(), x.Sizes()) {
		panic(&tensor.Error{Op: op, Arg: "weights", Msg: "self and weights must have the same length, got " + itoa(x.Numel()) + " and " + itoa(weights.Numel())})
	}
	held := contiguous(op, x, tensor.Int64)
	numbers := tensor.Elems[int64](held)
	n := int64(least)
	stretches(op, numbers, func(part []int64) {
		some := int64(0)
		for _, v := range part {
			some |= v
			n = max(n, v+1)
		}
		if some < 0 {
			first := slices.IndexFunc(part, func(v int64) bool { return v < 0 })
			tensor.Errorf(op, "only non-negative integers are counted, got %d", part[first])
		}
	})
	switch n := int(n); {
	case weights == nil:
		out := tensor.Elems[int64](c.New([]int{n}, tensor.Int64))
		stretches(op, numbers, func(part []int64) {
			for _, v := range part {
				out[v]++
			}
		})
	case weights.Dtype() == tensor.Float32:
		addWeights(tensor.Elems[float32](c.New([]int{n}, tensor.Float32)), numbers, contig[float32](op, weights))
	default:
		addWeights(tensor.Elems[float64](c.New([]int{n}, tensor.Float64)), numbers, contig[float64](op, weights))
	}
	runtime.KeepAlive(held)
	runtime.KeepAlive(weights)
}

// addWeights adds each weight to the bin of its number.
func addWeights[T float](out []T, at []int64, w []T) {
	for i, v := range at {
		out[v] += w[i]
	}
}

// histc counts elements in bins of equal width; the last bin has its upper limit, what lies outside is not counted.
func histc(c *tensor.Call) {
	op, x, bins := c.Name(), c.Tensor(0), c.Int(1)
	v := contig[float64](op, x)
	a, _ := c.Scalar(2)
	b, _ := c.Scalar(3)
	lo, hi := a.Float(), b.Float()
	if lo == hi && len(v) > 0 {
		lo, hi = v[0], v[0]
		for _, e := range v {
			lo, hi = lesser(lo, e), greater(hi, e)
		}
	}
	if lo == hi {
		lo, hi = lo-1, hi+1
	}
	if lo-lo != 0 || hi-hi != 0 {
		tensor.Errorf(op, "the range of the histogram must be finite, got %v to %v", lo, hi)
	}
	if lo > hi {
		tensor.Errorf(op, "max must be larger than min, got %v and %v", hi, lo)
	}
	counts := tensor.Alloc(op, []int{bins}, tensor.Float64, tensor.CPU)
	n := tensor.Elems[float64](counts)
	for _, e := range v {
		if e >= lo && e <= hi {
			n[min(int((e-lo)*float64(bins)/(hi-lo)), bins-1)]++
		}
	}
	copyTensor(op, c.Ret(0), counts)
}
