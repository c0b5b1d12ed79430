package cpu_test

import (
	"math"
	"strings"
	"testing"

	"gotorch/internal/parallel"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// wavy fills a tensor, of whatever strides, with numbers that have no pattern.
func wavy(dt tensor.Dtype, shape, stride []int) *tensor.Tensor {
	x := counting(tensor.Float64, shape, stride, 1)
	data := tensor.StorageElems[float64](x)
	for i := range data {
		data[i] = math.Round(1000*math.Sin(float64(i)*1.7)) / 8
	}
	y := tensor.Alloc("test", []int{len(data)}, dt, tensor.CPU)
	flat := tensor.FromStorage("test", x.Storage(), []int{len(data)}, []int{1}, 0, tensor.Float64)
	y.Copy_(flat)
	return tensor.FromStorage("test", y.Storage(), shape, stride, 0, dt)
}

var layouts = []struct {
	name          string
	shape, stride []int
}{
	{"row-major", []int{3, 5, 7}, []int{35, 7, 1}},
	{"reversed", []int{3, 5, 7}, []int{1, 3, 15}},
	{"broadcast", []int{3, 5, 7}, []int{0, 1, 5}},
	{"holes", []int{3, 5, 7}, []int{200, 30, 2}},
	{"tall", []int{700, 40}, []int{40, 1}},
	{"long", []int{2, 70000}, []int{70000, 1}},
	{"long across", []int{70000, 2}, []int{1, 70000}},
	{"nothing", []int{}, []int{}},
}

// fold reduces by reading one element after the other.
func fold(x *tensor.Tensor, dim int, start float64, f func(acc, v float64) float64) []float64 {
	shape := x.Shape()
	if len(shape) == 0 {
		return []float64{f(start, x.Item())}
	}
	n, inner := shape[dim], 1
	for _, s := range shape[dim+1:] {
		inner *= s
	}
	flat := tensor.Data[float64](x.Double())
	out := make([]float64, len(flat)/n)
	for i := range out {
		out[i] = start
		for j := range n {
			out[i] = f(out[i], flat[i/inner*n*inner+j*inner+i%inner])
		}
	}
	return out
}

func TestReductionsInEveryLayout(t *testing.T) {
	kinds := []struct {
		name  string
		f     func(x *tensor.Tensor, dim int) *tensor.Tensor
		start float64
		fold  func(acc, v float64) float64
	}{
		{"sum", func(x *tensor.Tensor, d int) *tensor.Tensor { return x.Sum(opt.Dim(d)) }, 0,
			func(a, v float64) float64 { return a + v }},
		{"amax", func(x *tensor.Tensor, d int) *tensor.Tensor { return x.Amax(opt.Dim(d)) }, math.Inf(-1), math.Max},
		{"amin", func(x *tensor.Tensor, d int) *tensor.Tensor { return x.Amin(opt.Dim(d)) }, math.Inf(1), math.Min},
		{"max.dim", func(x *tensor.Tensor, d int) *tensor.Tensor { v, _ := x.MaxDim(d); return v }, math.Inf(-1), math.Max},
		{"norm inf", func(x *tensor.Tensor, d int) *tensor.Tensor {
			return x.Norm(opt.P(math.Inf(1)), opt.Dim(d))
		}, 0, func(a, v float64) float64 { return math.Max(a, math.Abs(v)) }},
		{"norm 1", func(x *tensor.Tensor, d int) *tensor.Tensor { return x.Norm(opt.P(1), opt.Dim(d)) }, 0,
			func(a, v float64) float64 { return a + math.Abs(v) }},
		{"count_nonzero", func(x *tensor.Tensor, d int) *tensor.Tensor { return x.CountNonzero(d) }, 0,
			func(a, v float64) float64 {
				if v != 0 {
					a++
				}
				return a
			}},
	}
	for _, l := range layouts {
		for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64, tensor.Int32} {
			x := wavy(dt, l.shape, l.stride)
			for dim := range max(1, len(l.shape)) {
				for _, k := range kinds {
					if dt == tensor.Int32 && strings.HasPrefix(k.name, "norm") {
						continue
					}
					got := tensor.Data[float64](k.f(x, dim).Double())
					want := fold(x, dim, k.start, k.fold)
					if len(got) != len(want) {
						t.Fatalf("%s of %s by %d: %d results, want %d", k.name, l.name, dim, len(got), len(want))
					}
					for i := range want {
						if math.Abs(got[i]-want[i]) > 1e-5+1e-6*math.Abs(want[i]) {
							t.Fatalf("%s of %s %s by %d: result %d is %v, want %v", k.name, dt, l.name, dim, i, got[i], want[i])
						}
					}
				}
			}
		}
	}
}

func TestArgmaxPointsAtMax(t *testing.T) {
	for _, l := range layouts {
		x := wavy(tensor.Float32, l.shape, l.stride)
		at := x.Argmax().ItemInt()
		if flat := tensor.Data[float32](x); float64(flat[at]) != x.Max().Item() {
			t.Errorf("%s: element %d is %v, the greatest is %v", l.name, at, flat[at], x.Max().Item())
		}
		for i, v := range tensor.Data[float32](x)[:at] {
			if float64(v) == x.Max().Item() {
				t.Errorf("%s: %d is the same and comes before %d", l.name, i, at)
			}
		}
	}
}

