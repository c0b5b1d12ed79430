package tensor_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestNew: dtype and shape follow from the data.
func TestNew(t *testing.T) {
	type list = []any
	type celsius float64
	for _, c := range []struct {
		data any
		want string // dtype, shape, elements
	}{
		{3, "int64 [] 3"},
		{2.5, "float32 [] 2.5"},
		{true, "bool [] true"},
		{1 + 2i, "complex64 [] (1+2i)"},
		{float32(0.5), "float32 [] 0.5"},
		{int8(-3), "int8 [] -3"},
		{[]float64{1, 2}, "float64 [2] [1 2]"},
		{[]float32{1, 2}, "float32 [2] [1 2]"},
		{[]int{1, 2}, "int64 [2] [1 2]"},
		{[]int32{1, 2}, "int32 [2] [1 2]"},
		{[]uint8{1, 255}, "uint8 [2] [1 255]"},
		{[]uint16{65535}, "uint16 [1] [65535]"},
		{[]bool{true, false}, "bool [2] [true false]"},
		{[]complex128{1i}, "complex128 [1] [(0+1i)]"},
		{[][]float64{{1, 2}, {3, 4}}, "float64 [2 2] [[1 2] [3 4]]"},
		{[2][3]int16{{1, 2, 3}, {4, 5, 6}}, "int16 [2 3] [[1 2 3] [4 5 6]]"},
		{&[2]int8{1, 2}, "int8 [2] [1 2]"},
		{[][][]int{{{1}, {2}}}, "int64 [1 2 1] [[[1] [2]]]"},
		{[]celsius{20.5}, "float64 [1] [20.5]"},
		{[]tensor.Half{tensor.ToHalf(1.5)}, "float16 [1] [1.5]"},
		{list{1, 2}, "int64 [2] [1 2]"},
		{list{1, 2.5}, "float32 [2] [1 2.5]"},
		{list{true, 2}, "int64 [2] [1 2]"},
		{list{true, false}, "bool [2] [true false]"},
		{list{1, 2i}, "complex64 [2] [(1+0i) (0+2i)]"},
		{list{list{1, 2}, list{3, 4.5}}, "float32 [2 2] [[1 2] [3 4.5]]"},
		{list{[]float64{1}, []int{2}}, "float64 [2 1] [[1] [2]]"},
		{list{tensor.New(1), tensor.New(2)}, "int64 [2] [1 2]"},
		{[]*tensor.Tensor{tensor.New([]float64{1}).Select(0, 0)}, "float64 [1] [1]"},
		{tensor.Arange(4).View(2, 2).T(), "int64 [2 2] [[0 2] [1 3]]"},
		{list{}, "float32 [0] []"},
		{[]float64{}, "float64 [0] []"},
		{[][]int{{}, {}}, "int64 [2 0] [[] []]"},
		{list{list{}, list{}}, "float32 [2 0] [[] []]"},
		{[][]float64{}, "float64 [0] []"},
	} {
		x := tensor.New(c.data)
		if got := fmt.Sprint(x.Dtype(), x.Shape(), x.Tolist()); strings.Join(strings.Fields(got), " ") != c.want {
			if got = fmt.Sprintf("%s %v %v", x.Dtype(), x.Shape(), x.Tolist()); got != c.want {
				t.Errorf("New(%v): %s, want %s", c.data, got, c.want)
			}
		}
	}
}

func TestNewOptions(t *testing.T) {
	xs := []float64{1, 2}
	x := tensor.New(xs, tensor.Float32, opt.RequiresGrad(true))
	if x.Dtype() != tensor.Float32 || !x.RequiresGrad() {
		t.Errorf("%s, requires grad %v", x.Dtype(), x.RequiresGrad())
	}
	xs[0] = 9
	if x.At(0) != 1.0 {
		t.Error("New looks into the data")
	}
	if x := tensor.New(xs, tensor.Meta); x.Device() != tensor.Meta || !slices.Equal(x.Shape(), []int{2}) {
		t.Errorf("on %s, shape %v", x.Device(), x.Shape())
	}
	if x := tensor.New([]float64{1.9, -1.9}, tensor.Int64); fmt.Sprint(x.Tolist()) != "[1 -1]" {
		t.Errorf("to int64: %v", x.Tolist())
	}
	tensor.OnDevice(tensor.Meta, func() {
		if d := tensor.New(1).Device(); d != tensor.Meta {
			t.Errorf("the default device is meta, New made on %s", d)
		}
		if d := tensor.Zeros(2).Device(); d != tensor.Meta {
			t.Errorf("the default device is meta, Zeros made on %s", d)
		}
		if d := tensor.With(tensor.CPU).Zeros(2).Device(); d != tensor.CPU {
			t.Errorf("With(CPU) made on %s", d)
		}
	})
}

