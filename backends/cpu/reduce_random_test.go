package cpu_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// randomView makes a tensor of random shape, permuted, sliced and sometimes expanded, with few different values so
// that some are equal, and sometimes NaN.
func randomView(r *rand.Rand, dt tensor.Dtype) *tensor.Tensor {
	shape := make([]int, 1+r.IntN(4))
	n := 1
	for i := range shape {
		shape[i] = 1 + r.IntN(9)
		if r.IntN(4) == 0 {
			shape[i] = 1 + r.IntN(700)
		}
		if n*shape[i] > 200000 {
			shape[i] = 1 + r.IntN(3)
		}
		n *= shape[i]
	}
	vals := make([]float64, n)
	for i := range vals {
		vals[i] = float64(r.IntN(41)-20) / 4
		if dt.IsFloatingPoint() && n > 20 && r.IntN(5*n) == 0 {
			vals[i] = math.NaN()
		}
	}
	x := tensor.New(vals).To(dt).View(shape...)
	x = x.Permute(r.Perm(len(shape))...)
	for d := range x.Dim() {
		switch size := x.Size(d); {
		case r.IntN(4) == 0 && size > 3:
			x = x.Slice(opt.Dim(d), opt.Start(1), opt.Step(1+r.IntN(2)))
		case r.IntN(8) == 0 && size > 1:
			s := x.Shape()
			s[d] = 5
			x = x.Narrow(d, 1, 1).Expand(s...)
		}
	}
	return x
}

// naively folds the elements of x over the dimensions dims one after the other: f is called with the elements of each
// result.
func naively(x *tensor.Tensor, dims []int, f func(vs []float64) float64) []float64 {
	var keep []int
	for d := range x.Dim() {
		if !slices.Contains(dims, d) {
			keep = append(keep, d)
		}
	}
	slices.Sort(dims)
	flat := tensor.Data[float64](x.Permute(append(keep, dims...)...).Double().Contiguous())
	n := 1
	for _, d := range dims {
		n *= x.Size(d)
	}
	out := make([]float64, len(flat)/n)
	for i := range out {
		out[i] = f(flat[i*n:][:n])
	}
	return out
}

func nanMax(vs []float64) float64 {
	return slices.Max(append([]float64{math.Inf(-1)}, vs...)) + 0*total(vs)
}

func total(vs []float64) (s float64) {
	for _, v := range vs {
		s += v
	}
	return s
}

func variance(vs []float64) float64 {
	m, s := total(vs)/float64(len(vs)), 0.0
	for _, v := range vs {
		s += (v - m) * (v - m)
	}
	return s / (float64(len(vs)) - 1)
}

func place(better func(v, best float64) bool) func(vs []float64) float64 {
	return func(vs []float64) float64 {
		at := 0
		for i, v := range vs {
			if best := vs[at]; best == best && (v != v || better(v, best)) {
				at = i
			}
		}
		return float64(at)
	}
}

