package cpu

import (
	"cmp"
	mathbits "math/bits"
	"slices"

	"gotorch/tensor"
)

// keyed is an element on its way through a sort: its key, and where it stood.
type keyed struct {
	key uint64
	at  int
}

// radixFrom is the number of elements from which on sorting by digits is faster than by comparisons.
const radixFrom = 512

// rank orders xs by key, equals by where they stood. tmp is scratch of at least the same length, for long ones.
func rank(op string, xs, tmp []keyed) {
	if len(xs) < radixFrom {
		slices.SortFunc(xs, compareKeyed)
		return
	}
	radix(op, xs, tmp[:len(xs)])
}

func compareKeyed(a, b keyed) int {
	switch {
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return a.at - b.at
}

// radix sorts by bytes of the key from the lowest on, which keeps the order of equals; bytes that all keys share are passed over.
func radix(op string, xs, tmp []keyed) {
	var differ uint64
	for i := range xs {
		differ |= xs[i].key ^ xs[0].key
	}
	from, to := xs, tmp
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var count [256]int
		stretches(op, from, func(part []keyed) {
			for i := range part {
				count[part[i].key>>shift&0xff]++
			}
		})
		sum := 0
		for d, n := range count {
			count[d] = sum
			sum += n
		}
		stretches(op, from, func(part []keyed) {
			for i := range part {
				d := part[i].key >> shift & 0xff
				to[count[d]] = part[i]
				count[d]++
			}
		})
		from, to = to, from
	}
	if &from[0] != &xs[0] {
		copy(xs, from)
	}
}

// stretches calls f for one part of xs after the other, and looks for an interruption between them.
func stretches(op string, xs []keyed, f func([]keyed)) {
	const most = 1 << 18
	for len(xs) > most {
		f(xs[:most])
		xs = xs[most:]
		tensor.Interrupted(op)
	}
	f(xs)
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

// kth puts the element of rank k at place k, the lesser in front of it and the greater behind: quickselect with the median of three as
// pivot. Which of equal elements that is follows from this walk, and is PyTorch's.
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

// split puts the k least elements in front, the greatest of them last: the selection by halves that C++'s standard library makes, whose
// choice among equals PyTorch's topk shows.
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
