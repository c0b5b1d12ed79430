package tensor_test

import (
	"fmt"
	"slices"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func TestFactories(t *testing.T) {
	w := tensor.With
	for _, c := range []struct {
		x    *tensor.Tensor
		want string
	}{
		{tensor.Arange(5), "int64 [5] [0 1 2 3 4]"},
		{tensor.Arange(1, 2.5, 0.5), "float32 [3] [1 1.5 2]"},
		{tensor.Arange(5, 0, -2), "int64 [3] [5 3 1]"},
		{tensor.Arange(3.0), "float32 [3] [0 1 2]"},
		{tensor.Arange(0, 1, 0.1), "float32 [10]"},
		{w(tensor.Int32).Arange(0.5, 3.5), "int32 [3] [0 1 2]"},
		{tensor.Arange(1<<60, 1<<60+3), "int64 [3] [1152921504606846976 1152921504606846977 1152921504606846978]"},
		{tensor.Arange(0), "int64 [0] []"},
		{tensor.Range(0, 3), "float32 [4] [0 1 2 3]"},
		{tensor.Linspace(0, 1, 5), "float32 [5] [0 0.25 0.5 0.75 1]"},
		{tensor.Linspace(3, 10, 1), "float32 [1] [3]"},
		{tensor.Logspace(0, 3, 4), "float32 [4] [1 10 100 1000]"},
		{tensor.Logspace(0, 3, 4, opt.Base(2)), "float32 [4] [1 2 4 8]"},
		{tensor.Eye(2, opt.M(3)), "float32 [2 3] [[1 0 0] [0 1 0]]"},
		{w(tensor.Bool).Eye(2), "bool [2 2] [[true false] [false true]]"},
		{tensor.Full([]int{2}, 7), "int64 [2] [7 7]"},
		{tensor.Full([]int{2}, 7.5), "float32 [2] [7.5 7.5]"},
		{tensor.Full([]int{1}, true), "bool [1] [true]"},
		{tensor.Full([]int{1}, 1i), "complex64 [1] [(0+1i)]"},
		{tensor.TrilIndices(3, 3), "int64 [2 6] [[0 1 1 2 2 2] [0 0 1 0 1 2]]"},
		{tensor.TriuIndices(2, 3, opt.Offset(1)), "int64 [2 3] [[0 0 1] [1 2 2]]"},
		{tensor.OnesLike(tensor.Arange(2)), "int64 [2] [1 1]"},
		{tensor.FullLike(tensor.Arange(2), 2.5, tensor.Float64), "float64 [2] [2.5 2.5]"},
		{tensor.Arange(3).NewOnes([]int{1, 2}), "int64 [1 2] [[1 1]]"},
		{tensor.Vander(tensor.New([]float64{1, 2, 3})), "float64 [3 3] [[1 1 1] [4 2 1] [9 3 1]]"},
		{tensor.Meshgrid([]*tensor.Tensor{tensor.Arange(2), tensor.Arange(3)}, opt.Indexing("xy"))[0],
			"int64 [3 2] [[0 1] [0 1] [0 1]]"},
		{tensor.Meshgrid([]*tensor.Tensor{tensor.Arange(2), tensor.Arange(3)})[1], "int64 [2 3] [[0 1 2] [0 1 2]]"},
		{tensor.CartesianProd(tensor.Arange(2), tensor.Arange(2)), "int64 [4 2] [[0 0] [0 1] [1 0] [1 1]]"},
	} {
		got := fmt.Sprintf("%s %v %v", c.x.Dtype(), c.x.Shape(), c.x.Tolist())
		if got != c.want && fmt.Sprintf("%s %v", c.x.Dtype(), c.x.Shape()) != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestFactoryLayouts(t *testing.T) {
	x := tensor.Zeros(2, 3, 4).Transpose(0, 2)
	for name, y := range map[string]*tensor.Tensor{"zeros_like": tensor.ZerosLike(x), "empty_like": tensor.EmptyLike(x),
		"ones_like": tensor.OnesLike(x)} {
		if !slices.Equal(y.Stride(), x.Stride()) {
			t.Errorf("%s: stride %v, want %v", name, y.Stride(), x.Stride())
		}
	}
	if y := tensor.ZerosLike(x, tensor.ContiguousFormat); !y.IsContiguous() {
		t.Errorf("stride %v", y.Stride())
	}
	if y := tensor.With(tensor.ChannelsLast).Empty(2, 3, 4, 5); !slices.Equal(y.Stride(), []int{60, 1, 15, 3}) {
		t.Errorf("channels last: %v", y.Stride())
	}
	if y := tensor.EmptyStrided([]int{2, 3}, 1, 1); !slices.Equal(y.Stride(), []int{1, 1}) || y.Storage().Nbytes() != 16 {
		t.Errorf("overlapping: %v, %d bytes", y.Stride(), y.Storage().Nbytes())
	}
	if y := tensor.ZerosLike(tensor.Ones(2), opt.RequiresGrad(true), tensor.Float64); !y.RequiresGrad() ||
		y.Version() != 0 {
		t.Errorf("requires grad %v, version %d", y.RequiresGrad(), y.Version())
	}
	if y := tensor.Ones(2).NewZeros([]int{3}, tensor.Meta); y.Device() != tensor.Meta {
		t.Errorf("on %s", y.Device())
	}
	if y := tensor.ZerosLike(tensor.With(tensor.Meta).Ones(2), tensor.CPU); y.Device() != tensor.CPU || y.At(0) != 0.0 {
		t.Errorf("on %s", y.Device())
	}
	if d := tensor.Devices(); !slices.Contains(d, tensor.CPU) || !slices.Contains(d, tensor.Meta) {
		t.Errorf("devices %v", d)
	}
}

// TestFactoryOut: a factory makes what its destination is of.
func TestFactoryOut(t *testing.T) {
	out := tensor.With(tensor.Int32).Zeros(1)
	for name, args := range map[string][]any{"ones": {3}, "arange": {1.0, 4.0}, "full": {[]int{3}, 2.5},
		"linspace": {0, 2, 3}} {
		got, err := tensor.Invoke(name, args, map[string]any{"out": out})
		if err != nil || got[0] != any(out) || out.Dtype() != tensor.Int32 || out.Numel() != 3 {
			t.Errorf("%s: %v %v %v", name, got, out.Dtype(), err)
		}
	}
	if _, err := tensor.Invoke("ones", []any{3}, map[string]any{"out": out, "dtype": tensor.Float32}); err == nil {
		t.Error("a dtype that is not the destination's was taken")
	}
}

func TestFactoryErrors(t *testing.T) {
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { tensor.Arange(0, 1, 0) }, "arange: step must be nonzero"},
		{func() { tensor.Arange(1, 0) }, "arange: upper bound and lower bound inconsistent with step sign: 1 -> 0 by 1"},
		{func() { tensor.Arange(0, 1e300) }, ""},
		{func() { tensor.Linspace(0, 1, -1) }, "linspace: number of steps must be non-negative, got -1"},
		{func() { tensor.Zeros(2, -1) }, "zeros: sizes must not be negative, got shape [2 -1]"},
		{func() { tensor.Eye(-1) }, ""},
		{func() { tensor.EmptyStrided([]int{2}, 1, 1) },
			"empty_strided: dimensionality of sizes (1) must match dimensionality of strides (2)"},
		{func() { tensor.With(tensor.Int64, opt.RequiresGrad(true)).Zeros(2) }, ""},
		{func() { tensor.Zeros(1<<40, 1<<40) }, ""},
	} {
		if err := tensor.Try(c.f); err == nil || c.want != "" && err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// TestConversions: self where nothing changes, a copy where something does.
func TestConversions(t *testing.T) {
	x := tensor.Arange(6).View(2, 3)
	for name, y := range map[string]*tensor.Tensor{"to": x.To(), "dtype": x.To(tensor.Int64), "device": x.To(tensor.CPU),
		"other": x.To(tensor.Zeros(1).Long()),
		"long":  x.Long(), "cpu": x.Cpu(), "contiguous": x.Contiguous(), "type_as": x.TypeAs(tensor.Arange(1))} {
		if y != x {
			t.Errorf("%s made another tensor", name)
		}
	}
	for dt, y := range map[tensor.Dtype]*tensor.Tensor{tensor.Float32: x.Float(), tensor.Float64: x.Double(),
		tensor.Float16: x.Half(), tensor.Bfloat16: x.Bfloat16(),
		tensor.Int32: x.Int(), tensor.Int16: x.Short(), tensor.Int8: x.Char(), tensor.Uint8: x.Byte(), tensor.Bool: x.Bool(),
		tensor.Complex64:  x.Cfloat(),
		tensor.Complex128: x.Cdouble()} {
		if y.Dtype() != dt || tensor.SharesStorage(x, y) {
			t.Errorf("to %s: %s", dt, y.Dtype())
		}
		back := y.Long()
		for i := range int64(6) {
			if want := min(i, int64(map[bool]int{true: 1, false: 6}[dt == tensor.Bool])); tensor.Data[int64](back)[i] != want {
				t.Errorf("to %s and back: %v", dt, back.Tolist())
			}
		}
	}
	if y := x.To(opt.Copy(true)); y == x || tensor.SharesStorage(x, y) {
		t.Error("To(Copy(true)) made no copy")
	}
	if y := x.To(tensor.With(tensor.Meta, tensor.Float64).Zeros(1)); y.Device() != tensor.Meta ||
		y.Dtype() != tensor.Float64 {
		t.Errorf("To(y): %s on %s", y.Dtype(), y.Device())
	}
	if y := x.T().Float(); !slices.Equal(y.Stride(), []int{1, 3}) {
		t.Errorf("a conversion changed the strides to %v", y.Stride())
	}
	if tensor.Try(func() { x.To(tensor.Meta).To(tensor.CPU) }) == nil {
		t.Error("a copy out of meta")
	}
	if err := tensor.Try(func() { x.Sum(x) }); err == nil {
		t.Error("a tensor was taken for a keyword argument of Sum")
	}
}

// TestJoining: dtypes, what is passed over, and gradients.
func TestJoining(t *testing.T) {
	a, b := tensor.Ones(2, 2).RequiresGrad_(), tensor.Arange(4).View(2, 2)
	y := tensor.Cat([]*tensor.Tensor{a, tensor.Zeros(0), b, a.T()}, opt.Dim(-1))
	if got := fmt.Sprintf("%s %v %v", y.Dtype(), y.Shape(), y.Tolist()); got != "float32 [2 6] [[1 1 0 1 1 1] [1 1 2 3 1 1]]" {
		t.Error(got)
	}
	if got := y.GradFn().Name(); got != "CatBackward0" {
		t.Error(got)
	}
	y.Backward(opt.Gradient(tensor.Arange(0.0, 12).View(2, 6)))
	if got := fmt.Sprint(a.Grad().Tolist()); got != "[[4 11] [11 18]]" { // 0+4 and 1+10; 6+5 and 7+11
		t.Errorf("gradient %s", got)
	}
	out := tensor.Zeros(1)
	if tensor.Cat([]*tensor.Tensor{b, b}, opt.Out(out)); fmt.Sprint(out.Tolist()) != "[[0 1] [2 3] [0 1] [2 3]]" {
		t.Errorf("out: %v", out.Tolist())
	}
	cl := tensor.With(tensor.ChannelsLast).Empty(1, 2, 3, 4)
	if got := tensor.Cat([]*tensor.Tensor{cl, cl}, opt.Dim(1)); !got.IsContiguous(tensor.ChannelsLast) {
		t.Errorf("channels last became %v", got.Stride())
	}
	for _, c := range []struct {
		name string
		x    *tensor.Tensor
	}{{"StackBackward0", tensor.Stack([]*tensor.Tensor{a, a})}, {"RepeatBackward0", a.Repeat(2, 2)},
		{"FlipBackward0", a.Flip(0)}, {"RollBackward0", a.Roll(1, 0)}} {
		if got := c.x.GradFn().Name(); got != c.name {
			t.Errorf("%s, want %s", got, c.name)
		}
	}
}

// TestTriangleCount: the number of indices is computed, not counted, and is right for every shape and offset.
func TestTriangleCount(t *testing.T) {
	for rows := range 6 {
		for cols := range 6 {
			for offset := -8; offset <= 8; offset++ {
				ones := tensor.Ones(rows, cols)
				for name, c := range map[string][2]*tensor.Tensor{
					"tril": {tensor.TrilIndices(rows, cols, opt.Offset(offset)), ones.Tril(opt.Diagonal(offset))},
					"triu": {tensor.TriuIndices(rows, cols, opt.Offset(offset)), ones.Triu(opt.Diagonal(offset))},
				} {
					if got, want := c[0].Size(1), c[1].Sum().ItemInt(); got != want {
						t.Errorf("%s of %d by %d at %d: %d indices, want %d", name, rows, cols, offset, got, want)
					}
				}
			}
		}
	}
	for _, f := range []func(int, int, ...tensor.Option) *tensor.Tensor{tensor.TrilIndices, tensor.TriuIndices} {
		if err := tensor.Try(func() { f(1<<31, 1<<31) }); err == nil {
			t.Error("a triangle of 2^61 elements was made")
		}
	}
}
