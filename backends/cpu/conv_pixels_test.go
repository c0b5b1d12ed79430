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

// TestConvolutionPixels: convolutions with pixels as rows, of channels first and last, are near a naive sum, and the
// same to the last bit for any number of threads.
func TestConvolutionPixels(t *testing.T) {
	defer parallel.SetThreads(0)
	one, two := []int{1, 1, 1}, []int{2, 2, 2}
	for i, c := range []struct {
		n, c, k                                    int
		in, kernel, stride, padding, dilation, out []int
		transposed                                 bool
	}{
		{5, 16, 32, []int{14, 14}, []int{3, 3}, one, one, one, []int{14, 14}, false},
		{5, 32, 17, []int{14, 15}, []int{3, 2}, one, one, one, []int{14, 16}, true},
		{9, 17, 47, []int{21, 20}, []int{3, 3}, two, one, one, []int{11, 10}, false},
		{1, 20, 64, []int{30, 31}, []int{1, 1}, one, []int{0, 0}, one, []int{30, 31}, false},
		{2, 24, 16, []int{33, 30}, []int{3, 1}, one, []int{0, 0}, one, []int{31, 30}, false},
		{20, 48, 90, []int{7, 7}, []int{3, 3}, one, two, two, []int{7, 7}, true},
		{1, 16, 30, []int{9, 10, 12}, []int{3, 3, 3}, one, one, one, []int{9, 10, 12}, false},
		{2, 16, 16, []int{1000}, []int{5}, two, two, one, []int{500}, false},
	} {
		if testing.Short() && i >= 3 {
			break // emulated machines take minutes for the others
		}
		rng := rand.New(rand.NewPCG(6, uint64(i)))
		random := func(n int) []float32 {
			xs := make([]float32, n)
			for i := range xs {
				xs[i] = float32(rng.NormFloat64())
			}
			return xs
		}
		// picture is a tensor of channels first, and the same with channels last
		picture := func(xs []float32, channels int, size []int) [2]*tensor.Tensor {
			shape := append([]int{c.n, channels}, size...)
			x := [2]*tensor.Tensor{tensor.Alloc("test", shape, tensor.Float32, tensor.CPU), nil}
			copy(tensor.Elems[float32](x[0]), xs)
			order := []int{0}
			for d := range size {
				order = append(order, d+2)
			}
			order = append(order, 1)
			back := []int{0, len(size) + 1}
			for d := range size {
				back = append(back, d+1)
			}
			x[1] = x[0].Permute(order...).Clone().Contiguous().Permute(back...)
			return x
		}
		w := newGeometry(c.in, c.out, c.kernel, c.stride, c.padding, c.dilation, c.c)
		from, to, channels, results, size, outSize := volume(w.in), volume(w.out), c.c, c.k, c.in, c.out
		if c.transposed {
			from, to, channels, results, size, outSize = to, from, c.k, c.c, c.out, c.in
		}
		xs, ws, bs := random(c.n*channels*from), random(c.k*c.c*volume(w.kernel)), random(results)
		want := make([]float64, c.n*results*to)
		for i := range want {
			want[i] = float64(bs[i/to%results])
		}
		naiveConv(&w, c.n, 1, c.k, func(l, f, s int) {
			if c.transposed {
				l, s = s, l
			}
			want[s] += float64(xs[l]) * float64(ws[f])
		})
		x := picture(xs, channels, size)
		weight := tensor.Alloc("test", append([]int{c.k, c.c}, c.kernel...), tensor.Float32, tensor.CPU)
		copy(tensor.Elems[float32](weight), ws)
		bias := tensor.Alloc("test", []int{results}, tensor.Float32, tensor.CPU)
		copy(tensor.Elems[float32](bias), bs)
		var before []float32
		for _, threads := range []int{1, 2, 7} {
			for kind := range 4 {
				parallel.SetThreads(threads)
				what := fmt.Sprintf("case %d, %d threads, input last %v, output last %v", i, threads, kind&1 == 1, kind&2 == 2)
				y := picture(random(len(want)), results, outSize)
				a := &pixelArgs{geometry: &w, op: "test", n: c.n, groups: 1, k: c.k, transposed: c.transposed,
					xLast: kind&1 == 1, yLast: kind&2 == 2}
				if !convPixels[float32](a, x[kind&1], weight, bias, y[kind>>1]) {
					if kind == 3 && !c.transposed {
						t.Fatalf("%s: pixels are not rows", what)
					}
					continue
				}
				got := tensor.Elems[float32](y[kind>>1].Contiguous())
				for j, v := range got {
					if !(math.Abs(float64(v)-want[j]) <= 1e-3) {
						t.Fatalf("%s: element %d is %v, want %v", what, j, v, want[j])
					}
				}
				if before == nil {
					before = slices.Clone(got)
				}
				for j, v := range got {
					if math.Float32bits(v) != math.Float32bits(before[j]) {
						t.Fatalf("%s: element %d is %v, on one thread %v", what, j, v, before[j])
					}
				}
			}
		}
		if before == nil {
			t.Errorf("case %d: pixels are never rows", i)
		}
	}
}
