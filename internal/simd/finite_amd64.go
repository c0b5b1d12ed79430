package simd

func init() {
	register(func(l Level) {
		FiniteFloat32 = pick(l, finite32, finiteBy(greatestWordsAVX2, 32, 8, 1, notFinite32, finite32), nil)
		FiniteFloat64 = pick(l, finite64, finiteBy(greatestWordsAVX2, 16, 8, 2, notFinite64, finite64), nil)
	})
}

// finiteBy makes a kernel of a routine for blocks of elements, which finds the greatest of each of lanes words; of an
// element of several words the last one counts.
func finiteBy[T float](f func(dst, a *byte, blocks int), block, lanes, words int, limit uint32,
	rest func(x []T) bool) *func(x []T) bool {
	k := func(x []T) bool {
		if n := len(x) / block; n > 0 {
			var most [8]uint32
			f(first(most[:]), first(x), n)
			for i := words - 1; i < lanes; i += words {
				if most[i] >= limit {
					return false
				}
			}
			x = x[n*block:]
		}
		return rest(x)
	}
	return &k
}
