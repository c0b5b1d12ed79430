package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// naiveConv calls f for every product of a convolution: the offsets of an element of the large side, of the weight
// and of the small side.
func naiveConv(w *geometry, n, groups, k int, f func(large, weight, small int)) {
	taps, in, out := volume(w.kernel), volume(w.in), volume(w.out)
	for s := range n * groups {
		for q := range k {
			for c := range w.c {
				w.eachTap(func(i int, at [3]int) {
				outputs:
					for o := range out {
						pos := [3]int{o / (w.out[2] * w.out[1]), o / w.out[2] % w.out[1], o % w.out[2]}
						off := 0
						for d := range 3 {
							p := pos[d]*w.stride[d] - w.padding[d] + at[d]*w.dilation[d]
							if p < 0 || p >= w.in[d] {
								continue outputs
							}
							off = off*w.in[d] + p
						}
						f((s*w.c+c)*in+off, ((s%groups*k+q)*w.c+c)*taps+i, (s*k+q)*out+o)
					}
				})
			}
		}
	}
}

func TestConvolutions(t *testing.T) {
	defer parallel.SetThreads(0)
	rng := rand.New(rand.NewPCG(3, 4))
	fill := func(x *tensor.Tensor) []float64 {
		xs := tensor.Elems[float64](x)
		for i := range xs {
			xs[i] = rng.NormFloat64()
		}
		return xs
	}
	empty := func(shape []int) *tensor.Tensor { return tensor.Alloc("test", shape, tensor.Float64, tensor.CPU) }
	for trial := range 150 {
		dims := 1 + rng.IntN(3)
		var in, out, kernel, stride, padding, dilation []int
		for range dims {
			k, s, p, d := 1+rng.IntN(4), 1+rng.IntN(3), rng.IntN(3), 1+rng.IntN(2)
			n := max(1, d*(k-1)+1-2*p) + rng.IntN(9)
			if trial%40 == 0 && dims < 2 {
				n += 25
			}
			in, kernel, stride = append(in, n), append(kernel, k), append(stride, s)
			padding, dilation = append(padding, p), append(dilation, d)
			out = append(out, (n+2*p-d*(k-1)-1)/s+1)
		}
		n, groups, c, k := 1+rng.IntN(6), 1+rng.IntN(3), 1+rng.IntN(6), 1+rng.IntN(40)
		if trial%3 == 0 {
			k = 1 + rng.IntN(2)
		}
		if trial%11 == 0 {
			c = 30
		}
		parallel.SetThreads([]int{1, 2, 7}[trial%3])
		w := newGeometry(in, out, kernel, stride, padding, dilation, c)
		shape := func(n, c int, s []int) []int { return append([]int{n, c}, s...) }
		what := fmt.Sprintf("trial %d: %d×%d×%d channels %v, %d filters %v, stride %v, padding %v, dilation %v",
			trial, n, groups, c, in, k, kernel, stride, padding, dilation)
		large, weight := empty(shape(n, groups*c, in)), empty(shape(groups*k, c, kernel))
		small := empty(shape(n, groups*k, out))
		bias := empty([]int{groups * k})
		ls, ws, ss, bs := fill(large), fill(weight), fill(small), fill(bias)
		check := func(kind string, got, want []float64) {
			t.Helper()
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-10) {
					t.Fatalf("%s, %s: element %d is %v, want %v", what, kind, i, got[i], want[i])
				}
			}
		}
		want := make([]float64, len(ss))
		for i := range want {
			want[i] = bs[i/volume(w.out)%len(bs)]
		}
		naiveConv(&w, n, groups, k, func(l, f, s int) { want[s] += ls[l] * ws[f] })
		got := empty(small.Sizes())
		fill(got)
		convForward[float64]("test", &w, n, groups, k, large, weight, bias, got)
		check("forward", tensor.Elems[float64](got), want)

		want = make([]float64, len(ls))
		naiveConv(&w, n, groups, k, func(l, f, s int) { want[l] += ss[s] * ws[f] })
		got = empty(large.Sizes())
		fill(got)
		convTransposed[float64]("test", &w, n, groups, k, small, weight, nil, got)
		check("transposed", tensor.Elems[float64](got), want)

		want = make([]float64, len(ws))
		naiveConv(&w, n, groups, k, func(l, f, s int) { want[f] += ls[l] * ss[s] })
		got = empty(weight.Sizes())
		fill(got)
		convWeight[float64]("test", &w, n, groups, k, large, small, got)
		check("weight", tensor.Elems[float64](got), want)
	}
}
