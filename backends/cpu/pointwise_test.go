package cpu_test

import (
	"fmt"
	"math"
	"runtime/debug"
	"testing"

	_ "gotorch/backends/cpu"
	"gotorch/tensor"
)

// counting makes a tensor of dt and shape whose storage counts from start.
func counting(dt tensor.Dtype, shape, stride []int, start int) *tensor.Tensor {
	n := 1
	for i, s := range shape {
		n += (s - 1) * stride[i]
	}
	from := tensor.Alloc("test", []int{n}, tensor.Float64, tensor.CPU)
	for i := range tensor.Elems[float64](from) {
		tensor.Elems[float64](from)[i] = float64(start + i)
	}
	x := tensor.Alloc("test", []int{n}, dt, tensor.CPU)
	x.Copy_(from)
	return tensor.FromStorage("test", x.Storage(), shape, stride, 0, dt)
}

func TestAddEveryLayout(t *testing.T) {
	shapes := []struct {
		shape, a, b []int
	}{
		{[]int{}, []int{}, []int{}},
		{[]int{5}, []int{1}, []int{2}},
		{[]int{3, 4}, []int{4, 1}, []int{1, 3}},
		{[]int{3, 4}, []int{0, 1}, []int{1, 0}},
		{[]int{70, 90}, []int{90, 1}, []int{1, 70}},
		{[]int{2, 3, 700}, []int{2100, 700, 1}, []int{1, 2, 12}},
		{[]int{300, 500}, []int{500, 1}, []int{0, 1}},
	}
	for _, dt := range []tensor.Dtype{tensor.Uint8, tensor.Int32, tensor.Float32, tensor.Float64, tensor.Complex64,
		tensor.Float16} {
		for _, s := range shapes {
			x, y := counting(dt, s.shape, s.a, 1), counting(dt, s.shape, s.b, 2)
			z := x.Add(y)
			check := func(idx ...int) {
				want := x.At(idx...)
				got := z.At(idx...)
				if fmt.Sprint(got) != fmt.Sprint(sum(dt, want, y.At(idx...))) {
					t.Fatalf("%v %v: at %v: %v + %v = %v", dt, s.shape, idx, want, y.At(idx...), got)
				}
			}
			each(s.shape, check)
		}
	}
}

func each(shape []int, f func(...int)) {
	idx := make([]int, len(shape))
	for {
		f(idx...)
		d := len(shape) - 1
		for ; d >= 0; d-- {
			if idx[d]++; idx[d] < shape[d] {
				break
			}
			idx[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

func sum(dt tensor.Dtype, a, b any) any {
	switch a := a.(type) {
	case int64:
		if dt == tensor.Uint8 {
			return int64(uint8(a + b.(int64)))
		}
		return a + b.(int64)
	case float64:
		if dt == tensor.Float16 {
			return float64(tensor.ToHalf(float32(a + b.(float64))).Float32())
		}
		return a + b.(float64)
	default:
		return a.(complex128) + b.(complex128)
	}
}

func TestConversions(t *testing.T) {
	cases := []struct {
		from, to tensor.Dtype
		in       float64
		want     any
	}{
		{tensor.Float32, tensor.Int32, -2.7, int64(-2)},
		{tensor.Float64, tensor.Uint8, 258.5, int64(2)},
		{tensor.Float64, tensor.Bool, 0.1, true},
		{tensor.Float16, tensor.Bool, math.Copysign(0, -1), false},
		{tensor.Float32, tensor.Float16, 65519, 65504.0},
		{tensor.Float64, tensor.Bfloat16, 1.01, 1.0078125},
		{tensor.Int64, tensor.Complex64, 3, complex(3, 0)},
		{tensor.Complex128, tensor.Float16, 1.5, 1.5},
		{tensor.Float32, tensor.Int64, math.Inf(1), int64(math.MinInt64)},
		{tensor.Float32, tensor.Int32, math.NaN(), int64(math.MinInt32)},
		{tensor.Float16, tensor.Int8, 7.9, int64(7)},
	}
	for _, c := range cases {
		x := tensor.Alloc("test", []int{3}, c.from, tensor.CPU)
		x.Fill_(c.in)
		y := tensor.Alloc("test", []int{3}, c.to, tensor.CPU)
		y.Copy_(x)
		if got := y.At(2); got != c.want {
			t.Errorf("%v as %v to %v: %v, want %v", c.in, c.from, c.to, got, c.want)
		}
	}
}

func TestCopyOverlap(t *testing.T) {
	x := counting(tensor.Float32, []int{10}, []int{1}, 0)
	lo := tensor.FromStorage("test", x.Storage(), []int{9}, []int{1}, 0, tensor.Float32)
	hi := tensor.FromStorage("test", x.Storage(), []int{9}, []int{1}, 1, tensor.Float32)
	hi.Copy_(lo)
	for i := 1; i < 10; i++ {
		if x.At(i) != float64(i-1) {
			t.Fatalf("x[%d] = %v", i, x.At(i))
		}
	}
	y := counting(tensor.Float32, []int{20, 20}, []int{20, 1}, 0)
	yt := tensor.FromStorage("test", y.Storage(), []int{20, 20}, []int{1, 20}, 0, tensor.Float32)
	y.Copy_(yt)
	each([]int{20, 20}, func(i ...int) {
		if y.At(i...) != float64(i[1]*20+i[0]) {
			t.Fatalf("y%v = %v", i, y.At(i...))
		}
	})
}

// BenchmarkAddOne is what one small operator costs. The collector runs as often as in gotorch-repl: the program sets
// it, the library does not.
func BenchmarkAddOne(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	benchAdd(b, 1)
}

// BenchmarkAddInPlace is the same in place: in a program, and in a session, where the storage notes who wrote.
func BenchmarkAddInPlace(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	run := func(b *testing.B) {
		x, y := tensor.Ones(1), tensor.Ones(1)
		b.ReportAllocs()
		for b.Loop() {
			x.Add_(y)
		}
	}
	b.Run("program", run)
	b.Run("session", func(b *testing.B) {
		tensor.SetHooks(func(h *tensor.Hooks) { h.Site = func() tensor.Site { return tensor.Site{Cell: "In[1]", Line: 1} } })
		defer tensor.SetHooks(func(h *tensor.Hooks) { h.Site = nil })
		run(b)
	})
}

func BenchmarkAdd100000(b *testing.B) { benchAdd(b, 100000) }

func benchAdd(b *testing.B, n int) {
	x, y := counting(tensor.Float32, []int{n}, []int{1}, 0), counting(tensor.Float32, []int{n}, []int{1}, 0)
	b.ReportAllocs()
	for b.Loop() {
		x.Add(y)
	}
}
