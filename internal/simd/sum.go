package simd

import "math"

// Sums of runs. Elements of a run are added in an order that is the same at every level, so that results are too:
//
// Float32 terms are added in float64. Whole groups of 64 are added by fours in float32 first, term j of 16 with those
// 16, 32 and 48 further, which costs at most two roundings of float32; what is left is added term by term. A sum of n
// terms is within 2·2^-24·Σ|term| of the exact one.
//
// Float64 terms, and float32 terms that are widened first, go to 32 sums in turn.

var (
	SumFloat32    = sum32    // SumFloat32 adds elements.
	SumAbsFloat32 = sumAbs32 // SumAbsFloat32 adds absolute values.
	NanSumFloat32 = nanSum32 // NanSumFloat32 adds those that are not NaN.
	DotFloat32    = dot32    // DotFloat32 adds products.
	// SumAbsDiffsFloat32 adds absolute differences, SumSquaredDiffsFloat32 their squares.
	SumAbsDiffsFloat32, SumSquaredDiffsFloat32 = sumAbsDiffs32, sumSquaredDiffs32
	// SumAbsDiffsFloat64 adds absolute differences, SumSquaredDiffsFloat64 their squares.
	SumAbsDiffsFloat64, SumSquaredDiffsFloat64 = sumAbsDiffs64, sumSquaredDiffs64

	SumFloat64           = sum64           // SumFloat64 adds elements.
	SumAbsFloat64        = sumAbs64        // SumAbsFloat64 adds absolute values.
	NanSumFloat64        = nanSum64        // NanSumFloat64 adds those that are not NaN.
	DotFloat64           = dot64           // DotFloat64 adds products.
	SumSquaresFloat32    = sumSquares32    // SumSquaresFloat32 adds squares.
	SumSquaresFloat64    = sumSquares64    // SumSquaresFloat64 adds squares.
	SumDeviationsFloat32 = sumDeviations32 // SumDeviationsFloat32 adds the squares of x[i] - c.
	SumDeviationsFloat64 = sumDeviations64 // SumDeviationsFloat64 adds the squares of x[i] - c.
	// ProdFloat32 multiplies elements: 64 products side by side, what is left after them.
	ProdFloat32 = prodGroups[float32]
	// ProdFloat64 multiplies elements: 32 products side by side, what is left after them.
	ProdFloat64 = prodGroups[float64]
	SumBytes    = sumBytes // SumBytes adds bytes.

	// SumFloat16 adds elements as SumFloat32 does their float32, but for the last ones, fewer than 16, one by one.
	SumFloat16 = sumHalf(FromHalf)
	// SumBFloat16 is SumFloat16 for bfloat16.
	SumBFloat16 = sumHalf(FromBF16)
)

func sumHalf(widen func(uint16) float32) func(x []uint16) float64 {
	return func(x []uint16) float64 {
		var acc [16]float64
		for ; len(x) >= 64; x = x[64:] {
			for j := range acc {
				acc[j] += float64((widen(x[j]) + widen(x[j+16])) + (widen(x[j+32]) + widen(x[j+48])))
			}
		}
		for ; len(x) >= 16; x = x[16:] {
			for j := range acc {
				acc[j] += float64(widen(x[j]))
			}
		}
		return addHalves(fold(acc[:]), x, widen)
	}
}

// addHalves adds elements one by one.
func addHalves(sum float64, x []uint16, widen func(uint16) float32) float64 {
	for _, v := range x {
		sum += float64(widen(v))
	}
	return sum
}

func sum32(x []float32) float64                      { return sumTree(x, x, keepTerms) }
func sumAbs32(x []float32) float64                   { return sumTree(x, x, absTerms) }
func nanSum32(x []float32) float64                   { return sumTree(x, x, numberTerms) }
func dot32(x, y []float32) float64                   { return sumTree(x, y, products) }
func sumAbsDiffs32(x, y []float32) float64           { return sumTree(x, y, absDifferences) }
func sumSquaredDiffs32(x, y []float32) float64       { return sumTree(x, y, squaredDifferences) }
func sumAbsDiffs64(x, y []float64) float64           { return sumWide(x, y, 0, absDifferencesWidened) }
func sumSquaredDiffs64(x, y []float64) float64       { return sumWide(x, y, 0, squaredDifferencesWidened) }
func sum64(x []float64) float64                      { return sumWide(x, x, 0, widened[float64]) }
func sumAbs64(x []float64) float64                   { return sumWide(x, x, 0, absWidened) }
func nanSum64(x []float64) float64                   { return sumWide(x, x, 0, numbersWidened) }
func dot64(x, y []float64) float64                   { return sumWide(x, y, 0, productsWidened) }
func sumSquares32(x []float32) float64               { return sumWide(x, x, 0, squares[float32]) }
func sumSquares64(x []float64) float64               { return sumWide(x, x, 0, squares[float64]) }
func sumDeviations32(x []float32, c float64) float64 { return sumWide(x, x, c, deviations[float32]) }
func sumDeviations64(x []float64, c float64) float64 { return sumWide(x, x, c, deviations[float64]) }

