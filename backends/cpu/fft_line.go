package cpu

import (
	"math"
	"math/cmplx"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Note: Fourier transforms of one line. gonum's, which are FFTPACK's mixed radices, take time in proportion to the
// length and its largest prime factor. Where that is large, the transform is a convolution with a chirp, which three
// transforms of a power of two compute: L. Bluestein, "A linear filtering approach to the computation of discrete
// Fourier transform", IEEE Transactions on Audio and Electroacoustics 18 (1970).

// largePrime is the prime factor from which a chirp is faster.
const largePrime = 100

// fftPlan transforms lines of n numbers. It has room of its own: one goroutine uses it at a time.
type fftPlan struct {
	n     int
	whole *fourier.CmplxFFT // nil where the chirp is used, or nothing but real numbers were transformed
	real  *fourier.FFT
	chirp *chirp
	room  []complex128
}

// chirp has what Bluestein's algorithm reads and writes.
type chirp struct {
	fft      *fourier.CmplxFFT
	factors  []complex128 // exp(-iπ k²/n)
	spectrum []complex128 // of the conjugates, to both sides, divided by the length
	work     []complex128
}

// fftPlans has a *sync.Pool of plans for each length.
var fftPlans sync.Map

// takeFFT takes a plan for lines of n numbers; back gives it back.
func takeFFT(n int) (p *fftPlan, back func()) {
	v, ok := fftPlans.Load(n)
	if !ok {
		v, _ = fftPlans.LoadOrStore(n, &sync.Pool{New: func() any { return newFFT(n) }})
	}
	pool := v.(*sync.Pool)
	p = pool.Get().(*fftPlan)
	return p, func() { pool.Put(p) }
}

func newFFT(n int) *fftPlan {
	p := &fftPlan{n: n}
	if largestPrime(n) >= largePrime {
		p.chirp = newChirp(n)
	}
	return p
}

// largestPrime is the largest prime factor of n.
func largestPrime(n int) int {
	most := 1
	for f := 2; f*f <= n; f++ {
		for n%f == 0 {
			n, most = n/f, f
		}
	}
	return max(most, n)
}

func newChirp(n int) *chirp {
	m := 1
	for m < 2*n-1 {
		m *= 2
	}
	c := &chirp{fft: fourier.NewCmplxFFT(m), factors: make([]complex128, n), spectrum: make([]complex128, m),
		work: make([]complex128, m)}
	square := 0 // k² modulo 2n
	for k := range n {
		sin, cos := math.Sincos(math.Pi * float64(square) / float64(n))
		c.factors[k] = complex(cos, -sin)
		w := complex(cos/float64(m), sin/float64(m))
		c.spectrum[k] = w
		if k > 0 {
			c.spectrum[m-k] = w
		}
		square = (square + 2*k + 1) % (2 * n)
	}
	c.fft.Coefficients(c.spectrum, c.spectrum)
	return c
}

// transform writes the unnormalized transform of x, or the inverse one, over x.
func (p *fftPlan) transform(x []complex128, forward bool) {
	if p.chirp != nil {
		p.chirp.transform(x, forward)
		return
	}
	if p.whole == nil {
		p.whole = fourier.NewCmplxFFT(p.n)
	}
	if forward {
		p.whole.Coefficients(x, x)
	} else {
		p.whole.Sequence(x, x)
	}
}

func (c *chirp) transform(x []complex128, forward bool) {
	clear(c.work)
	for k, v := range x {
		if !forward { // the inverse is the conjugate of the conjugate's transform
			v = cmplx.Conj(v)
		}
		c.work[k] = v * c.factors[k]
	}
	c.fft.Coefficients(c.work, c.work)
	for k, s := range c.spectrum {
		c.work[k] *= s
	}
	c.fft.Sequence(c.work, c.work)
	for k := range x {
		v := c.work[k] * c.factors[k]
		if !forward {
			v = cmplx.Conj(v)
		}
		x[k] = v
	}
}

// fromReal writes the first half, of n/2+1 numbers, of the transform of real numbers.
func (p *fftPlan) fromReal(dst []complex128, x []float64) {
	if p.chirp == nil {
		if p.real == nil {
			p.real = fourier.NewFFT(p.n)
		}
		p.real.Coefficients(dst, x)
		return
	}
	whole := room(&p.room, p.n)
	for i, v := range x {
		whole[i] = complex(v, 0)
	}
	p.transform(whole, true)
	copy(dst, whole)
}

// toReal writes the inverse transform of numbers whose first half is x. Imaginary parts that a transform of real
// numbers has not, of the first one and of the one in the middle, are not read.
func (p *fftPlan) toReal(dst []float64, x []complex128) {
	if p.chirp == nil {
		if p.real == nil {
			p.real = fourier.NewFFT(p.n)
		}
		p.real.Sequence(dst, x)
		return
	}
	whole := room(&p.room, p.n)
	copy(whole, x)
	for i := 1; i < len(x); i++ {
		whole[p.n-i] = cmplx.Conj(x[i])
	}
	whole[0] = complex(real(x[0]), 0)
	if p.n%2 == 0 {
		whole[p.n/2] = complex(real(x[p.n/2]), 0)
	}
	p.transform(whole, false)
	for i := range dst {
		dst[i] = real(whole[i])
	}
}
