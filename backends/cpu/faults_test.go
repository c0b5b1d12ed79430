package cpu

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// A number that a dtype cannot hold is an error wherever it would be written; what wraps in PyTorch wraps here.
func TestNumbersThatDoNotFit(t *testing.T) {
	writes := map[string]func(x *tensor.Tensor, v any) *tensor.Tensor{
		"Set":         func(x *tensor.Tensor, v any) *tensor.Tensor { return x.Set(v, 0) },
		"Fill_":       func(x *tensor.Tensor, v any) *tensor.Tensor { return x.Fill_(v) },
		"Full":        func(x *tensor.Tensor, v any) *tensor.Tensor { return tensor.With(x.Dtype()).Full([]int{2}, v) },
		"FullLike":    func(x *tensor.Tensor, v any) *tensor.Tensor { return tensor.FullLike(x, v) },
		"NewFull":     func(x *tensor.Tensor, v any) *tensor.Tensor { return x.NewFull([]int{2}, v) },
		"MaskedFill":  func(x *tensor.Tensor, v any) *tensor.Tensor { return x.MaskedFill(x.Eq(0), v) },
		"IndexFill":   func(x *tensor.Tensor, v any) *tensor.Tensor { return x.IndexFill(0, tensor.New([]int{0}), v) },
		"Scatter":     func(x *tensor.Tensor, v any) *tensor.Tensor { return x.Scatter(0, tensor.New([]int{0}), v) },
		"MaskedFill_": func(x *tensor.Tensor, v any) *tensor.Tensor { return x.MaskedFill_(x.Eq(0), v) },
	}
	for _, c := range []struct {
		dt   tensor.Dtype
		v    any
		fits bool
	}{
		{tensor.Uint8, 300, false}, {tensor.Uint8, 255, true}, {tensor.Uint8, -1, true}, {tensor.Int8, 128,
			false}, {tensor.Int8, -128, true},
		{tensor.Int16, 40000, false}, {tensor.Int32, int64(1) << 31, false}, {tensor.Int64, 1e19, false},
		{tensor.Int64, math.NaN(), false},
		{tensor.Int32, 2.7, true}, {tensor.Float16, 65505.0, false}, {tensor.Float16, math.Inf(1), true}, {tensor.Float32,
			1e39, false},
		{tensor.Float32, math.NaN(), true}, {tensor.Bfloat16, 1e38, true}, {tensor.Float32, 1i, false}, {tensor.Complex64,
			1i, true},
		{tensor.Complex64, complex(0, 1e39), false}, {tensor.Bool, 300, true},
	} {
		for name, write := range writes {
			x := tensor.With(c.dt).Zeros(2)
			if err := tensor.Try(func() { write(x, c.v) }); (err == nil) != c.fits {
				t.Errorf("%s of %v to %s: error %v, want one: %v", name, c.v, c.dt, err, !c.fits)
			}
		}
	}
}

func TestAngleOfInfinities(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	in, want := []float64{inf, -inf, nan, 0, math.Copysign(0, -1), -2, 3}, []float64{0, math.Pi, nan, 0, 0, math.Pi, 0}
	for _, dt := range []tensor.Dtype{tensor.Float64, tensor.Float32, tensor.Float16} {
		for _, n := range []int{1, 9} {
			x := tensor.New(in).To(dt).Repeat(n)
			if y := tensor.New(want).To(dt).Repeat(n); fmt.Sprint(x.Angle()) != fmt.Sprint(y) {
				t.Errorf("%s: %v, want %v", dt, x.Angle(), y)
			}
		}
	}
}

// The next number of a half type is its neighbour in the order of all of them.
func TestNextafterOfHalves(t *testing.T) {
	bits := make([]int16, 0x7c01)
	for i := range bits {
		bits[i] = int16(i) // the numbers from 0 to infinity of float16, and more than half of bfloat16's, in order
	}
	for _, dt := range []tensor.Dtype{tensor.Float16, tensor.Bfloat16} {
		x := tensor.New(bits).ViewDtype(dt)
		low, high := x.Narrow(0, 0, len(bits)-1), x.Narrow(0, 1, len(bits)-1)
		inf := tensor.FullLike(low, math.Inf(1))
		for name, ok := range map[string]bool{
			"up": low.Nextafter(inf).Equal(high), "down": high.Nextafter(inf.Neg()).Equal(low),
			"up, negative":   high.Neg().Nextafter(inf).Equal(low.Neg()),
			"down, negative": low.Neg().Nextafter(inf.Neg()).Equal(high.Neg()),
			"nowhere":        x.Nextafter(x).Equal(x), "to NaN": x.Nextafter(tensor.FullLike(x, math.NaN())).Isnan().
						All().ItemBool(),
		} {
			if !ok {
				t.Errorf("%s: %s is not the neighbour", dt, name)
			}
		}
	}
}

func TestLogOfComplexZero(t *testing.T) {
	z := tensor.New([]complex128{0, 8, 100i})
	for _, v := range []struct {
		got, want *tensor.Tensor
	}{
		{z.Log2(), tensor.New([]complex128{complex(math.Inf(-1), 0), 3, cmplx.Log(100i) / math.Ln2})},
		{z.Log10(), tensor.New([]complex128{complex(math.Inf(-1), 0), complex(math.Log10(8), 0),
			cmplx.Log(100i) / math.Ln10})},
	} {
		if !v.got.Real().Allclose(v.want.Real()) || !v.got.Imag().Allclose(v.want.Imag()) {
			t.Errorf("got %v, want %v", v.got, v.want)
		}
	}
}

// Calls that PyTorch rejects, and keywords that have no effect.
func TestRefusedCalls(t *testing.T) {
	x, i := tensor.New(3.0), tensor.New([]int{0})
	table := tensor.With(tensor.Float32).Ones(2, 2)
	for name, f := range map[string]func(){
		"roll":              func() { x.Roll(1, 0) },
		"repeat_interleave": func() { x.RepeatInterleave(2, opt.Dim(0)) },
		"gather":            func() { table.Select(0, 0).Gather(0, i, opt.SparseGrad(true)) },
		"embedding_bag":     func() { tensor.EmbeddingBag(i.View(1, 1), table, opt.Sparse(true)) },
		"to":                func() { x.To(tensor.Meta, opt.NonBlocking(true)) },
		"copy_":             func() { x.To(tensor.Meta).Copy_(x, opt.NonBlocking(true)) },
		"interpolate": func() {
			tensor.Interpolate(tensor.With(tensor.Float32).Ones(1, 1, 2, 2), opt.Size([]int{4}))
		},
	} {
		if tensor.Try(f) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if y := x.RepeatInterleave(1, opt.Dim(0)); y.Dim() != 0 || y.Item() != 3 {
		t.Errorf("got %v", y)
	}
}
