package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// TestConvolutionSlabs: convolutions whose outputs are computed in several slabs and pieces are near a naive sum in
// float64, and the same to the last bit for any number of threads.
func TestConvolutionSlabs(t *testing.T) {
	defer parallel.SetThreads(0)
	one, two := []int{1, 1, 1}, []int{2, 2, 2}
	for i, c := range []struct {
		n, groups, c, k                            int
		in, kernel, stride, padding, dilation, out []int
	}{
		{3, 1, 20, 24, []int{40, 40}, []int{3, 3}, one, one, one, []int{40, 40}},
		{2, 2, 9, 17, []int{41, 44}, []int{3, 2}, two, one, one, []int{21, 23}},
		{1, 1, 40, 70, []int{30, 31}, []int{1, 1}, one, []int{0, 0}, one, []int{30, 31}},
		{2, 1, 12, 40, []int{33, 30}, []int{3, 1}, one, []int{0, 0}, one, []int{31, 30}},
		{1, 1, 16, 30, []int{2500}, []int{5}, one, []int{3}, two, []int{2498}},
		{2, 1, 8, 33, []int{2001}, []int{4}, two, []int{1}, one, []int{1000}},
		{1, 1, 6, 15, []int{13, 14, 15}, []int{3, 3, 3}, one, one, one, []int{13, 14, 15}},
		{12, 1, 33, 60, []int{7, 7}, []int{3, 3}, one, one, one, []int{7, 7}},
		{1, 1, 2, 20, []int{60, 50}, []int{5, 5}, one, two, one, []int{60, 50}},
		{1, 1, 3, 2, []int{200, 210}, []int{3, 3}, one, one, one, []int{200, 210}},
	} {
		if testing.Short() && i >= 4 {
			break // emulated machines take minutes for the others
		}
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		random := func(n int, shape []int) *tensor.Tensor {
			x := tensor.Alloc("test", append([]int{n}, shape...), tensor.Float32, tensor.CPU)
			for i := range tensor.Elems[float32](x) {
				tensor.Elems[float32](x)[i] = float32(rng.NormFloat64())
			}
			return x
		}
		w := newGeometry(c.in, c.out, c.kernel, c.stride, c.padding, c.dilation, c.c)
		large, small := random(c.n*c.groups*c.c, c.in), random(c.n*c.groups*c.k, c.out)
		weight := random(c.groups*c.k*c.c, c.kernel)
		ls, ws, ss := tensor.Elems[float32](large), tensor.Elems[float32](weight), tensor.Elems[float32](small)
		want := [3][]float64{make([]float64, len(ss)), make([]float64, len(ls)), make([]float64, len(ws))}
		naiveConv(&w, c.n, c.groups, c.k, func(l, f, s int) {
			want[0][s] += float64(ls[l]) * float64(ws[f])
			want[1][l] += float64(ss[s]) * float64(ws[f])
			want[2][f] += float64(ls[l]) * float64(ss[s])
		})
		var before [3][]float32
		for _, threads := range []int{1, 2, 7} {
			parallel.SetThreads(threads)
			got := [3]*tensor.Tensor{random(c.n*c.groups*c.k, c.out), random(c.n*c.groups*c.c, c.in),
				random(c.groups*c.k*c.c, c.kernel)}
			convForward[float32]("test", &w, c.n, c.groups, c.k, large, weight, nil, got[0])
			convTransposed[float32]("test", &w, c.n, c.groups, c.k, small, weight, nil, got[1])
			convWeight[float32]("test", &w, c.n, c.groups, c.k, large, small, got[2])
			for kind, x := range got {
				what := fmt.Sprintf("case %d, %d threads, %s", i, threads, []string{"forward", "transposed", "weight"}[kind])
				xs := tensor.Elems[float32](x)
				for j, v := range xs {
					if !(math.Abs(float64(v)-want[kind][j]) <= 1e-3) {
						t.Fatalf("%s: element %d is %v, want %v", what, j, v, want[kind][j])
					}
				}
				if before[kind] == nil {
					before[kind] = slices.Clone(xs)
				}
				for j, v := range xs {
					if math.Float32bits(v) != math.Float32bits(before[kind][j]) {
						t.Fatalf("%s: element %d is %v, on one thread %v", what, j, v, before[kind][j])
					}
				}
			}
		}
	}
}
