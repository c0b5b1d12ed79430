package cpu

import (
	"math"
	"runtime"
	"slices"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

func init() {
	kernels(map[string]tensor.Kernel{
		"sort": func(c *tensor.Call) {
			pick(c, c.Int(1), c.Bool(2), rowSort[uint32], rowSort[uint64])
		},
		"topk": func(c *tensor.Call) {
			k, sorted := c.Int(1), c.Bool(4)
			pick(c, c.Int(2), c.Bool(3), rowTop[uint32](k, sorted), rowTop[uint64](k, sorted))
		},
		"kthvalue": func(c *tensor.Call) {
			k := c.Int(1) - 1
			pick(c, c.Int(2), false, rowKth[uint32](k), rowKth[uint64](k))
		},
	})
}

// rowOrder writes which elements of a row go into the results, in their order, as positions in the row.
type rowOrder[K keyType] func(s *sorter, row keyRow[K], at []int64)

// keyRow is a row of elements by their keys.
type keyRow[K keyType] struct {
	n    int
	flip K // all ones for descending order
	src  unsafe.Pointer
	dt   tensor.Dtype
	make func(dst []K, src unsafe.Pointer)
}

// keys writes the keys of elements from lo on.
func (r *keyRow[K]) keys(dst []K, lo int) {
	r.make(dst, unsafe.Add(r.src, lo*r.dt.Size()))
	if r.flip != 0 {
		for i := range dst {
			dst[i] ^= r.flip
		}
	}
}

// all returns the keys of the row, in memory of the sorter.
func (r *keyRow[K]) all(s *sorter) []K {
	s.keys = grown(s.keys, (r.n*sizeOf[K]()+7)/8)
	keys := slice[K](unsafe.Pointer(unsafe.SliceData(s.keys)), r.n)
	for lo := 0; lo < r.n; lo += blockSize {
		tensor.Interrupted(s.op)
		r.keys(keys[lo:min(lo+blockSize, r.n)], lo)
	}
	return keys
}

// pick orders each lane of self along dimension d and writes the values and positions that the order has. Lanes of
// other dimensions than the last are laid out as rows first.
func pick(c *tensor.Call, d int, descending bool, narrow rowOrder[uint32], wide rowOrder[uint64]) {
	op, x, values, indices := c.Name(), c.Tensor(0), c.Ret(0), c.Ret(1)
	if x.Dtype().IsComplex() {
		panic(tensor.Errorf(op, "not implemented for %s: complex numbers have no order", x.Dtype()))
	}
	last := func(t *tensor.Tensor) *tensor.Tensor { return t }
	n := 1
	if dims := x.Dim(); dims > 0 {
		d = tensor.WrapDim(op, d, dims)
		n = x.Sizes()[d]
		last = func(t *tensor.Tensor) *tensor.Tensor {
			if d == dims-1 || t.Dim() < dims {
				return t
			}
			return window(t, toEnd(t.Sizes(), d), toEnd(t.Strides(), d), t.StorageOffset())
		}
	}
	rows := contiguous(op, last(x), x.Dtype())
	v, at := place(op, last(values)), place(op, last(indices))
	if v.Numel() > 0 {
		k := v.Numel() / (x.Numel() / n)
		if narrowKeys(x.Dtype()) {
			pickRows(op, rows, v, at, n, k, descending, keyers32[x.Dtype()], narrow)
		} else {
			pickRows(op, rows, v, at, n, k, descending, keyers64[x.Dtype()], wide)
		}
	}
	unplace(op, last(values), v)
	unplace(op, last(indices), at)
}

// place is t or, where that is not contiguous, a temporary for unplace to copy into it.
func place(op string, t *tensor.Tensor) *tensor.Tensor {
	if t.Contig() {
		return t
	}
	return tensor.Alloc(op, t.Sizes(), t.Dtype(), tensor.CPU)
}

func unplace(op string, t, placed *tensor.Tensor) {
	if placed.Ptr() != t.Ptr() {
		copyTensor(op, t, placed)
	}
}

func pickRows[K keyType](op string, x, values, indices *tensor.Tensor, n, k int, descending bool,
	keyer func([]K, unsafe.Pointer), order rowOrder[K]) {
	size := x.ElementSize()
	var flip K
	if descending {
		flip--
	}
	out := tensor.Elems[int64](indices)
	parallel.For(values.Numel()/k, max(1, grainSize/(4*n)), func(lo, hi int) {
		s := sorters.Get().(*sorter)
		defer s.release()
		s.op = op
		for r := lo; r < hi; r++ {
			tensor.Interrupted(op)
			src, at := unsafe.Add(x.Ptr(), r*n*size), out[r*k:(r+1)*k]
			order(s, keyRow[K]{n, flip, src, x.Dtype(), keyer}, at)
			readSized(unsafe.Add(values.Ptr(), r*k*size), src, at, size)
		}
	})
	runtime.KeepAlive(x)
	runtime.KeepAlive(values)
	runtime.KeepAlive(indices)
}

// readSized reads elements of a size by their positions.
func readSized(dst, src unsafe.Pointer, at []int64, size int) {
	switch n := len(at); size {
	case 1:
		readEach(slice[uint8](dst, n), src, 0, 0, at, 1, 0)
	case 2:
		readEach(slice[uint16](dst, n), src, 0, 0, at, 1, 0)
	case 4:
		readEach(slice[uint32](dst, n), src, 0, 0, at, 1, 0)
	default:
		readEach(slice[uint64](dst, n), src, 0, 0, at, 1, 0)
	}
}

func rowSort[K keyType](s *sorter, row keyRow[K], at []int64) { sortKeys(s, row.all(s), at) }

// rowKth selects the element of rank k. Which of equal ones that is follows from PyTorch's selection, which is made
// where there are any.
func rowKth[K keyType](k int) rowOrder[K] {
	return func(s *sorter, row keyRow[K], at []int64) {
		keys := row.all(s)
		key, found := selectKey(s.op, copyKeys(s, keys), k), 0
		for i, v := range keys {
			if v == key {
				at[0] = int64(i)
				found++
			}
		}
		if found > 1 {
			xs := s.pairsOf(keysWide(keys))
			kth(xs, k)
			at[0] = int64(xs[k].at)
		}
	}
}

// keysWide iterates over keys as 64-bit numbers.
func keysWide[K keyType](keys []K) (n int, key func(i int) uint64) {
	return len(keys), func(i int) uint64 { return uint64(keys[i]) }
}

// pairsOf is keys with their positions.
func (s *sorter) pairsOf(n int, key func(i int) uint64) []keyed {
	s.pairs = grown(s.pairs, n)
	for i := range s.pairs {
		s.pairs[i] = keyed{key(i), i}
	}
	return s.pairs
}

// rowTop selects the k least keys. Few of many are found by a scan; otherwise, equal elements come as PyTorch's
// selection leaves them.
func rowTop[K keyType](k int, sorted bool) rowOrder[K] {
	return func(s *sorter, row keyRow[K], at []int64) {
		switch {
		case k == 0:
		case k*64 <= row.n:
			topScan(s, row, at)
		default:
			keys := row.all(s)
			if sorted && topDistinct(s, keys, at) {
				return
			}
			xs := s.pairsOf(keysWide(keys))
			if split(xs, k); sorted {
				slices.SortStableFunc(xs[:max(k-1, 0)], byKey)
			}
			for i, e := range xs[:k] {
				at[i] = int64(e.at)
			}
		}
	}
}

// topDistinct writes the positions of the least keys in order, if no two of them are equal.
func topDistinct[K keyType](s *sorter, keys []K, at []int64) bool {
	k := len(at)
	most := selectKey(s.op, copyKeys(s, keys), k-1)
	found := 0
	s.pairs = grown(s.pairs, k+1)
	for i, v := range keys {
		if v <= most {
			if found == k {
				return false
			}
			s.pairs[found] = keyed{uint64(v), i}
			found++
		}
	}
	xs := s.pairs[:k]
	if k < radixFrom {
		slices.SortFunc(xs, compareKeyed)
	} else {
		s.pairsTmp = grown(s.pairsTmp, k)
		xs = radix(s.op, xs, s.pairsTmp, math.MaxUint64)
	}
	for i, e := range xs {
		if i > 0 && e.key == xs[i-1].key {
			return false
		}
		at[i] = int64(e.at)
	}
	return true
}

// topScan writes the positions of the least keys in order, equal ones by position: each part of the row is scanned for
// keys below the greatest of the k least so far.
func topScan[K keyType](s *sorter, row keyRow[K], at []int64) {
	const part = 1 << 17
	k := len(at)
	if row.n <= part {
		s.pairs = grown(s.pairs, min(2*k+64, row.n))
		found := scanPart(&row, 0, row.n, k, s.pairs[:0])
		slices.SortFunc(found, compareKeyed)
		for i := range at {
			at[i] = int64(found[i].at)
		}
		return
	}
	parts := (row.n + part - 1) / part
	best := make([][]keyed, parts)
	parallel.For(parts, 1, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			tensor.Interrupted(s.op)
			best[p] = scanPart(&row, p*part, min((p+1)*part, row.n), k, make([]keyed, 0, min(2*k+64, part)))
		}
	})
	all := slices.Concat(best...)
	slices.SortFunc(all, compareKeyed)
	for i := range at {
		at[i] = int64(all[i].at)
	}
}

