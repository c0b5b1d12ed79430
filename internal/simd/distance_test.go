package simd

import "testing"

// TestDistanceSums: sums are those of the Go forms to the bit, for every number of points, and read nothing outside.
func TestDistanceSums(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range lengths() {
			for _, m := range []int{1, 2, 5} {
				stride := n + i%3
				checkPointSums(t, n, m, stride, i, fill32, same32, AbsDiffsFloat32, absDiffs[float32])
				checkPointSums(t, n, m, stride, i, fill32, same32, SquaredDiffsFloat32, squaredDiffs[float32])
				checkPointSums(t, n, m, stride, i, fill64, same64, AbsDiffsFloat64, absDiffs[float64])
				checkPointSums(t, n, m, stride, i, fill64, same64, SquaredDiffsFloat64, squaredDiffs[float64])
			}
		}
	})
}

func checkPointSums[T float](t *testing.T, n, m, stride, seed int, fill func(x []T, kind int, seed uint64),
	same func(a, b T) bool, got, want func(dst, a, b []T, stride int)) {
	t.Helper()
	a, b := guarded[T](t, m, seed%2 == 0), guarded[T](t, (m-1)*stride+n, seed%2 == 1)
	x, y := guarded[T](t, n, seed%4 < 2), make([]T, n)
	for kind := range 3 {
		fill(a, kind, uint64(seed))
		fill(b, kind, uint64(seed+1000))
		got(x, a, b, stride)
		want(y, a, b, stride)
		for j := range x {
			if !same(x[j], y[j]) {
				t.Fatalf("%d points of %d coordinates, kind %d: element %d is %v, want %v", n, m, kind, j, x[j], y[j])
			}
		}
	}
}
