package simd

// Sums that distances of a point to many points are made of: the coordinates of the many lie side by side, row k of b
// having coordinate k of all of them, stride elements behind the row before. Element j of dst is the sum over the
// coordinates, one after the other, of what is said of the difference to a's; there must be one coordinate or more.

var (
	AbsDiffsFloat32     = absDiffs[float32]     // AbsDiffsFloat32 adds absolute differences.
	AbsDiffsFloat64     = absDiffs[float64]     // AbsDiffsFloat64 is AbsDiffsFloat32 for float64.
	SquaredDiffsFloat32 = squaredDiffs[float32] // SquaredDiffsFloat32 adds squares of differences.
	SquaredDiffsFloat64 = squaredDiffs[float64] // SquaredDiffsFloat64 is SquaredDiffsFloat32 for float64.
)

func absDiffs[T float](dst, a, b []T, stride int) {
	clear(dst)
	for k, v := range a {
		for j, w := range b[k*stride:][:len(dst)] {
			d := v - w
			if d < 0 {
				d = -d
			}
			dst[j] += d
		}
	}
}

func squaredDiffs[T float](dst, a, b []T, stride int) {
	clear(dst)
	for k, v := range a {
		for j, w := range b[k*stride:][:len(dst)] {
			d := v - w
			dst[j] += T(d * d)
		}
	}
}
