package cpu_test

import (
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestHalfWithNumbers has PyTorch 1.13's answers for half types and numbers: a number is rounded to the half type
// before it is computed with, which a remainder shows most.
func TestHalfWithNumbers(t *testing.T) {
	ops := map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"mul":       func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(1.7) },
		"div":       func(x *tensor.Tensor) *tensor.Tensor { return x.Div(1.7) },
		"fmod":      func(x *tensor.Tensor) *tensor.Tensor { return x.Fmod(0.1) },
		"remainder": func(x *tensor.Tensor) *tensor.Tensor { return x.Remainder(0.1) },
		"sub":       func(x *tensor.Tensor) *tensor.Tensor { return x.Sub(tensor.Full([]int{}, 0.1).To(tensor.Float64)) },
	}
	for _, c := range []struct {
		op   string
		dt   tensor.Dtype
		want []float64
	}{
		{"mul", tensor.Float16, []float64{0.62939453125, 1.2587890625, 1.8876953125, 2.517578125, 3.14453125,
			-5.26953125}},
		{"div", tensor.Float16, []float64{0.2176513671875, 0.435302734375, 0.65283203125, 0.87060546875, 1.087890625,
			-1.8232421875}},
		{"fmod", tensor.Float16, []float64{0.0701904296875, 0.0404052734375, 0.0106201171875, 0.080810546875,
			0.050048828125, -0.0003662109375}},
		{"remainder", tensor.Float16, []float64{0.0701904296875, 0.0404052734375, 0.0106201171875, 0.080810546875,
			0.050048828125, 0.099609375}},
		{"sub", tensor.Float16, []float64{0.27001953125, 0.64013671875, 1.0107421875, 1.380859375, 1.75, -3.19921875}},
		{"mul", tensor.Bfloat16, []float64{0.62890625, 1.2578125, 1.890625, 2.515625, 3.15625, -5.28125}},
		{"div", tensor.Bfloat16, []float64{0.216796875, 0.43359375, 0.65234375, 0.8671875, 1.0859375, -1.8203125}},
		{"fmod", tensor.Bfloat16, []float64{0.06884765625, 0.03759765625, 0.00830078125, 0.0751953125, 0.0498046875,
			-0.0908203125}},
		{"remainder", tensor.Bfloat16, []float64{0.06884765625, 0.03759765625, 0.00830078125, 0.0751953125, 0.0498046875,
			0.00927734375}},
		{"sub", tensor.Bfloat16, []float64{0.26953125, 0.63671875, 1.0078125, 1.375, 1.75, -3.1875}},
	} {
		x := tensor.New([]float64{0.37, 0.74, 1.11, 1.48, 1.85, -3.1}).To(c.dt)
		got := ops[c.op](x)
		if got.Dtype() != c.dt || !tensor.Equal(got.Double(), tensor.New(c.want).Double()) {
			t.Errorf("%s of %s is %v, want %v", c.op, c.dt, got, c.want)
		}
	}
}

// TestHalfWithIntegers has PyTorch 1.13's answers where an integer, or alpha, is not a number of the half type.
func TestHalfWithIntegers(t *testing.T) {
	x, y := tensor.FromSlice([]float64{1, 3}), tensor.FromSlice([]float64{5, -7})
	for _, c := range []struct {
		name     string
		f        func(x, y *tensor.Tensor) *tensor.Tensor
		f16, b16 []float64
	}{
		{"x+257", func(x, y *tensor.Tensor) *tensor.Tensor { return x.Add(257) }, []float64{258, 260}, []float64{256, 260}},
		{"x*257", func(x, y *tensor.Tensor) *tensor.Tensor { return x.Mul(257) }, []float64{257, 771}, []float64{256, 768}},
		{"x+2049", func(x, y *tensor.Tensor) *tensor.Tensor { return x.Add(2049) }, []float64{2048, 2052},
			[]float64{2048, 2048}},
		{"x+257y", func(x, y *tensor.Tensor) *tensor.Tensor { return x.Add(y, opt.Alpha(257)) }, []float64{1286, -1796},
			[]float64{1280, -1792}},
		{"100x/y", func(x, y *tensor.Tensor) *tensor.Tensor { return x.Mul(100).Div(y, opt.RoundingMode("trunc")) },
			[]float64{20, -42}, []float64{20, -42}},
	} {
		for dt, want := range map[tensor.Dtype][]float64{tensor.Float16: c.f16, tensor.Bfloat16: c.b16} {
			if got := c.f(x.To(dt), y.To(dt)); !got.Equal(tensor.FromSlice(want).To(dt)) {
				t.Errorf("%s of %s is %v, in PyTorch %v", c.name, dt, got, want)
			}
		}
	}
}
