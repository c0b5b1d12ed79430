package cpu

import (
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
)

// Note: a long line, with few beside it, is a matrix: columns are transformed first, whose neighbours are the lanes,
// then, turned by twiddles and transposed, the rows (W. M. Gentleman and G. Sande, "Fast Fourier transforms: for fun
// and profit", AFIPS 1966). Columns and rows fit into the near cache when the line does not, and threads share them.

// fftLine transforms one line of complex numbers, pairs of R, from src to dst, which may be the same. A serial one
// runs on one thread.
type fftLine[R float] interface {
	transform(dst, src []R, inverse bool, scale float64, serial bool)
}

// lineFor is the transform of one line of n.
func lineFor[R float](n int) fftLine[R] {
	if largestPrime(n) >= largePrime {
		return fftTable("chirp", n, func() (*fftChirp[R], int) { return newChirp[R](n), 8 * n })
	}
	if s := splitFor[R](n); s.rows > 0 {
		return longFor[R](s.rows, s.cols)
	}
	return fftShort[R]{stepsFor[R](n)}
}

// fftShort transforms a line as a strip of which one lane is used.
type fftShort[R float] struct{ steps *fftSteps[R] }

func (p fftShort[R]) transform(dst, src []R, inverse bool, scale float64, _ bool) {
	f, n := simd.FourierOf[R](), p.steps.n
	r, back := takeRoom[R](2 * f.Lanes * n)
	clear(r.a[:2*f.Lanes*n])
	for j := range n {
		r.a[2*j*f.Lanes], r.a[(2*j+1)*f.Lanes] = src[2*j], src[2*j+1]
	}
	out, by := p.steps.run(f, r.a, r.b, 1, inverse), R(scale)
	for j := range n {
		dst[2*j], dst[2*j+1] = by*out[2*j*f.Lanes], by*out[(2*j+1)*f.Lanes]
	}
	back()
}

// fftLong transforms a line as a matrix.
type fftLong[R float] struct {
	rows, cols int
	columns    *fftSteps[R] // of rows numbers
	along      *fftSteps[R] // of cols numbers
	twiddles   []R          // groups of each strip of columns, row by row
}

// fftSplit is a matrix for a line, of no rows where a strip with one lane is as fast, and what it costs.
type fftSplit[R float] struct {
	rows, cols int
	cost       float64
}

// splitFor is the best way to make a matrix of n numbers.
func splitFor[R float](n int) fftSplit[R] {
	return fftTable("split", n, func() (fftSplit[R], int) {
		lanes := simd.FourierOf[R]().Lanes
		strips := func(n int) float64 { return float64((n + lanes - 1) / lanes * lanes) }
		best := fftSplit[R]{cost: fftCost(n) * float64(lanes)}
		for r := 2; r*r <= n; r++ {
			for _, rows := range []int{r, n / r} {
				cols := n / rows
				cost := strips(cols)*(fftCost(rows)+6*float64(rows)) + strips(rows)*fftCost(cols)
				if n%r == 0 && cost < best.cost {
					best = fftSplit[R]{rows, cols, cost}
				}
			}
		}
		return best, 4
	})
}

func longFor[R float](rows, cols int) *fftLong[R] {
	return fftTable("long", rows*cols, func() (*fftLong[R], int) {
		v := simd.FourierOf[R]().Lanes
		p := &fftLong[R]{rows: rows, cols: cols, columns: stepsFor[R](rows), along: stepsFor[R](cols)}
		p.twiddles = make([]R, (cols+v-1)/v*rows*2*v)
		for c := range cols {
			for r := range rows {
				w, at := rootOfOne(r*c, rows*cols), (c/v*rows+r)*2*v+c%v
				p.twiddles[at], p.twiddles[at+v] = R(real(w)), R(imag(w))
			}
		}
		return p, len(p.twiddles)
	})
}

func (p *fftLong[R]) transform(dst, src []R, inverse bool, scale float64, serial bool) {
	f := simd.FourierOf[R]()
	v, rows, cols := f.Lanes, p.rows, p.cols
	group := 2 * v
	whole, back := takeRoom[R]((rows + v - 1) / v * cols * group)
	defer back()
	turned := whole.a // strips of rows: element by element
	loop := func(n, each int, f func(r fftRoom[R], i int)) {
		some := func(lo, hi int) {
			r, back := takeRoom[R](each * group)
			for i := lo; i < hi; i++ {
				f(r, i)
			}
			back()
		}
		if serial {
			some(0, n)
		} else {
			parallel.For(n, parallel.Grain(fftCost(each)), some)
		}
	}
	from := fftStrips[R]{f: f, groups: 1, beside: true, width: v}
	in := fftSide[R]{src, lanes{cols, rows, cols}}
	loop((cols+v-1)/v, rows, func(r fftRoom[R], i int) {
		lines := min(v, cols-i*v)
		from.load(r.a, &in, rows, i*v, lines)
		x := p.columns.run(f, r.a, r.b, 1, inverse)[:rows*group]
		f.Times(x, p.twiddles[i*rows*group:], inverse)
		for b := 0; b < rows; b += v {
			to := turned[(b/v*cols+i*v)*group:]
			for part := 0; part < group; part += v {
				transposed(to[part:], group, x[b*group+part:], group, lines, min(v, rows-b))
			}
		}
	})
	out := fftSide[R]{dst, lanes{rows, cols, rows}}
	loop((rows+v-1)/v, cols, func(r fftRoom[R], i int) {
		x := p.along.run(f, turned[i*cols*group:][:cols*group], r.b, 1, inverse)[:cols*group]
		scaleBy(x, scale)
		from.store(&out, x, cols, i*v, min(v, rows-i*v))
	})
}