// scanPart returns the k least of the elements from lo to hi, in any order, or all where there are fewer. found has
// room for 2k+64, or for all.
func scanPart[K keyType](row *keyRow[K], lo, hi, k int, found []keyed) []keyed {
	room := 2*k + 64
	limit := ^K(0) // keys above it do not count, nor do equal ones once k are found
	full := false
	l := newLender()
	defer l.end()
	keys := lent[K](&l, blockLen)
	for ; lo < hi; lo += len(keys) {
		part := keys[:min(len(keys), hi-lo)]
		row.make(part, unsafe.Add(row.src, lo*row.dt.Size()))
		for i, v := range part {
			if v ^= row.flip; v >= limit && (full || v > limit) {
				continue
			}
			e := keyed{uint64(v), lo + i}
			if k <= insertionMost {
				if found = insertKeyed(found, e, k); len(found) == k {
					limit, full = K(found[k-1].key), true
				}
				continue
			}
			if found = append(found, e); len(found) == room {
				found = append(found[:0], firsts(found, k)...)
				limit, full = K(found[k-1].key), true
			}
		}
	}
	if len(found) > k {
		found = firsts(found, k)
	}
	return found
}

// insertionMost is the number of elements up to which a sorted list is kept by insertion.
const insertionMost = 48

// insertKeyed puts e into sorted xs, behind equal ones, and drops what is beyond k.
func insertKeyed(xs []keyed, e keyed, k int) []keyed {
	if len(xs) < k {
		xs = append(xs, e)
	}
	j := len(xs) - 1
	for ; j > 0 && xs[j-1].key > e.key; j-- {
		xs[j] = xs[j-1]
	}
	xs[j] = e
	return xs
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