// TestReductionsOfRandomViews compares reductions over random dimensions with naive ones, and their bits for 1, 2 and
// 7 goroutines.
func TestReductionsOfRandomViews(t *testing.T) {
	defer parallel.SetThreads(0)
	negated := func(vs []float64) []float64 {
		ws := slices.Clone(vs)
		for i := range ws {
			ws[i] = -ws[i]
		}
		return ws
	}
	count := func(vs []float64) float64 {
		n := 0.0
		for _, v := range vs {
			if v != 0 {
				n++
			}
		}
		return n
	}
	kinds := []struct {
		name  string
		one   bool // over one dimension only
		float bool // floating point only
		f     func(x *tensor.Tensor, dims []int) *tensor.Tensor
		want  func(vs []float64) float64
	}{
		{"sum", false, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Sum(opt.Dim(d...)) }, total},
		{"mean", false, true, func(x *tensor.Tensor, d []int) *tensor.Tensor {
			return x.Mean(opt.Dim(d...), opt.Keepdim(true))
		},
			func(vs []float64) float64 { return total(vs) / float64(len(vs)) }},
		{"nansum", false, true, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Nansum(opt.Dim(d...)) },
			func(vs []float64) float64 {
				s := 0.0
				for _, v := range vs {
					if v == v {
						s += v
					}
				}
				return s
			}},
		{"amax", false, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Amax(opt.Dim(d...)) }, nanMax},
		{"amin", false, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Amin(opt.Dim(d...)) },
			func(vs []float64) float64 { return -nanMax(negated(vs)) }},
		{"argmax", true, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Argmax(opt.Dim(d[0])) },
			place(func(v, b float64) bool { return v > b })},
		{"argmin", true, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Argmin(opt.Dim(d[0])) },
			place(func(v, b float64) bool { return v < b })},
		{"min.dim", true, false, func(x *tensor.Tensor, d []int) *tensor.Tensor {
			_, at := x.MinDim(d[0])
			return at
		}, place(func(v, b float64) bool { return v < b })},
		{"prod", true, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Sign().Prod(opt.Dim(d[0])) },
			func(vs []float64) float64 {
				p := 1.0
				for _, v := range vs {
					switch {
					case v > 0:
					case v < 0:
						p = -p
					default: // also the sign of NaN
						p = 0
					}
				}
				return p
			}},
		{"var", false, true, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Var(opt.Dim(d...)) }, variance},
		{"norm 2", false, true, func(x *tensor.Tensor, d []int) *tensor.Tensor {
			return x.Norm(opt.P(2), opt.Dim(d...))
		}, func(vs []float64) float64 {
			s := 0.0
			for _, v := range vs {
				s += v * v
			}
			return math.Sqrt(s)
		}},
		{"count_nonzero", false, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.CountNonzero(d...) },
			count},
		{"any", true, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.Any(opt.Dim(d[0])) },
			func(vs []float64) float64 { return min(1, count(vs)) }},
		{"all", true, false, func(x *tensor.Tensor, d []int) *tensor.Tensor { return x.All(opt.Dim(d[0])) },
			func(vs []float64) float64 {
				if count(vs) == float64(len(vs)) {
					return 1
				}
				return 0
			}},
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 16 {
		dt := []tensor.Dtype{tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32, tensor.Float16,
			tensor.Float32}[r.IntN(6)]
		x := randomView(r, dt)
		dims := r.Perm(x.Dim())[:1+r.IntN(x.Dim())]
		for _, k := range kinds {
			d := dims
			if k.one {
				d = dims[:1]
			}
			if k.float && !dt.IsFloatingPoint() ||
				dt == tensor.Float16 && (k.name == "prod" || k.name == "sum" || k.name == "nansum" || k.name == "mean" ||
					k.name == "norm 2" || k.name == "var") {
				continue
			}
			want := naively(x, slices.Clone(d), k.want)
			var first []float64
			for _, threads := range []int{1, 2, 7} {
				parallel.SetThreads(threads)
				got := tensor.Data[float64](k.f(x, d).Double())
				if first == nil {
					first = got
				}
				if len(got) != len(want) {
					t.Fatalf("%s of %s %v over %v: %d results, want %d", k.name, dt, x.Shape(), d, len(got), len(want))
				}
				for i := range want {
					if !(math.Abs(got[i]-want[i]) <= 1e-4+1e-5*math.Abs(want[i])) && !(got[i] != got[i] && want[i] != want[i]) &&
						got[i] != want[i] {
						t.Fatalf("%s of %s %v, strides %v, over %v: result %d is %v, want %v", k.name, dt, x.Shape(), x.Strides(), d, i,
							got[i], want[i])
					}
					if math.Float64bits(got[i]) != math.Float64bits(first[i]) && got[i] == got[i] {
						t.Fatalf("%s of %s %v over %v with %d goroutines: result %d is %v, was %v", k.name, dt, x.Shape(), d, threads, i,
							got[i], first[i])
					}
				}
			}
		}
	}
}
