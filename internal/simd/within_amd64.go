package simd

func init() {
	register(func(l Level) {
		WithinInt64 = pick(l, withinInt64, allWithin(withinInt64AVX2), allWithin(withinInt64AVX512))
	})
}

// allWithin makes a kernel of an assembly routine for multiples of 16.
func allWithin(f func(a *byte, n int, low, high int64) bool) *func(a []int64, low, high int64) bool {
	k := func(a []int64, low, high int64) bool {
		n := len(a) &^ 15
		return (n == 0 || f(first(a), n, low, high)) && withinInt64(a[n:], low, high)
	}
	return &k
}
