package cpu

import (
	"math"
	"runtime"
	"slices"
	"sort"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
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
				panic(tensor.Errorf(op, "the sorter has the index %d, which is out of range for boundaries of size %d", i, n))
			}
		}
	}
	row := len(keys) // values that share a row of boundaries
	if seq.Dim() > 1 {
		row = values.Sizes()[values.Dim()-1]
	}
	out := largeBuffer[int64](op, len(keys))
	parallel.For(len(keys), grainSize/16, func(lo, hi int) {
		tensor.Interrupted(op)
		if seq.Dim() == 1 && order == nil {
			for ; hi-lo >= searchesAtOnce; lo += searchesAtOnce {
				searchSeveral(bounds, (*[searchesAtOnce]uint64)(keys[lo:]), (*[searchesAtOnce]int64)(out[lo:]), right)
			}
		}
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

// searchKeys is how many of sorted keys are less than k, or with right not greater. The loop has no branch but its
// end.
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

// searchesAtOnce is how many keys are searched for side by side, so that their reads overlap.
const searchesAtOnce = 8

// searchSeveral is searchKeys for several keys.
func searchSeveral(sorted []uint64, keys *[searchesAtOnce]uint64, out *[searchesAtOnce]int64, right bool) {
	var least [searchesAtOnce]uint64 // the first key that stands behind
	for j, k := range keys {
		if right && k != math.MaxUint64 {
			k++
		}
		least[j] = k
	}
	var at [searchesAtOnce]int
	for n := len(sorted); n > 0; {
		half := (n + 1) / 2
		for j, k := range least {
			next := at[j] + half
			here := at[j]
			if sorted[next-1] < k {
				here = next
			}
			at[j] = here
		}
		n -= half
	}
	for j, p := range at {
		if right && keys[j] == math.MaxUint64 {
			p = len(sorted)
		}
		out[j] = int64(p)
	}
}

// bincount counts numbers, or adds their weights.
func bincount(c *tensor.Call) {
	op, x, weights, least := c.Name(), c.Tensor(0), c.Tensor(1), c.Int(2)
	if least < 0 {
		panic(tensor.Errorf(op, "minlength must not be negative, got %d", least).OnArg("minlength"))
	}
	if x.Dim() != 1 || !x.Dtype().IsIntegral() {
		panic(tensor.Errorf(op, "only vectors of non-negative integers are counted, not %s of shape %v", x.Dtype(),
			x.Sizes()))
	}
	if weights != nil && !slices.Equal(weights.Sizes(), x.Sizes()) {
		panic(tensor.Errorf(op, "self and weights must have the same length, got %d and %d", x.Numel(), weights.Numel()).
			OnArg("weights"))
	}
	held := contiguous(op, x, tensor.Int64)
	numbers := tensor.Elems[int64](held)
	n := binsOf(op, numbers, least)
	switch {
	case weights == nil:
		countParts(op, tensor.Elems[int64](c.New([]int{n}, tensor.Int64)), len(numbers), func(out []int64, lo, hi int) {
			for _, v := range numbers[lo:hi] {
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

// binsOf is how many bins numbers need, least at least; a negative number is an error.
func binsOf(op string, numbers []int64, least int) int {
	most := make([]int64, (len(numbers)+grainSize-1)/grainSize)
	parallel.For(len(numbers), grainSize, func(lo, hi int) {
		tensor.Interrupted(op)
		top, some := int64(0), int64(0)
		for part := numbers[lo:hi]; len(part) > 0; part = part[min(len(part), 256):] {
			block := part[:min(len(part), 256)]
			if top > 0 && simd.WithinInt64(block, 0, top) {
				continue
			}
			for _, v := range block {
				some |= v
				top = max(top, v)
			}
		}
		most[lo/grainSize] = top
		if some < 0 {
			most[lo/grainSize] = -1
		}
	})
	n := int64(least)
	for i, m := range most {
		if m < 0 {
			part := numbers[i*grainSize:]
			first := slices.IndexFunc(part, func(v int64) bool { return v < 0 })
			panic(tensor.Errorf(op, "only non-negative integers are counted, got %d", part[first]))
		}
		n = max(n, m+1)
	}
	return int(n)
}

// countParts counts n elements in out, which is all zeros: count adds those from lo on and below hi. Parts of many
// elements are counted apart and added up, which changes no integer.
func countParts[T int64 | float64](op string, out []T, n int, count func(out []T, lo, hi int)) {
	const parts = 4
	if n < parts*grainSize || n < 8*parts*len(out) {
		for lo := 0; lo < n; lo += 8 * grainSize {
			tensor.Interrupted(op)
			count(out, lo, min(lo+8*grainSize, n))
		}
		return
	}
	apart := make([]T, parts*len(out))
	part := (n + parts - 1) / parts
	parallel.For(n, part, func(lo, hi int) {
		mine := apart[lo/part*len(out):][:len(out)]
		for ; lo < hi; lo += 8 * grainSize {
			tensor.Interrupted(op)
			count(mine, lo, min(lo+8*grainSize, hi))
		}
	})
	for i := range out {
		for p := range parts {
			out[i] += apart[p*len(out)+i]
		}
	}
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
	held := contiguous(op, x, x.Dtype())
	size, widen, count := x.ElementSize(), convertTable[x.Dtype()][tensor.Float64], x.Numel()
	a, _ := c.Scalar(2)
	b, _ := c.Scalar(3)
	lo, hi := a.Float(), b.Float()
	if lo == hi && count > 0 {
		lo, hi = leastAndMost(op, held)
	}
	if lo == hi {
		lo, hi = lo-1, hi+1
	}
	if lo-lo != 0 || hi-hi != 0 {
		panic(tensor.Errorf(op, "the range of the histogram must be finite, got %v to %v", lo, hi))
	}
	if lo > hi {
		panic(tensor.Errorf(op, "max must be larger than min, got %v and %v", hi, lo))
	}
	counts := tensor.Alloc(op, []int{bins}, tensor.Float64, tensor.CPU)
	last, width, base := bins-1, float64(bins), held.Ptr()
	params := [3]float64{lo, width, hi - lo}
	countParts(op, tensor.Elems[float64](counts), count, func(n []float64, from, to int) {
		l := newLender()
		defer l.end()
		v, at, p := lent[float64](&l, blockLen), lent[float64](&l, blockLen), lent[float64](&l, len(params))
		copy(p, params[:])
		x := bytesOf(at)
		for ; from < to; from += len(v) {
			k := min(len(v), to-from)
			widen(unsafe.Pointer(&v[0]), 1, unsafe.Add(base, from*size), 1, k)
			subValue64(k, x, bytesOf(v), nil, nil, bytesOf(p))
			scale64(k, x, x, nil, nil, bytesOf(p[1:]))
			divValue64(k, x, x, nil, nil, bytesOf(p[2:]))
			for i, e := range v[:k] {
				if e >= lo && e <= hi {
					n[min(int(at[i]), last)]++
				}
			}
		}
	})
	runtime.KeepAlive(held)
	copyTensor(op, c.Ret(0), counts)
}

var subValue64, scale64, divValue64 = simd.Get("sub_value float64"), simd.Get("scale float64"),
	simd.Get("div_value float64")

// leastAndMost are the least and the greatest element of x, which is contiguous; NaN where one is.
func leastAndMost(op string, x *tensor.Tensor) (lo, hi float64) {
	const part = 4 * grainSize
	n, size, base := x.Numel(), x.ElementSize(), x.Ptr()
	widen := convertTable[x.Dtype()][tensor.Float64]
	ends := make([][2]float64, (n+part-1)/part)
	parallel.For(n, part, func(from, to int) {
		tensor.Interrupted(op)
		end := &ends[from/part]
		if x.Dtype() == tensor.Float32 {
			v := slice[float32](unsafe.Add(base, from*size), to-from)
			end[0], end[1] = float64(simd.MinFloat32(v)), float64(simd.MaxFloat32(v))
			return
		}
		l := newLender()
		defer l.end()
		v := lent[float64](&l, blockLen)
		end[0], end[1] = math.Inf(1), math.Inf(-1)
		for ; from < to; from += len(v) {
			k := min(len(v), to-from)
			widen(unsafe.Pointer(&v[0]), 1, unsafe.Add(base, from*size), 1, k)
			end[0], end[1] = min(end[0], simd.MinFloat64(v[:k])), max(end[1], simd.MaxFloat64(v[:k]))
		}
	})
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, end := range ends {
		lo, hi = min(lo, end[0]), max(hi, end[1])
	}
	return lo, hi
}
