package cpu

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// randomComplex is a tensor of normal numbers.
func randomComplex(r *rand.Rand, shape ...int) *tensor.Tensor {
	n := 1
	for _, s := range shape {
		n *= s
	}
	values := make([]complex128, n)
	for i := range values {
		values[i] = complex(r.NormFloat64(), r.NormFloat64())
	}
	return tensor.New(values).View(shape...)
}

// dft is the transform by its definition, the sum of x[j] exp(-2πi jk/n).
func dft(x []complex128) []complex128 {
	out := make([]complex128, len(x))
	for k := range out {
		for j, v := range x {
			out[k] += v * cmplx.Rect(1, -2*math.Pi*float64(j*k%len(x))/float64(len(x)))
		}
	}
	return out
}

// far is the greatest difference of two tensors' elements.
func far(a, b *tensor.Tensor) float64 { return a.Sub(b).Abs().Max().Item() }

// Transforms of every length up to 70, of primes and of multiples of large ones, against the definition; then back.
func TestFFTLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lengths := []int{97, 101, 128, 202, 211, 256, 303, 997, 1009}
	for n := 1; n <= 70; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		x := randomComplex(r, n)
		want := tensor.New(dft(tensor.Data[complex128](x)))
		got := tensor.FftFft(x)
		limit := 1e-12 * float64(n)
		if d := far(got, want); d > limit {
			t.Errorf("n = %d: differs by %g", n, d)
		}
		if d := far(tensor.FftIfft(got), x); d > limit {
			t.Errorf("n = %d: the inverse differs by %g", n, d)
		}
		re := x.Real()
		half := tensor.FftRfft(re)
		if d := far(half, tensor.FftFft(re.To(tensor.Complex128)).Narrow(0, 0, n/2+1)); d > limit {
			t.Errorf("n = %d: the transform of real numbers differs by %g", n, d)
		}
		if d := far(tensor.FftIrfft(half, opt.N(n)), re); d > limit {
			t.Errorf("n = %d: the inverse to real numbers differs by %g", n, d)
		}
		if d := far(tensor.FftHfft(tensor.FftIhfft(re), opt.N(n)), re); d > limit {
			t.Errorf("n = %d: hfft of ihfft differs by %g", n, d)
		}
	}
}

// Transforms over several dimensions are those over each, in any order, of tensors that lie in any way.
func TestFFTDims(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := randomComplex(r, 5, 12, 9)
	for _, y := range []*tensor.Tensor{x, x.Permute(2, 0, 1), x.Slice(opt.Dim(1), opt.Step(2)), x.Flip(0),
		x.Select(0, 1).Expand(3, 12, 9)} {
		for _, dims := range [][]int{{0, 1, 2}, {2, 0}, {1}, {-1, -3}} {
			for _, norm := range []string{"forward", "backward", "ortho"} {
				want := y
				for _, d := range dims {
					want = tensor.FftFft(want, opt.Dim(d), opt.Norm(norm))
				}
				got := tensor.FftFftn(y, opt.Dim(dims...), opt.Norm(norm))
				if d := far(got, want); d > 1e-11 {
					t.Errorf("%v, dims %v, %s: differs by %g", y.Shape(), dims, norm, d)
				}
				if d := far(tensor.FftIfftn(got, opt.Dim(dims...), opt.Norm(norm)), y); d > 1e-11 {
					t.Errorf("%v, dims %v, %s: the inverse differs by %g", y.Shape(), dims, norm, d)
				}
				re := y.Real()
				half := tensor.FftRfftn(re, opt.Dim(dims...), opt.Norm(norm))
				var sizes []int
				for _, d := range dims {
					sizes = append(sizes, re.Size(d))
				}
				if d := far(tensor.FftIrfftn(half, opt.S(sizes...), opt.Dim(dims...), opt.Norm(norm)), re); d > 1e-11 {
					t.Errorf("%v, dims %v, %s: the inverse to real numbers differs by %g", y.Shape(), dims, norm, d)
				}
			}
		}
	}
}

// A signal is what its short-time transform is put together to, whatever the window and the hop.
func TestShortTimeTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	x := randomComplex(r, 2, 200).Real()
	for _, size := range []int{16, 25, 32} {
		for _, hop := range []int{3, size / 4, size / 2} {
			for _, length := range []int{size, size - 3} {
				w := tensor.HammingWindow(length, opt.Dtype(tensor.Float64))
				o := []tensor.Option{opt.HopLength(hop), opt.WinLength(length), opt.Window(w), opt.Normalized(hop == 3)}
				y := x.Stft(size, append(o, opt.ReturnComplex(true))...)
				back := y.Istft(size, append(o, opt.Length(190))...)
				if d := far(back, x.Narrow(1, 0, 190)); d > 1e-12 {
					t.Errorf("n_fft %d, hop %d, window of %d: differs by %g", size, hop, length, d)
				}
			}
		}
	}
}

// Wrong calls say what would be right.
func TestFFTErrors(t *testing.T) {
	x := tensor.With(tensor.Float64).Ones(3, 4)
	z := x.To(tensor.Complex128)
	for want, f := range map[string]func(){
		"fft.fft: invalid normalization mode \"Ortho\": it is \"forward\"": func() {
			tensor.FftFft(x, opt.Norm("Ortho"))
		},
		"fft.rfft: expects a real input tensor, but got complex128": func() {
			tensor.FftRfft(z)
		},
		"fft.fftn: FFT dims must be unique, got dimension 1 twice": func() {
			tensor.FftFftn(x, opt.Dim(1, -1))
		},
		"fft.fftn: when given, dim and s must have the same length, got [0] and [2 2]": func() {
			tensor.FftFftn(x, opt.Dim(0), opt.S(2, 2))
		},
		"fft.fft: invalid number of data points (0) specified": func() {
			tensor.FftFft(x, opt.N(0))
		},
		"fft.irfft: invalid number of data points (0) specified": func() {
			tensor.FftIrfft(x.Narrow(1, 0, 1))
		},
		"fft.fft: unsupported dtype float16": func() {
			tensor.FftFft(x.Half())
		},
		"istft: the windows leave places of the signal out": func() {
			tensor.With(tensor.Complex128).Ones(9, 4).Istft(16, opt.Window(tensor.With(tensor.Float64).Zeros(16)))
		},
		"stft: expected 0 < n_fft <= 4, the length of the signal, but got n_fft=5": func() {
			x.Stft(5, opt.Center(false))
		},
	} {
		err := tensor.Try(f)
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The windows' first elements, as NumPy's functions of these names return them.
func TestWindows(t *testing.T) {
	for want, w := range map[string]*tensor.Tensor{
		"[0 0.5 1 0.5]":                          tensor.BartlettWindow(4),
		"[0 0.75 0.75 0]":                        tensor.HannWindow(4, opt.Periodic(false)),
		"[0.08 0.54 1 0.54]":                     tensor.HammingWindow(4),
		"[0 0.34 1 0.34]":                        tensor.BlackmanWindow(4),
		"[0 0.0035 0.0465 0.2297 0.5999 0.9457]": tensor.KaiserWindow(12, opt.Beta(14), opt.Periodic(false)).Narrow(0, 0, 6),
		"[1]":                                    tensor.HannWindow(1),
		"[]":                                     tensor.HannWindow(0),
	} {
		var got []float64
		for _, v := range tensor.Data[float32](w) {
			got = append(got, math.Abs(math.Round(float64(v)*1e4)/1e4))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}
