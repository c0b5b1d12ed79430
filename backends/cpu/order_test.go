package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

var realDtypes = []tensor.Dtype{tensor.Bool, tensor.Uint8, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64,
	tensor.Float16, tensor.Bfloat16,
	tensor.Float32, tensor.Float64}

// someNumbers makes a tensor of few distinct numbers in scrambled memory, NaN and both zeros among them where dt has
// them.
func someNumbers(r *rand.Rand, shape []int, dt tensor.Dtype) *tensor.Tensor {
	x := scrambled(r, shape, tensor.Float64)
	eachIndex(shape, func(at []int) {
		v := float64(r.IntN(9) - 4)
		if !dt.IsFloatingPoint() && dt == tensor.Uint8 {
			v += 4
		}
		if dt.IsFloatingPoint() {
			switch r.IntN(10) {
			case 0:
				v = math.NaN()
			case 1:
				v = math.Copysign(0, -1)
			case 2:
				v = math.Inf(r.IntN(2)*2 - 1)
			}
		}
		ix := make([]any, len(at))
		for i := range at {
			ix[i] = at[i]
		}
		x.IndexPut_(ix, v)
	})
	return x.To(dt)
}

// number is an element as a float64.
func number(v any) float64 {
	s, _ := tensor.ScalarOf(v)
	return s.Float()
}

// lanesAlong calls f with the elements of x along dim, for each lane, and the rest of their index.
func lanesAlong(x *tensor.Tensor, dim int, f func(lane []float64, at func(i int) []int)) {
	if x.Dim() == 0 {
		f([]float64{number(x.At())}, func(int) []int { return nil })
		return
	}
	shape := x.Shape()
	n := shape[dim]
	shape[dim] = min(1, n)
	eachIndex(shape, func(at []int) {
		base := slices.Clone(at)
		index := func(i int) []int {
			out := slices.Clone(base)
			out[dim] = i
			return out
		}
		lane := make([]float64, n)
		for i := range lane {
			lane[i] = number(x.At(index(i)...))
		}
		f(lane, index)
	})
}

// same compares numbers, NaN equal to NaN, zeros alike.
func same(a, b float64) bool { return a == b || a != a && b != b }

// before says that a sorts before b: NaN last.
func before(a, b float64) bool { return a < b || b != b && a == a }

func eachCase(t *testing.T, f func(t *testing.T, what string, x *tensor.Tensor, dim int)) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, dt := range realDtypes {
		for _, shape := range [][]int{{}, {1}, {7}, {3, 5}, {4, 1, 6}, {2, 3, 4}, {0}, {3, 0, 2}, {2, 600}} {
			for dim := range max(len(shape), 1) {
				x := someNumbers(r, shape, dt)
				f(t, fmt.Sprintf("%s %v stride %v dim %d", dt, shape, x.Stride(), dim), x, dim)
			}
		}
	}
}

func TestSortAgainstNaive(t *testing.T) {
	eachCase(t, func(t *testing.T, what string, x *tensor.Tensor, dim int) {
		for _, descending := range []bool{false, true} {
			values, indices := x.Sort(opt.Dim(dim), opt.Descending(descending), opt.Stable(true))
			lanesAlong(x, dim, func(lane []float64, at func(i int) []int) {
				order := make([]int, len(lane))
				for i := range order {
					order[i] = i
				}
				slices.SortStableFunc(order, func(i, j int) int {
					a, b := lane[i], lane[j]
					if descending {
						a, b = b, a
					}
					switch {
					case before(a, b):
						return -1
					case before(b, a):
						return 1
					}
					return 0
				})
				for i, o := range order {
					if got := indices.At(at(i)...); got != int64(o) {
						t.Fatalf("%s, descending %v: element %d of %v came from %v, want %d", what, descending, i, lane, got, o)
					}
					if got := number(values.At(at(i)...)); !same(got, lane[o]) {
						t.Fatalf("%s: value %v, want %v", what, got, lane[o])
					}
				}
			})
		}
	})
}

// TestSelections: topk and kthvalue are the sort's, whatever place they name for equals.
func TestSelections(t *testing.T) {
	eachCase(t, func(t *testing.T, what string, x *tensor.Tensor, dim int) {
		n := 1
		if x.Dim() > 0 {
			n = x.Size(dim)
		}
		for k := 1; k <= n; k = k*2 + 1 {
			for _, largest := range []bool{true, false} {
				sorted, _ := x.Sort(opt.Dim(dim), opt.Descending(largest))
				values, indices := x.Topk(k, opt.Dim(dim), opt.Largest(largest))
				lanesAlong(values, dim, func(lane []float64, at func(i int) []int) {
					seen := map[int64]bool{}
					for i, v := range lane {
						want := number(sorted.At(at(i)...))
						from := indices.At(at(i)...).(int64)
						where := at(int(from))
						if len(where) == 0 && from != 0 || seen[from] {
							t.Fatalf("%s, k %d: index %d", what, k, from)
						}
						seen[from] = true
						if !same(v, want) || !same(number(x.At(where...)), want) {
							t.Fatalf("%s, k %d: element %d is %v from %d, want %v", what, k, i, v, from, want)
						}
					}
				})
			}
			sorted, _ := x.Sort(opt.Dim(dim))
			values, indices := x.Kthvalue(k, opt.Dim(dim), opt.Keepdim(true))
			lanesAlong(values, dim, func(lane []float64, at func(i int) []int) {
				want := number(sorted.At(at(k - 1)...))
				if from := indices.At(at(0)...).(int64); !same(lane[0], want) || !same(number(x.At(at(int(from))...)), want) {
					t.Fatalf("%s: element of rank %d is %v from %d, want %v", what, k, lane[0], from, want)
				}
			})
		}
	})
}

