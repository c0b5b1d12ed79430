package simd

var (
	SumInt64 = sumInts        // SumInt64 adds elements, modulo 2^64.
	MaxInt32 = maxInts[int32] // MaxInt32 is the greatest of one or more elements.
	MaxInt64 = maxInts[int64] // MaxInt64 is the greatest of one or more elements.
	MinInt32 = minInts[int32] // MinInt32 is the least of one or more elements.
	MinInt64 = minInts[int64] // MinInt64 is the least of one or more elements.

	CountNonzeroFloat32 = countNonzero[float32] // CountNonzeroFloat32 counts the elements that are not zero; NaN is not.
	CountNonzeroFloat64 = countNonzero[float64] // CountNonzeroFloat64 counts the elements that are not zero; NaN is not.
)

func sumInts(x []int64) int64 {
	var a [4]int64
	for ; len(x) >= 4; x = x[4:] {
		a[0] += x[0]
		a[1] += x[1]
		a[2] += x[2]
		a[3] += x[3]
	}
	for _, v := range x {
		a[0] += v
	}
	return a[0] + a[1] + a[2] + a[3]
}

func maxInts[T int32 | int64](x []T) T {
	a, b := x[0], x[0]
	for ; len(x) >= 2; x = x[2:] {
		a, b = max(a, x[0]), max(b, x[1])
	}
	for _, v := range x {
		a = max(a, v)
	}
	return max(a, b)
}

func minInts[T int32 | int64](x []T) T {
	a, b := x[0], x[0]
	for ; len(x) >= 2; x = x[2:] {
		a, b = min(a, x[0]), min(b, x[1])
	}
	for _, v := range x {
		a = min(a, v)
	}
	return min(a, b)
}

func countNonzero[T float32 | float64](x []T) int {
	n := 0
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	return n
}