// Sums repeat to the last bit whatever the number of goroutines.
func TestSumsRepeat(t *testing.T) {
	x := wavy(tensor.Float32, []int{300000}, []int{1}).Mul(1.1)
	defer parallel.SetThreads(0)
	var want float64
	for n := 1; n <= 4; n++ {
		parallel.SetThreads(n)
		got := x.Sum().Item()
		if n == 1 {
			want = got
		}
		if got != want {
			t.Errorf("%d goroutines: %v, want %v", n, got, want)
		}
	}
}

func TestNaNPropagates(t *testing.T) {
	x := tensor.New([]float32{1, float32(math.NaN()), 3})
	for name, y := range map[string]*tensor.Tensor{"max": x.Max(), "min": x.Min(), "sum": x.Sum(), "mean": x.Mean(),
		"prod": x.Prod(), "norm": x.Norm(),
		"amax": x.Amax(), "median": x.Median(), "logsumexp": x.Logsumexp(0), "var": x.Var()} {
		if !math.IsNaN(y.Item()) {
			t.Errorf("%s = %v", name, y.Item())
		}
	}
	if v := x.Nansum().Item(); v != 4 {
		t.Errorf("nansum = %v", v)
	}
	if v := x.Nanmedian().Item(); v != 1 {
		t.Errorf("nanmedian = %v", v)
	}
	if i := x.Argmax().ItemInt(); i != 1 {
		t.Errorf("argmax = %d", i)
	}
}

func TestEmptyReductions(t *testing.T) {
	x := tensor.Zeros(0, 3)
	for name, c := range map[string]struct {
		y    *tensor.Tensor
		want float64
	}{"sum": {x.Sum(), 0}, "prod": {x.Prod(), 1}, "mean": {x.Mean(), math.NaN()}, "all": {x.All(), 1},
		"any": {x.Any(), 0}, "norm": {x.Norm(), 0},
		"logsumexp": {x.Logsumexp([]int{0, 1}), math.Inf(-1)}, "var": {x.Var(), math.NaN()}} {
		if got := c.y.Item(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s of nothing is %v, want %v", name, got, c.want)
		}
	}
	if s := x.Amax(opt.Dim(1)).Shape(); len(s) != 1 || s[0] != 0 {
		t.Errorf("amax by 1 has shape %v", s)
	}
}

func TestPointwiseErrors(t *testing.T) {
	b, i, f := tensor.New([]bool{true}), tensor.New([]int{1, 0}), tensor.New([]float32{1, 2})
	for _, c := range []struct {
		f    func()
		want []string
	}{
		{func() { b.Sub(b) }, []string{"sub", "bool", "BitwiseXor"}},
		{func() { b.Neg() }, []string{"neg", "bool"}},
		{func() { i.FloorDivide(i) }, []string{"floor_divide", "ZeroDivisionError"}},
		{func() { i.Pow(-1) }, []string{"pow", "negative integer powers"}},
		{func() { i.Add(i, opt.Alpha(0.5)) }, []string{"alpha", "floating point"}},
		{func() { f.Clamp() }, []string{"clamp", "min", "max"}},
		{func() { tensor.Where(f, f, f) }, []string{"condition", "bool", "float32"}},
		{func() { f.MaskedFill(b, f) }, []string{"0-dimensional"}},
		{func() { f.Lerp(f.Double(), 0.5) }, []string{"end", "float64"}},
		{func() { f.Add(tensor.Zeros(3)) }, []string{"2", "3", "dimension 0"}},
		{func() { f.Div(2, opt.RoundingMode("up")) }, []string{"rounding_mode", "up"}},
		{func() { i.Mean() }, []string{"mean", "int64", "Float"}},
		{func() { f.Sum(opt.Dim(0, 0)) }, []string{"dim 0", "multiple times"}},
		{func() { f.Sum(opt.Dim(1)) }, []string{"dim", "1", "out of range"}},
		{func() { tensor.Zeros(0).Max() }, []string{"max", "numel"}},
		{func() { tensor.Zeros(2, 0).Argmax(opt.Dim(1)) }, []string{"dim 1", "non-zero"}},
		{func() { i.Add_(0.5) }, []string{"add_", "float32", "int64"}},
		{func() { f.Add_(tensor.Zeros(2, 2)) }, []string{"add_", "[2]", "[2 2]"}},
		{func() { x := tensor.Ones(2, 2); x.Add_(x.T()) }, []string{"add_", "single memory location"}},
		{func() { f.Expand(3, 2).Add_(1) }, []string{"single memory location"}},
	} {
		err := tensor.Try(c.f)
		if err == nil {
			t.Errorf("no error, want %q", c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q does not say %q", err, w)
			}
		}
	}
}

