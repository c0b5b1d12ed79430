package cpu_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// TestScansOfRandomViews compares running sums, products and extremes with naive ones, and their bits for 1, 2 and 7
// goroutines.
func TestScansOfRandomViews(t *testing.T) {
	defer parallel.SetThreads(0)
	extreme := func(better func(v, best float64) bool) func(vs []float64) []float64 {
		return func(vs []float64) []float64 {
			out := make([]float64, len(vs))
			at := 0
			for i, v := range vs {
				if v != v || better(v, vs[at]) {
					at = i
				}
				out[i] = float64(at)
			}
			return out
		}
	}
	sums := func(f func(a, v float64) float64, a float64) func(vs []float64) []float64 {
		return func(vs []float64) []float64 {
			out, a := make([]float64, len(vs)), a
			for i, v := range vs {
				a = f(a, v)
				out[i] = a
			}
			return out
		}
	}
	kinds := []struct {
		name string
		f    func(x *tensor.Tensor, d int) *tensor.Tensor
		want func(vs []float64) []float64
	}{
		{"cumsum", func(x *tensor.Tensor, d int) *tensor.Tensor { return x.Cumsum(d) },
			sums(func(a, v float64) float64 { return a + v }, 0)},
		{"cumprod", func(x *tensor.Tensor, d int) *tensor.Tensor { return x.Sign().Mul(1).Cumprod(d) },
			sums(func(a, v float64) float64 {
				switch {
				case v > 0:
					return a
				case v < 0:
					return -a
				}
				return 0
			}, 1)},
		{"cummax", func(x *tensor.Tensor, d int) *tensor.Tensor {
			_, at := x.Cummax(d)
			return at
		}, extreme(func(v, b float64) bool { return v >= b })},
		{"cummin", func(x *tensor.Tensor, d int) *tensor.Tensor {
			_, at := x.Cummin(d)
			return at
		}, extreme(func(v, b float64) bool { return v <= b })},
	}
	r := rand.New(rand.NewPCG(3, 9))
	for round := range 12 {
		dt := []tensor.Dtype{tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32}[r.IntN(4)]
		x := randomView(r, dt)
		if round < 4 { // long lanes
			vals := make([]float64, 200003)
			for i := range vals {
				vals[i] = float64(r.IntN(41) - 20)
			}
			x = tensor.New(vals).To(dt)
		}
		d := r.IntN(x.Dim())
		lanes := tensor.Data[float64](x.Movedim(d, -1).Double().Contiguous())
		n := x.Size(d)
		for _, k := range kinds {
			var first []float64
			for _, threads := range []int{1, 2, 7} {
				parallel.SetThreads(threads)
				got := tensor.Data[float64](k.f(x, d).Movedim(d, -1).Double().Contiguous())
				if first == nil {
					first = got
				}
				for at := 0; at < len(lanes); at += n {
					want := k.want(lanes[at : at+n])
					for i, w := range want {
						g := got[at+i]
						if !(math.Abs(g-w) <= 1e-6*math.Abs(w)+1e-5) && !(g != g && w != w) {
							t.Fatalf("%s of %s %v, strides %v, along %d: element %d of a lane is %v, want %v", k.name, dt, x.Shape(),
								x.Strides(), d, i, g, w)
						}
						if g == g && math.Float64bits(g) != math.Float64bits(first[at+i]) {
							t.Fatalf("%s of %s %v with %d goroutines: %v, was %v", k.name, dt, x.Shape(), threads, g, first[at+i])
						}
					}
				}
			}
		}
	}
}
