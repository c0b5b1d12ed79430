package cpu

import "math"

// Note: where a length has a large prime factor, the transform is a convolution with a chirp, which three transforms
// of a length of small factors compute: L. Bluestein, "A linear filtering approach to the computation of discrete
// Fourier transform", IEEE Transactions on Audio and Electroacoustics 18 (1970).

// fftChirp has what Bluestein's algorithm reads.
type fftChirp[R float] struct {
	n, m     int
	line     fftLine[R] // of m numbers
	factors  []R        // exp(-iπ k²/n)
	spectrum []R        // of the conjugates, to both sides, divided by m
}

func newChirp[R float](n int) *fftChirp[R] {
	m := chirpLength(2*n - 1)
	c := &fftChirp[R]{n: n, m: m, line: lineFor[R](m)}
	spectrum := make([]float64, 2*m)
	square := 0 // k² modulo 2n
	for k := range n {
		sin, cos := math.Sincos(math.Pi * float64(square) / float64(n))
		c.factors = append(c.factors, R(cos), R(-sin))
		for _, at := range []int{k, (m - k) % m} {
			spectrum[2*at], spectrum[2*at+1] = cos/float64(m), sin/float64(m)
		}
		square = (square + 2*k + 1) % (2 * n)
	}
	lineFor[float64](m).transform(spectrum, spectrum, false, 1, false)
	for _, v := range spectrum {
		c.spectrum = append(c.spectrum, R(v))
	}
	return c
}

// chirpLength is the least power of two from n on, or 5/8 or 3/4 of it where that is enough.
func chirpLength(n int) int {
	m := 64
	for m < n {
		m *= 2
	}
	for _, part := range []int{5, 6} {
		if m/8*part >= n {
			return m / 8 * part
		}
	}
	return m
}

func (c *fftChirp[R]) transform(dst, src []R, inverse bool, scale float64, serial bool) {
	room, back := takeRoom[R](2 * c.m)
	defer back()
	work := room.a[:2*c.m]
	re, im := 0, 1 // the inverse is the transform of numbers whose parts change places
	if inverse {
		re, im = 1, 0
	}
	for k := 0; k < 2*c.n; k += 2 {
		work[k], work[k+1] = times(src[k+re], src[k+im], c.factors[k], c.factors[k+1])
	}
	clear(work[2*c.n:])
	c.line.transform(work, work, false, 1, serial)
	for k := 0; k < 2*c.m; k += 2 {
		work[k], work[k+1] = times(work[k], work[k+1], c.spectrum[k], c.spectrum[k+1])
	}
	c.line.transform(work, work, true, 1, serial)
	by := R(scale)
	for k := 0; k < 2*c.n; k += 2 {
		x, y := times(work[k], work[k+1], c.factors[k], c.factors[k+1])
		dst[k+re], dst[k+im] = by*x, by*y
	}
}

// times is the product of two complex numbers, rounded operation by operation.
func times[R float](ar, ai, br, bi R) (re, im R) {
	return R(ar*br) - R(ai*bi), R(ar*bi) + R(ai*br)
}