func BenchmarkSum100000(b *testing.B) {
	x := wavy(tensor.Float32, []int{100000}, []int{1})
	for b.Loop() {
		x.Sum()
	}
}

// Half types over dimensions that do not lie together: every row is rounded, and every sum of rows.
func TestHalfRowsAreRounded(t *testing.T) {
	x := tensor.New([]float32{2048, 1, 1, 1, 0, 0, 1, 1}).View(4, 1, 2).Expand(4, 3, 2).To(tensor.Float16).Contiguous()
	got := x.Sum(opt.Dim(0, 2))
	// 2049 rounds to 2048, then come 2050, 2050 and 2052
	if want := tensor.New([]float32{2052, 2052, 2052}).To(tensor.Float16); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
	y := tensor.New([]float32{2048, 1, 1, 0}).View(2, 1, 2).Expand(2, 3, 2).To(tensor.Float16).Contiguous()
	// 2050 in one piece
	if got, want := y.Sum(opt.Dim(0, 2)), tensor.New([]float32{2048, 2048, 2048}).To(tensor.Float16); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestLogsumexpSpecials(t *testing.T) {
	inf := math.Inf(1)
	for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
		for _, v := range []struct {
			x    []float64
			want float64
		}{
			{[]float64{-inf, -inf}, -inf}, {[]float64{inf, 1000}, inf}, {[]float64{-inf, 3}, 3},
			{[]float64{1000, 1000}, 1000 + math.Ln2},
			{[]float64{inf, math.NaN()}, math.NaN()}, {[]float64{-2000, -inf}, -2000}, {[]float64{inf, -inf}, inf},
		} {
			// along the last dimension, and along the first one with neighbours, over one block of rows and over several
			for _, n := range []int{2, 700} {
				full := tensor.With(tensor.Float64).Full([]int{n, 3}, -inf)
				full.Select(0, 0).Fill_(v.x[0])
				full.Select(0, n-1).Fill_(v.x[1])
				x := full.To(dt)
				for d, y := range []*tensor.Tensor{x.Logsumexp(0), x.T().Contiguous().Logsumexp(1)} {
					for i := range 3 {
						got := y.To(tensor.Float64).Select(0, i).Item()
						if math.Abs(got-v.want) > 1e-6*math.Abs(v.want) || (got != got) != (v.want != v.want) ||
							math.IsInf(got, 0) != math.IsInf(v.want, 0) {
							t.Errorf("%s: logsumexp(%d) of %v, %d rows: %v, want %v", dt, d, v.x, n, got, v.want)
						}
					}
				}
			}
		}
	}
}

// TestShortRows: runs made of short rows, which are folded side by side, give what contiguous runs give.
func TestShortRows(t *testing.T) {
	for _, s := range [][]int{{40, 3, 12}, {9, 2, 33}, {700, 1, 64}, {64, 5, 256}} {
		for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64, tensor.Int64} {
			x := tensor.Randn(s...).Mul(8).Round().To(dt)
			flat := x.Permute(1, 0, 2).Reshape(s[1], -1)
			both, one := opt.Dim(0, 2), opt.Dim(1)
			for name, f := range map[string]func(x *tensor.Tensor, d tensor.Option) *tensor.Tensor{
				"sum":  func(x *tensor.Tensor, d tensor.Option) *tensor.Tensor { return x.Sum(d) },
				"amax": func(x *tensor.Tensor, d tensor.Option) *tensor.Tensor { return x.Amax(d) },
				"var": func(x *tensor.Tensor, d tensor.Option) *tensor.Tensor {
					return x.To(tensor.Float64).Var(d).Mul(1 << 20).Round()
				},
				"any": func(x *tensor.Tensor, d tensor.Option) *tensor.Tensor { return x.Gt(12).Sum(d) },
			} {
				if got, want := f(x, both), f(flat, one); !got.Equal(want) {
					t.Errorf("%s of %v %v is %v, want %v", name, dt, s, got, want)
				}
			}
		}
	}
}

// TestReduceBehindTheStorage: a view without elements may stand where the storage ends, where no pointer may point.
// It fails where the compiler checks pointers (-d=checkptr).
func TestReduceBehindTheStorage(t *testing.T) {
	for n := 1; n <= 64; n *= 2 {
		x := tensor.FromSlice(make([]float64, n), n, 1).Slice(opt.Start(n))
		for name, f := range map[string]func(*tensor.Tensor) *tensor.Tensor{
			"norm": func(x *tensor.Tensor) *tensor.Tensor { return x.Norm() },
			"sum":  func(x *tensor.Tensor) *tensor.Tensor { return x.Sum() },
			"amax": func(x *tensor.Tensor) *tensor.Tensor { return x.Amax(opt.Dim(1)) },
			"take": func(x *tensor.Tensor) *tensor.Tensor { return x.IndexSelect(1, tensor.New([]int{0, 0})) },
		} {
			if y := f(x); y.CountNonzero().Item() != 0 {
				t.Errorf("%s of %v: %v", name, x.Shape(), y)
			}
		}
	}
}
