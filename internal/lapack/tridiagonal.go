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
	first, end, step, ahead := 0, n-1, 1, 0 // e[i+ahead] is between d[i] and d[i+step]
	if math.Abs(d[n-1]) < math.Abs(d[0]) {
		first, end, step, ahead = n-1, 0, -1, -1
	}
	for l := first; ; {
		m := l // the end of the part that still hangs together
		for ; m != end; m += step {
			x := math.Abs(e[m+ahead])
			if x*x <= epsilon*epsilon*math.Abs(d[m])*math.Abs(d[m+step])+tiny {
				e[m+ahead] = 0
				break
			}
		}
		switch {
		case m == l:
			if l == end {
				return true
			}
			l += step
			continue
		case m == l+step:
			i := min(l, m)
			a, b, c, s := impl.Dlaev2(d[i], e[i], d[i+1])
			d[i], d[i+1], e[i] = a, b, 0
			z.sweep(base+i, 1)
			z.turn(c, s)
			if m == end {
				return true
			}
			l = m + step
			continue
		}
		if *steps--; *steps < 0 {
			return false
		}
		p := d[l]
		g := (d[l+step] - p) / (2 * e[l+ahead])
		g = d[m] - p + e[l+ahead]/(g+math.Copysign(math.Hypot(g, 1), g))
		s, c := 1.0, 1.0
		p = 0
		z.sweep(base+m, -step)
		for i := m - step; i != l-step; i -= step {
			f, b := s*e[i+ahead], c*e[i+ahead]
			var r float64
			c, s, r = rotate(g, f)
			if i != m-step {
				e[i+step+ahead] = r
			}
			g = d[i+step] - p
			r = (d[i]-g)*s + 2*c*b
			p = s * r
			d[i+step] = g + p
			g = c*r - b
			z.turn(c, s)
		}
		d[l] -= p
		e[l+ahead] = g
	}
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
