package lapack

import (
	"math"

	"gotorch/internal/gemm"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: multishift QR steps (Braman, Byers and Mathias, The Multishift QR Algorithm, 2002). A step of two shifts
// makes a bulge below the diagonal of a Hessenberg matrix and chases it down with reflectors of three rows and
// columns. Many bulges follow each other closely. They go through a window of the diagonal together, in which
// reflectors are applied to what is in the window and to a matrix that collects them; products with that turn the
// rest.

// schurWork is a Hessenberg matrix on its way to Schur form.
type schurWork struct {
	n       int
	h       []float64 // row by row
	z       []float64 // the product of all reflectors, nil where it is not wanted
	full    bool      // the Schur form is wanted, and not the eigenvalues alone
	wr, wi  []float64
	u, copy []float64 // of a window: the reflectors' product, transposed, and workspace of its products
	at      []int     // the column that each bulge has come to

	reflector simd.Reflector
}

// window is where bulges are: rows and columns from lo to hi. Of the reflectors' product, what a bulge changes has
// zeros outside from and to.
type window struct{ lo, hi, from, to int }

// sweep makes bulges of pairs of shifts at row top and chases them behind row bottom.
func (s *schurWork) sweep(top, bottom int, sr, si []float64) {
	bulges := len(sr) / 2
	s.at = s.at[:0]
	for range bulges {
		s.at = append(s.at, top-1)
	}
	size := 6*bulges + 16
	for w := (window{lo: top}); ; w.lo = s.at[bulges-1] + 1 {
		w.hi = min(w.lo+size, bottom+1)
		last := w.hi == bottom+1
		width := w.hi - w.lo
		u := gemm.Room(&s.u, width*width)
		Identity(u, width, width)
		for b := range bulges {
			end := w.hi - 4 - 3*b
			if last {
				end = bottom - 1
			}
			w.from = s.at[b] + 1 - w.lo
			for k := s.at[b]; k < end; k++ {
				w.to = min(width, k+4-w.lo+3*(b+1))
				s.chase(w, top, bottom, k, sr[2*b:2*b+2], si[2*b:2*b+2])
			}
			s.at[b] = end
		}
		s.turnRest(w, top, bottom)
		if last {
			return
		}
	}
}

// chase moves a bulge from column k on, or makes it where k is before row top.
func (s *schurWork) chase(w window, top, bottom, k int, sr, si []float64) {
	n, h := s.n, s.h
	var v [3]float64
	rows := min(3, bottom-k)
	if k < top {
		impl.Dlaqr1(rows, h[top*n+top:], n, sr[0], si[0], sr[1], si[1], v[:rows])
	} else {
		for i := range rows {
			v[i] = h[(k+1+i)*n+k]
		}
	}
	beta, tau := reflectThree(&v)
	if k >= top {
		h[(k+1)*n+k] = beta
		for i := 1; i < rows; i++ {
			h[(k+1+i)*n+k] = 0
		}
	}
	if tau == 0 {
		return
	}
	width := w.hi - w.lo
	at := (k + 1 - w.lo) * width
	if rows == 3 {
		r := &s.reflector
		*r = simd.Reflector{v[1], v[2], tau, tau * v[1], tau * v[2]}
		simd.ReflectFloat64(h[(k+1)*n+k+1:(k+1)*n+w.hi], h[(k+2)*n+k+1:], h[(k+3)*n+k+1:], r)
		reflectColumns(h[w.lo*n+k+1:], n, min(k+5, w.hi)-w.lo, tau, v[1], v[2])
		u := s.u[at : at+3*width]
		simd.ReflectFloat64(u[w.from:w.to], u[width+w.from:], u[2*width+w.from:], r)
		return
	}
	reflectTwo(h[(k+1)*n+k+1:(k+1)*n+w.hi], h[(k+2)*n+k+1:], tau, v[1])
	for i := w.lo; i < w.hi; i++ {
		row := h[i*n+k+1:][:2]
		t := tau * (row[0] + v[1]*row[1])
		row[0] -= t
		row[1] -= t * v[1]
	}
	reflectTwo(s.u[at:at+width], s.u[at+width:], tau, v[1])
}

// reflectThree finds the reflector of v, and makes v its vector (xLARFG).
func reflectThree(v *[3]float64) (beta, tau float64) {
	alpha, norm := v[0], v[1]*v[1]+v[2]*v[2]
	if !(norm > 0x1p-900 && norm < 0x1p900 && math.Abs(alpha) < 0x1p450) {
		return impl.Dlarfg(3, alpha, v[1:], 1)
	}
	beta = -math.Copysign(math.Sqrt(alpha*alpha+norm), alpha)
	f := 1 / (alpha - beta)
	v[1] *= f
	v[2] *= f
	return beta, (beta - alpha) / beta
}

// reflectTwo replaces two rows by (I - tau v vᵀ) times them, where v is (1, v1).
func reflectTwo(x, y []float64, tau, v1 float64) {
	y = y[:len(x)]
	t1 := tau * v1
	for j, e := range x {
		sum := e + v1*y[j]
		x[j] = e - sum*tau
		y[j] -= sum * t1
	}
}

// reflectColumns reflects the first three elements of rows, which are n elements apart.
func reflectColumns(h []float64, n, rows int, tau, v1, v2 float64) {
	t1, t2 := tau*v1, tau*v2
	for ; rows > 0; rows-- {
		row := h[:3]
		sum := row[0] + v1*row[1] + v2*row[2]
		row[0] -= sum * tau
		row[1] -= sum * t1
		row[2] -= sum * t2
		if rows > 1 {
			h = h[n:]
		}
	}
}

// turnRest applies the reflectors of a window to what of the matrices lies outside.
func (s *schurWork) turnRest(w window, top, bottom int) {
	tensor.Interrupted(op)
	n, width := s.n, w.hi-w.lo
	from, to := top, bottom+1
	if s.full {
		from, to = 0, n
	}
	u := rowMajor(s.u, width)
	h := rowMajor(s.h, n)
	right := func(a gemm.Matrix[float64], rows int) {
		if rows == 0 {
			return
		}
		buf := rowMajor(gemm.Room(&s.copy, rows*width), width)
		multiply(rows, width, width, a, u.T(), buf)
		for i := range rows {
			copy(a.P[a.Off+i*a.RS:][:width], buf.P[i*width:])
		}
	}
	if cols := to - w.hi; cols > 0 {
		buf := rowMajor(gemm.Room(&s.copy, width*cols), cols)
		multiply(width, cols, width, u, h.From(w.lo, w.hi), buf)
		for i := range width {
			copy(s.h[(w.lo+i)*n+w.hi:][:cols], buf.P[i*cols:])
		}
	}
	right(h.From(from, w.lo), w.lo-from)
	if s.z != nil {
		right(rowMajor(s.z, n).From(0, w.lo), n)
	}
}

// deflate sets elements below the diagonal to zero that are negligible.
func (s *schurWork) deflate(top, bottom int) {
	for k := top + 1; k <= bottom; k++ {
		s.negligible(k, top, bottom)
	}
}

// negligible sets the element before the diagonal in row k to zero where it is negligible beside its neighbours, and
// reports whether it is zero (Ahues and Tisseur, A New Deflation Criterion for the QR Algorithm, 1997).
func (s *schurWork) negligible(k, top, bottom int) bool {
	n, h := s.n, s.h
	const ulp = 2 * epsilon
	least := tiny / ulp * float64(n)
	a, b, c, d := h[(k-1)*n+k-1], h[(k-1)*n+k], math.Abs(h[k*n+k-1]), h[k*n+k]
	if c > least {
		near := math.Abs(a) + math.Abs(d)
		if near == 0 {
			if k-2 >= top {
				near += math.Abs(h[(k-1)*n+k-2])
			}
			if k+1 <= bottom {
				near += math.Abs(h[(k+1)*n+k])
			}
		}
		if c > ulp*near {
			return false
		}
		most, less := max(c, math.Abs(b)), min(c, math.Abs(b))
		big, small := max(math.Abs(d), math.Abs(a-d)), min(math.Abs(d), math.Abs(a-d))
		sum := big + most
		if less*(most/sum) > max(least, ulp*(small*(big/sum))) {
			return false
		}
	}
	h[k*n+k-1] = 0
	return true
}
