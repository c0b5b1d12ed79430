package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// runForms are the kernels of runs with their Go forms.
var runForms32 = map[string]struct {
	kernel *func(x []float32) float64
	want   func(x []float32) float64
}{
	"sum": {&SumFloat32, sum32}, "sumAbs": {&SumAbsFloat32, sumAbs32}, "nanSum": {&NanSumFloat32, nanSum32},
	"sumSquares": {&SumSquaresFloat32, sumSquares32},
}

var runForms64 = map[string]struct {
	kernel *func(x []float64) float64
	want   func(x []float64) float64
}{
	"sum": {&SumFloat64, sum64}, "sumAbs": {&SumAbsFloat64, sumAbs64}, "nanSum": {&NanSumFloat64, nanSum64},
	"sumSquares": {&SumSquaresFloat64, sumSquares64},
}

// TestSum: sums of runs are those of the Go forms to the bit, also of infinities and NaN, and read nothing outside.
func TestSum(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range lengths() {
			for kind := range 3 {
				x, y := guarded[float32](t, n, i%2 == 0), guarded[float32](t, n, i%2 == 1)
				fill32(x, kind, uint64(i))
				fill32(y, kind, uint64(i+1000))
				for name, f := range runForms32 {
					if got, want := (*f.kernel)(x), f.want(x); !same64(got, want) {
						t.Fatalf("%s of %d float32, kind %d: %v, want %v", name, n, kind, got, want)
					}
				}
				if got, want := DotFloat32(x, y), dot32(x, y); !same64(got, want) {
					t.Fatalf("dot of %d float32: %v, want %v", n, got, want)
				}
				if got, want := SumAbsDiffsFloat32(x, y), sumAbsDiffs32(x, y); !same64(got, want) {
					t.Fatalf("absolute differences of %d float32: %v, want %v", n, got, want)
				}
				if got, want := SumSquaredDiffsFloat32(x, y), sumSquaredDiffs32(x, y); !same64(got, want) {
					t.Fatalf("squared differences of %d float32: %v, want %v", n, got, want)
				}
				if got, want := SumDeviationsFloat32(x, 0.3), sumDeviations32(x, 0.3); !same64(got, want) {
					t.Fatalf("sumDeviations of %d float32: %v, want %v", n, got, want)
				}
				v, w := guarded[float64](t, n, i%2 == 0), guarded[float64](t, n, i%2 == 1)
				fill64(v, kind, uint64(i))
				fill64(w, kind, uint64(i+1000))
				for name, f := range runForms64 {
					if got, want := (*f.kernel)(v), f.want(v); !same64(got, want) {
						t.Fatalf("%s of %d float64, kind %d: %v, want %v", name, n, kind, got, want)
					}
				}
				if got, want := DotFloat64(v, w), dot64(v, w); !same64(got, want) {
					t.Fatalf("dot of %d float64: %v, want %v", n, got, want)
				}
				if got, want := SumAbsDiffsFloat64(v, w), sumAbsDiffs64(v, w); !same64(got, want) {
					t.Fatalf("absolute differences of %d float64: %v, want %v", n, got, want)
				}
				if got, want := SumSquaredDiffsFloat64(v, w), sumSquaredDiffs64(v, w); !same64(got, want) {
					t.Fatalf("squared differences of %d float64: %v, want %v", n, got, want)
				}
				if got, want := ProdFloat32(x), prodGroups(x); !same32(got, want) {
					t.Fatalf("product of %d float32: %v, want %v", n, got, want)
				}
				if got, want := ProdFloat64(v), prodGroups(v); !same64(got, want) {
					t.Fatalf("product of %d float64: %v, want %v", n, got, want)
				}
				if got, want := SumDeviationsFloat64(v, 0.3), sumDeviations64(v, 0.3); !same64(got, want) {
					t.Fatalf("sumDeviations of %d float64: %v, want %v", n, got, want)
				}
			}
			h := guarded[uint16](t, n, i%2 == 0)
			for j := range h {
				h[j] = uint16(j*j*2654435761>>3 + i*977)
			}
			if got, want := SumFloat16(h), sumHalf(FromHalf)(h); !same64(got, want) {
				t.Fatalf("sum of %d float16: %v, want %v", n, got, want)
			}
			if got, want := SumBFloat16(h), sumHalf(FromBF16)(h); !same64(got, want) {
				t.Fatalf("sum of %d bfloat16: %v, want %v", n, got, want)
			}
			b, bytes := guarded[uint8](t, n, i%2 == 0), 0
			for j := range b {
				b[j] = uint8(j * 7)
				bytes += int(b[j])
			}
			if got := SumBytes(b); got != bytes {
				t.Fatalf("sum of %d bytes: %d, want %d", n, got, bytes)
			}
		}
	})
}

