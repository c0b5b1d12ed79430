package cpu_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestIndexThreads: what reads, writes, selects and draws in parallel gives the same bits for any number of threads.
func TestIndexThreads(t *testing.T) {
	defer parallel.SetThreads(0)
	run := func() []string {
		tensor.ManualSeed(1)
		x := tensor.Randn(300, 400)
		cols, rows := tensor.Randint(0, 400, 300, 400), tensor.Randint(0, 300, 300, 400)
		few, many := tensor.Randint(0, 5, 2000), tensor.Randint(0, 120000, 200000)
		src, wide := tensor.Randn(300, 400), tensor.Randn(2000, 130)
		flat := x.Flatten()
		var out []string
		add := func(ts ...*tensor.Tensor) {
			for _, y := range ts {
				out = append(out, fmt.Sprint(y.Shape(), hash(y)))
			}
		}
		add(x.Gather(1, cols), x.Gather(0, rows), x.ScatterAdd(1, cols, src), x.ScatterAdd(0, rows, src))
		add(x.Scatter(0, rows, src), x.ScatterReduce(0, rows, src, "amax"), x.ScatterReduce(1, cols, src, "prod"))
		add(tensor.Zeros(5, 130).IndexAdd(0, few, wide), tensor.Zeros(5, 130).IndexCopy(0, few, wide),
			tensor.Zeros(120000).IndexAdd(0, many, tensor.Randn(200000)))
		add(flat.Index(many), flat.Take(many), flat.IndexPut(tensor.Ix{many}, tensor.Randn(200000), opt.Accumulate(true)))
		mask := flat.Gt(0.3)
		add(flat.MaskedSelect(mask), flat.MaskedScatter(mask, wide), mask.Nonzero(), x.Gt(1).Nonzero(), x.Index(x.Gt(0)))
		for _, d := range []int{0, 1} {
			v, i := x.Sort(opt.Dim(d))
			tv, ti := x.Topk(3, opt.Dim(d))
			mv, mi := x.MedianDim(d)
			kv, ki := x.Kthvalue(7, opt.Dim(d))
			add(v, i, tv, ti, mv, mi, kv, ki)
		}
		v, i := tensor.Randn(300000).Topk(9)
		add(v, i, tensor.Randn(300001).Median(), tensor.Randn(300001), tensor.Rand(300001), tensor.Rand(70000).Bernoulli(),
			tensor.Zeros(300001).Exponential_())
		add(tensor.With(tensor.Float16).Randn(140000), tensor.With(tensor.Bfloat16).Randn(140000),
			tensor.With(tensor.Float64).Randn(140000))
		return out
	}
	parallel.SetThreads(1)
	want := run()
	for _, n := range []int{2, 7} {
		parallel.SetThreads(n)
		for i, got := range run() {
			if got != want[i] {
				t.Errorf("%d threads, result %d:\n%.300s\nwant\n%.300s", n, i, got, want[i])
			}
		}
	}
}

// hash is a number for the bytes of x.
func hash(x *tensor.Tensor) uint64 {
	x = x.Contiguous()
	h := fnv.New64a()
	h.Write(unsafe.Slice((*byte)(x.Ptr()), x.Numel()*x.ElementSize()))
	runtime.KeepAlive(x)
	return h.Sum64()
}

// TestIndexPieces reads by indices that rise by one for a while, along each dimension, against element by element.
func TestIndexPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		x := tensor.Arange(6*20*8).View(6, 20, 8)
		if r.IntN(2) == 0 {
			x = x.Flip(1).Transpose(0, 2)
		}
		for d, n := range x.Shape() {
			var list []int64
			for len(list) < 40 {
				from := r.IntN(n)
				for i := from; i < n && r.IntN(8) > 0; i++ {
					list = append(list, int64(i))
				}
			}
			y := x.IndexSelect(d, tensor.New(list))
			for j, i := range list {
				if !tensor.Equal(y.Select(d, j), x.Select(d, int(i))) {
					t.Fatalf("index_select of %v along %d by %v is wrong at %d", x.Shape(), d, list, j)
				}
			}
		}
	}
}

// TestIndexErrorWritesNothing: an index that is out of bounds ends the operator before it has written anything,
// whatever the position.
func TestIndexErrorWritesNothing(t *testing.T) {
	for _, n := range []int{1, 40, 100000} {
		for _, at := range []int{0, n / 2, n - 1} {
			for _, bad := range []int{-101, 100, math.MaxInt32, math.MinInt32} {
				x, index, src := tensor.Zeros(100), tensor.Zeros(n).Long(), tensor.Ones(n)
				index.Set(bad, at)
				for name, f := range map[string]func(){
					"scatter_":     func() { x.Scatter_(0, index, src) },
					"scatter_add_": func() { x.ScatterAdd_(0, index, src) },
					"index_add_":   func() { x.IndexAdd_(0, index, src) },
					"index_copy_":  func() { x.IndexCopy_(0, index, src) },
					"index_fill_":  func() { x.IndexFill_(0, index, 1) },
					"index_put_":   func() { x.IndexPut_(tensor.Ix{index}, src) },
					"put_":         func() { x.Put_(index, src) },
					"gather":       func() { x.Gather(0, index) },
					"index":        func() { x.Index(index) },
				} {
					if err := tensor.Try(f); err == nil {
						t.Errorf("%s takes the index %d of 100", name, bad)
					}
					if s := x.Sum().Item(); s != 0 {
						t.Fatalf("%s with a bad index has written", name)
					}
				}
			}
		}
	}
}

// TestMedianAgainstSort compares with the middle of a stable sort.
func TestMedianAgainstSort(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 2, 15, 16, 17, 200, 5000} {
		for range 4 {
			v := make([]float64, n)
			for i := range v {
				if v[i] = float64(r.IntN(n + 3)); r.IntN(2*n) == 0 {
					v[i] = math.NaN()
				}
			}
			for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64, tensor.Float16} {
				x := tensor.New(v).To(dt)
				sorted, order := x.Sort(opt.Stable(true))
				numbers := n - int(x.Isnan().Sum().Item())
				got, at := x.NanmedianDim(0)
				if numbers > 0 {
					k := (numbers - 1) / 2
					if got.Item() != sorted.Index(k).Item() || at.ItemInt() != order.Index(k).ItemInt() {
						t.Fatalf("nanmedian of %d %s is %v at %v, want %v at %v", n, dt, got.Item(), at.Item(), sorted.Index(k).Item(),
							order.Index(k).Item())
					}
				}
				nan := slices.IndexFunc(v, func(f float64) bool { return f != f })
				if m, at := x.MedianDim(0); nan >= 0 && (m.Item() == m.Item() || at.ItemInt() != nan) {
					t.Fatalf("median with NaN at %d is %v at %v", nan, m.Item(), at.Item())
				}
			}
		}
	}
}
