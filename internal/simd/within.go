package simd

// WithinInt64 reports whether all of a are from low up to and including high.
var WithinInt64 = withinInt64

func withinInt64(a []int64, low, high int64) bool {
	for _, v := range a {
		if v < low || v > high {
			return false
		}
	}
	return true
}
