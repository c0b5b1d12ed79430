package cpu

import (
	"cmp"
	"math"
	mathbits "math/bits"
	"slices"
	"sync"

	"gotorch/tensor"
)

// keyed is an element on its way through a sort: its key, and where it stood.
type keyed struct {
	key uint64
	at  int
}

// radixFrom is the number of elements from which on sorting by digits is faster than by comparisons.
const radixFrom = 200

func compareKeyed(a, b keyed) int {
	switch {
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return a.at - b.at
}

// A sorter sorts keys together with where they stood. Its memory serves one row after the other.
type sorter struct {
	op        string
	keys      []uint64 // of the row, of either type
	copy      []uint64
	packed    []uint64 // key and position in one number, where both fit
	packedTmp []uint64
	pairs     []keyed
	pairsTmp  []keyed
}

// sorters keeps the memory of small ones.
var sorters = sync.Pool{New: func() any { return new(sorter) }}

func (s *sorter) release() {
	if len(s.keys) <= 1<<14 {
		sorters.Put(s)
	}
}

// grown is a slice of n elements in the memory of s where that is large enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// sortKeys writes the positions of keys in rising order, equal ones by position.
func sortKeys[K keyType](s *sorter, keys []K, at []int64) {
	n := len(keys)
	var differ uint64
	for _, k := range keys {
		differ |= uint64(k ^ keys[0])
	}
	if differ>>32 == 0 && uint64(n) <= math.MaxUint32 {
		s.packed, s.packedTmp = grown(s.packed, n), grown(s.packedTmp, n)
		for i, k := range keys {
			s.packed[i] = uint64(k)<<32 | uint64(i)
		}
		sorted := s.packed
		if n < radixFrom {
			slices.Sort(sorted)
		} else {
			sorted = radixPacked(s.op, s.packed, s.packedTmp, differ<<32)
		}
		for i, p := range sorted {
			at[i] = int64(uint32(p))
		}
		return
	}
	s.pairs, s.pairsTmp = grown(s.pairs, n), grown(s.pairsTmp, n)
	for i, k := range keys {
		s.pairs[i] = keyed{uint64(k), i}
	}
	sorted := s.pairs
	if n < radixFrom {
		slices.SortFunc(sorted, compareKeyed)
	} else {
		sorted = radix(s.op, s.pairs, s.pairsTmp, differ)
	}
	for i, p := range sorted {
		at[i] = int64(p.at)
	}
}

// digits are counts of elements by their digit.
type digits [1 << 11]uint32

// digitBits is how many bits of a key are sorted by at once: as many as make tables that fit the cache and are small
// beside n elements.
func digitBits(n int) int {
	if n < 1<<12 {
		return 8
	}
	return 11
}

// running turns counts into how many elements come before.
func running(count []uint32) {
	sum := uint32(0)
	for i, n := range count {
		count[i] = sum
		sum += n
	}
}

// radixPacked sorts by the digits in which numbers differ from the lowest on, which keeps the order of equals. It
// returns xs or tmp.
func radixPacked(op string, xs, tmp []uint64, differ uint64) []uint64 {
	bits := digitBits(len(xs))
	mask := uint64(1)<<bits - 1
	var count digits
	for shift := 32; shift < 64; shift += bits {
		if differ>>shift&mask == 0 {
			continue
		}
		clear(count[:mask+1])
		inParts(op, xs, func(part []uint64) {
			for _, x := range part {
				count[x>>(shift&63)&mask%uint64(len(count))]++
			}
		})
		running(count[:mask+1])
		inParts(op, xs, func(part []uint64) {
			for _, x := range part {
				c := &count[x>>(shift&63)&mask%uint64(len(count))]
				tmp[*c] = x
				*c++
			}
		})
		xs, tmp = tmp, xs
	}
	return xs
}

// radix is radixPacked for keys of 64 bits.
func radix(op string, xs, tmp []keyed, differ uint64) []keyed {
	if uint64(len(xs)) > math.MaxUint32 {
		slices.SortFunc(xs, compareKeyed)
		return xs
	}
	bits := digitBits(len(xs))
	mask := uint64(1)<<bits - 1
	var count digits
	for shift := 0; shift < 64; shift += bits {
		if differ>>shift&mask == 0 {
			continue
		}
		clear(count[:mask+1])
		inParts(op, xs, func(part []keyed) {
			for i := range part {
				count[part[i].key>>(shift&63)&mask%uint64(len(count))]++
			}
		})
		running(count[:mask+1])
		inParts(op, xs, func(part []keyed) {
			for _, x := range part {
				c := &count[x.key>>(shift&63)&mask%uint64(len(count))]
				tmp[*c] = x
				*c++
			}
		})
		xs, tmp = tmp, xs
	}
	return xs
}

// inParts calls f for one part of xs after the other, and looks for an interruption between them.
func inParts[T any](op string, xs []T, f func([]T)) {
	const most = 1 << 18
	for len(xs) > most {
		f(xs[:most])
		xs = xs[most:]
		tensor.Interrupted(op)
	}
	f(xs)
}

// selectKey returns the key of rank k as a radix sort finds it that goes from the highest digit on and follows one
// digit only. It changes keys.
func selectKey[K keyType](op string, keys []K, k int) K {
	bits := digitBits(len(keys))
	mask := K(1)<<bits - 1
	var count digits
	for shift := 8*sizeOf[K]() - bits; len(keys) > 16; shift = max(shift-bits, 0) {
		clear(count[:mask+1])
		inParts(op, keys, func(part []K) {
			for _, x := range part {
				count[x>>(shift&63)&mask%K(len(count))]++
			}
		})
		digit := K(0)
		for ; k >= int(count[digit]); digit++ {
			k -= int(count[digit])
		}
		if n := int(count[digit]); n < len(keys) {
			kept := 0
			inParts(op, keys, func(part []K) {
				for _, x := range part {
					keys[kept] = x
					if x>>(shift&63)&mask == digit {
						kept++
					}
				}
			})
			keys = keys[:n]
		}
		if shift == 0 { // all that are left are equal
			return keys[0]
		}
	}
	slices.Sort(keys)
	return keys[k]
}

// firsts moves the k least of xs to the front, in order: a heap of the k least so far, greatest on top.
func firsts(xs []keyed, k int) []keyed {
	h := xs[:k]
	down := func(i int) {
		for {
			c := 2*i + 1
			if c >= k {
				return
			}
			if c+1 < k && compareKeyed(h[c], h[c+1]) < 0 {
				c++
			}
			if compareKeyed(h[i], h[c]) >= 0 {
				return
			}
			h[i], h[c] = h[c], h[i]
			i = c
		}
	}
	for i := k/2 - 1; i >= 0; i-- {
		down(i)
	}
	for i := k; i < len(xs) && k > 0; i++ {
		if compareKeyed(xs[i], h[0]) < 0 {
			h[0] = xs[i]
			down(0)
		}
	}
	slices.SortFunc(h, compareKeyed)
	return h
}

// kth puts the element of rank k at place k, the lesser in front of it and the greater behind: quickselect with the
// median of three as pivot. Which of equal elements that is follows from this walk, and is PyTorch's.
func kth(xs []keyed, k int) {
	lo, hi := 0, len(xs)-1
	order := func(i, j int) {
		if xs[i].key > xs[j].key {
			xs[i], xs[j] = xs[j], xs[i]
		}
	}
	for hi > lo+1 {
		mid := lo + (hi-lo)/2
		xs[mid], xs[lo+1] = xs[lo+1], xs[mid]
		order(lo+1, hi)
		order(lo, hi)
		order(lo+1, lo)
		pivot, i, j := xs[lo].key, lo+1, hi
		for {
			for i++; xs[i].key < pivot; i++ {
			}
			for j--; xs[j].key > pivot; j-- {
			}
			if j < i {
				break
			}
			xs[i], xs[j] = xs[j], xs[i]
		}
		xs[lo], xs[j] = xs[j], xs[lo]
		if j <= k {
			lo = i
		}
		if j >= k {
			hi = j - 1
		}
	}
	if hi == lo+1 {
		order(lo, hi)
	}
}

// split puts the k least elements in front, the greatest of them last: the selection by halves that C++'s standard
// library makes, whose choice among equals PyTorch's topk shows.
func split(xs []keyed, k int) {
	lo, hi := 0, len(xs)
	for depth := 2 * (mathbits.Len(uint(len(xs))) - 1); hi-lo > 3; depth-- {
		if depth == 0 { // it went badly: sort what is left
			slices.SortFunc(xs[lo:hi], compareKeyed)
			return
		}
		medianToFront(xs, lo, lo+1, lo+(hi-lo)/2, hi-1)
		pivot, i, j := xs[lo].key, lo+1, hi
		for {
			for xs[i].key < pivot {
				i++
			}
			for j--; pivot < xs[j].key; j-- {
			}
			if i >= j {
				break
			}
			xs[i], xs[j] = xs[j], xs[i]
			i++
		}
		if i <= k-1 {
			lo = i
		} else {
			hi = i
		}
	}
	slices.SortStableFunc(xs[lo:hi], byKey)
}

// medianToFront exchanges the element at to with the median of those at a, b and c.
func medianToFront(xs []keyed, to, a, b, c int) {
	less := func(i, j int) bool { return xs[i].key < xs[j].key }
	if !less(a, b) {
		a, b = b, a // now a <= b
		switch {
		case less(b, c):
		case less(a, c):
			b = c
		default:
			b = a
		}
	} else if !less(b, c) {
		if b = a; less(a, c) {
			b = c
		}
	}
	xs[to], xs[b] = xs[b], xs[to]
}

func byKey(a, b keyed) int { return cmp.Compare(a.key, b.key) }