func TestNewErrors(t *testing.T) {
	type list = []any
	for _, c := range []struct {
		data any
		want string
	}{
		{nil, "tensor: data is nil: want numbers, or nested lists of numbers"},
		{"abc", `tensor: data is the string "abc": want numbers, or nested lists of numbers`},
		{list{1, "x"}, `tensor: data[1] is the string "x": want numbers, or nested lists of numbers`},
		{[][]int{{1, 2}, {3}}, "tensor: expected a list of length 2 at dim 1, but data[1] has length 1"},
		{list{list{1}, 2}, "tensor: data[1] is a number, where a list of 1 is expected: the lists are not of one depth"},
		{list{1, list{2}}, "tensor: data[1] is a list, where a number is expected: the lists are not of one depth"},
		{list{list{list{1}, list{2}}, list{list{1}, list{2, 3}}},
			"tensor: expected a list of length 1 at dim 2, but data[1][1] has length 2"},
		{list{[]int{1}, list{[]int{1}}},
			"tensor: data[1][0] is a list, where a number is expected: the lists are not of one depth"},
		{list{tensor.Zeros(2), tensor.Zeros(2)}, "tensor: data[0] is a float32 tensor of shape [2]: only tensors of no " +
			"dimensions can stand for a number (Stack joins tensors)"},
		{map[string]int{}, "tensor: data is a map[string]int: want numbers, or nested lists of numbers"},
	} {
		if err := tensor.Try(func() { tensor.New(c.data) }); err == nil || err.Error() != c.want {
			t.Errorf("New(%v):\ngot  %v\nwant %s", c.data, err, c.want)
		}
	}
	for _, f := range []func(){
		func() { tensor.New(300, tensor.Uint8) }, func() { tensor.New(uint64(math.MaxUint64)) },
		func() { tensor.New(1i, tensor.Float32) },
		func() { tensor.New(math.NaN(), tensor.Int32) }, func() { tensor.New([]int{1}, opt.Dim(1)) },
		func() { tensor.New(1, opt.RequiresGrad(true)) },
	} {
		if tensor.Try(f) == nil {
			t.Error("no error")
		}
	}
}

func TestSharedMemory(t *testing.T) {
	xs := []float32{1, 2, 3, 4, 5, 6}
	x := tensor.FromSlice(xs, 2, -1)
	xs[4] = 50
	x.Set(60, 1, -1)
	if fmt.Sprint(x.Tolist(), xs) != "[[1 2 3] [4 50 60]] [1 2 3 4 50 60]" {
		t.Errorf("%v %v", x.Tolist(), xs)
	}
	if y := tensor.FromSliceOf([]int{1, 2}); y.Dtype() != tensor.Int64 || y.Numel() != 2 {
		t.Errorf("%s %v", y.Dtype(), y.Shape())
	}
	if got := tensor.Data[float32](x.T()); !slices.Equal(got, []float32{1, 4, 2, 50, 3, 60}) {
		t.Errorf("Data of a transpose: %v", got)
	}
	tensor.WithData(x, func(d []float32) { d[0] = -1 })
	if xs[0] != -1 {
		t.Error("WithData lent a copy")
	}
	if got := tensor.Data[int](tensor.Arange(3)); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("Data[int]: %v", got)
	}
	for _, dt := range append(tensor.Dtypes(), tensor.StorageDtypes()...) {
		y := tensor.With(dt).Ones(3)
		if d := tensor.DataOf(y); reflect.ValueOf(d).Len() != 3 || tensor.FromSliceOf(d).Dtype() != dt {
			t.Errorf("%s: DataOf gives a %T", dt, d)
		}
	}
	for i, f := range []func(){
		func() { tensor.Data[float64](x) }, func() { tensor.WithData(x.T(), func([]float32) {}) },
		func() { tensor.FromSlice(xs, 4) },
		func() { tensor.FromSliceOf([]string{"a"}) }, func() { tensor.FromSliceOf([]uintptr{1}) },
		func() { tensor.Data[float32](x.To(tensor.Meta)) },
		func() { x.At(0) }, func() { x.At(2, 0) }, func() { x.Set("a", 0, 0) }, func() { x.To(tensor.Meta).Tolist() },
	} {
		if tensor.Try(f) == nil {
			t.Errorf("%d: no error", i)
		}
	}
}

// TestSet: the version counts, and autograd sees it.
func TestSet(t *testing.T) {
	x := tensor.Zeros(2, 2)
	if x.Set(3, 1, 0); x.Version() != 1 || x.At(1, 0) != 3.0 {
		t.Errorf("version %d, %v", x.Version(), x.Tolist())
	}
	w := tensor.Ones(2).RequiresGrad_()
	if tensor.Try(func() { w.Set(1, 0) }) == nil {
		t.Error("a leaf that requires grad was written to")
	}
	y := w.Mul(2)
	y.Set(5, 0)
	y.Backward(opt.Gradient(tensor.Ones(2)))
	if got := fmt.Sprint(w.Grad().Tolist()); got != "[0 2]" {
		t.Errorf("gradient %s", got)
	}
}
