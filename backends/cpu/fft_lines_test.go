package cpu

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Many lines, along the last dimension or another one, in strips that are full or not, are as each by itself.
func TestFFTBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 2, 3, 12, 17, 30, 31, 77, 101} {
		for _, lines := range []int{2, 3, 5, 8, 11, 16, 19, 37} {
			x := randomComplex(r, lines, n)
			columns := x.T().Contiguous()
			got, across := tensor.FftFft(x), tensor.FftFft(columns, opt.Dim(0))
			back := tensor.FftIfft(across, opt.Dim(0))
			half, halfAcross := tensor.FftRfft(x.Real()), tensor.FftRfft(columns.Real(), opt.Dim(0))
			re, reAcross := tensor.FftIrfft(half, opt.N(n)), tensor.FftIrfft(halfAcross, opt.N(n), opt.Dim(0))
			whole := tensor.FftFft(x.Real())
			for i := range lines {
				want := tensor.New(dft(tensor.Data[complex128](x.Select(0, i))))
				wantHalf := tensor.New(dft(tensor.Data[complex128](x.Real().Select(0, i).To(tensor.Complex128))))
				for name, d := range map[string]float64{
					"fft": far(got.Select(0, i), want), "fft of columns": far(across.Select(1, i), want),
					"ifft of columns":  far(back.Select(1, i), x.Select(0, i)),
					"rfft":             far(half.Select(0, i), wantHalf.Narrow(0, 0, n/2+1)),
					"rfft of columns":  far(halfAcross.Select(1, i), wantHalf.Narrow(0, 0, n/2+1)),
					"fft of reals":     far(whole.Select(0, i), wantHalf),
					"irfft":            far(re.Select(0, i), x.Real().Select(0, i)),
					"irfft of columns": far(reAcross.Select(1, i), x.Real().Select(0, i)),
				} {
					if !(d < 1e-12*float64(n+8)) {
						t.Errorf("%d lines of %d: %s of line %d differs by %g", lines, n, name, i, d)
					}
				}
			}
		}
	}
}

// Long lines, which are transformed as matrices, against the definition at some places, in both precisions.
func TestFFTLongLines(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{1000, 2310, 4096, 4099, 6561, 10001, 65536} {
		x := randomComplex(r, 2, n)
		got, re := tensor.FftFft(x), tensor.FftRfft(x.Real())
		single, back := tensor.FftFft(x.To(tensor.Complex64)), tensor.FftIrfft(re, opt.N(n))
		scale := math.Sqrt(float64(n)) // of the elements
		if d := far(back, x.Real()); d > 1e-13*scale {
			t.Errorf("n = %d: the inverse to real numbers differs by %g", n, d)
		}
		if d := far(single.To(tensor.Complex128), got); d > 3e-6*scale {
			t.Errorf("n = %d: the transform of complex64 differs by %g", n, d)
		}
		for i := range 2 {
			in := tensor.Data[complex128](x.Select(0, i))
			for range 5 {
				k := r.IntN(n/2 + 1)
				var want, wantRe complex128
				for j, v := range in {
					w := cmplx.Rect(1, -2*math.Pi*float64(j*k%n)/float64(n))
					want, wantRe = want+v*w, wantRe+complex(real(v), 0)*w
				}
				if d := cmplx.Abs(got.At(i, k).(complex128) - want); d > 1e-13*float64(n) {
					t.Errorf("n = %d: element %d differs by %g", n, k, d)
				}
				if d := cmplx.Abs(re.At(i, k).(complex128) - wantRe); d > 1e-13*float64(n) {
					t.Errorf("n = %d: element %d of the transform of real numbers differs by %g", n, k, d)
				}
			}
		}
	}
}

// NaN and infinities stay in their lines, whatever lines are beside, and results are the same for any number of
// threads.
func TestFFTLinesApart(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	x := randomComplex(r, 19, 24)
	y := x.Clone()
	y.Select(0, 3).Fill_(math.NaN())
	y.Select(0, 12).Fill_(math.Inf(1))
	for name, f := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"fft":            func(x *tensor.Tensor) *tensor.Tensor { return tensor.FftFft(x) },
		"fft of columns": func(x *tensor.Tensor) *tensor.Tensor { return tensor.FftFft(x.T().Contiguous(), opt.Dim(0)).T() },
		"rfft":           func(x *tensor.Tensor) *tensor.Tensor { return tensor.FftRfft(x.Real()) },
		"rfft of columns": func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.FftRfft(x.Real().T().Contiguous(), opt.Dim(0)).T()
		},
		"irfft":        func(x *tensor.Tensor) *tensor.Tensor { return tensor.FftIrfft(x) },
		"of complex64": func(x *tensor.Tensor) *tensor.Tensor { return tensor.FftFft(x.To(tensor.Complex64)) },
	} {
		a, b := f(x), f(y)
		for i := range 19 {
			same := a.Select(0, i).Equal(b.Select(0, i))
			if bad := i == 3 || i == 12; same == bad {
				t.Errorf("%s: line %d is the same: %v", name, i, same)
			}
		}
		was := tensor.NumThreads()
		for _, n := range []int{1, 3} {
			tensor.SetNumThreads(n)
			if !f(x).Equal(a) {
				t.Errorf("%s: differs with %d threads", name, n)
			}
		}
		tensor.SetNumThreads(was)
	}
	long := randomComplex(r, 1<<15)
	was, want := tensor.NumThreads(), tensor.FftFft(long)
	for _, n := range []int{1, 3} {
		tensor.SetNumThreads(n)
		if !tensor.FftFft(long).Equal(want) {
			t.Errorf("a long line differs with %d threads", n)
		}
	}
	tensor.SetNumThreads(was)
}