func TestUniqueAgainstNaive(t *testing.T) {
	eachCase(t, func(t *testing.T, what string, x *tensor.Tensor, dim int) {
		values, inverse, counts := x.UniqueAll()
		var all []float64
		eachIndex(x.Shape(), func(at []int) { all = append(all, number(x.At(at...))) })
		i := 0
		tally := make([]int64, values.Numel())
		eachIndex(x.Shape(), func(at []int) {
			u := inverse.At(at...).(int64)
			if got := number(values.At(int(u))); !same(got, all[i]) {
				t.Fatalf("%s: element %v is class %d, which is %v", what, all[i], u, got)
			}
			tally[u]++
			i++
		})
		for u := range tally {
			if got := counts.At(u).(int64); got != tally[u] || got == 0 {
				t.Fatalf("%s: class %d counts %d, want %d", what, u, got, tally[u])
			}
			if u > 0 && !before(number(values.At(u-1)), number(values.At(u))) &&
				!(number(values.At(u-1)) != number(values.At(u-1))) {
				t.Fatalf("%s: %v do not ascend", what, values)
			}
		}
	})
}

func TestScansAgainstNaive(t *testing.T) {
	eachCase(t, func(t *testing.T, what string, x *tensor.Tensor, dim int) {
		sums, products := x.Cumsum(dim), x.Cumprod(dim)
		most, mostAt := x.Cummax(dim)
		least, leastAt := x.Cummin(dim)
		want := tensor.Int64
		if x.Dtype().IsFloatingPoint() {
			want = x.Dtype()
		}
		if sums.Dtype() != want || products.Dtype() != want || most.Dtype() != x.Dtype() {
			t.Fatalf("%s: sums of %s, products of %s, maxima of %s", what, sums.Dtype(), products.Dtype(), most.Dtype())
		}
		lanesAlong(x, dim, func(lane []float64, at func(i int) []int) {
			sum, product, exact := 0.0, 1.0, true
			for i, v := range lane {
				sum += v
				product *= v
				exact = exact && (math.Abs(product) < 256 || product-product != 0) // of what every dtype can hold
				if got := number(sums.At(at(i)...)); !same(got, sum) && math.Abs(sum) < 256 {
					t.Fatalf("%s: sum %d of %v is %v, want %v", what, i, lane, got, sum)
				}
				if got := number(products.At(at(i)...)); exact && !same(got, product) {
					t.Fatalf("%s: product %d of %v is %v, want %v", what, i, lane, got, product)
				}
				hi, lo := 0, 0
				for j, w := range lane[:i+1] {
					if w != w || lane[hi] == lane[hi] && w >= lane[hi] {
						hi = j
					}
					if w != w || lane[lo] == lane[lo] && w <= lane[lo] {
						lo = j
					}
				}
				if mostAt.At(at(i)...) != int64(hi) || !same(number(most.At(at(i)...)), lane[hi]) {
					t.Fatalf("%s: maximum %d of %v is %v at %v, want place %d", what, i, lane, most.At(at(i)...),
						mostAt.At(at(i)...), hi)
				}
				if leastAt.At(at(i)...) != int64(lo) || !same(number(least.At(at(i)...)), lane[lo]) {
					t.Fatalf("%s: minimum %d of %v is %v at %v, want place %d", what, i, lane, least.At(at(i)...),
						leastAt.At(at(i)...), lo)
				}
			}
		})
	})
}

func TestTrianglesAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, dt := range append(slices.Clone(realDtypes), tensor.Complex64, tensor.Complex128) {
		for _, shape := range [][]int{{3, 4}, {5, 2}, {0, 3}, {2, 3, 3}, {2, 1, 4, 3}} {
			x := scrambled(r, shape, dt)
			for k := -4; k <= 4; k++ {
				lower, upper := x.Tril(opt.Diagonal(k)), x.Clone().Triu_(opt.Diagonal(k))
				zero := tensor.Zeros(1).To(dt).At(0)
				eachIndex(shape, func(at []int) {
					row, col := at[len(at)-2], at[len(at)-1]
					l, u := zero, zero
					if col-row <= k {
						l = x.At(at...)
					}
					if col-row >= k {
						u = x.At(at...)
					}
					if lower.At(at...) != l || upper.At(at...) != u {
						t.Fatalf("%s %v diagonal %d: element %v is %v and %v, want %v and %v", dt, shape, k, at, lower.At(at...),
							upper.At(at...), l, u)
					}
				})
			}
		}
	}
}
