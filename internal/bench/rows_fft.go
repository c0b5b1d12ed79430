package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"

	"gonum.org/v1/gonum/dsp/fourier"
)

// fourierTransforms adds transforms of one line, of many, and of images: lengths that are powers of two, products of
// small primes, and a prime.
func fourierTransforms(t *table) {
	t.in("fft")
	complexes := func(size ...int) T { return tensor.With(tensor.Complex64).Randn(size...) }
	doubles := func(size ...int) T { return tensor.With(tensor.Complex128).Randn(size...) }
	for _, n := range []int{64, 1000, 1009, 4096, 65536} {
		t.add(fmt.Sprintf("t.fft.%d", n), fmt.Sprintf("a = torch.randn(%d, dtype=torch.complex64)", n), "torch.fft.fft(a)",
			func() func() {
				a := complexes(n)
				return func() { tensor.FftFft(a) }
			})
	}
	for _, n := range []int{1000, 4096, 65536} {
		t.add(fmt.Sprintf("t.fft.c128.%d", n), fmt.Sprintf("a = torch.randn(%d, dtype=torch.complex128)", n),
			"torch.fft.fft(a)", func() func() {
				a := doubles(n)
				return func() { tensor.FftFft(a) }
			})
		t.beside(func() func() {
			a, out, plan := tensor.Data[complex128](doubles(n)), make([]complex128, n), fourier.NewCmplxFFT(n)
			return func() { plan.Coefficients(out, a) }
		})
		t.add(fmt.Sprintf("t.rfft.f64.%d", n), fmt.Sprintf("a = torch.randn(%d, dtype=torch.float64)", n),
			"torch.fft.rfft(a)", func() func() {
				a := tensor.With(tensor.Float64).Randn(n)
				return func() { tensor.FftRfft(a) }
			})
		t.beside(func() func() {
			a := tensor.Data[float64](tensor.With(tensor.Float64).Randn(n))
			out, plan := make([]complex128, n/2+1), fourier.NewFFT(n)
			return func() { plan.Coefficients(out, a) }
		})
	}
	for _, s := range [][2]int{{500, 64}, {64, 1000}, {256, 1024}} {
		name, size := fmt.Sprintf("%dx%d", s[0], s[1]), fmt.Sprintf("%d, %d", s[0], s[1])
		t.add("t.fft."+name, "a = torch.randn("+size+", dtype=torch.complex64)", "torch.fft.fft(a)", func() func() {
			a := complexes(s[0], s[1])
			return func() { tensor.FftFft(a) }
		})
		t.add("t.fft.dim0."+name, "a = torch.randn("+size+", dtype=torch.complex64)", "torch.fft.fft(a, dim=0)",
			func() func() {
				a := complexes(s[0], s[1])
				return func() { tensor.FftFft(a, opt.Dim(0)) }
			})
		t.add("t.rfft."+name, "a = g("+size+")", "torch.fft.rfft(a)", func() func() {
			a := g(s[0], s[1])
			return func() { tensor.FftRfft(a) }
		})
		t.add("t.irfft."+name, "a = torch.fft.rfft(g("+size+"))", "torch.fft.irfft(a)", func() func() {
			a := tensor.FftRfft(g(s[0], s[1]))
			return func() { tensor.FftIrfft(a) }
		})
	}
	for _, n := range []int{64, 256} {
		size := fmt.Sprintf("%d, %d", n, n)
		t.add(fmt.Sprintf("t.fft2.%d", n), "a = torch.randn("+size+", dtype=torch.complex64)", "torch.fft.fft2(a)",
			func() func() {
				a := complexes(n, n)
				return func() { tensor.FftFft2(a) }
			})
		t.add(fmt.Sprintf("t.rfft2.%d", n), "a = g("+size+")", "torch.fft.rfft2(a)", func() func() {
			a := g(n, n)
			return func() { tensor.FftRfft2(a) }
		})
	}
	shortTime(t)
}

// shortTime adds short-time transforms of sound: a second of speech, and music of two channels.
func shortTime(t *table) {
	for _, s := range []struct {
		name                        string
		channels, length, size, hop int
	}{{"speech", 1, 16000, 400, 160}, {"music", 2, 88200, 1024, 256}} {
		args := fmt.Sprintf("%d, %d, window=w", s.size, s.hop)
		setup := fmt.Sprintf("a, w = g(%d, %d), torch.hann_window(%d)", s.channels, s.length, s.size)
		transform := func(a, w T) T {
			return a.Stft(s.size, opt.HopLength(s.hop), opt.Window(w), opt.ReturnComplex(true))
		}
		t.add("t.stft."+s.name, setup, "torch.stft(a, "+args+", return_complex=True)", func() func() {
			a, w := g(s.channels, s.length), tensor.HannWindow(s.size)
			return func() { transform(a, w) }
		})
		t.add("t.istft."+s.name, setup+"\na = torch.stft(a, "+args+", return_complex=True)", "torch.istft(a, "+args+")",
			func() func() {
				w := tensor.HannWindow(s.size)
				a := transform(g(s.channels, s.length), w)
				return func() { a.Istft(s.size, opt.HopLength(s.hop), opt.Window(w)) }
			})
	}
}
