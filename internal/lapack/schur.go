package lapack

import (
	"math"

	"gotorch/internal/gemm"
	"gotorch/tensor"
)

const (
	schurWhole = 128 // rows of a block that is iterated upon as a whole
	schurStuck = 6   // steps without a result after which shifts are taken from elsewhere
)

// shiftsFor is how many shifts are chased together through a block of n rows, and how many rows at its end are
// looked at for eigenvalues that have been found (as in LAPACK's IPARMQ).
func shiftsFor(n int) (shifts, look int) {
	switch {
	case n < 60:
		shifts = 6
	case n < 150:
		shifts = 10
	case n < 600:
		shifts = max(10, int(float64(n)/math.Log2(float64(n)))) &^ 1
	default:
		shifts = 64
	}
	return shifts, max(shifts*3/2, 16)
}

// run brings rows from lo to hi, which are Hessenberg, to Schur form: eigenvalues, or blocks of two rows with a
// pair of them, stand on the diagonal (xLAQR0). It reports whether the iteration converged.
func (s *schurWork) run(lo, hi int) bool {
	left := 30 * max(10, hi-lo+1)
	look, stuck := 0, 1
	s.deflate(lo, hi)
	for bottom := hi; bottom >= lo; left-- {
		if left < 0 {
			return false
		}
		tensor.Interrupted(op)
		top := bottom
		for top > lo && s.h[top*s.n+top-1] != 0 {
			top--
		}
		rows := bottom - top + 1
		if rows <= schurWhole {
			if !s.block(top, bottom) {
				return false
			}
			bottom = top - 1
			continue
		}
		shifts, usual := shiftsFor(rows)
		if look = min(usual, rows); stuck > 5 { // where nothing is found, look further
			look = min(rows, usual<<min(stuck-5, 8))
		}
		if look == rows-1 {
			look = rows
		}
		estimates, found := s.look(top, bottom, look)
		bottom -= found
		if found > 0 && (100*found > 14*look || bottom-top < schurWhole) {
			stuck = 1
			continue
		}
		shifts = min(shifts, max(2, bottom-top)) &^ 1
		from := s.shifts(top, bottom, estimates, shifts, stuck%schurStuck == 0)
		s.sweep(top, bottom, s.wr[from:bottom+1], s.wi[from:bottom+1])
		s.deflate(top, bottom)
		if stuck++; found > 0 {
			stuck = 1
		}
	}
	return true
}

// look finds eigenvalues that the last rows of a block have already (aggressive early deflation, xLAQR3): so many it
// returns as found. Those before them, in wr and wi, are estimates of others.
func (s *schurWork) look(top, bottom, rows int) (estimates, found int) {
	n := s.n
	buf := gemm.Room(&s.copy, rows*rows+2*rows*n)
	v, t, wide := buf[:rows*rows], buf[rows*rows:rows*rows+rows*n], buf[rows*rows+rows*n:]
	work(func(w []float64, l int) {
		estimates, found = impl.Dlaqr23(s.full, s.z != nil, n, top, bottom, rows, s.h, n, 0, n-1, s.z, n,
			s.wr[:bottom+1], s.wi[:bottom+1], v, rows, n, t, n, n, wide, rows, w, l, 1)
	})
	return estimates, found
}

// shifts puts shifts for the next step, want of them or fewer, before wr[bottom] and wi[bottom], pair by pair, and
// returns where they begin. Odd ones are made up.
func (s *schurWork) shifts(top, bottom, estimates, want int, odd bool) (from int) {
	n, h, wr, wi := s.n, s.h, s.wr, s.wi
	from = bottom - estimates + 1
	if odd {
		from = bottom - want + 1
		for i := bottom; i > max(from, top+1); i -= 2 {
			size := math.Abs(h[i*n+i-1]) + math.Abs(h[(i-1)*n+i-2])
			mid := 0.75*size + h[i*n+i]
			_, _, _, _, wr[i-1], wi[i-1], wr[i], wi[i], _, _ = impl.Dlanv2(mid, size, -0.4375*size, mid)
		}
		if from == top {
			wr[from+1], wi[from+1] = h[(from+1)*n+from+1], 0
			wr[from], wi[from] = wr[from+1], 0
		}
	} else if estimates <= want/2 { // those of the last rows
		from = bottom - want + 1
		t := gemm.Room(&s.copy, want*want)
		for i := range want {
			copy(t[i*want:][:want], h[(from+i)*n+from:])
		}
		from += impl.Dlahqr(false, false, want, 0, want-1, t, want, wr[from:bottom+1], wi[from:bottom+1], 0, 0, nil, 1)
		if from >= bottom {
			from = bottom - 1
			_, _, _, _, wr[from], wi[from], wr[bottom], wi[bottom], _, _ = impl.Dlanv2(h[from*n+from], h[from*n+bottom],
				h[bottom*n+from], h[bottom*n+bottom])
		}
	}
	s.order(from, bottom, want)
	if bottom-from == 1 && wi[bottom] == 0 { // of two real shifts the nearer one, twice
		last := h[bottom*n+bottom]
		if math.Abs(wr[bottom]-last) < math.Abs(wr[from]-last) {
			wr[from] = wr[bottom]
		} else {
			wr[bottom] = wr[from]
		}
	}
	return bottom - min(want, bottom-from+1)&^1 + 1
}

// order sorts shifts, the smallest last, and makes neighbours of pairs.
func (s *schurWork) order(from, bottom, want int) {
	wr, wi := s.wr, s.wi
	size := func(i int) float64 { return math.Abs(wr[i]) + math.Abs(wi[i]) }
	for sorted, k := bottom-from+1 <= want, bottom; !sorted && k > from; k-- {
		sorted = true
		for i := from; i < k; i++ {
			if size(i) < size(i+1) {
				sorted = false
				wr[i], wr[i+1] = wr[i+1], wr[i]
				wi[i], wi[i+1] = wi[i+1], wi[i]
			}
		}
	}
	for i := bottom; i > from+1; i -= 2 {
		if wi[i] != -wi[i-1] {
			wr[i], wr[i-1], wr[i-2] = wr[i-1], wr[i-2], wr[i]
			wi[i], wi[i-1], wi[i-2] = wi[i-1], wi[i-2], wi[i]
		}
	}
}
