package lapack

import (
	"math"

	"gotorch/internal/gemm"
	"gotorch/tensor"
)

// block brings an isolated block of rows, top to bottom, to Schur form by steps of two shifts (xLAHQR). The block
// is the window of all of them, so that the rest is turned once. It reports whether the iteration converged.
func (s *schurWork) block(top, bottom int) bool {
	n, h := s.n, s.h
	w := window{lo: top, hi: bottom + 1, from: 0, to: bottom + 1 - top}
	width := w.to
	Identity(gemm.Room(&s.u, width*width), width, width)
	left := 30 * max(10, width)
	for i, tries := bottom, 1; i >= top; tries++ {
		from := i
		for from > top && !s.negligible(from, top, bottom) {
			from--
		}
		switch i - from {
		case 0:
			s.wr[i], s.wi[i] = h[i*n+i], 0
			i, tries = i-1, 0
			continue
		case 1:
			s.pair(w, i)
			i, tries = i-2, 0
			continue
		}
		if left--; left < 0 {
			return false
		}
		if left%16 == 0 {
			tensor.Interrupted(op)
		}
		sr, si := s.lastShifts(from, i, tries)
		for k := from - 1; k < i-1; k++ {
			s.chase(w, from, i, k, sr[:], si[:])
		}
	}
	s.turnRest(w, top, bottom)
	return true
}

// lastShifts are the eigenvalues of rows i-1 and i; of two real ones it is the nearer one, twice. Every tenth time
// they are made up, in case others go in circles.
func (s *schurWork) lastShifts(from, i, tries int) (sr, si [2]float64) {
	n, h := s.n, s.h
	if tries%10 == 0 {
		at, size := i, 0.0
		if tries%20 == 10 {
			at = from
			size = math.Abs(h[(from+1)*n+from]) + math.Abs(h[(from+2)*n+from+1])
		} else {
			size = math.Abs(h[i*n+i-1]) + math.Abs(h[(i-1)*n+i-2])
		}
		mid := 0.75*size + h[at*n+at]
		_, _, _, _, sr[0], si[0], sr[1], si[1], _, _ = impl.Dlanv2(mid, -0.4375*size, size, mid)
		return sr, si
	}
	last := h[i*n+i]
	_, _, _, _, sr[0], si[0], sr[1], si[1], _, _ = impl.Dlanv2(h[(i-1)*n+i-1], h[(i-1)*n+i], h[i*n+i-1], last)
	if si[0] == 0 {
		if math.Abs(sr[0]-last) < math.Abs(sr[1]-last) {
			sr[1] = sr[0]
		} else {
			sr[0] = sr[1]
		}
	}
	return sr, si
}

// pair splits rows i-1 and i of a window where their eigenvalues are real, or gives them equal diagonal elements.
func (s *schurWork) pair(w window, i int) {
	n, h := s.n, s.h
	a, b, c, d := &h[(i-1)*n+i-1], &h[(i-1)*n+i], &h[i*n+i-1], &h[i*n+i]
	var cs, sn float64
	*a, *b, *c, *d, s.wr[i-1], s.wi[i-1], s.wr[i], s.wi[i], cs, sn = impl.Dlanv2(*a, *b, *c, *d)
	rotateRows(h[(i-1)*n+i+1:(i-1)*n+w.hi], h[i*n+min(i+1, n-1):], cs, sn)
	for j := w.lo; j < i-1; j++ {
		x, y := h[j*n+i-1], h[j*n+i]
		h[j*n+i-1], h[j*n+i] = cs*x+sn*y, cs*y-sn*x
	}
	width := w.hi - w.lo
	u := s.u[(i-1-w.lo)*width:]
	rotateRows(u[:width], u[width:], cs, sn)
}

// rotateRows turns x and as much of y: they become c·x + s·y and c·y - s·x.
func rotateRows(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for j, e := range x {
		f := y[j]
		x[j], y[j] = c*e+s*f, c*f-s*e
	}
}
