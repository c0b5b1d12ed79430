package simd

func init() {
	register(func(l Level) {
		SumInt64 = pick(l, sumInts, sumInt(sumInt64AVX2), sumInt(sumInt64AVX512))
		MaxInt32 = pick(l, maxInts[int32], extremeInt(maxInts[int32], pairMax[int32], maxInt32AVX2),
			extremeInt(maxInts[int32], pairMax[int32], maxInt32AVX512))
		MaxInt64 = pick(l, maxInts[int64], extremeInt(maxInts[int64], pairMax[int64], maxInt64AVX2),
			extremeInt(maxInts[int64], pairMax[int64], maxInt64AVX512))
		MinInt32 = pick(l, minInts[int32], extremeInt(minInts[int32], pairMin[int32], minInt32AVX2),
			extremeInt(minInts[int32], pairMin[int32], minInt32AVX512))
		MinInt64 = pick(l, minInts[int64], extremeInt(minInts[int64], pairMin[int64], minInt64AVX2),
			extremeInt(minInts[int64], pairMin[int64], minInt64AVX512))
		CountNonzeroFloat32 = pick(l, countNonzero[float32], count(countNonzero[float32], countNonzeroFloat32AVX2),
			count(countNonzero[float32], countNonzeroFloat32AVX512))
		CountNonzeroFloat64 = pick(l, countNonzero[float64], count(countNonzero[float64], countNonzeroFloat64AVX2),
			count(countNonzero[float64], countNonzeroFloat64AVX512))
	})
}

func pairMax[T int32 | int64](a, b T) T { return max(a, b) }
func pairMin[T int32 | int64](a, b T) T { return min(a, b) }

func sumInt(f func(a *byte, n int) int) *func(x []int64) int64 {
	k := func(x []int64) int64 {
		n := len(x) &^ 63
		if n == 0 {
			return sumInts(x)
		}
		return int64(f(first(x), n)) + sumInts(x[n:])
	}
	return &k
}

// count makes a kernel of an assembly routine for multiples of 64 elements; rest does the others.
func count[T any](rest func(x []T) int, f func(a *byte, n int) int) *func(x []T) int {
	k := func(x []T) int {
		n := len(x) &^ 63
		if n == 0 {
			return rest(x)
		}
		return f(first(x), n) + rest(x[n:])
	}
	return &k
}

// extremeInt is count for extremes, of which pair joins two.
func extremeInt[T int32 | int64](rest func(x []T) T, pair func(a, b T) T, f func(a *byte, n int) int) *func(x []T) T {
	k := func(x []T) T {
		n := len(x) &^ 63
		switch n {
		case 0:
			return rest(x)
		case len(x):
			return T(f(first(x), n))
		}
		return pair(T(f(first(x), n)), rest(x[n:]))
	}
	return &k
}