// TestSumAccuracy: the sum of float32 is within the bound that is stated of the exact one.
func TestSumAccuracy(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for _, n := range []int{1, 63, 64, 1000, 100003} {
			x := make([]float32, n)
			fill32(x, 0, 7)
			exact, abs := 0.0, 0.0
			for _, v := range x {
				exact += float64(v)
				abs += math.Abs(float64(v))
			}
			if got := SumFloat32(x); math.Abs(got-exact) > 0x1p-23*abs {
				t.Errorf("sum of %d: %v, want %v", n, got, exact)
			}
		}
	})
}

// TestSumRows: sums of rows are those of the Go forms to the bit.
func TestSumRows(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 127} {
			for _, rows := range []int{0, 1, 2, 3, 4, 7, 15, 16, 17, 18, 19, 20, 37} {
				stride := n + i%3
				x := guarded[float32](t, max(0, (rows-1)*stride+n), i%2 == 0)
				v := guarded[float64](t, len(x), i%2 == 1)
				fill32(x, i%3, uint64(i))
				fill64(v, i%3, uint64(i))
				c := make([]float64, RowLen(n))
				for j := range c[:n] {
					c[j] = float64(j) / 7
				}
				check := func(name string, f, want func(acc []float64)) {
					t.Helper()
					got, expected := make([]float64, RowLen(n)), make([]float64, RowLen(n))
					for j := range n {
						got[j] = float64(j)
					}
					copy(expected, got)
					f(got)
					want(expected)
					for j := range n {
						if !same64(got[j], expected[j]) {
							t.Fatalf("%s of %d rows of %d, column %d: %v, want %v", name, rows, n, j, got[j], expected[j])
						}
					}
				}
				check("sum32", func(a []float64) {
					SumRowsFloat32(a, x, stride, rows, n)
				}, func(a []float64) { sumRowsTree(a, x, stride, rows, n) })
				check("sum64", func(a []float64) {
					SumRowsFloat64(a, v, stride, rows, n)
				}, func(a []float64) { sumRows(a, v, stride, rows, n) })
				check("squares32", func(a []float64) {
					SumSquaresRowsFloat32(a, x, stride, rows, n)
				}, func(a []float64) { sumSquaresRows(a, x, stride, rows, n) })
				check("squares64", func(a []float64) {
					SumSquaresRowsFloat64(a, v, stride, rows, n)
				}, func(a []float64) { sumSquaresRows(a, v, stride, rows, n) })
				check("deviations32", func(a []float64) {
					SumDeviationsRowsFloat32(a, c, x, stride, rows, n)
				}, func(a []float64) { sumDeviationsRows(a, c, x, stride, rows, n) })
				check("deviations64", func(a []float64) {
					SumDeviationsRowsFloat64(a, c, v, stride, rows, n)
				}, func(a []float64) { sumDeviationsRows(a, c, v, stride, rows, n) })
			}
		}
	})
}

// fill32 fills x with normal numbers (kind 0), numbers of very different size (1) or special values (2).
func fill32(x []float32, kind int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range x {
		switch kind {
		case 0:
			x[i] = float32(r.NormFloat64())
		case 1:
			x[i] = float32(r.NormFloat64() * math.Ldexp(1, r.IntN(60)-30))
		default:
			x[i] = specials32[r.IntN(len(specials32))]
		}
	}
}

// fill64 is fill32 for float64.
func fill64(x []float64, kind int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range x {
		switch kind {
		case 0:
			x[i] = r.NormFloat64()
		case 1:
			x[i] = r.NormFloat64() * math.Ldexp(1, r.IntN(60)-30)
		default:
			x[i] = specials64[r.IntN(len(specials64))]
		}
	}
}
