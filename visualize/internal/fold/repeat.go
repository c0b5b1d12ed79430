package fold

import "strings"

// Limits of the search for repeats.
const (
	maxPeriod = 1024
	maxWork   = 40_000_000
)

// search counts what searching has cost.
type search struct{ work int }

// repeat finds the stretch of equal keys whose repetition is longest. Its last time ends where the repetition does:
// the first time through a loop often lacks a call, that of an input without a gradient.
func (s *search) repeat(keys []int, lo, hi int) (start, period, times int) {
	saved := 1
	for p := 1; p <= min((hi-lo)/2, maxPeriod) && s.work < maxWork; p++ {
		s.work += hi - lo
		equal := 0
		for i := lo; i+p <= hi; i++ {
			if i+p < hi && keys[i] == keys[i+p] {
				equal++
				continue
			}
			if k := equal / p; k*p > saved && (k > 1 || p > 2) {
				start, period, times, saved = i+p-(k+1)*p, p, k+1, k*p
			}
			equal = 0
		}
	}
	return start, period, times
}

// numbered gives equal keys equal numbers, which are compared faster.
func numbered(keys []string) []int {
	number := map[string]int{}
	out := make([]int, len(keys))
	for i, k := range keys {
		n, ok := number[k]
		if !ok {
			n = len(number)
			number[k] = n
		}
		out[i] = n
	}
	return out
}

// Runs finds keys in a row that are equal: it calls found with the bounds of each stretch, in their order. A key that
// is equal to none beside it is a stretch of its own.
func Runs(keys []string, found func(lo, hi int)) {
	for lo := 0; lo < len(keys); {
		hi := lo + 1
		for hi < len(keys) && keys[hi] == keys[lo] {
			hi++
		}
		found(lo, hi)
		lo = hi
	}
}

// Stem is a name without its number: layers. of layers.3.
func Stem(name string) string { return strings.Trim(name, "0123456789") }
