package lapack

import (
	"math"

	"gotorch/internal/simd"
)

// Note: secular equations. The eigenvalues of a diagonal matrix d plus rho z zᵀ are the roots x of
//
//	1/rho + Σ z²/(d - x) = 0,
//
// one right of each d. The singular values of the matrix with a first row z and d below on its diagonal are those of
// the same equation with squares of d and x (Gu and Eisenstat, A Divide-and-Conquer Algorithm for the Symmetric
// Tridiagonal Eigenproblem, 1995, and for the Bidiagonal SVD, 1995). Roots are kept as a pole and what is added to it,
// so that gaps d - x are exact to a few roundings, and vectors are made of the z whose roots they are exactly, so that
// they are at right angles.

// secular is an equation. Poles stand in any order; ascending has their places.
type secular struct {
	d, z      []float64
	squared   []float64 // of z
	inverse   float64   // 1/rho
	squares   bool      // roots and poles are squared
	ascending []int
	point     simd.SecularPoint // of refit
}

// look computes the equation at a pole plus an offset, and gaps.
func (s *secular) look(p *simd.SecularPoint, gap []float64, origin, offset float64) (f float64) {
	p.Origin, p.Offset, p.Scale, p.Shift = origin, offset, 0, 1
	if s.squares {
		p.Scale, p.Shift = 1, origin+offset
	}
	simd.SecularSums(gap, s.d, s.squared, p)
	return s.inverse + p.Below + p.Above
}

// toward is how much is added to x so that x, or its square, grows by step.
func (s *secular) toward(x, step float64) float64 {
	if !s.squares || step == 0 {
		return step
	}
	return step / (x + math.Sqrt(x*x+step))
}

// lesser is the root (a - √(a²-4bc))/2c of c x² - a x + b.
func lesser(a, b, c float64) float64 {
	root := math.Sqrt(math.Abs(a*a - 4*b*c))
	if a <= 0 {
		return (a - root) / (2 * c)
	}
	return 2 * b / (a + root)
}

// root finds the root right of the pole of a rank, and gaps from it to all poles. p is workspace.
func (s *secular) root(rank int, gap []float64, p *simd.SecularPoint) float64 {
	n := len(s.ascending)
	left := s.ascending[rank]
	if n == 1 {
		step := s.squared[left] / s.inverse
		gap[left] = -step
		return s.d[left] + s.toward(s.d[left], step)
	}
	if rank == n-1 {
		return s.last(p, gap)
	}
	right := s.ascending[rank+1]
	from, to := s.d[left], s.d[right]
	width := to - from
	between := width
	if s.squares {
		between *= from + to
	}
	f := s.look(p, gap, from, width/2)
	x, y := s.squared[left], s.squared[right]
	c := f - x/gap[left] - y/gap[right] // what the other poles contribute about here
	origin, lo, hi := from, 0.0, width/2
	a, b := c*between+x+y, x*between
	if f < 0 {
		origin, lo, hi = to, -width/2, 0
		a, b = x+y-c*between, -y*between
	}
	offset := s.toward(origin, lesser(a, b, c))
	for range mostLooks {
		if !(offset > lo && offset < hi) {
			offset = halfway(lo, hi)
		}
		f = s.look(p, gap, origin, offset)
		if s.solved(f, p) {
			break
		}
		if f < 0 {
			lo = offset
		} else {
			hi = offset
		}
		// both sums become one pole each, with the values and slopes that they have here
		l, r := gap[left], gap[right]
		step := lesser((l+r)*f-l*r*(p.BelowSlope+p.AboveSlope), l*r*f, f-l*p.BelowSlope-r*p.AboveSlope)
		if !(step*f < 0) {
			step = -f / (p.BelowSlope + p.AboveSlope)
		}
		next := offset + s.toward(origin+offset, step)
		if next == offset {
			break
		}
		offset = next
	}
	return origin + offset
}

// mostLooks is how often the equation is looked at for a root; a few times are enough.
const mostLooks = 100

// halfway is between offsets from a pole, in the middle of their exponents where they have one sign.
func halfway(lo, hi float64) float64 {
	switch {
	case lo > 0 && hi > 4*lo:
		return math.Sqrt(lo) * math.Sqrt(hi)
	case hi < 0 && lo < 4*hi:
		return -math.Sqrt(-lo) * math.Sqrt(-hi)
	case lo == 0:
		return hi / 16
	case hi == 0:
		return lo / 16
	}
	return lo + (hi-lo)/2
}

// solved reports whether f is as small as its roundings.
func (s *secular) solved(f float64, p *simd.SecularPoint) bool {
	offset := math.Abs(p.Offset)
	if s.squares {
		offset *= p.Origin + p.Shift
	}
	sum := 8*(p.Above-p.Below) + 2*s.inverse + offset*(p.AboveSlope+p.BelowSlope)
	return math.Abs(f) <= epsilon*sum
}

// last finds the root right of all poles.
func (s *secular) last(p *simd.SecularPoint, gap []float64) float64 {
	n := len(s.ascending)
	left, right := s.ascending[n-2], s.ascending[n-1]
	origin, all := s.d[right], 0.0
	for _, x := range s.squared {
		all += x
	}
	all *= (1 + 8*float64(n)*epsilon) / s.inverse
	lo, hi := 0.0, s.toward(origin, all)
	offset := s.toward(origin, all/2)
	for range mostLooks {
		if !(offset > lo && offset <= hi) {
			offset = halfway(lo, hi)
		}
		f := s.look(p, gap, origin, offset)
		if s.solved(f, p) {
			break
		}
		if f < 0 {
			lo = offset
		} else {
			hi = offset
		}
		l, r := gap[left], gap[right]
		slope := s.squared[right] / (r * r) // of the last pole alone
		others := max(p.BelowSlope-slope, s.squared[left]/(l*l))
		c := math.Abs(f - l*others - r*slope)
		a, b := (l+r)*f-l*r*(others+slope), l*r*f
		root := math.Sqrt(math.Abs(a*a - 4*b*c))
		step := 2 * b / (a - root)
		if a >= 0 {
			step = (a + root) / (2 * c)
		}
		if !(step*f < 0) {
			step = -f / (others + slope)
		}
		next := offset + s.toward(origin+offset, step)
		if next == offset {
			break
		}
		offset = next
	}
	return origin + offset
}

// refit replaces z by that of the equation which has the roots that were found exactly, row i of gaps being that of
// the root of rank i.
func (s *secular) refit(gaps []float64) {
	n := len(s.d)
	w := s.squared
	for i := range w {
		w[i] = 1
	}
	for i, at := range s.ascending {
		gap := gaps[i*n:][:n]
		p := &s.point
		p.Origin, p.Scale, p.Shift = s.d[at], 0, 1
		if s.squares {
			p.Scale, p.Shift = 1, s.d[at]
		}
		simd.SecularWeights(w[:at], gap, s.d[:at], p)
		simd.SecularWeights(w[at+1:], gap[at+1:], s.d[at+1:], p)
		w[at] *= -gap[at]
	}
	for i, x := range w {
		s.z[i] = math.Copysign(math.Sqrt(math.Abs(x)), s.z[i])
	}
}
