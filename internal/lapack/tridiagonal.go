package lapack

import (
	"math"
	"slices"
)

const (
	epsilon = 0x1p-53   // half the distance of 1 from the next number
	tiny    = 0x1p-1022 // the least normal number
)

// tridiagonalQL finds the eigenvalues of the symmetric tridiagonal matrix of diagonal d and off-diagonal e by QL or
// QR steps with Wilkinson's shift, and writes them over d (xSTEQR). The vectors of z are turned along. It destroys
// e, and reports whether the iteration converged.
func tridiagonalQL(d, e []float64, z *turns) bool {
	n := len(d)
	steps := 30 * n
	for lo := 0; lo < n; {
		hi := lo
		for ; hi < n-1; hi++ {
			x := math.Abs(e[hi])
			if x <= math.Sqrt(math.Abs(d[hi]))*math.Sqrt(math.Abs(d[hi+1]))*epsilon {
				e[hi] = 0
				break
			}
		}
		if hi > lo && !tridiagonalBlock(d[lo:hi+1], e[lo:hi], z, lo, &steps) {
			return false
		}
		lo = hi + 1
	}
	return true
}

// tridiagonalBlock works on a block whose first vector is number base. It begins at the end with the smaller
// diagonal element; coming from the other end is the same with all in the opposite order.
func tridiagonalBlock(d, e []float64, z *turns, base int, steps *int) bool {
	n := len(d)
	if math.Abs(d[n-1]) >= math.Abs(d[0]) {
		return tridiagonalSteps(d, e, z, base, 1, steps)
	}
	slices.Reverse(d)
	slices.Reverse(e)
	ok := tridiagonalSteps(d, e, z, base+n-1, -1, steps)
	slices.Reverse(d)
	return ok
}

// tridiagonalSteps finds the eigenvalues of a block from its first element on. Vector i is number base+i*dir of z.
func tridiagonalSteps(d, e []float64, z *turns, base, dir int, steps *int) bool {
	n := len(d)
	e = e[:n-1]
	for l := 0; l < n-1; {
		m := l // the end of the part that still hangs together
		for ; m < n-1; m++ {
			x := math.Abs(e[m])
			if x*x <= epsilon*epsilon*math.Abs(d[m])*math.Abs(d[m+1])+tiny {
				e[m] = 0
				break
			}
		}
		switch m {
		case l:
			l++
			continue
		case l + 1:
			a, b, c, s := impl.Dlaev2(d[l], e[l], d[m])
			d[l], d[m], e[l] = a, b, 0
			turn := z.room(base+l*dir, dir, 1)
			turn[0], turn[1] = c, s
			l += 2
			continue
		}
		if *steps--; *steps < 0 {
			return false
		}
		tridiagonalStep(d[l:m+1], e[l:m], z.room(base+m*dir, -dir, m-l))
	}
	return true
}

// tridiagonalStep is an implicit QL step, which writes cosines and sines of its rotations to cs. What one rotation
// leaves to the next is (g/x)·t - b, where sines and cosines, with their square roots, are not waited for.
func tridiagonalStep(d, e, cs []float64) {
	m := len(e)
	d, cs = d[:m+1], cs[:2*m]
	p := d[0]
	g := (d[1] - p) / (2 * e[0])
	g = d[m] - p + e[0]/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, squared := 1.0, 1.0, 1.0 // the sine, the cosine, and the square of the sine
	p = 0
	for i := m - 1; i >= 0; i-- {
		x := e[i]
		f, b := s*x, c*x
		x = squared*(x*x) + g*g
		top := d[i+1] - p
		gap := d[i] - top
		if !(x > 0x1p-900 && x < 0x1p900) {
			var r float64
			c, s, r = rotate(g, f)
			squared = s * s
			if i != m-1 {
				e[i+1] = r
			}
			r = gap*s + 2*c*b
			p = s * r
			d[i+1] = top + p
			g = c*r - b
		} else {
			t := gap*f + 2*g*b
			square := 1 / x
			root := math.Sqrt(x)
			inverse := 1 / root
			squared = f * f * square
			p = f * square * t
			g, c, s = g*square*t-b, g*inverse, f*inverse
			d[i+1] = top + p
			if i != m-1 {
				e[i+1] = root
			}
		}
		at := 2 * (m - 1 - i)
		cs[at], cs[at+1] = c, s
	}
	d[0] -= p
	e[0] = g
}

// rotate finds c, s and r with c·f + s·g = r and c·g - s·f = 0 (xLARTG).
func rotate(f, g float64) (c, s, r float64) {
	if x := f*f + g*g; x > 0x1p-900 && x < 0x1p900 && g != 0 {
		r = math.Copysign(math.Sqrt(x), f)
		x = 1 / r
		return f * x, g * x, r
	}
	return rotateSafely(f, g)
}

// rotateSafely is rotate for numbers whose squares are too large or too small.
func rotateSafely(f, g float64) (c, s, r float64) { return impl.Dlartg(f, g) }

// ascending is the order in which the values ascend.
func ascending(d []float64) []int {
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case d[i] < d[j]:
			return -1
		case d[i] > d[j]:
			return 1
		}
		return 0
	})
	return order
}