// sumTree adds up f of up to 64 elements of each input.
func sumTree(x, y []float32, f func(t *[64]float32, x, y []float32)) float64 {
	var acc [16]float64
	var t [64]float32
	y = y[:len(x)]
	for len(x) >= 64 {
		f(&t, x[:64], y[:64])
		for j := range acc {
			acc[j] += float64((t[j] + t[j+16]) + (t[j+32] + t[j+48]))
		}
		x, y = x[64:], y[64:]
	}
	f(&t, x, y)
	for j := range x {
		acc[j%16] += float64(t[j])
	}
	return fold(acc[:])
}

// fold adds the lanes of a sum, which are a power of two: lane j and lane j + half until one is left.
func fold(acc []float64) float64 {
	for n := len(acc) / 2; n > 0; n /= 2 {
		for j := range acc[:n] {
			acc[j] += acc[j+n]
		}
	}
	return acc[0]
}

func keepTerms(t *[64]float32, x, _ []float32) { copy(t[:], x) }

func absTerms(t *[64]float32, x, _ []float32) {
	for i, v := range x {
		if v < 0 {
			v = -v
		}
		t[i] = v
	}
}

func numberTerms(t *[64]float32, x, _ []float32) {
	for i, v := range x {
		if v != v {
			v = 0
		}
		t[i] = v
	}
}

func products(t *[64]float32, x, y []float32) {
	for i, v := range x {
		t[i] = v * y[i]
	}
}

func absDifferences(t *[64]float32, x, y []float32) {
	for i, v := range x {
		d := v - y[i]
		if d < 0 {
			d = -d
		}
		t[i] = d
	}
}

func squaredDifferences(t *[64]float32, x, y []float32) {
	for i, v := range x {
		d := v - y[i]
		t[i] = d * d
	}
}

func absDifferencesWidened(t *[32]float64, x, y []float64, _ float64) {
	for i, v := range x {
		t[i] = math.Abs(v - y[i])
	}
}

func squaredDifferencesWidened(t *[32]float64, x, y []float64, _ float64) {
	for i, v := range x {
		d := v - y[i]
		t[i] = d * d
	}
}

// sumWide adds up f of up to 32 elements of each input.
func sumWide[T float32 | float64](x, y []T, c float64, f func(t *[32]float64, x, y []T, c float64)) float64 {
	var acc, t [32]float64
	y = y[:len(x)]
	for len(x) >= 32 {
		f(&t, x[:32], y[:32], c)
		for j := range acc {
			acc[j] += t[j]
		}
		x, y = x[32:], y[32:]
	}
	f(&t, x, y, c)
	for j := range x {
		acc[j%8] += t[j]
	}
	return fold(acc[:])
}

func widened[T float32 | float64](t *[32]float64, x, _ []T, _ float64) {
	for i, v := range x {
		t[i] = float64(v)
	}
}

func absWidened(t *[32]float64, x, _ []float64, _ float64) {
	for i, v := range x {
		if v < 0 {
			v = -v
		}
		t[i] = v
	}
}

func numbersWidened(t *[32]float64, x, _ []float64, _ float64) {
	for i, v := range x {
		if v != v {
			v = 0
		}
		t[i] = v
	}
}

func productsWidened(t *[32]float64, x, y []float64, _ float64) {
	for i, v := range x {
		t[i] = v * y[i]
	}
}

func squares[T float32 | float64](t *[32]float64, x, _ []T, _ float64) {
	for i, v := range x {
		t[i] = float64(v) * float64(v)
	}
}

func deviations[T float32 | float64](t *[32]float64, x, _ []T, c float64) {
	for i, v := range x {
		d := float64(v) - c
		t[i] = d * d
	}
}

func sumBytes(x []uint8) int {
	s := 0
	for _, v := range x {
		s += int(v)
	}
	return s
}

// lanesOf is how many products of T run side by side.
func lanesOf[T float32 | float64]() int {
	var z T
	if _, ok := any(z).(float32); ok {
		return 64
	}
	return 32
}

func prodGroups[T float32 | float64](x []T) T {
	lanes := lanesOf[T]()
	p := T(1)
	if len(x) >= lanes {
		var buf [64]T
		acc := buf[:lanes]
		x = x[copy(acc, x):]
		for ; len(x) >= lanes; x = x[lanes:] {
			for j, v := range x[:lanes] {
				acc[j] *= v
			}
		}
		for n := lanes / 2; n > 0; n /= 2 {
			for j := range acc[:n] {
				acc[j] *= acc[j+n]
			}
		}
		p = acc[0]
	}
	for _, v := range x {
		p *= v
	}
	return p
}
