package cpu

import (
	"slices"
)

// keyed is an element on its way through a sort: its key, and where it stood.
type keyed struct {
	key uint64
	at  int
}

// radixFrom is the number of elements from which on sorting by digits is faster than by comparisons.
const radixFrom = 512

// rank orders xs by key, equals by where they stood. tmp is scratch of at least the same length, for long ones.
func rank(xs, tmp []keyed) {
	if len(xs) < radixFrom {
		slices.SortFunc(xs, compareKeyed)
		return
	}
	radix(xs, tmp[:len(xs)])
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
func radix(xs, tmp []keyed) {
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
		for i := range from {
			count[from[i].key>>shift&0xff]++
		}
		sum := 0
		for d, n := range count {
			count[d] = sum
			sum += n
		}
		for i := range from {
			d := from[i].key >> shift & 0xff
			to[count[d]] = from[i]
			count[d]++
		}
		from, to = to, from
	}
	if &from[0] != &xs[0] {
		copy(xs, from)
	}
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
